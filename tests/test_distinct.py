"""The distinct numbers of an array are those of a set."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from symag.core.ranges import distinct, missing


@given(st.lists(st.integers(-5, 5)), st.sampled_from((np.int32, np.int64, np.float64)))
def test_distinct_numbers_are_those_of_a_set(numbers: list[int], kind: type) -> None:
    array = np.array(numbers, dtype=kind)
    assert distinct(array).tolist() == sorted(set(numbers))
    assert distinct(array).dtype == kind
    assert array.tolist() == numbers


@given(st.lists(st.integers(0, 6)))
def test_missing_numbers_are_those_that_a_set_lacks(numbers: list[int]) -> None:
    assert missing(np.array(numbers, dtype=np.int64), 7).tolist() == sorted(set(range(7)) - set(numbers))
