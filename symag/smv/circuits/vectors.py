"""Integers and words as vectors of literals of a graph, the least significant bit first.

An integer is in two's complement: its last bit is the sign, and the result of an operation has as many bits as it
needs. A word is its bit pattern.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from symag.core.grouping import pairwise
from symag.smv.circuits.graph import FALSE, TRUE, Graph

Vector = tuple[int, ...]


def literal_vector(number: int, width: int | None = None) -> Vector:
    """A number in ``width`` bits, or in as few as two's complement needs."""
    bits = number.bit_length() + 1 if width is None else width
    return tuple(number >> index & 1 for index in range(bits))


def extended(vector: Vector, width: int, filler: int | None = None) -> Vector:
    """The vector in exactly ``width`` bits: truncated, or extended by its last bit (or ``filler``)."""
    last = vector[-1] if filler is None else filler
    return (*vector[:width], *(last for _ in range(width - len(vector))))


def reduced(vector: Vector) -> Vector:
    """An integer without repeated sign bits."""
    end = len(vector)
    while end > 1 and vector[end - 2] == vector[end - 1]:
        end -= 1
    return vector[:end]


def choose(graph: Graph, condition: int, a: Vector, b: Vector) -> Vector:
    """Integer (or word of the same width) a where the condition holds, b elsewhere."""
    width = max(len(a), len(b))
    return tuple(graph.choice(condition, x, y) for x, y in zip(extended(a, width), extended(b, width), strict=True))


def equal(graph: Graph, a: Vector, b: Vector) -> int:
    """A literal that is true iff two integers (or words of the same width) are equal."""
    width = max(len(a), len(b))
    return graph.all(graph.equal(x, y) for x, y in zip(extended(a, width), extended(b, width), strict=True))


def add(graph: Graph, a: Vector, b: Vector, width: int, carry: int = FALSE) -> Vector:
    """The lowest ``width`` bits of a + b + carry."""
    total = []
    for x, y in zip(extended(a, width), extended(b, width), strict=True):
        half = graph.exclusive(x, y)
        total.append(graph.exclusive(half, carry))
        carry = graph.disjunction(graph.conjunction(x, y), graph.conjunction(half, carry))
    return tuple(total)


def total(graph: Graph, a: Vector, b: Vector) -> Vector:
    """a + b, exactly."""
    return reduced(add(graph, a, b, max(len(a), len(b)) + 1))


def difference(graph: Graph, a: Vector, b: Vector) -> Vector:
    """a - b, exactly."""
    inverted = tuple(bit ^ 1 for bit in b)
    return reduced(add(graph, a, inverted, max(len(a), len(b)) + 1, TRUE))


def negated(graph: Graph, a: Vector) -> Vector:
    """-a, exactly."""
    return difference(graph, (FALSE,), a)


def magnitude(graph: Graph, a: Vector) -> Vector:
    """|a|, exactly."""
    return reduced(choose(graph, a[-1], negated(graph, a), a))


def less(graph: Graph, a: Vector, b: Vector) -> int:
    """A literal that is true iff a < b: the highest bit in which they differ decides."""
    width = max(len(a), len(b))
    first, second = extended(a, width), extended(b, width)
    # At the sign bit the number with a 1 is the smaller one.
    pairs = [*zip(first[:-1], second[:-1], strict=True), (second[-1], first[-1])]
    smaller = FALSE
    for x, y in pairs:
        smaller = graph.choice(graph.exclusive(x, y), y, smaller)
    return smaller


def product(graph: Graph, a: Vector, b: Vector, width: int) -> Vector:
    """The lowest ``width`` bits of a * b."""
    first, second = extended(a, width), extended(b, width)
    if sum(bit > 1 for bit in first) < sum(bit > 1 for bit in second):
        first, second = second, first  # constant factors make empty rows
    result: Vector = (FALSE,) * width
    for index, bit in enumerate(second):
        if bit != FALSE:
            row = tuple(graph.conjunction(bit, other) for other in first[: width - index])
            result = (*result[:index], *add(graph, result[index:], row, width - index))
    return result


def quotient_and_rest(graph: Graph, a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """a / b and a mod b, rounded as in C; they have no meaning where b is 0."""
    dividend, divisor = magnitude(graph, a), magnitude(graph, b)
    width = len(divisor) + 1
    rest: Vector = (FALSE,) * width
    digits: list[int] = []
    for bit in reversed(dividend):
        rest = (bit, *rest[: width - 1])
        fits = less(graph, rest, divisor) ^ 1
        rest = choose(graph, fits, add(graph, rest, tuple(x ^ 1 for x in extended(divisor, width)), width, TRUE), rest)
        digits.append(fits)
    plain = (*reversed(digits), FALSE)
    minus = graph.exclusive(a[-1], b[-1])
    return (
        reduced(choose(graph, minus, negated(graph, plain), plain)),
        reduced(choose(graph, a[-1], negated(graph, rest), rest)),
    )


def count(graph: Graph, literals: Iterable[int]) -> Vector:
    """The number of literals that are true."""
    return weighted(graph, ((1, literal) for literal in literals))


def weighted(graph: Graph, terms: Iterable[tuple[int, int]]) -> Vector:
    """The sum of the positive weights of the literals that are true."""
    numbers = [tuple(bit and literal for bit in literal_vector(weight)) for weight, literal in terms]
    return pairwise(partial(total, graph), numbers) if numbers else (FALSE,)


def shifted(graph: Graph, word: Vector, amount: Vector, left: bool, filler: int) -> Vector:
    """A word shifted by an amount that is not negative; ``filler`` fills the free bits."""
    for index, bit in enumerate(amount[:-1]):
        step = min(1 << index, len(word))
        blank = (filler,) * step
        moved = (*blank, *word[: len(word) - step]) if left else (*word[step:], *blank)
        word = choose(graph, bit, moved, word)
    return word
