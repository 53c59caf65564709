"""Conditions of states as SystemVerilog expressions over the model's own names."""

from __future__ import annotations

import re

from symag.core.errors import UnsupportedError
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import WordType

_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z_][A-Za-z0-9_$]*)*(\[[0-9]+\])*\Z")
_INFIX = {"and": "&&", "or": "||", "iff": "==", "=": "==", "!=": "!="} | {
    operator: operator for operator in ("<", "<=", ">", ">=", "+", "-", "*", "/")
}


def systemverilog(expression: Expression) -> str:
    """The expression in SystemVerilog. Numbers are 32 bits wide; names that SystemVerilog does not allow are escaped.

    Raises UnsupportedError for operators that do not occur in facts.
    """
    match expression:
        case Constant(value=bool(value)):
            return "1'b1" if value else "1'b0"
        case Constant(value=value, type=WordType(width, _)):
            return f"{width}'d{int(value) & ((1 << width) - 1)}"
        case Constant(value=value):
            return str(value)
        case VariableReference(name=name) | DefineReference(name=name):
            return name if _SIMPLE.match(name) else f"\\{name} "
        case Operation("not", (inner,)):
            return f"!{_inner(inner)}"
        case Operation("toint", (inner,)):
            return f"32'({systemverilog(inner)})"
        case Operation("bool", (inner,)):
            return systemverilog(inner)
        case Operation("select", (VariableReference() as variable, Constant(value=high), Constant(value=low))):
            return f"{systemverilog(variable)}[{high}]" if high == low else f"{systemverilog(variable)}[{high}:{low}]"
        case Operation("implies", (left, right)):
            # Yosys does not read the operator ->.
            return f"!{_inner(left)} || {_inner(right)}"
        case Operation("mod", (left, right)):
            return f"{_inner(left)} % {_inner(right)}"
        case Operation(operator, operands) if operator in _INFIX:
            return f" {_INFIX[operator]} ".join(_inner(operand) for operand in operands)
    raise UnsupportedError(f"'{expression.operator}' in SystemVerilog")


def _inner(expression: Expression) -> str:
    text = systemverilog(expression)
    atomic = not isinstance(expression, Operation) or expression.operator in ("toint", "not", "select")
    return text if atomic else f"({text})"
