"""One command of a user's, run to its end: it dies with this process, and so do its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from symag.core.limits import JobLimits
from symag.process.supervision import CommandExit, SupervisedCommand

#: So many bytes of what a command prints, or writes to a file, are read.
LARGEST = 1 << 28


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """How the command ended (None: it could not be started), and what it printed."""

    ending: CommandExit | None
    text: str
    errors: str


def run(command: Sequence[str], folder: Path, memory: int | None) -> CommandOutput:
    """Run a command whose first word is the path of a program; ``memory`` is its limit in MiB. No limit of time."""
    output, errors = folder / "output", folder / "errors"
    running = SupervisedCommand(command, JobLimits(memory=memory), str(output), str(errors), lambda ending: ending)
    ending: CommandExit | None = running.result()
    return CommandOutput(ending, content(output).decode("utf-8", "replace"), content(errors).decode("utf-8", "replace"))


def content(path: Path) -> bytes:
    """The beginning of a file; nothing if it is not there, or no plain file."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(LARGEST)
