"""The tokens of FSP."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symag.source import SourceText

KEYWORDS = frozenset(
    (
        *("const", "range", "set", "if", "then", "else", "when", "forall", "exists", "property", "progress", "menu"),
        *("fluent", "predicate", "assert", "constraint", "animation", "actions", "controls", "minimal"),
        *("deterministic", "compose", "target", "import", "initially", "rigid"),
    )
)

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<number>\d+)
      | (?P<lower>[a-z_][A-Za-z0-9_?]*)
      | (?P<upper>[A-Z][A-Za-z0-9_?]*)
      | (?P<string>"[^"\n]*")
      | (?P<symbol><->|->|\.\.|::|\|\||<<|>>|<=|>=|==|!=|&&|\[\]|<>|[-+*/%!|&^<>=:;,.()\[\]{}@\\'\#~])""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens of a text; the last one is empty and stands at its end.

    ``kinds[k]`` is ``number``, ``lower``, ``upper``, ``string``, ``symbol`` (keywords too) or ``end``.
    """

    source: SourceText
    kinds: tuple[str, ...]
    texts: tuple[str, ...]
    starts: tuple[int, ...]


def tokens(source: SourceText) -> Tokens:
    """Raises InputError at a character that begins no token, and at a comment without an end."""
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    position = 0
    while position < len(source.text):
        if source.text.startswith("/*", position) and source.text.find("*/", position + 2) < 0:
            raise source.error("the comment has no end: expected */", position)
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
