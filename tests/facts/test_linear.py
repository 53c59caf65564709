"""Relations against exact elimination over the rationals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from symag.smv.facts.linear import null_space, shortened, weakened


def rank(rows):
    rows = [[Fraction(int(each)) for each in row] for row in rows]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((number for number in range(found, len(rows)) if rows[number][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for number in range(len(rows)):
            if number != found and rows[number][column]:
                factor = rows[number][column] / rows[found][column]
                rows[number] = [a - factor * b for a, b in zip(rows[number], rows[found], strict=True)]
        found += 1
    return found


samples = arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(1, 6)), elements=st.integers(0, 1))


@settings(max_examples=150, deadline=None)
@given(samples, st.integers(0, 3))
def test_all_relations_and_no_others(matrix, seed):
    rows = null_space(matrix.astype(np.float64), seed)
    assert not (matrix @ rows.T).any()
    assert len(rows) == rank(rows) == matrix.shape[1] - rank(matrix)


@settings(max_examples=150, deadline=None)
@given(samples, st.data())
def test_weaker_relations_hold_in_one_more_state(matrix, data):
    rows = null_space(matrix.astype(np.float64), 0)
    state = data.draw(arrays(np.int64, matrix.shape[1], elements=st.integers(0, 1)))
    weaker = weakened(rows, state)
    both = np.vstack([matrix, state])
    assert not (both @ weaker.T).any()
    assert rank(weaker) == matrix.shape[1] - rank(both)


def test_shorter_ones_span_the_same_space():
    rows = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0]], dtype=np.int64)
    short = shortened(rows)
    assert rank(np.vstack([rows, short])) == rank(short) == 3
    assert np.count_nonzero(short) == 4
