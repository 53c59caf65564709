"""The operators of NuSMV 2.6's expressions: how strongly they bind, and the arguments of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# The binding strength of each infix operator; operators of one level associate to the left, `->` to the right.
IMPLIES, IFF, ITE, OR, AND, UNTIL, TEMPORAL, RELATION, IN, UNION, SET, SHIFT = range(1, 13)
INFIX: Mapping[str, int] = {
    "->": IMPLIES, "<->": IFF, "?": ITE,
    "|": OR, "xor": OR, "xnor": OR, "&": AND,
    "U": UNTIL, "S": UNTIL, "V": UNTIL, "T": UNTIL,
    "=": RELATION, "!=": RELATION, "<": RELATION, "<=": RELATION, ">": RELATION, ">=": RELATION,
    "in": IN, "union": UNION, "<<": SHIFT, ">>": SHIFT,
    "+": 13, "-": 13, "*": 14, "/": 14, "mod": 14, "::": 15,
}  # fmt: skip
INFIX_IN_PATH_BRACKETS = {text: level for text, level in INFIX.items() if level not in (UNTIL, ITE)}

CTL = frozenset(("EX", "AX", "EF", "AF", "EG", "AG"))
BOUNDED_CTL = frozenset(("EBF", "ABF", "EBG", "ABG"))
LTL = frozenset("XYZ")
BOUNDED_LTL = frozenset("GHFO")
TEMPORAL_UNARY = CTL | BOUNDED_CTL | LTL | BOUNDED_LTL | frozenset("AE")

#: Functions by the number of their arguments.
FUNCTIONS: Mapping[str, int] = {
    "next": 1, "bool": 1, "word1": 1, "toint": 1, "signed": 1, "unsigned": 1, "sizeof": 1, "abs": 1,
    "typeof": 1, "extend": 2, "resize": 2, "uwconst": 2, "swconst": 2, "min": 2, "max": 2, "READ": 2,
    "CONSTARRAY": 2, "WRITE": 3,
}  # fmt: skip
