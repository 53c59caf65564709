"""The operators of BTOR2 on bit-vectors, as typed expressions.

They are total and those of SMT-LIB: division by zero gives ones (signed: 1 or -1), its remainder is the dividend;
a shift by the width or more gives the filling bit everywhere; a rotation takes its amount modulo the width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symag.core.grouping import pairwise
from symag.smv.btor2 import words
from symag.smv.btor2.words import conjunction, disjunction, equality, exclusive, negation, width_of
from symag.smv.model.typed import FALSE, Expression

#: Makes a DEFINE of a large expression, so that it can be read many times.
Sharing = Callable[[Expression], Expression]
_Operator = Callable[[Sharing, list[Expression]], Expression]
_Pair = Callable[[Sharing, Expression, Expression], Expression]


def apply(operator: str, operands: list[Expression], share: Sharing) -> Expression:
    """The value of an operator without numbers on bit-vectors; ``operands`` may be read many times."""
    return _OPERATORS[operator](share, operands)


def _all_ones(value: Expression) -> Expression:
    return equality(value, words.constant(-1, width_of(value)))


def _any(value: Expression) -> Expression:
    return negation(equality(value, words.constant(0, width_of(value))))


def _parity(value: Expression) -> Expression:
    return pairwise(exclusive, [words.bit(value, index) for index in range(width_of(value))])


def _step(operator: str, value: Expression) -> Expression:
    return _sum(operator, value, words.constant(1, width_of(value)))


def _sum(operator: str, one: Expression, other: Expression) -> Expression:
    return exclusive(one, other) if width_of(one) == 1 else words.arithmetic(operator, one, other)


def _product(one: Expression, other: Expression) -> Expression:
    return conjunction(one, other) if width_of(one) == 1 else words.arithmetic("*", one, other)


def _quotient(dividend: Expression, divisor: Expression, signed: bool) -> Expression:
    zero = equality(divisor, words.constant(0, width_of(divisor)))
    ones = words.constant(-1, width_of(dividend))
    if not signed:
        return words.choice(zero, ones, words.arithmetic("/", dividend, divisor))
    by_zero = words.choice(words.sign(dividend), words.constant(1, width_of(dividend)), ones)
    return words.choice(zero, by_zero, words.arithmetic("/", dividend, divisor, signed=True))


def _remainder(dividend: Expression, divisor: Expression, signed: bool) -> Expression:
    zero = equality(divisor, words.constant(0, width_of(divisor)))
    return words.choice(zero, dividend, words.arithmetic("mod", dividend, divisor, signed=signed))


def _modulo(share: Sharing, dividend: Expression, divisor: Expression) -> Expression:
    """The remainder with the divisor's sign."""
    rest = share(_remainder(dividend, divisor, signed=True))
    zero = words.constant(0, width_of(rest))
    fits = disjunction(equality(rest, zero), equality(words.sign(rest), words.sign(divisor)))
    # If the divisor is zero, zero is added to the dividend.
    return words.choice(fits, rest, _sum("+", rest, divisor))


def _moved(value: Expression, steps: int, left: bool, filling: Expression) -> Expression:
    """Shifted by a constant from 1 to the width - 1; ``filling`` has as many bits."""
    width = width_of(value)
    if left:
        return words.concatenation(words.selection(value, width - 1 - steps, 0), filling)
    return words.concatenation(filling, words.selection(value, width - 1, steps))


def _copies(bit: Expression, count: int) -> Expression:
    number = words.known(bit)
    if number is not None:
        return words.constant(-number, count)
    return words.extension(bit, count - 1, signed=True)


def _shift(share: Sharing, value: Expression, amount: Expression, left: bool, bit: Expression) -> Expression:
    """In stages, one for each bit of the amount that is less than the width; new bits are ``bit``."""
    width = width_of(value)
    if width == 1:
        return words.choice(amount, bit, value)
    steps = words.known(amount)
    if steps is not None:
        if steps >= width:
            return _copies(bit, width)
        return value if steps == 0 else _moved(value, steps, left, _copies(bit, steps))
    for stage in range((width - 1).bit_length()):
        moved = _moved(value, 1 << stage, left, _copies(bit, 1 << stage))
        value = share(words.choice(words.bit(amount, stage), moved, value))
    beyond = words.less(words.constant(width - 1, width), amount, signed=False)
    return words.choice(beyond, _copies(bit, width), value)


def _rotated(value: Expression, steps: int, left: bool) -> Expression:
    width = width_of(value)
    steps = steps % width if left else -steps % width
    if steps == 0:
        return value
    return words.concatenation(
        words.selection(value, width - 1 - steps, 0), words.selection(value, width - 1, width - steps)
    )


def _rotation(share: Sharing, value: Expression, amount: Expression, left: bool) -> Expression:
    width = width_of(value)
    if width == 1:
        return value
    steps = words.known(amount)
    if steps is not None:
        return _rotated(value, steps, left)
    if width & (width - 1):
        amount = share(words.arithmetic("mod", amount, words.constant(width, width)))
    for stage in range((width - 1).bit_length()):
        turned = _rotated(value, 1 << stage, left)
        value = share(words.choice(words.bit(amount, stage), turned, value))
    return value


