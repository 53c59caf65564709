"""The models of a batch with their questions, from a folder, a pattern, a verdict file or a TOML file.

A TOML file::

    expected = ["../suites/smv/nusmv-verdicts.json"]   # verdict files of other tools

    [[models]]
    files = ["arbiter*.smv", "msi2.smv"]     # patterns, relative to this file
    properties = ["exclusive", "3"]          # names, numbers or kinds (safety); default: all
    targets = ["SYS"]                        # composite processes of FSP; default: all
    methods = ["auto", "rule-g"]             # default: the methods of the command line
    options = ["--parts 3", "--parts 4"]     # each is a variant of every job; default: one without options
    specification = "one.nm"                 # does it simulate these probabilistic models? (default: count states)
    expected = "holds"                       # for every property of these models
"""

from __future__ import annotations

import glob
import json
import os
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from msgspec import Struct

from symag.core.errors import InputError, UsageError
from symag.core.files import has_suffix
from symag.core.input_files import toml_of_file
from symag.core.limits import JobLimits
from symag.core.reports import ListedQuestion
from symag.core.values import replace
from symag.process.pool import CommandPool
from symag.process.supervision import CommandExit, Launch, SupervisedCommand, python_command
from symag.suites.expectations import Expectations, expectations, is_verdict_file
from symag.suites.jobs import Job
from symag.suites.listing import BAD_INPUT, SINGLE_SUFFIXES, SUFFIXES
from symag.suites.spelling import plain

_KEYS: Mapping[str, type] = {
    "files": list,
    "properties": list,
    "targets": list,
    "methods": list,
    "options": list,
    "specification": str,
    "expected": str,
}

#: The most models that a message names.
_SHOWN = 5

#: Words of other tools for expected verdicts.
_OTHER_WORDS: Mapping[str, str] = {"true": "holds", "false": "violated"}


@dataclass(frozen=True, slots=True)
class SuiteEntry:
    """A model and its questions. Empty ``properties`` and ``targets`` mean all; ``variants`` are lists of options."""

    model: Path
    methods: tuple[str, ...]
    properties: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    variants: tuple[tuple[str, ...], ...] = ((),)
    specification: Path | None = None
    expected: str | None = None


class Suite(Struct, frozen=True):
    """Models in a fixed order, and the expected answers about them.

    ``left_out`` says what a folder has beside them and cannot be read, such as links to missing files.
    """

    entries: tuple[SuiteEntry, ...]
    known: Expectations
    left_out: tuple[str, ...] = ()

    def models(self) -> list[Path]:
        """The models, each once."""
        return list(dict.fromkeys(entry.model for entry in self.entries))

    def jobs(self, entry: SuiteEntry, properties: Sequence[ListedQuestion]) -> Iterator[Job]:
        """The jobs for a model with these properties.

        A property of the entry that the model does not have gives a job too, which fails. Raises UsageError for a
        specification, if the model has properties of its own.
        """
        listing = [
            listed
            for listed in properties
            if not entry.targets or listed.target in entry.targets or listed.kind == "model"
        ]
        if entry.properties:
            names_of = [{listed.name, listed.property, listed.kind} for listed in listing]
            missing = [
                ListedQuestion(name, "?", name)
                for name in entry.properties
                if not any(name in names for names in names_of)
            ]
            matching = [listed for listed, names in zip(listing, names_of, strict=True) if names & {*entry.properties}]
            listing = [*matching, *missing]
        model = str(entry.model)
        if entry.specification is not None and any(listed.property is not None for listed in listing):
            raise UsageError(f"{model}: 'specification' is for a model without properties of its own")
        for listed in listing:
            if listed.property is None:
                yield from self._whole(entry, listed)
                continue
            expected = entry.expected or self.known.answer(
                entry.model, listed.kind, listed.target, listed.text, listed.name
            )
            for method in entry.methods:
                for options in entry.variants:
                    yield Job(
                        model,
                        listed.property,
                        listed.kind,
                        listed.text,
                        listed.name,
                        listed.target,
                        method,
                        options,
                        expected,
                    )

    def _whole(self, entry: SuiteEntry, listed: ListedQuestion) -> Iterator[Job]:
        """The jobs for a model without properties of its own."""
        if listed.kind == "model":
            yield Job(str(entry.model), None, listed.kind, listed.text)
        elif entry.specification is None:
            yield from self._counts(entry, listed)
        else:
            specification = str(entry.specification)
            # Relative to the model's folder: specifications with the same name are different problems.
            text = f"simulated by {os.path.relpath(specification, entry.model.parent)}"
            for method in entry.methods:
                for variant in entry.variants:
                    options = ("--specification", specification, *variant)
                    job = Job(str(entry.model), None, "simulation", text, method=method, options=options)
                    yield replace(job, expected=entry.expected)

    def _counts(self, entry: SuiteEntry, listed: ListedQuestion) -> Iterator[Job]:
        """The jobs that count states: with the entry's options, or with all settings that have expected counts."""
        counts = {
            known_answer.options: known_answer.answer
            for known_answer in self.known.of(entry.model)
            if known_answer.kind == "count"
        }
        variants = entry.variants if entry.variants != ((),) else tuple(counts) or ((),)
        for options in variants:
            expected = entry.expected or counts.get(options)
            yield Job(str(entry.model), None, listed.kind, listed.text, None, None, "explicit", options, expected)


