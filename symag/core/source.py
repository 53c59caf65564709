"""A text that was read, with what an error message needs to point into it."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from pathlib import Path

from symag.core.errors import InputError

# What a file that mCRL2 writes begins with, after a zero.
_MCRL2 = b"\x8b\xaf"


@dataclass(frozen=True, slots=True, eq=False)
class SourceText:
    """A model's text and where it came from; offsets are character positions from 0."""

    path: str
    text: str
    line_starts: tuple[int, ...]

    @classmethod
    def of(cls, path: str, text: str) -> SourceText:
        """A text with the places at which its lines start; linear."""
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


def text_of_file(path: str) -> str:
    """The text of a model, lines ending in one newline. Raises InputError for what is no text."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", path) from None
    except IsADirectoryError:
        raise InputError("this is a directory, expected a file", path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    if _MCRL2 in content[:8]:
        message = (
            "this is an LTS in mCRL2's binary format, expected the text of a model ('ltsconvert' makes an .aut of it)"
        )
        raise InputError(message, path)
    if b"\0" in content:
        raise InputError("this is a binary file, expected the text of a model", path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Old models have Latin-1 comments; elsewhere such characters are refused as illegal anyway.
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
