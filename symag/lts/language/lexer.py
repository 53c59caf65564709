"""The tokens of FSP."""

from __future__ import annotations

import re

from symag.core.source import SourceText
from symag.core.tokens import Tokens, tokens_of

KEYWORDS = frozenset(
    (
        *("const", "range", "set", "if", "then", "else", "when", "forall", "exists", "property", "progress", "menu"),
        *("fluent", "predicate", "assert", "constraint", "animation", "actions", "controls", "minimal"),
        *("deterministic", "compose", "target", "import", "initially", "rigid"),
    )
)

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<unclosed>/\*)
      | (?P<number>\d+)
      | (?P<lower>[a-z_][A-Za-z0-9_?]*)
      | (?P<upper>[A-Z][A-Za-z0-9_?]*)
      | (?P<string>"[^"\n]*")
      | (?P<symbol><->|->|\.\.|::|\|\||<<|>>|<=|>=|==|!=|&&|\[\]|<>|[-+*/%!|&^<>=:;,.()\[\]{}@\\'\#~])""",
    re.VERBOSE | re.DOTALL,
)


def tokens(source: SourceText) -> Tokens:
    """Kinds: ``number``, ``lower``, ``upper``, ``string``, ``symbol`` (keywords too) and ``end``.

    Raises InputError at a character that begins no token, and at a comment without an end.
    """
    return tokens_of(source, _TOKEN, KEYWORDS)
