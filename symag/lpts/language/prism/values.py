"""PRISM's operators on exact values: truth values, ints, and Fractions where PRISM has doubles.

A root or logarithm that is not a fraction is an ``Irrational``, a narrow interval around it. It can be rounded and
compared, which is all that models need; every other operation on it is an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction

from msgspec import Struct

_DIGITS = 80
_RELATIVE_ERROR = Fraction(1, 10**60)
# Exact powers with more bits than this are refused: no model needs them.
_MOST_BITS = 1 << 16


class NoValueError(Exception):
    """The operands are such that the operation has no exact value; the message says why."""


class Irrational(Struct, frozen=True):
    """Some number strictly between ``low`` and ``high``."""

    low: Fraction
    high: Fraction


Value = bool | int | Fraction | Irrational
_Exact = int | Fraction


def apply(operator: str, values: Sequence[Value]) -> Value:
    """The value of an operator or function of the syntax tree, all operands evaluated. Raises NoValueError."""
    if any(isinstance(value, Irrational) for value in values):
        return _of_irrational(operator, values)
    if operator == "-" and len(values) == 1:
        return -values[0]  # type: ignore[operator]  # typed: a number
    return OPERATORS[operator](*values)


def _of_irrational(operator: str, values: Sequence[Value]) -> Value:
    if operator in _ROUNDINGS and isinstance(values[0], Irrational):
        results = {_ROUNDINGS[operator](end) for end in (values[0].low, values[0].high)}
        if len(results) == 1:
            return results.pop()
    elif operator in _COMPARISONS:
        ends = [(value.low, value.high) if isinstance(value, Irrational) else (value, value) for value in values]
        (left_low, left_high), (right_low, right_high) = ends
        if left_high <= right_low or right_high <= left_low:
            return bool(OPERATORS[operator](0, 1) if left_high <= right_low else OPERATORS[operator](1, 0))
    raise NoValueError("a logarithm or power here is irrational, expected an exact fraction")


def _divided(left: _Exact, right: _Exact) -> Fraction:
    if right == 0:
        raise NoValueError("division by zero")
    return Fraction(left) / right


def _modulo(left: int, right: int) -> int:
    if right <= 0:
        raise NoValueError(f"mod by {right}, expected a positive number")
    return left % right


def _power(base: _Exact, exponent: _Exact) -> Value:
    if isinstance(base, int) and isinstance(exponent, int):
        if exponent < 0:
            raise NoValueError(f"pow of ints with the exponent {exponent}, expected 0 or more")
        return int(_whole_power(Fraction(base), exponent))
    root = Fraction(exponent).denominator
    if base < 0 and root != 1:
        raise NoValueError("a power of a negative number with an exponent that is not whole")
    raised = _whole_power(Fraction(base), Fraction(exponent).numerator)
    top, bottom = _root(raised.numerator, root), _root(raised.denominator, root)
    if top is not None and bottom is not None:
        return Fraction(top, bottom)
    with localcontext(Context(prec=_DIGITS)):
        return _around((_decimal(raised).ln() / root).exp())


def _whole_power(base: Fraction, exponent: int) -> Fraction:
    if base == 0 and exponent < 0:
        raise NoValueError("division by zero")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(base) not in (0, 1) and abs(exponent) * size > _MOST_BITS:
        raise NoValueError("a power that is too large")
    return Fraction(base**exponent)


def _root(number: int, degree: int) -> int | None:
    """The whole root, if there is one."""
    if degree == 1 or number in (0, 1):
        return number
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= number:
            low = middle
        else:
            high = middle - 1
    return low if low**degree == number else None


def _logarithm(number: _Exact, base: _Exact) -> Value:
    if number <= 0 or base <= 0 or base == 1:
        raise NoValueError(f"log of {number} to the base {base}")
    if number == 1:
        return Fraction(0)
    exact, to = Fraction(number), Fraction(base)
    with localcontext(Context(prec=_DIGITS)):
        quotient = _decimal(exact).ln() / _decimal(to).ln()
    # If the logarithm is p / q, then the base is a q-th power: q is at most the number of its bits.
    for degree in range(1, max(to.numerator.bit_length(), to.denominator.bit_length()) + 1):
        power = round(Fraction(quotient) * degree)
        if to**power == exact**degree:
            return Fraction(power, degree)
    return _around(quotient)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _around(value: Decimal) -> Irrational:
    middle = Fraction(value)
    distance = abs(middle) * _RELATIVE_ERROR
    return Irrational(middle - distance, middle + distance)


def _round(value: _Exact) -> int:
    """To the nearest whole number, halves upwards, as Java's Math.round."""
    return math.floor(value + Fraction(1, 2))


_ROUNDINGS: Mapping[str, Callable[[_Exact], int]] = {"floor": math.floor, "ceil": math.ceil, "round": _round}
_COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")

#: Every operator and function except for the sign, "&" and "|".
OPERATORS: Mapping[str, Callable[..., Value]] = {
    "?": lambda condition, then, otherwise: then if condition else otherwise,
    "=>": lambda left, right: not left or right,
    "<=>": lambda left, right: left == right,
    "!": lambda operand: not operand,
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divided,
    "min": lambda *operands: min(operands),
    "max": lambda *operands: max(operands),
    "floor": math.floor,
    "ceil": math.ceil,
    "round": _round,
    "pow": _power,
    "mod": _modulo,
    "log": _logarithm,
}
