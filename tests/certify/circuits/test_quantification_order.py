"""The order in which conjuncts are joined, and the variables that are quantified with each, against the definition."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.smv.certify.circuits.decision_diagrams import greedy_order

NAMES = st.frozensets(st.sampled_from("abcdef"))


def by_definition(
    supports: list[frozenset[str]], known: frozenset[str], kept: frozenset[str]
) -> list[tuple[int, frozenset[str]]]:
    """Every count is made anew at every step."""
    seen, left, order = set(known), list(range(len(supports))), []
    while left:
        others = {
            index: frozenset().union(*(supports[other] for other in left if other != index)) | kept for index in left
        }
        costs = [(len(supports[index] - seen) - len(supports[index] - others[index]), index) for index in left]
        _, index = min(costs)
        order.append((index, supports[index] - others[index]))
        seen |= supports[index]
        left.remove(index)
    return order


@settings(max_examples=300, deadline=None)
@given(st.lists(NAMES, max_size=7), NAMES, NAMES)
def test_the_greedy_order_is_that_of_its_definition(supports, known, kept):
    assert greedy_order(supports, known, kept) == by_definition(supports, known, kept)
