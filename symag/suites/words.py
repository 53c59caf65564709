"""Words of command lines, whose bytes need not be UTF-8, as text."""

from __future__ import annotations

import shlex


def readable(text: str) -> str:
    """The text with each byte that is not UTF-8 in the form ``\\xff``."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def one_line(text: str) -> str:
    """The text in one line that any terminal shows: other characters are escaped, as by ``repr``."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in readable(text))


def quoted(word: str) -> str:
    """A word for a shell; a word with such bytes has bash's form ``$'..'``, in which they are escaped."""
    if readable(word) == word:
        return shlex.quote(word)
    escaped = word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"$'{readable(escaped)}'"
