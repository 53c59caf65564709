"""Components, closures and what leads to a state, for small graphs and by scipy, against the definition."""

from __future__ import annotations

from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts.components import leading_to, silent_closure, strongly_connected
from symag.lts.equivalence import weak_classes
from symag.lts.lts import Lts

#: With the first limit scipy is taken always, with the second never.
LIMITS = (-1, 1000)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    states = draw(st.integers(1, 8))
    state = st.integers(0, states - 1)
    return states, draw(st.lists(st.tuples(state, state), max_size=3 * states))


def closure(states: int, edges: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """The reflexive and transitive closure."""
    reached = {(state, state) for state in range(states)} | set(edges)
    while True:
        larger = reached | {(a, d) for a, b in reached for c, d in reached if b == c}
        if larger == reached:
            return reached
        reached = larger


@settings(max_examples=500, deadline=None)
@given(graphs())
def test_components_closures_and_what_leads_to_a_state(graph: tuple[int, list[tuple[int, int]]]) -> None:
    states, edges = graph
    reached = closure(states, edges)
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    source, target = pairs[:, 0], pairs[:, 1]
    for limit in LIMITS:
        with (
            mock.patch("symag.lts.components._SMALL", limit),
            mock.patch("symag.lts.components._FEW_ENDS", limit),
        ):
            count, component = strongly_connected(states, source, target)
            begin, ends = silent_closure(states, source, target)
            leading = [leading_to(goal, states, source, target) for goal in range(states)]
        assert sorted(set(component.tolist())) == list(range(count))
        for one in range(states):
            assert sorted(ends[begin[one] : begin[one + 1]].tolist()) == [
                b for b in range(states) if (one, b) in reached
            ]
            for other in range(states):
                together = (one, other) in reached and (other, one) in reached
                assert (component[one] == component[other]) == together
                assert leading[other][one] == ((one, other) in reached)


@settings(max_examples=200, deadline=None)
@given(graphs(), st.data())
def test_weak_classes_are_the_same_with_moves_listed_and_by_products_of_matrices(
    graph: tuple[int, list[tuple[int, int]]], data: st.DataObject
) -> None:
    states, edges = graph
    actions = data.draw(st.lists(st.integers(0, 2), min_size=len(edges), max_size=len(edges)))
    triples = [(source, action, target) for (source, target), action in zip(edges, actions, strict=True)]
    system = Lts.of("S", ("tau", "a", "b"), states, triples)
    classes = []
    for limit in LIMITS:
        with (
            mock.patch("symag.lts.components._FEW_ENDS", limit),
            mock.patch("symag.lts.equivalence._LISTED", limit),
        ):
            classes.append(weak_classes(system).tolist())
    assert classes[0] == classes[1]
