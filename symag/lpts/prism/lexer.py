"""The tokens of PRISM's language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symag.source import SourceText

KEYWORDS = frozenset(
    (
        *("mdp", "dtmc", "pa", "ctmc", "pta", "pomdp", "popta", "smg", "csg", "idtmc", "imdp"),
        *("nondeterministic", "probabilistic", "stochastic", "const", "int", "double", "bool", "rate", "prob"),
        *("formula", "label", "global", "module", "endmodule", "init", "endinit", "rewards", "endrewards", "system"),
        *("endsystem", "true", "false", "min", "max", "func"),
    )
)

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
      | (?P<real>(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
      | (?P<number>\d+)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<string>"[^"\n]*")
      | (?P<symbol>\|\|\||\|\||\|\[|\]\||->|\.\.|<=>|<=|>=|=>|!=|[-+*/&|!<>=:;,.()\[\]{}?'])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens of a text; the last one is empty and stands at its end.

    ``kinds[k]`` is ``real``, ``number``, ``name``, ``string``, ``symbol`` (keywords too) or ``end``.
    """

    source: SourceText
    kinds: tuple[str, ...]
    texts: tuple[str, ...]
    starts: tuple[int, ...]


def tokens(source: SourceText) -> Tokens:
    """Raises InputError at a character that begins no token."""
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    position = 0
    while position < len(source.text):
        match = _TOKEN.match(source.text, position)
        if match is None:
            raise source.error(f"unexpected character {source.text[position]!r}", position)
        kind = str(match.lastgroup)
        if kind != "skip":
            text = match.group()
            kinds.append("symbol" if text in KEYWORDS else kind)
            texts.append(text)
            starts.append(position)
        position = match.end()
    return Tokens(source, (*kinds, "end"), (*texts, ""), (*starts, len(source.text)))
