"""The table of states numbers rows as a dictionary would, however many words a row takes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from symag.lts.state_table import Packing, StateTable

Rows = list[tuple[int, ...]]


@st.composite
def batches(draw: st.DrawFn) -> tuple[list[int], list[Rows]]:
    sizes = draw(st.lists(st.sampled_from((1, 2, 3, 148, 70_000, 2**31 - 1)), min_size=1, max_size=8))
    row = st.tuples(*(st.sampled_from(sorted({0, size // 2, size - 1})) for size in sizes))
    return sizes, draw(st.lists(st.lists(row, max_size=12), max_size=4))


def _packed(packing: Packing, rows: Rows) -> np.ndarray:
    words = np.zeros((len(rows), packing.width), dtype=np.uint64)
    for k in range(len(packing.bits)):
        column = np.array([row[k] for row in rows], dtype=np.int64)
        words[:, packing.word[k]] += packing.difference(k, np.zeros(len(rows), dtype=np.int64), column)
    return words


@given(batches())
def test_rows_are_numbered_in_the_order_in_which_they_come(drawn: tuple[list[int], list[Rows]]) -> None:
    sizes, added = drawn
    packing = Packing(sizes)
    table = StateTable(packing)
    known = {(0,) * len(sizes): 0}
    for rows in added:
        expected = [known.setdefault(row, len(known)) for row in rows]
        assert table.add(_packed(packing, rows)).tolist() == expected
    assert packing.rows(table.words(0, len(table))).tolist() == [list(row) for row in known]


def test_many_rows_in_one_batch() -> None:
    packing = Packing([1 << 20, 1 << 20, 1 << 20, 1 << 20])
    table = StateTable(packing)
    generator = np.random.default_rng(0)
    rows = generator.integers(0, 30, (100_000, 4))
    words = _packed(packing, [tuple(row) for row in rows.tolist()])
    known = {(0, 0, 0, 0): 0}
    expected = [known.setdefault(tuple(row), len(known)) for row in rows.tolist()]
    assert table.add(words).tolist() == expected
    assert table.add(words[::-1]).tolist() == expected[::-1]
