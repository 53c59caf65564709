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

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*)
      | (?P<real>(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
      | (?P<number>\d+)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<string>"[^"\n]*")
      | (?P<symbol>\|\|\||\|\||\|\[|\]\||->|\.\.|<=>|<=|>=|=>|!=|[-+*/^&|!<>=:;,.()\[\]{}?'])""",
    re.VERBOSE,
)


def tokens(source: SourceText) -> Tokens:
    """Kinds: ``real``, ``number``, ``name``, ``string``, ``symbol`` (keywords too) and ``end``.

    Raises InputError at a character that begins no token.
    """
    return tokens_of(source, _TOKEN, KEYWORDS)
