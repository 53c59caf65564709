"""The text of a model, with the positions that error messages need."""

from __future__ import annotations

import bisect
from functools import cached_property

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.input_files import content_of_model


class SourceText(Struct, frozen=True, eq=False, dict=True):
    """A model's text and where it came from; offsets are character positions from 0.

    ``content`` are the bytes of the file where the text does not give them back: those of a binary file have no text.
    """

    path: str
    text: str
    line_starts: tuple[int, ...]
    content: bytes | None

    @classmethod
    def of(cls, path: str, text: str, content: bytes | None = None) -> SourceText:
        """A text with the offsets of its lines; linear. ``content`` are the bytes of its file, if it is from one."""
        starts = [0]
        newline = text.find("\n")
        while newline >= 0:
            starts.append(newline + 1)
            newline = text.find("\n", newline + 1)
        return cls(path, text, tuple(starts), None if content in (None, _encoded(text)) else content)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the bytes of the file, in hexadecimal digits: the identity of the model."""
        # For start-up: only evidence in files names its model.
        import hashlib

        return hashlib.sha256(self.file_content).hexdigest()

    @property
    def file_content(self) -> bytes:
        """The bytes of the file, as they were when it was read."""
        return _encoded(self.text) if self.content is None else self.content

    def location(self, position: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect.bisect_right(self.line_starts, position)
        return line, position - self.line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The position at a line and column, both from 1."""
        return self.line_starts[line - 1] + column - 1

    def error(self, message: str, position: int) -> InputError:
        """An input error at a position."""
        line, column = self.location(position)
        return InputError(message, self.path, line, column)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def source_of_file(path: str) -> SourceText:
    """The text of a model's file with its identity. Raises InputError for a file that is not text."""
    content = content_of_model(path)
    return SourceText.of(path, decoded(content, path), content)


def text_of_file(path: str) -> str:
    """The text of a model, lines ending in one newline. Raises InputError for a file that is not text."""
    return decoded(content_of_model(path), path)


def decoded(content: bytes, path: str) -> str:
    """The text of a model's bytes, lines ending in one newline. Raises InputError for a binary file."""
    if b"\0" in content:
        raise InputError("this is a binary file, expected the text of a model", path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Old models have Latin-1 comments; elsewhere such characters are refused as illegal anyway.
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
