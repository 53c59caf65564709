"""Runs commands under a limit and measures their CPU time; shared by the scripts that print tables."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symag.core.limits import JobLimits
from symag.process.pool import supervised
from symag.process.supervision import CommandExit, SupervisedCommand

ROOT = Path(__file__).resolve().parents[2]
#: ``python -c`` rather than the console script, so that a checkout that is not installed works too.
SYMAG = [sys.executable, "-c", "from symag.__main__ import main; main()"]
#: A run that took longer than this, in seconds, is not repeated.
NOT_REPEATED = 5.0


@dataclass(frozen=True)
class Run:
    """One finished or stopped command. ``seconds`` is CPU time, ``memory`` MiB, of all its processes."""

    seconds: float
    status: int | None
    output: str
    errors: str
    memory: float = 0.0

    @property
    def stopped(self) -> bool:
        """Whether it ran into the limit."""
        return self.status is None


@dataclass(frozen=True)
class Decision:
    """What a tool said about one property: ``verdict`` is holds, violated or unknown.

    ``seconds`` is the median CPU time. ``statistics`` holds symag's own figures.
    """

    verdict: str
    seconds: float
    reason: str | None = None
    method: str | None = None
    certified: bool = False
    statistics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        return self.verdict in ("holds", "violated")


def suites() -> Path:
    """The folder of public models with known verdicts: SYMAG_SUITES, or ../shared/suites beside the project."""
    return Path(os.environ.get("SYMAG_SUITES", ROOT.parent / "shared" / "suites")) / "smv"


#: A limit of processor time is also one of wall time: this many times as long, for a machine that others use too.
PATIENCE = 10


def run(
    command: Sequence[str],
    limit: float,
    processor: bool = False,
    memory: int | None = None,
    together: float | None = None,
) -> Run:
    """Run a command for at most ``limit`` seconds of wall time; it is stopped then with all that it has started.

    With ``processor`` each of its processes may use ``limit`` seconds of CPU time instead. ``memory`` is in MiB.
    ``together`` are CPU seconds of all its processes, after which it is stopped too.
    PYTHONDONTWRITEBYTECODE is unset, so that later runs do not compile symag again (0.35 s), as no user's do.
    """
    if processor:
        command = ["bash", "-c", f'ulimit -S -t {math.ceil(limit)}; exec "$@"', "bash", *command]
        limit *= PATIENCE
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [shutil.which("env") or "env", "-u", "PYTHONDONTWRITEBYTECODE", f"PYTHONPATH={path}", *command]
    with tempfile.TemporaryDirectory(prefix="measure-") as name:
        output, errors = Path(name, "output"), Path(name, "errors")
        limits = JobLimits(wall=limit, cpu=together, memory=memory)
        ending: CommandExit = supervised(
            lambda: SupervisedCommand(command, limits, str(output), str(errors), lambda ended: ended)
        )
        stopped = ending.limit is not None or ending.status == -signal.SIGXCPU
        status = None if stopped else ending.status
        printed, warned = (file.read_text(errors="replace") for file in (output, errors))
        return Run(ending.cpu_seconds, status, printed, warned, ending.memory_mib)


def check(
    path: Path,
    options: Sequence[str],
    timeout: float,
    repeat: int = 1,
    processor: bool = False,
    together: float | None = None,
) -> list[tuple[dict[str, Any], Decision]]:
    """``symag check --json`` on one file: each property's JSON entry with its decision.

    ``timeout`` is for each property, in wall seconds (with ``processor``: for each process, in CPU seconds);
    then ``together`` is as in ``run``. The CPU time of the command is given with every property, the median of
    ``repeat`` runs. A command that fails as a
    whole yields one unknown decision with its message.
    """
    own = timeout * PATIENCE if processor else timeout
    command = [*SYMAG, "check", str(path), "--json", "--quiet", "--timeout", str(own), *options]
    runs: list[Run] = []
    while len(runs) < repeat and (not runs or runs[0].seconds < NOT_REPEATED):
        # the limits are symag's own; the outer one is for the day they do not hold
        runs.append(run(command, timeout, True, together=together) if processor else run(command, 40 * timeout + 60))
    seconds = statistics.median(run_.seconds for run_ in runs)
    try:
        report = json.loads(runs[0].output)
        entries = report["results"]
    except (json.JSONDecodeError, KeyError):
        lines = (runs[0].errors or runs[0].output).strip().splitlines()
        message = "outer limit" if runs[0].stopped else lines[-1] if lines else f"exit {runs[0].status}"
        return [({"text": "", "index": 0, "name": None}, Decision("unknown", seconds, message))]
    return [
        (
            entry,
            Decision(
                entry["verdict"],
                seconds,
                entry["reason"],
                entry["method"],
                entry["certified"],
                entry["statistics"],
            ),
        )
        for entry in entries
    ]


def seconds_text(decision: Decision | None, timeout: float) -> str:
    """``1.3``, ``1.3*`` when not certified, ``> 60``, or the reason; ``-`` when there is nothing."""
    if decision is None:
        return "-"
    if not decision.known:
        return f"> {timeout:g}" if decision.reason == "timeout" else (decision.reason or "unknown")[:12]
    return f"{decision.seconds:.2f}{'' if decision.certified else '*'}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain text table with aligned columns."""
    widths = [max(len(row[k]) for row in (header, *rows)) for k in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (header, *rows)]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)


def say(text: str) -> None:
    """Progress, on standard error."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)
