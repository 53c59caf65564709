"""The streams of a session, and the two exceptions by which a command ends early."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from symag.core.errors import UsageError
from symag.core.input_files import refuse_input
from symag.core.limits import MemoryExhausted


class Quit(Exception):  # noqa: N818 -- not an error
    """The program ends with this exit status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class CommandError(Exception):
    """A command failed.

    ``text`` goes to standard error, blank lines included: ``beginning`` and, for what some commands leave out, an
    ``ending``. With ``jumped``, NuSMV leaves the command by a long jump, for which batch mode has another text.
    """

    def __init__(self, beginning: str, jumped: bool = False, ending: str = "") -> None:
        super().__init__(beginning + ending)
        self.beginning = beginning
        self.text = beginning + ending
        self.jumped = jumped


@contextlib.contextmanager
def memory_worded() -> Iterator[None]:
    """Raises CommandError where memory is exhausted."""
    try:
        yield
    except MemoryExhausted:
        raise CommandError("symag: out of memory") from None


def refuse_input_of_session(path: str) -> None:
    """Raises CommandError for the file of a model that the session has read; NuSMV overwrites it."""
    try:
        refuse_input(path)
    except UsageError as error:
        raise CommandError(f"symag: {error}") from None


def whole_number(text: str) -> int:
    """The number that a text is. Raises CommandError."""
    if not text.isdecimal():
        raise CommandError(f'Error: string "{text}" is not valid. An integer was expected.')
    return int(text)


class Streams:
    """Standard output for results, standard error for messages. Results can be redirected to a file for a while."""

    def __init__(self) -> None:
        self._file: TextIO | None = None

    def line(self, text: str = "") -> None:
        """One line of results."""
        print(text, file=self._file or sys.stdout)

    def lines(self, texts: Iterable[str]) -> None:
        """Several lines of results."""
        for text in texts:
            self.line(text)

    def heading(self, text: str) -> None:
        """A line on standard output, even while results go to a file: NuSMV prints headings of traces like this."""
        print(text)

    def write(self, text: str) -> None:
        """Write a text of results."""
        (self._file or sys.stdout).write(text)

    def error(self, text: str) -> None:
        """A line on standard error, after all results so far."""
        sys.stdout.flush()
        print(text, file=sys.stderr, flush=True)

    def warning(self, *lines: str) -> None:
        """A warning in NuSMV's frame."""
        self.error("\n".join(("", "********   WARNING   ********", *lines, "******** END WARNING ********")))

    def flush(self) -> None:
        """Flush the results, so that a reader of a pipe sees each answer at once."""
        (self._file or sys.stdout).flush()

    @contextlib.contextmanager
    def into(self, path: str | None, announced: bool) -> Iterator[None]:
        """Redirect results to a file (None: do not); with ``announced`` a line says so.

        Raises CommandError if the file cannot be opened, or is a model that the session has read.
        """
        if path is None:
            yield
            return
        refuse_input_of_session(path)
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
