"""Constant integer expressions: bounds of ranges, widths of words, bits to select."""

from __future__ import annotations

from collections.abc import Callable

from symag.smv.typed import Constant, DefineReference, Expression, Operation


def integer_constant(expression: Expression, define: Callable[[str], Expression]) -> int | None:
    """The number that an expression without variables stands for; None where it is not such an expression.

    ``define`` gives a define's body.
    """
    match expression:
        case Constant(value) if isinstance(value, int) and not isinstance(value, bool):
            return value
        case DefineReference(name):
            return integer_constant(define(name), define)
        case Operation(operator, operands):
            numbers = [integer_constant(operand, define) for operand in operands]
            if any(number is None for number in numbers):
                return None
            return _operation(operator, [number for number in numbers if number is not None])
    return None


def _operation(operator: str, numbers: list[int]) -> int | None:
    match operator, numbers:
        case "negate", [one]:
            return -one
        case "toint", [one]:
            return one
        case "+", [left, right]:
            return left + right
        case "-", [left, right]:
            return left - right
        case "*", [left, right]:
            return left * right
        case "/", [left, right] if right:
            return truncated_quotient(left, right)
        case "mod", [left, right] if right:
            return left - right * truncated_quotient(left, right)
        case "max", [left, right]:
            return max(left, right)
        case "min", [left, right]:
            return min(left, right)
        case "abs", [one]:
            return abs(one)
    return None


def truncated_quotient(left: int, right: int) -> int:
    """Division that rounds towards zero, as in C."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient
