"""Reads a file or a text as a flat system."""

from __future__ import annotations

import os
import re

from symag.core.errors import InputError
from symag.core.source import SourceText, source_of_file
from symag.smv.elaboration.flatten import flatten
from symag.smv.language.grammar import parse
from symag.smv.language.lexer import tokens
from symag.smv.language.recursion import collector_paused
from symag.smv.language.syntax import Module
from symag.smv.model.flat import FlatSystem

# The beginnings of lines in m4 files that no line of a model has.
_M4 = re.compile(r"^(?:dnl\b|(?:define|changequote|changecom|include|ifelse|forloop)\()", re.MULTILINE)


def read(path: str | os.PathLike[str]) -> FlatSystem:
    """Reads a NuSMV model; raises InputError (one line, with position where there is one). Linear time."""
    return _read(source_of(path))


def read_text(text: str, path: str = "<text>") -> FlatSystem:
    """Reads a NuSMV model from a text; ``path`` is what error messages call it."""
    return _read(SourceText.of(path, text))


def _read(source: SourceText) -> FlatSystem:
    modules = parse_source(source)
    with collector_paused():
        return flatten(source, modules)


def source_of(path: str | os.PathLike[str]) -> SourceText:
    """The text of a file, not parsed yet; raises InputError if there is none."""
    return source_of_file(os.fspath(path))


def parse_source(source: SourceText) -> tuple[Module, ...]:
    """The modules of a text; raises InputError."""
    macro = _M4.search(source.text)
    if macro is not None:
        raise source.error("this needs a preprocessor: run m4 over the file first", macro.start())
    with collector_paused():
        try:
            read = tokens(source)
        except InputError as error:
            raise _first_error(source, error) from None
        return parse(read)


def _first_error(source: SourceText, error: InputError) -> InputError:
    """The error of syntax before an illegal character or directive, or that one.

    A file in another language has such characters somewhere, but is wrong from its first line on.
    """
    if error.line is None or error.column is None:
        return error
    end = source.offset(error.line, error.column)
    try:
        parse(tokens(SourceText.of(source.path, source.text[:end])))
    except InputError as earlier:
        if (earlier.line or 0, earlier.column or 0) < (error.line, error.column):
            return earlier
    return error
