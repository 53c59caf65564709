"""Runs one command of the user's to its end. It ends with this process, and its files are removed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from symag.core.limits import JobLimits
from symag.process.supervision import CommandExit, SupervisedCommand

#: The largest number of bytes that is read of a command's output, or of a file that it writes.
LARGEST = 1 << 28


class CommandOutput(Struct, frozen=True):
    """How the command ended (None: it could not be started), and what it printed."""

    ending: CommandExit | None
    text: str
    errors: str


def run(command: Sequence[str], folder: Path, memory: int | None) -> CommandOutput:
    """Run a command; its first word is the path of a program, ``memory`` its limit in MiB. It has no limit of time."""
    output, errors = folder / "output", folder / "errors"
    running = SupervisedCommand(command, JobLimits(memory=memory), str(output), str(errors), lambda ending: ending)
    ending: CommandExit | None = running.result()
    return CommandOutput(ending, content(output).decode("utf-8", "replace"), content(errors).decode("utf-8", "replace"))


def content(path: Path) -> bytes:
    """The first ``LARGEST`` bytes of a file; nothing if it is missing or not a plain file."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(LARGEST)
