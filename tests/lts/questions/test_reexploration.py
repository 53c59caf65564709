"""The re-check's exploration on arrays has exactly the moves that its definition, one state at a time, has."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline, OutOfTimeError
from symag.lts import ERROR, Lts, System
from symag.lts.certify import packed_components, sorted_states
from symag.lts.certify import states as labelled_states
from symag.lts.certify.product_on_demand import ProductOnDemand
from symag.lts.certify.sorted_states import CollisionError, SortedStates
from symag.lts.certify.states import explored
from symag.lts.composition import Priority
from tests.lts.answering import explored_states
from tests.lts.moves_by_definition import allowed, moves
from tests.lts.strategies import systems

_State = tuple[int, ...]


@st.composite
def composites(draw: st.DrawFn) -> System:
    components = draw(st.lists(systems(states=4), min_size=1, max_size=3))
    labels = st.frozensets(st.sampled_from(("a", "b", "c")), min_size=1)
    priority = draw(st.none() | st.builds(Priority, labels, st.booleans()))
    return System("S", tuple(components), priority, None, False, frozenset())


def _by_definition(system: System, start: _State) -> dict[_State, set[tuple[str, _State]]]:
    found: dict[_State, set[tuple[str, _State]]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in found and ERROR not in state:
            found[state] = allowed(moves(system.components, state), system.priority)
            waiting.extend(after for _, after in found[state])
    return found


def _explored(system: System, start: _State) -> tuple[dict[_State, set[tuple[str, _State]]], set[_State]]:
    """By the exploration on arrays: its moves, and the states in which everything has ended."""
    exploration = labelled_states.Exploration(system, 0)
    result = exploration.run(start, Deadline(None))
    words = exploration._found.words[: result.states]
    states = list(zip(*(part.local(words).tolist() for part in exploration._parts), strict=True))
    found: dict[_State, set[tuple[str, _State]]] = {state: set() for state in states}
    assert len(found) == len(states)
    for source, label, target in zip(result.source, result.label, result.target, strict=True):
        found[states[source]].add((result.labels[label], states[target] if target >= 0 else (ERROR,)))
    return found, {state for state, ended in zip(states, result.ended, strict=True) if ended}


@pytest.mark.parametrize("few", [0, 2, 16])
@pytest.mark.parametrize("cells", [1 << 24, 0], ids=["table", "sorted"])
@settings(max_examples=200, deadline=None)
@given(composites(), st.data())
def test_moves_are_those_of_the_definition(few: int, cells: int, system: System, data: st.DataObject) -> None:
    start = tuple(data.draw(st.integers(0, lts.states - 1)) for lts in system.components)
    expected = {
        state: {(label, (ERROR,) if ERROR in after else after) for label, after in of_state}
        for state, of_state in _by_definition(system, start).items()
    }
    product = ProductOnDemand(system)
    with (
        patch.object(packed_components, "_CELLS", cells),
        patch.object(labelled_states, "_FEW", few),
        patch.object(labelled_states, "_BATCH", 4 if few == 2 else 1 << 16),
        patch.object(sorted_states, "_FEW", few),
        patch.object(sorted_states, "_RECENT", 2),
    ):
        assert _explored(system, start) == (expected, {state for state in expected if product.has_ended(state)})


@pytest.mark.parametrize("few", [0, 16])
@pytest.mark.parametrize("components", [15, 16, 17])
def test_states_of_a_full_word(few: int, components: int) -> None:
    """Sixteen components of 16 states have 64 bits."""
    counter = Lts.of("P", ("tau", "next"), 16, [(state, 1, (state + 1) % 16) for state in range(16)])
    system = System("S", (counter,) * components, None, None, False, frozenset())
    start = tuple(k % 16 for k in range(components))
    with patch.object(labelled_states, "_FEW", few), patch.object(sorted_states, "_FEW", few):
        found, ended = _explored(system, start)
    assert found == _by_definition(system, start)
    assert len(found) == 16
    assert not ended


@settings(max_examples=200, deadline=None)
@given(composites(), st.data())
def test_what_leads_to_a_goal(system: System, data: st.DataObject) -> None:
    found = explored_states(system)
    goal = np.array(data.draw(st.lists(st.booleans(), min_size=found.states, max_size=found.states)))
    pairs = list(zip(found.source.tolist(), found.target.tolist(), strict=True))
    reached = set(np.flatnonzero(goal).tolist())
    while True:
        larger = reached | {source for source, target in pairs if target in reached}
        if larger == reached:
            break
        reached = larger
    assert set(np.flatnonzero(found.leading_to(goal)).tolist()) == reached


def test_equal_hashes_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = np.array([[1]], dtype=np.uint64), np.array([[2]], dtype=np.uint64)
    monkeypatch.setattr(sorted_states, "_FEW", 0)
    states = SortedStates(1, 0)
    states._factors[:] = 0
    with pytest.raises(CollisionError):
        states.numbers(np.concatenate([one, two]))
    assert states.numbers(one).tolist() == [0]
    with pytest.raises(CollisionError):
        states.numbers(two)
    monkeypatch.setattr(sorted_states, "_FEW", 1)
    with pytest.raises(CollisionError):
        states.numbers(two)
    # Of those that are in no run the hashes are compared when they get one.
    states = SortedStates(1, 0)
    states._factors[:] = 0
    assert [states.numbers(one).tolist(), states.numbers(two).tolist(), states.numbers(two).tolist()] == [[0], [1], [1]]
    with pytest.raises(CollisionError):
        states.numbers(np.concatenate([one, two]))


def test_states_are_numbered_once() -> None:
    states = SortedStates(2, 0)
    generator = np.random.default_rng(1)
    known: dict[tuple[int, ...], int] = {}
    for size in (1, 3, 16, 1000, 2, 500, 5, 4000, *range(1, 17)):
        rows = generator.integers(0, 40, (size, 2)).astype(np.uint64)
        for row, number in zip(map(tuple, rows.tolist()), states.numbers(rows).tolist(), strict=True):
            assert known.setdefault(row, number) == number
    assert sorted(known.values()) == list(range(states.count))


@given(st.lists(st.sampled_from((0, 1, 2, 3, 9, 1 << 40, (1 << 40) + 1, (1 << 64) - 2, (1 << 64) - 1)), max_size=40))
def test_hashes_that_differ_in_their_last_bits_are_sorted(values: list[int]) -> None:
    hashes = np.array(values, dtype=np.uint64)
    assert sorted_states.order_of(hashes).tolist() == np.argsort(hashes, kind="stable").tolist()


def test_the_deadline_holds() -> None:
    from symag.lts import read_text

    system = read_text("P = (a -> b -> P). ||S = ([1..40]:P).").composite("S")
    with pytest.raises(OutOfTimeError):
        explored(system, [0] * 40, Deadline(0.5))
