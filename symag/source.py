"""A text that was read, with what an error message needs to point into it."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from symag.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class SourceText:
    """A model's text and where it came from; offsets are character positions from 0."""

    path: str
    text: str
    line_starts: tuple[int, ...]

    @classmethod
    def of(cls, path: str, text: str) -> SourceText:
        starts = [0]
        found = text.find("\n")
        while found >= 0:
            starts.append(found + 1)
            found = text.find("\n", found + 1)
        return cls(path, text, tuple(starts))

    def location(self, position: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect.bisect_right(self.line_starts, position)
        return line, position - self.line_starts[line - 1] + 1

    def error(self, message: str, position: int) -> InputError:
        """An input error at a position."""
        line, column = self.location(position)
        return InputError(message, self.path, line, column)
