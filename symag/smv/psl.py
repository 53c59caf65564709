"""PSL properties: read as far as a term of NuSMV's own language can show them."""

from __future__ import annotations

from symag.smv.expressions import ExpressionParser
from symag.smv.syntax import Expression


def parse_psl(parser: ExpressionParser, index: int) -> tuple[Expression, int]:
    return parser.parse(index)
