"""Where ``check`` writes the evidence of its answers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from symag.errors import UsageError
from symag.results import PropertyResult, Verdict
from symag.smv.flat import FlatSystem, Property


@dataclass(frozen=True, slots=True)
class EvidenceFiles:
    """Where evidence is written: a file for one property, or a folder with ``INDEX.json`` for each."""

    certificates: str | None
    traces: str | None
    single: bool

    def __post_init__(self) -> None:
        """Raises UsageError if one file is named for several properties."""
        for path in (self.certificates, self.traces):
            if path is not None and not self.single and not _is_folder(path):
                raise UsageError(f"{path}: name a folder (with a / at the end), for there are several properties")

    def write(self, system: FlatSystem, item: Property, result: PropertyResult) -> str | None:
        """Write what there is; the path of the certificate, if one was written. Raises UsageError."""
        if self.certificates is None and self.traces is None:
            return None
        from symag.certify import write_certificate, write_trace  # with its SAT solver, slow to import

        if result.trace is not None and self.traces is not None:
            write_trace(_path(self.traces, item), system, item, result.trace)
        if result.verdict is Verdict.HOLDS and result.certificate is not None and self.certificates is not None:
            path = _path(self.certificates, item)
            write_certificate(path, system, item, result.certificate)
            return str(path)
        return None


def _is_folder(path: str) -> bool:
    return path.endswith(os.sep) or Path(path).is_dir()


def _path(path: str, item: Property) -> Path:
    if not _is_folder(path):
        return Path(path)
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {path}: {error.strerror}") from None
    return folder / f"{item.index}.json"
