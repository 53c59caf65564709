"""Minimal systems: equivalent to the original, and no two of their states equivalent."""

from __future__ import annotations

from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts import determinisation, equivalence
from symag.lts.determinisation import determinised, minimised
from symag.lts.equivalence import strong_classes
from symag.lts.lts import ERROR, TAU, Lts
from tests.lts.plain_operations import saturated
from tests.lts.strategies import systems


def _weak_bisimilarity(lts: Lts) -> set[tuple[int, int]]:
    """The greatest relation, by its definition: delete pairs until every weak move can be answered."""
    moves = saturated(lts)
    ended = [lts.end is not None and (TAU, lts.end) in moves[state] for state in range(lts.states)]
    related = {(p, q) for p in range(lts.states) for q in range(lts.states) if ended[p] == ended[q]}
    related.add((ERROR, ERROR))

    def answered(p: int, q: int) -> bool:
        return all(any(a == b and (s, t) in related for b, t in moves[q]) for a, s in moves[p])

    while True:
        kept = {(p, q) for p, q in related if p == ERROR or (answered(p, q) and answered(q, p))}
        if kept == related:
            return related
        related = kept


@settings(max_examples=200, deadline=None)
@given(systems(states=5))
def test_minimised_has_one_state_for_each_class(lts: Lts) -> None:
    classes = {frozenset(q for q in range(lts.states) if (p, q) in _weak_bisimilarity(lts)) for p in range(lts.states)}
    small = minimised(lts)
    assert small.states == len(classes)
    again = _weak_bisimilarity(small)
    assert all(p == q for p, q in again)
    assert small.has_error == lts.has_error
    union = _union(lts, small)
    assert (0, lts.states) in _weak_bisimilarity(union)


@settings(max_examples=200, deadline=None)
@given(systems(states=5), st.integers(0, 3))
def test_rounds_of_few_states_find_the_classes_that_rounds_on_arrays_find(lts: Lts, few: int) -> None:
    with mock.patch.object(equivalence, "_FEW", few):
        one = strong_classes(lts).tolist(), minimised(lts).triples(), determinised(lts).triples()
    with mock.patch.object(equivalence, "_FEW", 100):
        other = strong_classes(lts).tolist(), minimised(lts).triples(), determinised(lts).triples()
    assert one == other


@settings(max_examples=300, deadline=None)
@given(systems(states=5), st.integers(-1, 3), st.sampled_from([1, 4, 1000]))
def test_sets_followed_together_are_those_followed_one_by_one(lts: Lts, few: int, most: int) -> None:
    with mock.patch.multiple(determinisation, _FEW=few, _MOST=most):
        one = determinised(lts).triples()
    with mock.patch.object(determinisation, "_FEW", 100):
        assert determinised(lts).triples() == one


def test_a_long_chain_has_as_many_classes_as_states() -> None:
    count = 20_000
    states = np.arange(count - 1)
    chain = Lts.of_arrays("C", ("tau", "a"), count, states, np.ones(count - 1, dtype=np.int64), states + 1)
    assert strong_classes(chain).tolist() == list(range(count))


def _union(one: Lts, other: Lts) -> Lts:
    """Both side by side, without end states: those of the second come after those of the first."""
    moved = [
        (source + one.states, action, ERROR if target == ERROR else target + one.states)
        for source, action, target in other.triples()
    ]
    return Lts.of("U", one.alphabet, one.states + other.states, [*one.triples(), *moved])


def _traces(lts: Lts, length: int) -> dict[tuple[int, ...], bool]:
    """Words up to a length, and whether each may lead to ERROR."""
    moves = saturated(lts)
    found: dict[tuple[int, ...], bool] = {}
    frontier = {((), frozenset((0,)))}
    for _ in range(length):
        following = set()
        for word, states in frontier:
            for action in {a for state in states for a, _ in moves[state] if a != TAU}:
                after = frozenset(t for state in states for a, t in moves[state] if a == action)
                found[(*word, action)] = ERROR in after
                if ERROR not in after:
                    following.add(((*word, action), after))
        frontier = following
    return found


@settings(max_examples=200, deadline=None)
@given(systems())
def test_determinised_has_the_same_traces(lts: Lts) -> None:
    deterministic = determinised(lts)
    assert deterministic.is_deterministic()
    # A tau into ERROR belongs to no visible trace.
    if not any(action == TAU and target == ERROR for _, action, target in lts.triples()):
        assert _traces(deterministic, 5) == _traces(lts, 5)
