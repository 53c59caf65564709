"""Batches of small models through the command line, and what they leave."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from symag.suites.store import Results, Row

ROOT = Path(__file__).resolve().parent.parent.parent
SLOW = """
MODULE main
VAR s : 0..3;
ASSIGN next(s) := (s + 1) mod 4;
INVARSPEC s < {bound}
"""


def symag(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "symag", *map(str, arguments)], capture_output=True, text=True, cwd=ROOT, timeout=120
    )


def rows(path: Path) -> list[Row]:
    with Results(path, writing=False) as results:
        return list(results.rows())


def verdicts(path: Path) -> dict[str, str]:
    return {Path(row.job.model).name: row.outcome.verdict for row in rows(path)}


def expected_verdicts() -> dict[str, str]:
    return {f"m{number:02}.smv": "violated" if number % 3 == 0 else "holds" for number in range(8)}


def running_in(folder: Path) -> list[str]:
    """Command lines of processes that name the folder."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit() and int(each.name) != os.getpid():
            try:
                line = (each / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if str(folder) in line:
                found.append(line)
    return found


def wait_until_quiet(folder: Path) -> None:
    end = time.monotonic() + 10
    while running_in(folder):
        assert time.monotonic() < end, running_in(folder)
        time.sleep(0.05)
