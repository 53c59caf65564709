"""Where the evidence of answers is written, and in which format: the same rules for all families of models.

- For one property, the path is the file. For several, each property has a file of its own: ``t.json`` becomes
  ``t-NAME.json`` with the property's name, or its index if it has no name.
- If the path is a folder (it exists, or the path ends with ``/``), the files in it are ``NAME.json`` and so on.
- The format is the one that the user names, else that of the suffix; in a folder or a device, the family's first one.

Paths are checked when they are planned, before any property is decided.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from symag.core.errors import UsageError
from symag.core.files import is_device, is_folder
from symag.core.input_files import refuse_input

# A text, compiled when it is first used: for start-up.
_ODD = r"[^\w.+-]+"
_LONGEST_NAME = 80


class EvidencePaths(Struct, frozen=True):
    """The file of each property, by the property's index; all of them are written in ``format``."""

    files: Mapping[int, Path]
    format: str

    def of(self, index: int) -> Path:
        """The file of a property. Raises KeyError for an index that has no file."""
        return self.files[index]


class WrittenEvidence(Struct, frozen=True):
    """The files that the evidence of one answer was written to, and why others were not written."""

    certificate: str | None = None
    trace: str | None = None
    errors: tuple[str, ...] = ()


def written(certificate: Path | None, trace: Path | None, errors: Sequence[str]) -> WrittenEvidence:
    """From paths; None where nothing was written."""
    certificate_file, trace_file = (None if path is None else str(path) for path in (certificate, trace))
    return WrittenEvidence(certificate_file, trace_file, tuple(errors))


def trace_format(path: str, asked_for: str | None, formats: Sequence[str], models: str) -> str:
    """The format in which traces are written to ``path``; messages call the models ``models``. Raises UsageError."""
    names = ", ".join(formats)
    if asked_for is not None and asked_for not in formats:
        raise UsageError(f"--trace-format {asked_for}: traces of {models} are written as {names}")
    if asked_for is not None or is_folder(path) or is_device(path):
        return asked_for or formats[0]
    suffix = Path(path).suffix.removeprefix(".").lower()
    if suffix not in formats:
        why = f"the suffix .{suffix} says no format for" if suffix else "a name without a suffix says no format for"
        raise UsageError(f"--trace {path}: {why} traces of {models}; there are {names}, also with --trace-format")
    return suffix


def planned(
    path: str, form: str, properties: Sequence[tuple[int, str | None]], model: str | None = None
) -> EvidencePaths:
    """The files for properties, which are given by index and name (None: no name), in a format.

    If one path is for several models, the names of files begin with ``model``. Makes the folder if it does not exist.
    Raises UsageError for a path that cannot be written to, and for a file that the command has read.
    """
    files = _files(path, form, properties, model)
    for file in files.values():
        refuse_input(file)
    return EvidencePaths(files, form)


def _files(path: str, form: str, properties: Sequence[tuple[int, str | None]], model: str | None) -> Mapping[int, Path]:
    if not path:  # as of a shell's variable without a value, and not the current folder
        raise UsageError("cannot write a file without a name")
    if model is not None:
        properties = [(index, f"{model}.{index if name is None else name}") for index, name in properties]
    target = Path(path)
    if is_device(path):
        return {index: target for index, _ in properties}
    if is_folder(path):
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {path}: {error.strerror}") from None
        _check_folder(path, target)
        return {index: target / f"{stem}.{form}" for index, stem in _stems(properties)}
    _check_folder(path, target.parent)
    if len(properties) <= 1 and model is None:
        return {index: target for index, _ in properties}
    return {index: target.with_name(f"{target.stem}-{stem}{target.suffix}") for index, stem in _stems(properties)}


def run_file(path: str, asked_for: str | None, formats: Sequence[str], models: str) -> tuple[Path, str]:
    """The file of a simulated run, and its format; in a folder it is ``run.FORMAT``. Raises UsageError."""
    form = trace_format(path, asked_for, formats, models)
    return planned(path, form, [(0, "run")]).of(0), form


def _check_folder(path: str, folder: Path) -> None:
    if not folder.is_dir():
        raise UsageError(f"cannot write {path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write {path}: the folder {folder} takes no new files")


def _stems(properties: Sequence[tuple[int, str | None]]) -> list[tuple[int, str]]:
    """The index of each property with the stem of its file: its name or else its index; both where a name repeats.

    No two stems are the same.
    """
    names = [(index, re.sub(_ODD, "_", name or "")[:_LONGEST_NAME].strip(".")) for index, name in properties]
    stems = [(index, name or str(index)) for index, name in names]
    # A stem with an index may be the name of another property.
    while len(counts := Counter(stem.lower() for _, stem in stems)) < len(stems):
        stems = [(index, stem if counts[stem.lower()] == 1 else f"{stem}-{index}") for index, stem in stems]
    return stems
