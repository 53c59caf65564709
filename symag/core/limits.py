"""Budgets of time, memory and recursion, and the progress reports of long computations."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from symag.core.errors import UsageError

#: Called now and then with a short line such as ``ring 12, frontier 3,400 nodes``.
Progress = Callable[[str], None]

#: Seconds; far below what waiting for a process supports (some 292 years).
LONGEST = 1_000_000_000

_DEEPEST = 1_000_000


class ProgressFigures(str):
    """A line of progress with the figures so far; they are reported even if the computation is stopped."""

    figures: Mapping[str, int | float]

    def __new__(cls, line: str, figures: Mapping[str, int | float] | None = None) -> ProgressFigures:
        """``line`` with ``figures``, by the names that statistics have."""
        text = super().__new__(cls, line)
        text.figures = dict(figures or {})
        return text


def no_progress(_: str) -> None:
    """Drops every line of progress."""


class Limits(Struct, frozen=True):
    """Wall-clock seconds and MiB of memory for one decision; None means no limit.

    Raises UsageError for numbers that are not positive, for infinity and for nan.
    """

    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= LONGEST:
            raise UsageError(f"a timeout is a positive number of seconds up to {LONGEST:,}, not {self.seconds}")
        if self.memory is not None and self.memory < 1:
            raise UsageError(f"a limit of memory is at least 1 MiB, not {self.memory}")


class JobLimits(Struct, frozen=True):
    """Seconds of wall time, seconds of CPU time, and MiB of memory; None for no limit.

    Raises UsageError for numbers that are not positive, for infinity and for nan.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for seconds in (self.wall, self.cpu):
            if seconds is not None and not 0 < seconds < math.inf:
                raise UsageError(f"a limit of time is a positive number of seconds, not {seconds}")
        if self.memory is not None and self.memory < 1:
            raise UsageError(f"a limit of memory is at least 1 MiB, not {self.memory}")


class MemoryExhausted(Exception):  # noqa: N818 -- not an error of the user
    """The memory budget of a decision is used up: an ``unknown (memory)`` verdict."""


class DiskExhausted(Exception):  # noqa: N818 -- not an error of the user
    """There is no room for temporary files: an ``unknown (disk)`` verdict. The message says where."""


class OutOfTimeError(Exception):
    """The deadline passed before the question was answered."""


class Deadline:
    """A moment after which a re-check gives up; with None it never does."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def check(self) -> None:
        """Raises OutOfTimeError if the moment has passed."""
        if self._end is not None and time.monotonic() > self._end:
            raise OutOfTimeError

    def within(self, seconds: float) -> Deadline:
        """The earlier one of this moment and that after ``seconds``."""
        sooner = Deadline(seconds)
        if self._end is not None and sooner._end is not None:
            sooner._end = min(self._end, sooner._end)
        return sooner


@contextmanager
def unlimited_recursion() -> Iterator[None]:
    """Raises Python's recursion limit within the block to a million.

    Python functions that call Python functions use no C stack (CPython 3.11 and later), so the limit bounds only
    memory, by about half a kilobyte for each level.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
