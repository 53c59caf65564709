"""Records how long the first answer takes, starting from an empty environment: four sessions for the manual.

    python -m scripts.documents.first_answers [--into symag/manual/first-answers.md]

Each session makes a virtual environment, installs symag from this folder with pip, and checks a model. Times are
wall-clock seconds; they depend on pip's cache and on the connection to the package index.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Who, and what they ask first.
SESSIONS = {
    "NuSMV": ("symag check models/junction.smv",),
    "LTSA": ("symag check models/lts/gas_station.lts --target GAS_STATION --const Race=1",),
    "PRISM": (
        "symag info models/lpts/client_server3.nm",
        "symag check models/lpts/client_server3.nm --formula 'P<=0.1 [X use1]'",
    ),
    "AIGER": ("symag convert models/arbiter4.smv arbiter.aig", "symag check arbiter.aig --property exclusive"),
}
_HEAD = """\
# Four first answers

`python -m scripts.documents.first_answers` makes an empty environment for each kind of user, installs symag with pip,
and asks a first question. Recorded on {date}, Python {python}, {cpus} processors{load}. Seconds of wall-clock time,
and in brackets of CPU time.

| user | `python3 -m venv` | `pip install` | commands | first answer after |
|---|---|---|---|---|
"""
_TAIL = """
Almost all of it is `pip`, which fetches and unpacks symag's libraries; symag's own part is the column "commands". On a
machine with other work (the load is the number of processes that want a processor) the CPU time says more.
"""


@dataclass(frozen=True)
class Seconds:
    """Of the wall clock, and of CPU time of a command with its processes."""

    wall: float
    cpu: float

    def __add__(self, other: Seconds) -> Seconds:
        return Seconds(self.wall + other.wall, self.cpu + other.cpu)

    def __str__(self) -> str:
        return f"{self.wall:.1f} ({self.cpu:.1f})"


@dataclass(frozen=True)
class RecordedSession:
    """The two steps of the installation, and each command with what it printed."""

    environment: Seconds
    installation: Seconds
    commands: tuple[tuple[str, Seconds, str], ...]

    @property
    def answering(self) -> Seconds:
        return sum((seconds for _, seconds, _ in self.commands), Seconds(0, 0))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, metavar="FILE", help="Write the page to this file.")
    output: Path | None = parser.parse_args().into
    text = "\n".join(page({user: recorded(commands) for user, commands in SESSIONS.items()}))
    if output is None:
        print(text, end="")
    else:
        output.write_text(text)
    return 0


def recorded(commands: Sequence[str]) -> RecordedSession:
    """One session, in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "models").symlink_to(ROOT / "models")
        environment, _ = timed([sys.executable, "-m", "venv", "venv"], folder)
        pip = ["venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(ROOT)]
        installation, _ = timed(pip, folder)
        answers = []
        for command in commands:
            program, *arguments = shlex.split(command)
            seconds, printed = timed([f"venv/bin/{program}", *arguments], folder)
            answers.append((command, seconds, printed))
    return RecordedSession(environment, installation, tuple(answers))


def timed(command: Sequence[str], folder: Path) -> tuple[Seconds, str]:
    """Seconds, and what is printed. Raises CalledProcessError for a command that fails; 10 is an answer."""
    started, before = time.monotonic(), children()
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 10):
        raise subprocess.CalledProcessError(ran.returncode, command, ran.stdout, ran.stderr)
    return Seconds(time.monotonic() - started, children() - before), ran.stdout


def children() -> float:
    """CPU seconds of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def page(sessions: dict[str, RecordedSession]) -> Iterator[str]:
    """The page of the manual, line by line."""
    load = os.getloadavg()[0]
    busy = f" (load {load:.0f})" if load >= 1 else ""
    date = time.strftime("%Y-%m-%d")
    yield _HEAD.format(date=date, python=platform.python_version(), cpus=os.cpu_count(), load=busy).rstrip("\n")
    for user, session in sessions.items():
        cells = (session.environment, session.installation, session.answering)
        yield f"| {user} | {' | '.join(map(str, cells))} | **{sum(cells, Seconds(0, 0))}** |"
    yield _TAIL.rstrip("\n")
    for user, session in sessions.items():
        yield from ("", f"## {user}", "", "```console")
        for command, _, printed in session.commands:
            yield f"$ {command}"
            yield from (line.rstrip() for line in printed.rstrip("\n").split("\n"))
        yield "```"
    yield ""


if __name__ == "__main__":
    sys.exit(main())
