"""Where the lines go, and the two ways in which a command ends early."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


class Quit(Exception):  # noqa: N818 -- not a mistake of anyone's
    """The program is to end with this exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class CommandError(Exception):
    """A command failed.

    ``text`` is what goes to standard error, blank lines included. ``jumped``: NuSMV leaves the command by
    a long jump, which batch mode reports in other words.
    """

    def __init__(self, text: str, jumped: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.jumped = jumped


class Streams:
    """Results and complaints. Results can be sent to a file for a while."""

    def __init__(self) -> None:
        self._file: TextIO | None = None

    def line(self, text: str = "") -> None:
        """One line of results."""
        print(text, file=self._file or sys.stdout)

    def heading(self, text: str) -> None:
        """A line on standard output even where results go to a file, as NuSMV does above a trace."""
        print(text)

    def write(self, text: str) -> None:
        """Results as they are."""
        (self._file or sys.stdout).write(text)

    def error(self, text: str) -> None:
        """A line on standard error, after all results so far."""
        sys.stdout.flush()
        print(text, file=sys.stderr, flush=True)

    def warning(self, *lines: str) -> None:
        """NuSMV's frame around a warning."""
        self.error("\n".join(("", "********   WARNING   ********", *lines, "******** END WARNING ********")))

    def flush(self) -> None:
        """A reader of a pipe sees each answer when it is known."""
        (self._file or sys.stdout).flush()

    @contextlib.contextmanager
    def into(self, path: str | None, announced: bool = True) -> Iterator[None]:
        """Send results to a file (None: do not), and say so first. Raises CommandError if it cannot be opened."""
        if path is None:
            yield
            return
        try:
            file = Path(path).open("w", encoding="utf-8")  # noqa: SIM115 - closed below
        except OSError:
            raise CommandError(f'Unable to open file "{path}".') from None
        with file:
            if announced:
                self.line(f"Output to file: {path}")
            self._file = file
            try:
                yield
            finally:
                self._file = None
