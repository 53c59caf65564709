"""The operators of temporal logic and those that combine formulas, as ``Operation.operator`` names them."""

from __future__ import annotations

CTL_OPERATORS = frozenset("EX AX EF AF EG AG EBF ABF EBG ABG AU EU ABU EBU".split())
LTL_OPERATORS = frozenset("XYZGHFOUSVT")
TEMPORAL_OPERATORS = CTL_OPERATORS | LTL_OPERATORS | {"MIN", "MAX"}
LOGICAL_OPERATORS = frozenset(("not", "and", "or", "xor", "xnor", "implies", "iff"))
