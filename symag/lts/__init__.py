"""Labelled transition systems: FSP, the systems it describes, and their composition."""

from symag.lts.composites import Model, System
from symag.lts.lts import ERROR, Lts
from symag.lts.parser import parse
from symag.source import SourceText, text_of_file

__all__ = ["ERROR", "Lts", "Model", "System", "read", "read_text"]


def read(path: str) -> Model:
    """Read an FSP specification; raises InputError (one line, with the position where there is one)."""
    return read_text(text_of_file(path), path)


def read_text(text: str, path: str = "<text>") -> Model:
    """Read FSP from a text; ``path`` is what error messages call it."""
    source = SourceText.of(path, text)
    return Model(source, parse(source))
