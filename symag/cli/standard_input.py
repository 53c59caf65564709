"""A model on standard input (``-``): it is written to a file with the suffix of its language."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from symag.core.errors import InputError
from symag.engine.families import FAMILIES

#: The name that stands for standard input.
STANDARD_INPUT = "-"

_COMMENT = re.compile(rb"\s+|--[^\n]*|//[^\n]*|/\*.*?\*/|;[^\n]*", re.DOTALL)


@contextmanager
def file_of(name: str) -> Iterator[str]:
    """The path of the model with this name; for ``-`` a copy of standard input, which errors call ``-``."""
    if name != STANDARD_INPUT:
        yield name
        return
    content = sys.stdin.buffer.read()
    with tempfile.TemporaryDirectory(prefix="symag-input-") as folder:
        path = Path(folder) / f"standard-input{suffix_of(content)}"
        path.write_bytes(content)
        try:
            yield str(path)
        except InputError as error:
            if error.file != str(path):
                raise
            raise InputError(error.message, STANDARD_INPUT, error.line, error.column) from None


def suffix_of(content: bytes) -> str:
    """The suffix for the language of a text, from its beginning after comments; by default that of the first family.

    The families declare how texts in their languages begin.
    """
    offset = 0
    while (comment := _COMMENT.match(content, offset)) is not None and comment.end() > offset:
        offset = comment.end()
    beginnings = (beginning for family in FAMILIES for beginning in family.beginnings.items())
    suffixes = (suffix for begin, suffix in beginnings if re.compile(begin).match(content, offset))
    return next(suffixes, FAMILIES[0].suffixes[0])
