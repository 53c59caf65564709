"""Operations on arrays: the same systems, with the same numbers, as one state at a time; and large systems."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts import ERROR, Lts
from symag.lts.determinisation import determinised, minimised, strongly_minimised, without_needless_tau
from symag.lts.lts import completed_with_error, reachable, renamed
from tests.lts import plain_operations as plain
from tests.lts.strategies import LABELS

MINIMISING = (
    (minimised, plain.minimised),
    (strongly_minimised, plain.strongly_minimised),
    (determinised, plain.determinised),
    (without_needless_tau, plain.without_needless_tau),
)


def _content(lts: Lts) -> tuple[object, ...]:
    return lts.alphabet, lts.states, lts.triples(), lts.end, lts.is_property


@st.composite
def raw_systems(draw: st.DrawFn, states: int = 7) -> Lts:
    """Not all states reachable; END, if there is one, has no successor."""
    count = draw(st.integers(1, states))
    labels = draw(st.lists(st.sampled_from(LABELS), unique=True, max_size=2))
    action = st.integers(0, len(labels))
    triple = st.tuples(st.integers(0, count - 1), action, st.integers(ERROR, count - 1))
    triples = draw(st.lists(triple, max_size=3 * count))
    end = draw(st.none() | st.integers(0, count - 1))
    return Lts.of("P", ("tau", *labels), count, [each for each in triples if each[0] != end], end)


@settings(max_examples=1500, deadline=None)
@given(raw_systems())
def test_minimal_systems_are_those_of_the_plain_operations(lts: Lts) -> None:
    for fast, slow in MINIMISING:
        assert _content(fast(lts)) == _content(slow(lts)), fast.__name__


@settings(max_examples=500, deadline=None)
@given(raw_systems(), st.data())
def test_other_operations_are_the_plain_ones(lts: Lts, data: st.DataObject) -> None:
    assert _content(reachable(lts)) == _content(plain.reachable(lts))
    names = st.lists(st.sampled_from(LABELS), unique=True, max_size=3)
    labels = [["tau"], *(data.draw(names) for _ in lts.alphabet[1:])]
    assert _content(renamed(lts, labels)) == _content(plain.renamed(lts, labels))
    tau_free = Lts.of("P", lts.alphabet, lts.states, [each for each in lts.triples() if each[1] != 0], lts.end)
    assert _content(completed_with_error(tau_free)) == _content(plain.completed_with_error(tau_free))


def _large(states: int, taus: float, seed: int) -> Lts:
    """Random, 3 transitions a state over 4 labels; a share of them silent. State k leads to k + 1."""
    generator = np.random.default_rng(seed)
    source = np.concatenate([np.arange(states), generator.integers(0, states, 2 * states)])
    target = np.concatenate([(np.arange(states) + 1) % states, generator.integers(0, states, 2 * states)])
    action = generator.integers(1, 5, 3 * states) * (generator.random(3 * states) >= taus)
    return Lts.of_arrays("P", ("tau", "a", "b", "c", "d"), states, source, action, target)


def _chain(states: int) -> Lts:
    """State k leads to k + 1 and, every other one, by the same action to k + 3; a third of the others are silent."""
    generator = np.random.default_rng(1)
    state = np.arange(states - 3)
    action = generator.integers(1, 4, states)
    forked = state[(state % 2 == 0) & (generator.random(states - 3) < 0.3)]
    source = np.concatenate([state, forked])
    target = np.concatenate([state + 1, forked + 3])
    letter = np.concatenate([np.where(state % 3 == 0, 0, action[state]), action[forked]])
    return Lts.of_arrays("P", ("tau", "a", "b", "c"), states, source, letter, target)


@pytest.mark.long
def test_a_hundred_thousand_states_in_a_row_are_determinised_in_seconds() -> None:
    lts = _chain(100_000)
    started = time.process_time()
    deterministic = determinised(lts)
    assert time.process_time() - started < 20
    assert deterministic.is_deterministic()
    assert deterministic.states > 20_000


def test_a_hundred_thousand_states_side_by_side_are_determinised_in_seconds() -> None:
    """A comb: 1,000 beginnings that share their first letters, of 100 states each, told apart by their last letter."""
    length, copies = 100, 1_000
    state = np.arange(1, length * copies + 1)
    inner = state[state % length != 0]
    generator = np.random.default_rng(2)
    word = generator.integers(1, 4, length)
    entry = np.arange(copies) * length + 1
    action = np.where(inner % length == length - 1, 1 + (inner // length) % 5, word[inner % length])
    source = np.concatenate([inner, np.zeros(copies, dtype=np.int64)])
    target = np.concatenate([inner + 1, entry])
    letter = np.concatenate([action, np.full(copies, 1)])
    lts = Lts.of_arrays("P", ("tau", "a", "b", "c", "d", "e"), length * copies + 1, source, letter, target)
    started = time.process_time()
    assert determinised(lts).states == length + 1
    assert time.process_time() - started < 20


@pytest.mark.long
@pytest.mark.parametrize("operation", [minimised, strongly_minimised, reachable, without_needless_tau])
@pytest.mark.parametrize("taus", [0.0, 0.2])
def test_a_hundred_thousand_states_take_seconds(operation: object, taus: float) -> None:
    lts = _large(100_000, taus, 1)
    started = time.process_time()
    assert callable(operation)
    small = operation(lts)
    assert 0 < small.states <= lts.states
    assert time.process_time() - started < 20


def test_a_long_chain_and_its_copies_are_minimised() -> None:
    """A chain of n states needs n rounds; ten copies of it have the classes of one."""
    length, copies = 2_000, 10
    state = np.arange(length * copies)
    inner = state[state % length != length - 1]
    entry = np.arange(copies) * length
    source = np.concatenate([inner + 1, np.zeros(copies, dtype=np.int64)])
    target = np.concatenate([inner + 2, entry + 1])
    action = np.concatenate([1 + (inner % length) % 2, np.full(copies, 3)])
    lts = Lts.of_arrays("P", ("tau", "a", "b", "c"), length * copies + 1, source, action, target)
    assert strongly_minimised(lts).states == length + 1
    assert minimised(lts).states == length + 1


def test_a_large_deterministic_projection() -> None:
    """Hiding one of two counters leaves the other."""
    side = 250
    state = np.arange(side * side)
    row, column = np.divmod(state, side)
    down, right = ((row + 1) % side) * side + column, row * side + (column + 1) % side
    source = np.concatenate([state, state])
    action = np.repeat([0, 1], side * side)
    lts = Lts.of_arrays("P", ("tau", "a"), side * side, source, action, np.concatenate([down, right]))
    assert minimised(lts).states == 1
    marked = Lts.of_arrays(
        "P",
        ("tau", "a", "b"),
        side * side,
        source,
        np.where((action == 1) & (np.tile(column, 2) == 0), 2, action),
        np.concatenate([down, right]),
    )
    assert minimised(marked).states == side
    assert determinised(marked).states == side
