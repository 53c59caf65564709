"""Strongly connected components: the search for small graphs against the definition and against scipy."""

from __future__ import annotations

from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts.components import strongly_connected


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    states = draw(st.integers(1, 8))
    state = st.integers(0, states - 1)
    return states, draw(st.lists(st.tuples(state, state), max_size=3 * states))


@settings(max_examples=500, deadline=None)
@given(graphs())
def test_states_of_a_component_reach_each_other(graph: tuple[int, list[tuple[int, int]]]) -> None:
    states, edges = graph
    reached = {(state, state) for state in range(states)} | set(edges)
    while True:
        larger = reached | {(a, d) for a, b in reached for c, d in reached if b == c}
        if larger == reached:
            break
        reached = larger
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    for small in (0, 1000):
        with mock.patch("symag.lts.components._SMALL", small):
            count, component = strongly_connected(states, pairs[:, 0], pairs[:, 1])
        assert sorted(set(component.tolist())) == list(range(count))
        for one in range(states):
            for other in range(states):
                together = (one, other) in reached and (other, one) in reached
                assert (component[one] == component[other]) == together
