"""A budget of time for one re-check."""

from __future__ import annotations

import time


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
