"""The tokens of PRISM's language."""

from __future__ import annotations

import re

from symag.core.source import SourceText
from symag.core.tokens import Tokens, tokens_of

KEYWORDS = frozenset(
    (
        *("mdp", "dtmc", "pa", "ctmc", "pta", "pomdp", "popta", "smg", "csg", "idtmc", "imdp"),
        *("nondeterministic", "probabilistic", "stochastic", "const", "int", "double", "bool", "rate", "prob"),
        *("formula", "label", "global", "module", "endmodule", "init", "endinit", "rewards", "endrewards", "system"),
        *("endsystem", "true", "false", "min", "max", "func"),
    )
)

_BLANKS = r"(?P<skip>\s+|//[^\n]*)"
_NUMBERS = r"(?P<real>(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(?P<number>\d+)"
_NAME = r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
#: Actions of explicit files may have dots in their names.
_NAME_IN_PROPERTIES = r"(?P<name>[A-Za-z_][A-Za-z0-9_.]*)"
_STRING = r'(?P<string>"[^"\n]*")'
_COMPOSITION = r"\|\|\||\|\||\|\[|\]\||"
_SYMBOLS = r"->|\.\.|<=>|<=|>=|=>|!=|[-+*/^&|!<>=:;,.()\[\]{}?']"
_TOKEN = re.compile("|".join((_BLANKS, _NUMBERS, _NAME, _STRING, f"(?P<symbol>{_COMPOSITION}{_SYMBOLS})")))
_TOKEN_IN_PROPERTIES = re.compile(
    "|".join((_BLANKS, _NUMBERS, _NAME_IN_PROPERTIES, _STRING, f"(?P<symbol>{_SYMBOLS})"))
)


def tokens(source: SourceText) -> Tokens:
    """Kinds: ``real``, ``number``, ``name``, ``string``, ``symbol`` (keywords too) and ``end``.

    Raises InputError at a character that begins no token.
    """
    return tokens_of(source, _TOKEN, KEYWORDS)


def tokens_of_properties(source: SourceText) -> Tokens:
    """The tokens of a text of properties: names may have dots, and ``|`` may stand beside a bracket."""
    return tokens_of(source, _TOKEN_IN_PROPERTIES, KEYWORDS)
