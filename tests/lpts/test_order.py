"""Fast orders of numbers against a sort that is known to be stable, and probabilities that are summed in tables."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from symag.core.ranges import alike, grouped, stable_order

_SMALL = st.lists(st.integers(0, 5), max_size=20)
_LARGE = st.lists(st.sampled_from([0, 1, 2**40, 2**61, 2**62 - 1]), max_size=20)


@given(_SMALL | _LARGE)
def test_equal_numbers_stay_in_their_order(numbers: list[int]) -> None:
    keys = np.array(numbers, dtype=np.int64)
    assert stable_order(keys).tolist() == sorted(range(len(numbers)), key=lambda place: numbers[place])


@given(_SMALL)
def test_the_positions_of_each_number(numbers: list[int]) -> None:
    order, first = grouped(np.array(numbers, dtype=np.int32), 7)
    positions = [order[begin:end].tolist() for begin, end in pairwise(first.tolist())]
    assert positions == [[place for place, number in enumerate(numbers) if number == k] for k in range(7)]


@given(_SMALL | st.lists(st.sampled_from([0, 2**63, 2**64 - 1]), max_size=20))
def test_equal_words_are_one_group(numbers: list[int]) -> None:
    words = np.array(numbers, dtype=np.uint64)
    places, groups = alike(words)
    assert words[places].tolist() == sorted(set(numbers))
    assert [numbers[places[group]] for group in groups.tolist()] == numbers