def suite(given: str, methods: Sequence[str], expected: Sequence[Path]) -> Suite:
    """The suite in a folder (with the verdict files in it), a pattern, a model, a verdict file, or a TOML file.

    ``methods`` are those of the command line, ``expected`` further verdict files. Raises UsageError if there is
    no model, InputError for a malformed file.
    """
    path = Path(given)
    files = list(expected)
    left_out: tuple[str, ...] = ()
    if path.suffix.lower() == ".toml":
        entries, named = _toml(path, tuple(methods))
        files += named
    elif path.is_dir():
        # Verdict files in a folder are about its models.
        files += [file for file in sorted(path.rglob("*.json")) if is_verdict_file(file)]
        entries = [SuiteEntry(model, tuple(methods)) for model in _models(path)]
        left_out = tuple(_left_out(path))
    elif path.suffix.lower() == ".json":
        files.append(path)
        models = sorted(expectations([path]).by_model)
        entries = [SuiteEntry(model, tuple(methods)) for model in models if model.is_file()]
    elif path.is_file():
        # Not a pattern, whatever characters are in its name.
        entries = [SuiteEntry(path, tuple(methods))] if has_suffix(path.name, SINGLE_SUFFIXES) else []
    else:
        paths = sorted(map(Path, glob.glob(given, recursive=True)))
        entries = [SuiteEntry(model, tuple(methods)) for model in paths if has_suffix(model.name, SUFFIXES)]
    if not entries:
        beside = f" (but {shown(left_out)})" if left_out else ""
        what = "a suite is a folder, a pattern, a verdict file or a .toml file"
        raise UsageError(f"{given}: no models there{beside}; {what}")
    entries = [replace(entry, model=Path(plain(str(entry.model)))) for entry in entries]
    return Suite(tuple(entries), expectations(files), left_out)


def _models(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if has_suffix(file.name, SUFFIXES) and file.is_file())


def _left_out(folder: Path) -> Iterator[str]:
    for file in sorted(folder.rglob("*")):
        if file.is_dir():
            if not os.access(file, os.R_OK | os.X_OK):
                yield f"{file} is a folder that cannot be read"
        elif has_suffix(file.name, SUFFIXES) and not file.is_file():
            yield f"{file} is {'no file' if file.exists() else 'a link to nothing'}"


def shown(texts: Sequence[str]) -> str:
    """The first of some texts in one line; dots for the others."""
    return ", ".join(texts[:_SHOWN]) + (", ..." if len(texts) > _SHOWN else "")


def _toml(path: Path, methods: tuple[str, ...]) -> tuple[list[SuiteEntry], list[Path]]:
    document = toml_of_file(path)
    tables = document.pop("models", [])
    named = document.pop("expected", [])
    if document or not isinstance(tables, list) or not _are_texts(named):
        raise InputError("expected [[models]] tables and, perhaps, a list of file names 'expected'", str(path))
    entries = [entry for number, table in enumerate(tables, 1) for entry in _entries(path, number, table, methods)]
    return entries, [path.parent / name for name in named]


