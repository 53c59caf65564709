"""A model on standard input (``-``): its content in a file, whose suffix says in which language it is."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from symag.core.errors import InputError

#: The name that stands for standard input.
STANDARD_INPUT = "-"

#: How the text of a model begins, comments apart, and the suffix of such files.
_BEGINNINGS = (
    (re.compile(rb"aig |aag "), ".aig"),
    (re.compile(rb"des\s*\("), ".aut"),
    (re.compile(rb"\d+\s+sort\s"), ".btor2"),
    (re.compile(rb"(mdp|dtmc|ctmc|pa|probabilistic|nondeterministic)\b"), ".prism"),
    (re.compile(rb"MODULE\b"), ".smv"),
    (re.compile(rb"(const|range|set|property|progress|assert|fluent|menu|minimal|deterministic)\s|\|\|"), ".lts"),
    (re.compile(rb"\w+(\([^)]*\))?\s*="), ".lts"),
)
_COMMENT = re.compile(rb"\s+|--[^\n]*|//[^\n]*|/\*.*?\*/|;[^\n]*", re.DOTALL)


@contextmanager
def file_of(name: str) -> Iterator[str]:
    """The path of the model with this name; ``-`` is read to its end. Errors call that file ``-``, too."""
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
    """The suffix of files in the language that a text begins in; SMV's for what is in none that is known."""
    place = 0
    while (comment := _COMMENT.match(content, place)) is not None and comment.end() > place:
        place = comment.end()
    return next((suffix for begin, suffix in _BEGINNINGS if begin.match(content, place)), ".smv")
