"""The table of states numbers rows as a dictionary would, however many words a row takes."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symag.core import state_table
from symag.core.random_words import RandomWords
from symag.core.state_table import Packing, StateTable

Rows = list[tuple[int, ...]]


@st.composite
def batches(draw: st.DrawFn) -> tuple[list[int], list[Rows]]:
    sizes = draw(st.lists(st.sampled_from((1, 2, 3, 148, 70_000, 2**31 - 1)), min_size=1, max_size=8))
    row = st.tuples(*(st.sampled_from(sorted({0, size // 2, size - 1})) for size in sizes))
    return sizes, draw(st.lists(st.lists(row, max_size=12), max_size=4))


def _array(rows: Rows, width: int) -> np.ndarray:
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)


@given(batches(), st.randoms(use_true_random=False))
def test_a_change_of_a_column_is_an_addition(drawn: tuple[list[int], list[Rows]], random: Random) -> None:
    sizes, added = drawn
    packing = Packing(sizes)
    rows = _array([row for batch in added for row in batch], len(sizes))
    words = packing.packed(rows)
    for k, size in enumerate(sizes):
        after = np.array([random.randrange(size) for _ in rows], dtype=np.int64)
        words[:, packing.word[k]] += packing.difference(k, rows[:, k], after)
        rows[:, k] = after
        assert packing.column(words, k).tolist() == after.tolist()
    assert packing.rows(words).tolist() == rows.tolist()


def test_a_column_has_at_most_62_bits() -> None:
    assert Packing([1 << 62, 2, 2]).width == 1
    with pytest.raises(ValueError, match="63 bits"):
        Packing([1 + (1 << 62)])


@given(batches(), st.sampled_from((0, 4, 16)))
def test_rows_are_numbered_in_the_order_in_which_they_come(drawn: tuple[list[int], list[Rows]], few: int) -> None:
    """All together, those of small batches one by one, or all one by one."""
    sizes, added = drawn
    packing = Packing(sizes)
    table = StateTable(packing)
    known: dict[tuple[int, ...], int] = {}
    for rows in added:
        expected = [known.setdefault(row, len(known)) for row in rows]
        with patch.object(state_table, "_FEW", few):
            assert table.add(packing.packed(_array(rows, len(sizes)))).tolist() == expected
    assert packing.rows(table.words(0, len(table))).tolist() == [list(row) for row in known]


def test_many_rows_in_one_batch() -> None:
    packing = Packing([1 << 20, 1 << 20, 1 << 20, 1 << 20])
    table = StateTable(packing)
    generator = np.random.default_rng(0)
    rows = generator.integers(0, 30, (100_000, 4))
    words = packing.packed(rows)
    known: dict[tuple[int, ...], int] = {}
    expected = [known.setdefault(tuple(row), len(known)) for row in rows.tolist()]
    assert table.add(words).tolist() == expected
    assert table.add(words[::-1]).tolist() == expected[::-1]


def test_random_words_are_those_of_splitmix64() -> None:
    # The reference implementation's first words for this seed.
    words = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    random = RandomWords(1234567)
    assert [*random.words(3), *random.words(1)] == words
