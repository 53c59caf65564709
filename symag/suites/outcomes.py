"""What the output of a job says: its outcome with its cost."""

from __future__ import annotations

import json
import signal
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symag.process.supervision import CommandExit
from symag.suites.jobs import UNWRITABLE, Job
from symag.suites.store import JobOutcome

#: The counts of ``symag info`` that are compared, in this order; some may be missing.
_COUNTS = ("states", "choices", "transitions")
#: Exit statuses (``symag.cli.status``) after which standard output holds an error object instead of results.
_FAILURES = {1: "internal error", 2: "wrong usage", 3: "bad input"}
#: The bytes that a folder for the output of jobs should still take.
_PROBE = 1 << 16
#: The limits that reasons of unknown answers name.
LIMIT_OF = {"timeout": "wall", "memory": "memory"}


def outcome_of(ending: CommandExit, job: Job, output: str, errors: str) -> JobOutcome:
    """The outcome of a job, from the files with its standard output and standard error."""
    if ending.limit is not None:
        reason = "memory" if ending.limit == "memory" else "timeout"
        return _costing(ending, verdict="unknown", reason=reason, exceeded=ending.limit)
    try:
        report = json.loads(Path(output).read_bytes())
    except (OSError, ValueError):
        return _costing(ending, verdict="unknown", reason=_reason_of_silence(ending, errors))
    if "error" in report:
        failure = _FAILURES.get(ending.status, f"exit status {ending.status}")
        return _costing(ending, verdict="unknown", reason=f"{failure}: {_error_text(report['error'])}")
    if job.kind == "count" and "reason" in report:
        return _stopped(ending, report["reason"])
    if job.kind == "count":
        return _costing(ending, verdict="computed", value=counts(report), statistics=_numbers(report))
    answers = [answer for model in report.get("models", [report]) for answer in model.get("results", ())]
    if len(answers) != 1 or "models" in report:
        # Options of a suite may name further properties and models.
        failure = "wrong usage" if job.options else "internal error"
        reason = f"{failure}: {len(answers)} answers to one question"
        return _costing(ending, verdict="unknown", reason=reason)
    return answered(report["results"][0], report["warnings"], ending)


def answered(result: Mapping[str, Any], warnings: Sequence[str], ending: CommandExit) -> JobOutcome:
    """The outcome that an answer of ``symag check`` says, with the warnings about it; ``ending`` has its cost."""
    is_trace = result["verdict"] == "violated" and result["certificate"] is None
    return _costing(
        ending,
        verdict=result["verdict"],
        value=None if result["value"] is None else str(result["value"]),
        reason=_in_full(result["reason"], warnings),
        exceeded=LIMIT_OF.get(result["reason"] or ""),
        decided_by=result["method"],
        certified=result["certified"],
        statistics=result["statistics"],
        warnings=tuple(warnings),
        certificate=result["certificate"],
        trace=result["trace_file"] if is_trace else None,
    )


def _in_full(reason: str | None, warnings: Sequence[str]) -> str | None:
    """The reason with its detail from a warning such as ``property 3: unsupported: PROCESS``, if there is one."""
    for warning in warnings:
        head, _, rest = warning.partition(f": {reason}: ")
        if rest and head.endswith(tuple("0123456789")):
            return f"{reason}: {rest}"
    return reason


def _stopped(ending: CommandExit, reason: str) -> JobOutcome:
    """An unfinished count; ``reason`` begins with ``timeout`` or ``memory`` if a limit stopped it."""
    return _costing(ending, verdict="unknown", reason=reason, exceeded=LIMIT_OF.get(reason.partition(":")[0]))


def counts(report: Mapping[str, Any]) -> str:
    """Counts in the form in which they are compared: ``states=272 choices=400 transitions=492``."""
    return " ".join(f"{name}={report[name]}" for name in _COUNTS if name in report)


def _numbers(report: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if isinstance(value, int | float) and name != "schema"}


def _costing(ending: CommandExit, **fields: Any) -> JobOutcome:
    return JobOutcome(
        **fields,
        wall_seconds=round(ending.wall_seconds, 4),
        cpu_seconds=round(ending.cpu_seconds, 4),
        memory_mib=round(ending.memory_mib, 1),
    )


def _reason_of_silence(ending: CommandExit, errors: str) -> str:
    try:
        with tempfile.TemporaryFile(dir=Path(errors).parent) as probe:
            probe.write(bytes(_PROBE))
    except OSError as error:
        return f"{UNWRITABLE}: {error.strerror}"
    try:
        lines = Path(errors).read_text(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    last = f": {lines[-1][:200]}" if lines else ""
    if any(sign in line for line in lines[-20:] for sign in ("MemoryError", "out of memory", "bad_alloc")):
        return "memory"
    if ending.status < 0:
        return f"crashed: signal {-ending.status} ({signal.Signals(-ending.status).name}){last}"
    return f"crashed: exit status {ending.status}{last}"


def _error_text(error: Mapping[str, Any]) -> str:
    location = ":".join(str(error[name]) for name in ("file", "line", "column") if error.get(name) is not None)
    return f"{location}: {error['message']}" if location else str(error["message"])
