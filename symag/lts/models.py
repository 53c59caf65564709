"""Labelled transition systems: FSP, the systems it describes, and their composition."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from symag.core.errors import InputError
from symag.core.source import SourceText, text_of_file
from symag.lts.automata import automaton, suffix_of
from symag.lts.language.composites import Model
from symag.lts.language.parser import parse
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Lts

__all__ = ["ERROR", "Lts", "Model", "System", "read", "read_text"]


def read(path: str, components: Sequence[str] = (), constants: Mapping[str, int] | None = None) -> Model:
    """Read an FSP specification, or an LTS in a format of ``AUTOMATA`` such as ``.aut``, which becomes its one process.

    ``components`` are further files of LTSs, whose systems become components of every composite; ``constants`` are
    values that replace those in the specification. Raises InputError (one line, with the position if there is one),
    and UsageError for a constant that the specification does not define.
    """
    is_automaton = suffix_of(path) is not None
    given: list[Lts] = []
    for file in [path, *components] if is_automaton else components:
        name = Path(file).name
        stem = name[: len(name) - len(suffix_of(file) or "")]
        same = sum(lts.name.partition("#")[0] == stem for lts in given)
        name = f"{stem}#{same + 1}" if same else stem
        given.append(automaton(file, name))
    if not is_automaton:
        return read_text(text_of_file(path), path, tuple(given), constants)
    source = SourceText.of(path, "")
    return Model(source, parse(source), tuple(given), constants or {})


def read_text(
    text: str, path: str = "<text>", given: tuple[Lts, ...] = (), constants: Mapping[str, int] | None = None
) -> Model:
    """Read FSP from a text; ``path`` is its name in error messages. ``given`` are further components."""
    source = SourceText.of(path, text)
    try:
        return Model(source, parse(source), given, constants or {})
    except RecursionError:
        raise InputError("a process or an expression is nested too deeply", path) from None
