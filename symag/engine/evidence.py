"""Certificates and traces in files: written from answers, read and re-checked in a child process."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from symag.certificates import Certificate
from symag.certify import check_certificate, read_certificate, read_trace, replay, write_certificate, write_trace
from symag.engine.race import Runner, race
from symag.errors import CertificationError, UsageError
from symag.limits import Limits, Progress, no_progress
from symag.results import PropertyResult, Verdict
from symag.smv.flat import FlatSystem, Property
from symag.traces import Trace


@dataclass(frozen=True, slots=True)
class Recheck:
    """Evidence from a file; ``reason`` is None if it was accepted, else why the re-check came to no end."""

    property: Property
    evidence: Certificate | Trace
    reason: str | None


def recheck_certificate(path: str, system: FlatSystem, limits: Limits, progress: Progress = no_progress) -> Recheck:
    """Read a certificate and check every premise again.

    Raises InputError for a file that is no certificate for this model, CertificationError for one that
    proves nothing.
    """
    item, certificate = read_certificate(path, system)

    def work(report: Progress) -> bool:
        report("checking the premises")
        return check_certificate(system, item, certificate, limits.seconds)

    return Recheck(item, certificate, _reason(Runner("certify", work), limits, progress))


def recheck_trace(path: str, system: FlatSystem, limits: Limits, progress: Progress = no_progress) -> Recheck:
    """Read a trace and run it again. Raises InputError and CertificationError, as ``recheck_certificate``."""
    item, trace = read_trace(path, system)

    def work(report: Progress) -> bool:
        report("replaying")
        replay(system, item, trace)
        return True

    return Recheck(item, trace, _reason(Runner("replay", work), limits, progress))


def _reason(runner: Runner, limits: Limits, progress: Progress) -> str | None:
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    outcome = race([runner], lambda _: True, deadline, limits.memory, progress)[-1].outcome
    if outcome.error is not None:
        raise outcome.error
    if outcome.reason is not None and outcome.reason.startswith("internal error"):
        raise CertificationError(outcome.reason)
    return None if outcome.value else outcome.reason or "timeout"


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
