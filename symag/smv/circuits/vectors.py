"""Integers and words as vectors of signals (see ``SignalAlgebra``), the least significant bit first.

An integer is in two's complement: its last bit is the sign, and the result of an operation has as many bits as it
needs. A word is its bit pattern.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from symag.core.grouping import pairwise
from symag.smv.circuits.algebra import Signal, SignalAlgebra

Vector = tuple[Signal, ...]


def constant(algebra: SignalAlgebra, number: int, width: int | None = None) -> Vector:
    """A number in ``width`` bits, or in as few as two's complement needs."""
    bits = number.bit_length() + 1 if width is None else width
    return tuple(algebra.true if number >> index & 1 else algebra.false for index in range(bits))


def extended(vector: Vector, width: int, filler: Signal = None) -> Vector:
    """The vector in exactly ``width`` bits: truncated, or extended by its last bit (or ``filler``)."""
    last = vector[-1] if filler is None else filler
    return (*vector[:width], *(last for _ in range(width - len(vector))))


def reduced(vector: Vector) -> Vector:
    """An integer without repeated sign bits."""
    end = len(vector)
    while end > 1 and vector[end - 2] == vector[end - 1]:
        end -= 1
    return vector[:end]


def choose(algebra: SignalAlgebra, condition: Signal, a: Vector, b: Vector) -> Vector:
    """Integer (or word of the same width) a where the condition holds, b elsewhere."""
    width = max(len(a), len(b))
    return tuple(algebra.choice(condition, x, y) for x, y in zip(extended(a, width), extended(b, width), strict=True))


def equal(algebra: SignalAlgebra, a: Vector, b: Vector) -> Signal:
    """A signal that is true iff two integers (or words of the same width) are equal."""
    width = max(len(a), len(b))
    return algebra.all(algebra.equal(x, y) for x, y in zip(extended(a, width), extended(b, width), strict=True))


def add(algebra: SignalAlgebra, a: Vector, b: Vector, width: int, carry: Signal = None) -> Vector:
    """The lowest ``width`` bits of a + b + carry (None: no carry)."""
    carry = algebra.false if carry is None else carry
    total = []
    for x, y in zip(extended(a, width), extended(b, width), strict=True):
        half = algebra.exclusive(x, y)
        total.append(algebra.exclusive(half, carry))
        carry = algebra.disjunction(algebra.conjunction(x, y), algebra.conjunction(half, carry))
    return tuple(total)


def total(algebra: SignalAlgebra, a: Vector, b: Vector) -> Vector:
    """a + b, exactly."""
    return reduced(add(algebra, a, b, max(len(a), len(b)) + 1))


def difference(algebra: SignalAlgebra, a: Vector, b: Vector) -> Vector:
    """a - b, exactly."""
    inverted = tuple(map(algebra.negation, b))
    return reduced(add(algebra, a, inverted, max(len(a), len(b)) + 1, algebra.true))


def negated(algebra: SignalAlgebra, a: Vector) -> Vector:
    """-a, exactly."""
    return difference(algebra, (algebra.false,), a)


def magnitude(algebra: SignalAlgebra, a: Vector) -> Vector:
    """|a|, exactly."""
    return reduced(choose(algebra, a[-1], negated(algebra, a), a))


def less(algebra: SignalAlgebra, a: Vector, b: Vector) -> Signal:
    """A signal that is true iff a < b: the highest bit in which they differ decides."""
    width = max(len(a), len(b))
    first, second = extended(a, width), extended(b, width)
    # At the sign bit the number with a 1 is the smaller one.
    pairs = [*zip(first[:-1], second[:-1], strict=True), (second[-1], first[-1])]
    smaller = algebra.false
    for x, y in pairs:
        smaller = algebra.choice(algebra.exclusive(x, y), y, smaller)
    return smaller


def product(algebra: SignalAlgebra, a: Vector, b: Vector, width: int) -> Vector:
    """The lowest ``width`` bits of a * b."""
    first, second = extended(a, width), extended(b, width)
    constants = algebra.false, algebra.true
    if sum(bit not in constants for bit in first) < sum(bit not in constants for bit in second):
        first, second = second, first  # constant factors make empty rows
    result: Vector = (algebra.false,) * width
    for index, bit in enumerate(second):
        if bit != algebra.false:
            row = tuple(algebra.conjunction(bit, other) for other in first[: width - index])
            result = (*result[:index], *add(algebra, result[index:], row, width - index))
    return result


def quotient_and_rest(algebra: SignalAlgebra, a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """a / b and a mod b, rounded as in C; they have no meaning where b is 0."""
    dividend, divisor = magnitude(algebra, a), magnitude(algebra, b)
    width = len(divisor) + 1
    subtrahend = tuple(map(algebra.negation, extended(divisor, width)))
    rest: Vector = (algebra.false,) * width
    digits: list[Signal] = []
    for bit in reversed(dividend):
        rest = (bit, *rest[: width - 1])
        fits = algebra.negation(less(algebra, rest, divisor))
        rest = choose(algebra, fits, add(algebra, rest, subtrahend, width, algebra.true), rest)
        digits.append(fits)
    plain = (*reversed(digits), algebra.false)
    minus = algebra.exclusive(a[-1], b[-1])
    return (
        reduced(choose(algebra, minus, negated(algebra, plain), plain)),
        reduced(choose(algebra, a[-1], negated(algebra, rest), rest)),
    )


def count(algebra: SignalAlgebra, signals: Iterable[Signal]) -> Vector:
    """The number of signals that are true."""
    return weighted(algebra, ((1, signal) for signal in signals))


def weighted(algebra: SignalAlgebra, terms: Iterable[tuple[int, Signal]]) -> Vector:
    """The sum of the positive weights of the signals that are true."""
    numbers = [
        tuple(signal if weight >> index & 1 else algebra.false for index in range(weight.bit_length() + 1))
        for weight, signal in terms
    ]
    return pairwise(partial(total, algebra), numbers) if numbers else (algebra.false,)


def shifted(algebra: SignalAlgebra, word: Vector, amount: Vector, left: bool, filler: Signal) -> Vector:
    """A word shifted by an amount that is not negative; ``filler`` fills the free bits."""
    for index, bit in enumerate(amount[:-1]):
        step = min(1 << index, len(word))
        blank = (filler,) * step
        moved = (*blank, *word[: len(word) - step]) if left else (*word[step:], *blank)
        word = choose(algebra, bit, moved, word)
    return word
