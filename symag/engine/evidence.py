"""Certificates and traces in files: read and re-checked in a child process."""

from __future__ import annotations

import time
from dataclasses import dataclass

from symag.certificates import Certificate
from symag.certify import check_certificate, read_certificate, read_trace, replay
from symag.engine.race import Runner, once, race
from symag.errors import CertificationError
from symag.limits import Limits, Progress, no_progress
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

    return Recheck(item, certificate, _reason(once("certify", work, limits.memory), limits, progress))


def recheck_trace(path: str, system: FlatSystem, limits: Limits, progress: Progress = no_progress) -> Recheck:
    """Read a trace and run it again. Raises InputError and CertificationError, as ``recheck_certificate``."""
    item, trace = read_trace(path, system)

    def work(report: Progress) -> bool:
        report("replaying")
        replay(system, item, trace)
        return True

    return Recheck(item, trace, _reason(once("replay", work, limits.memory), limits, progress))


def _reason(runner: Runner, limits: Limits, progress: Progress) -> str | None:
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    outcome = race([runner], lambda _: True, deadline, progress)[-1].outcome
    if outcome.error is not None:
        raise outcome.error
    if outcome.reason is not None and outcome.reason.startswith("internal error"):
        raise CertificationError(outcome.reason)
    return None if outcome.value else outcome.reason or "timeout"
