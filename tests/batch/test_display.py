"""The live table of a batch, drawn as it would be on a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from symag.cli.output.batch_display import Display
from symag.core.values import replace
from symag.suites.jobs import Job
from symag.suites.run import JobEvent
from symag.suites.store import JobOutcome

ROOT = Path(__file__).resolve().parent.parent.parent
JOB = Job("suites/chapter7_lts/CongestedSingleLaneBridge.lts", "0", "progress", "progress BLUECROSS = {blue.1.enter}")


def picture(width: int, height: int, running: int) -> list[str]:
    """Lines of the table after twelve jobs, one wrong, with so many running."""
    display = Display(quiet=True)
    display.begin(100)
    jobs = [replace(JOB, property=str(number), method="rule-g") for number in range(12 + running)]
    for job in jobs:
        display.event(JobEvent(job, None))
    for job in jobs[:12]:
        reason = "unsupported: ERROR can be reached, so check safety first"
        display.event(JobEvent(job, JobOutcome("unknown", reason=reason, wall_seconds=1.25)))
    display.event(JobEvent(replace(JOB, expected="holds"), JobOutcome("violated")))
    text = io.StringIO()
    console = Console(file=text, width=width, height=height, color_system=None)
    console.print(display._picture(time.monotonic(), width, height))
    return text.getvalue().splitlines()


@pytest.mark.parametrize(("width", "height"), [(60, 15), (80, 24), (120, 40), (300, 60)])
@pytest.mark.parametrize("running", [2, 40])
def test_the_table_fits_the_terminal(width: int, height: int, running: int) -> None:
    lines = picture(width, height, running)
    # A line that fills the terminal, or as many lines as it has, leave remains behind when the table is removed.
    assert max(map(len, (line.rstrip() for line in lines))) < min(width, 163) - 1
    assert len(lines) < height
    assert lines[0].startswith("13 of 100 jobs, about ")
    assert lines[1].split() == ["model", "property", "method", "outcome", "seconds"]
    assert lines[-1].startswith("1 WRONG, 12 unknown, 1 violated")
    assert running > 2 or "violated instead" in "".join(lines)


def test_on_a_terminal_nothing_of_it_is_left_behind(tmp_path: Path) -> None:
    """Every line that the table takes is erased before the summary is printed."""
    command = ["batch", "models/counter.smv", "--output", str(tmp_path / "r.sqlite"), "--timeout", "60"]
    terminal, end = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "symag", *command], cwd=ROOT, stderr=end, stdout=subprocess.PIPE)
    os.close(end)
    said = b""
    while data := _read(terminal):
        said += data
    os.close(terminal)
    out, _ = process.communicate(timeout=60)
    assert out.decode().splitlines()[0] == "2 jobs: 1 holds, 1 violated"
    last = said.decode().rpartition("\x1b[?25l")[2].rpartition("jobs, about")[2]
    lines_of_the_table = last.partition("\x1b[?25h")[0].count("\n")
    assert lines_of_the_table > 3
    assert len(re.findall(r"\x1b\[1A\x1b\[2K", last.partition("\x1b[?25h")[2])) == lines_of_the_table


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux: nobody holds the other end any more
        return b""
