"""Arithmetic of vectors against Python's integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from symag.smv.circuits import vectors
from symag.smv.circuits.graph import Graph
from symag.smv.circuits.vectors import Vector

NUMBERS = st.integers(-40, 40)


def number(vector: Vector) -> int:
    """The integer that a vector of constants is."""
    assert all(bit in (0, 1) for bit in vector)
    return sum(bit << index for index, bit in enumerate(vector[:-1])) - (vector[-1] << (len(vector) - 1))


@given(NUMBERS, NUMBERS)
def test_arithmetic(a, b):
    graph = Graph()
    x, y = vectors.constant(graph, a), vectors.constant(graph, b)
    assert number(vectors.total(graph, x, y)) == a + b
    assert number(vectors.difference(graph, x, y)) == a - b
    assert number(vectors.negated(graph, x)) == -a
    assert number(vectors.magnitude(graph, x)) == abs(a)
    assert number(vectors.product(graph, x, y, len(x) + len(y))) == a * b
    assert vectors.less(graph, x, y) == int(a < b)
    assert vectors.equal(graph, x, y) == int(a == b)
    if b:
        quotient, rest = vectors.quotient_and_rest(graph, x, y)
        expected = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        assert (number(quotient), number(rest)) == (expected, a - b * expected)


@given(st.integers(0, 63), st.integers(0, 6), st.booleans())
def test_shifts(word, amount, left):
    graph = Graph()
    shifted = vectors.shifted(graph, vectors.constant(graph, word, 6), vectors.constant(graph, amount), left, 0)
    expected = word << amount & 63 if left else word >> amount
    assert number((*shifted, 0)) == expected


@given(st.lists(st.booleans(), max_size=9))
def test_count(truths):
    assert number(vectors.count(Graph(), [int(truth) for truth in truths])) == sum(truths)