def _entries(path: Path, number: int, table: object, methods: tuple[str, ...]) -> Iterator[SuiteEntry]:
    if not isinstance(table, dict):
        raise InputError(f"models {number}: expected a table", str(path))
    for name, value in table.items():
        kind = _KEYS.get(name)
        if kind is None:
            raise InputError(f"models {number}: unknown key '{name}'; there are {', '.join(_KEYS)}", str(path))
        if not isinstance(value, kind) or (kind is list and not _are_texts(value)):
            expected = "a list of strings" if kind is list else "a string"
            raise InputError(f"models {number}: '{name}' should be {expected}", str(path))
        if name in ("methods", "options") and not value:
            raise InputError(f"models {number}: '{name}' is empty; without it there is one default", str(path))
    if table.get("expected") in _OTHER_WORDS:
        word = table["expected"]
        raise InputError(f"models {number}: 'expected' is '{word}', expected '{_OTHER_WORDS[word]}'", str(path))
    files = {file for pattern in table.get("files", ()) for file in _matching(path, number, pattern)}
    if not files:
        raise InputError(f"models {number}: 'files' names no file", str(path))
    options = [_words(path, number, text) for text in table.get("options", [""])]
    for model in sorted(files):
        yield SuiteEntry(
            model,
            tuple(table.get("methods", methods)),
            tuple(table.get("properties", ())),
            tuple(table.get("targets", ())),
            tuple(map(tuple, options)),
            path.parent / table["specification"] if "specification" in table else None,
            table.get("expected"),
        )


def _matching(path: Path, number: int, pattern: str) -> Iterator[Path]:
    try:
        yield from path.parent.glob(pattern)
    except (NotImplementedError, ValueError, IndexError) as error:  # from pathlib: absolute, empty or "a**b", "."
        raise InputError(f"models {number}: '{pattern}' is no pattern relative to this file", str(path)) from error


def _words(path: Path, number: int, options: str) -> list[str]:
    try:
        return shlex.split(options)
    except ValueError as error:
        raise InputError(f"models {number}: options {options!r}: {error}", str(path)) from error


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def jobs(
    suite: Suite,
    limits: JobLimits,
    workers: int,
    progress: Callable[[str], None],
    launch: Launch = python_command,
) -> list[Job]:
    """All jobs of a suite in its order; a model whose properties cannot be listed has one job, which fails.

    So has each model of an entry whose target no model has.
    """
    read = properties_of(suite.models(), limits, workers, progress, launch)
    properties = {model: _UNREADABLE if isinstance(listed, InputError) else listed for model, listed in read.items()}
    known = {listed.target for listing in properties.values() for listed in listing}
    for entry in suite.entries:
        if any(listed.kind == "model" for listed in properties[entry.model]):
            known |= {*entry.targets}  # nobody knows
    planned: list[Job] = []
    for entry in suite.entries:
        planned += suite.jobs(entry, properties[entry.model])
        missing = [target for target in entry.targets if target not in known]
        planned += [Job(str(entry.model), None, "?", target, target=target) for target in missing]
    return planned


def properties_of(
    models: Sequence[Path],
    limits: JobLimits,
    workers: int,
    progress: Callable[[str], None],
    launch: Launch = python_command,
) -> dict[Path, Sequence[ListedQuestion] | InputError]:
    """The properties of each model, or what is wrong in its file; if a limit or a crash ended the listing, or nothing
    says why, a single one of kind ``model``.
    """
    listed_of: dict[Path, Sequence[ListedQuestion] | InputError] = {}

    def commands(folder: str) -> Iterator[tuple[Path, SupervisedCommand]]:
        for number, model in enumerate(models):
            output = f"{folder}/{number}.out"
            command = launch("symag.suites.listing", str(model))
            digest = partial(_listed, output=output)
            yield model, SupervisedCommand(command, limits, output, f"{folder}/{number}.err", digest)

    with tempfile.TemporaryDirectory(prefix="symag-batch-") as folder, CommandPool[Path]() as pool:
        for model, listed in pool.completed(commands(folder), workers):
            listed_of[model] = _UNREADABLE if listed is None else listed
            progress(f"reading models: {len(listed_of)} of {len(models)}")
    return listed_of


_UNREADABLE = (ListedQuestion(None, "model", "the properties cannot be listed"),)


def _listed(ending: CommandExit, output: str) -> Sequence[ListedQuestion] | InputError:
    try:
        report = json.loads(Path(output).read_bytes())
    except (OSError, ValueError):
        return _UNREADABLE
    if ending.status == BAD_INPUT:
        return InputError(**report["error"])
    return _UNREADABLE if ending.status != 0 else [ListedQuestion(**fields) for fields in report["properties"]]
