"""The composition on arrays against the definition, one state at a time."""

from __future__ import annotations

import tracemalloc
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts import acting_component, composition
from symag.lts.composition import Composing, Priority, composed
from symag.lts.lts import ERROR, Lts
from tests.lts.moves_by_definition import allowed, moves
from tests.lts.strategies import systems

_PRIORITIES = st.none() | st.builds(
    Priority, st.frozensets(st.sampled_from(("a", "b", "c")), min_size=1), st.booleans()
)


@pytest.mark.parametrize("few", [0, 16], ids=["together", "one_by_one"])
@pytest.mark.parametrize("cells", [1 << 24, 0], ids=["table", "sorted"])
@settings(max_examples=150, deadline=None)
@given(
    st.lists(systems(), min_size=1, max_size=4),
    _PRIORITIES,
)
def test_composition_is_the_reachable_part_of_the_product(
    few: int, cells: int, components: list[Lts], priority: Priority | None
) -> None:
    with patch.object(acting_component, "_CELLS", cells), patch.object(composition, "FEW", few):
        found = composed(components, "C", priority)
    start = (0,) * len(components)
    reached = {start}
    transitions = set()
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for label, after in allowed(moves(components, state), priority):
            wrong = ERROR in after
            transitions.add((state, label, None if wrong else after))
            if not wrong and after not in reached:
                reached.add(after)
                waiting.append(after)
    stuck = reached - {source for source, _, _ in transitions}
    ending = [place for place, lts in enumerate(components) if lts.end is not None]
    merged = {state for state in stuck if found.lts.end is not None and _has_ended(components, state, ending)}
    assert found.lts.states == len(reached) - max(0, len(merged) - 1)
    named = [None if len(merged) and tuple(row) in merged else tuple(row) for row in found.local_states.tolist()]
    mine = {
        (named[source], found.lts.alphabet[action], "error" if target == ERROR else named[target])
        for source, action, target in found.lts.triples()
    }
    theirs = {
        (source, label, "error" if after is None else None if after in merged else after)
        for source, label, after in transitions
    }
    assert mine == theirs
    assert len(found.deadlocks) == len(stuck - merged)
    assert len(found.violations) == sum(after is None for _, _, after in _unmerged(found.lts))


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 1 << 32))
def test_single_states_have_the_same_moves_in_the_same_order(seed: int) -> None:
    """Of systems with many moves, so that a state has several of each kind."""
    random = Random(seed)
    components = [_dense(random) for _ in range(random.randrange(1, 5))]
    named = frozenset(random.sample(("a", "b"), random.randrange(1, 3)))
    priority = random.choice((None, Priority(named, True), Priority(named, False)))
    composing = Composing(components, priority)
    rows = [[random.randrange(lts.states) for lts in components] for _ in range(random.randrange(1, 17))]
    words = composing.packing.packed(np.array(rows, dtype=np.int64))
    one_by_one = composing.successors(words)
    with patch.object(composition, "FEW", 0):
        together = composing.successors(words)
    places, actions, following, culprits = zip(one_by_one, together, strict=True)
    for mine, theirs in (places, actions, culprits):
        assert mine.dtype == theirs.dtype
        assert mine.tolist() == theirs.tolist()
    proper = culprits[0] < 0
    assert following[0].dtype == following[1].dtype
    assert following[0][proper].tolist() == following[1][proper].tolist()


def _dense(random: Random) -> Lts:
    """A component with many moves, some of them to ERROR."""
    labels = random.sample(("a", "b", "c"), random.randrange(1, 4))
    states = random.randrange(1, 5)
    triples = {
        (random.randrange(states), random.randrange(len(labels) + 1), random.randrange(ERROR, states))
        for _ in range(random.randrange(5 * states))
    }
    return Lts.of("P", ("tau", *labels), states, sorted(triples))


def _has_ended(components: list[Lts], state: tuple[int, ...], ending: list[int]) -> bool:
    return all(state[place] == components[place].end for place in ending)


def _unmerged(lts: Lts) -> list[tuple[int, int, int | None]]:
    return [(source, action, None if target == ERROR else target) for source, action, target in lts.triples()]


def test_more_combinations_than_63_bits_hold() -> None:
    toggle = Lts.of("T", ("tau", "a"), 2, [(0, 1, 1), (1, 1, 0)])
    idle = Lts.of("W", ("tau", "a"), 1000, [(k, 1, (k + 1) % 1000) for k in range(1000)])
    found = composed([idle] * 7 + [toggle], "C")
    assert (found.lts.states, found.lts.transitions) == (1000, 1000)


def test_states_are_numbered_breadth_first() -> None:
    tree = Lts.of("T", ("tau", "a", "b"), 5, [(0, 2, 1), (0, 1, 2), (2, 1, 3), (1, 1, 4)])
    found = composed([tree], "C")
    assert found.local_states[:, 0].tolist() == [0, 2, 1, 3, 4]


def test_thousands_of_labels_and_states_take_no_table() -> None:
    count = 5_000
    labels = tuple(f"a{number}" for number in range(count))
    star = Lts.of("S", ("tau", *labels), count + 1, [(0, k + 1, k + 1) for k in range(count)])
    tracemalloc.start()
    try:
        found = composed([star], "C")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.lts.states, len(found.deadlocks)) == (count + 1, count)
    assert peak < count * count  # bytes: a bit for each state and label, and a few copies; a table has eight each
