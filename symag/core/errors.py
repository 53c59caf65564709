"""Errors that users can mend: each is one line, never a traceback."""

from __future__ import annotations


class InputError(Exception):
    """The input text is wrong (exit status 3).

    ``message`` says what is wrong and what was expected, in one line; ``file``, ``line`` and
    ``column`` (both from 1) say where, as far as that is known.
    """

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{where}: {self.message}" if where else self.message


class UsageError(Exception):
    """The request itself makes no sense, for example more parts than variables (exit status 2)."""


class UnsupportedError(Exception):
    """The request makes sense, but symag cannot decide it: an ``unknown (unsupported)`` verdict."""


class CertificationError(Exception):
    """A re-check refused the evidence of a verdict: an internal error (exit status 1), never a verdict."""