def _sum_overflows(share: Sharing, one: Expression, other: Expression, operator: str, signed: bool) -> Expression:
    """Whether the exact sum or difference differs from the one of this width."""
    wide = share(_sum(operator, *(words.extension(value, 1, signed) for value in (one, other))))
    width = width_of(one)
    top = words.bit(wide, width)
    return exclusive(top, words.bit(wide, width - 1)) if signed else top


def _product_overflows(share: Sharing, one: Expression, other: Expression, signed: bool) -> Expression:
    width = width_of(one)
    wide = share(_product(*(words.extension(value, width, signed) for value in (one, other))))
    high = words.selection(wide, 2 * width - 1, width - 1 if signed else width)
    if not signed:
        return _any(high)
    high = share(high)
    return negation(disjunction(_all_ones(high), negation(_any(high))))


def _quotient_overflows(one: Expression, other: Expression) -> Expression:
    least = words.constant(1 << width_of(one) - 1, width_of(one))
    return conjunction(equality(one, least), _all_ones(other))


def _unary(compute: Callable[[Expression], Expression]) -> _Operator:
    return lambda _, operands: compute(operands[0])


def _binary(compute: Callable[[Expression, Expression], Expression]) -> _Operator:
    return lambda _, operands: compute(operands[0], operands[1])


def _pair(compute: _Pair) -> _Operator:
    return lambda share, operands: compute(share, operands[0], operands[1])


def _comparison(signed: bool, turned: bool, or_equal: bool) -> _Operator:
    def compare(_: Sharing, operands: list[Expression]) -> Expression:
        one, other = reversed(operands) if turned else operands
        return words.less(one, other, signed, or_equal)

    return compare


_OPERATORS: Mapping[str, _Operator] = {
    "not": _unary(negation),
    "inc": _unary(lambda value: _step("+", value)),
    "dec": _unary(lambda value: _step("-", value)),
    "neg": _unary(lambda value: _sum("-", words.constant(0, width_of(value)), value)),
    "redand": _unary(_all_ones),
    "redor": _unary(_any),
    "redxor": _unary(_parity),
    "and": _binary(conjunction),
    "nand": _binary(lambda one, other: negation(conjunction(one, other))),
    "or": _binary(disjunction),
    "nor": _binary(lambda one, other: negation(disjunction(one, other))),
    "xor": _binary(exclusive),
    "xnor": _binary(lambda one, other: negation(exclusive(one, other))),
    "iff": _binary(equality),
    "implies": _binary(lambda one, other: disjunction(negation(one), other)),
    "eq": _binary(equality),
    "neq": _binary(lambda one, other: negation(equality(one, other))),
    "concat": _binary(words.concatenation),
    "add": _binary(lambda one, other: _sum("+", one, other)),
    "sub": _binary(lambda one, other: _sum("-", one, other)),
    "mul": _binary(_product),
    "udiv": _binary(lambda one, other: _quotient(one, other, signed=False)),
    "sdiv": _binary(lambda one, other: _quotient(one, other, signed=True)),
    "urem": _binary(lambda one, other: _remainder(one, other, signed=False)),
    "srem": _binary(lambda one, other: _remainder(one, other, signed=True)),
    "smod": _pair(lambda share, one, other: _modulo(share, one, other)),
    "sll": _pair(lambda share, one, other: _shift(share, one, other, left=True, bit=FALSE)),
    "srl": _pair(lambda share, one, other: _shift(share, one, other, left=False, bit=FALSE)),
    "sra": _pair(lambda share, one, other: _shift(share, one, other, left=False, bit=words.sign(one))),
    "rol": _pair(lambda share, one, other: _rotation(share, one, other, left=True)),
    "ror": _pair(lambda share, one, other: _rotation(share, one, other, left=False)),
    "uaddo": _pair(lambda share, one, other: _sum_overflows(share, one, other, operator="+", signed=False)),
    "saddo": _pair(lambda share, one, other: _sum_overflows(share, one, other, operator="+", signed=True)),
    "usubo": _comparison(signed=False, turned=False, or_equal=False),
    "ssubo": _pair(lambda share, one, other: _sum_overflows(share, one, other, operator="-", signed=True)),
    "umulo": _pair(lambda share, one, other: _product_overflows(share, one, other, signed=False)),
    "smulo": _pair(lambda share, one, other: _product_overflows(share, one, other, signed=True)),
    "sdivo": _binary(_quotient_overflows),
    **{
        f"{letter}{name}": _comparison(letter == "s", turned, or_equal)
        for letter in "su"
        for name, turned, or_equal in (
            ("lt", False, False),
            ("lte", False, True),
            ("gt", True, False),
            ("gte", True, True),
        )
    },
}
