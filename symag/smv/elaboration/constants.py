"""Constant expressions: bounds of ranges, widths of words, bits to select."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from symag.smv.model.typed import Constant, DefineReference, Expression, Operation


def integer_constant(expression: Expression, define: Callable[[str], Expression]) -> int | None:
    """The number of an expression without variables; None for every other expression.

    ``define`` gives the body of a define.
    """
    value = _constant(expression, define)
    return None if isinstance(value, bool) else value


def _constant(expression: Expression, define: Callable[[str], Expression]) -> int | None:
    """The truth value or number of a constant expression."""
    match expression:
        case Constant(value) if isinstance(value, int):
            return value
        case DefineReference(name):
            return _constant(define(name), define)
        case Operation("case", operands):
            for condition, chosen in zip(operands[::2], operands[1::2], strict=True):
                holds = _constant(condition, define)
                if holds is not False:
                    return None if holds is None else _constant(chosen, define)
        case Operation(name, operands) if name in _OPERATIONS:
            values = [_constant(operand, define) for operand in operands]
            constants = [value for value in values if value is not None]
            if len(constants) == len(values):
                return _OPERATIONS[name](*constants)
    return None


def _quotient(left: int, right: int) -> int | None:
    return truncated_quotient(left, right) if right else None


def _remainder(left: int, right: int) -> int | None:
    return left - right * truncated_quotient(left, right) if right else None


_OPERATIONS: Mapping[str, Callable[..., int | None]] = {
    "negate": operator.neg,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "mod": _remainder,
    "max": max,
    "min": min,
    "abs": abs,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
    "not": operator.not_,
    "and": lambda *operands: all(operands),
    "or": lambda *operands: any(operands),
}


def truncated_quotient(left: int, right: int) -> int:
    """Division that rounds towards zero, as in C."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient
