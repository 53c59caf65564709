"""The re-check's simulation and its smaller system, against the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline, OutOfTimeError
from symag.lts.certificates import LabelledAssumption
from symag.lts.certify.machines import AssumptionJudge, machine_of
from symag.lts.certify.simulation import is_simulated, merged_states
from symag.lts.certify.states import ExploredStates
from symag.lts.lts import Lts
from tests.lts.explicit_languages import can_do, words

LABELS = ("a", "b")


@st.composite
def transitions(draw: st.DrawFn, actions: int, most: int) -> tuple[int, list[tuple[int, int, int]]]:
    """The number of states, and transitions by actions 0 .. ``actions`` - 1."""
    states = draw(st.integers(1, most))
    state = st.integers(0, states - 1)
    moves = st.tuples(state, st.integers(0, actions - 1), state)
    return states, draw(st.lists(moves, max_size=3 * states, unique=True))


def _simulation(left: Lts, right: LabelledAssumption) -> set[tuple[int, int]]:
    """The largest one, by removing pairs until all that are left are as the definition says."""
    pairs = {(s, q) for s in range(left.states) for q in range(right.states)}

    def is_answered(state: int, action: int, target: int, simulating: int) -> bool:
        label = left.alphabet[action]
        if label not in right.alphabet:
            return (target, simulating) in pairs
        letter = right.alphabet.index(label)
        return any((target, r) in pairs for q, a, r in right.transitions if q == simulating and a == letter)

    while True:
        wrong = {(s, q) for s, q in pairs if not all(is_answered(*move, q) for move in left.triples() if move[0] == s)}
        if not wrong:
            return pairs
        pairs -= wrong


@settings(max_examples=300, deadline=None)
@given(transitions(3, 5), transitions(2, 5), st.sampled_from((("a", "b"), ("b", "a"), ("a", "d"))))
def test_simulation_is_that_of_the_definition(
    left: tuple[int, list[tuple[int, int, int]]],
    right: tuple[int, list[tuple[int, int, int]]],
    alphabet: tuple[str, ...],
) -> None:
    system = Lts.of("left", ("tau", *LABELS), *left)
    ended = np.zeros(system.states, dtype=bool)
    states = ExploredStates(system.alphabet, system.source, system.action, system.target, ended)
    assumption = LabelledAssumption(alphabet, right[0], tuple(sorted(right[1])))
    expected = (0, 0) in _simulation(system, assumption)
    assert is_simulated(states, AssumptionJudge(machine_of(assumption)), Deadline(60)) == expected


def _bisimilar(system: Lts) -> int:
    """The number of classes of bisimilar states, by splitting until all states of a class have the same moves."""
    known: dict[int, object] = dict.fromkeys(range(system.states))
    while True:
        moves = {s: frozenset((a, known[t]) for source, a, t in system.triples() if source == s) for s in known}
        signatures = list({(known[s], moves[s]) for s in known})
        if len(signatures) == len(set(known.values())):
            return len(signatures)
        known = {s: signatures.index((known[s], moves[s])) for s in known}


#: Where a block and a move of the same number have equal hashes, two of its blocks are joined and split for ever.
_SPLIT_FOR_EVER = (
    6,
    [
        *((0, 1, 1), (1, 1, 3), (1, 2, 1), (1, 2, 2), (1, 2, 4), (2, 0, 4), (2, 1, 5), (3, 0, 0), (3, 1, 1)),
        *((4, 1, 5), (5, 1, 2), (5, 2, 0), (5, 2, 3), (5, 2, 5)),
    ],
)


@settings(max_examples=200, deadline=None)
@example(_SPLIT_FOR_EVER)
@given(transitions(len(LABELS) + 1, 6))
def test_the_smaller_system_has_a_state_for_each_class(left: tuple[int, list[tuple[int, int, int]]]) -> None:
    visible = [move for move in left[1] if move[1]]
    for moves in (left[1], visible):
        system = Lts.of("left", ("tau", *LABELS), left[0], moves)
        smaller = merged_states(system, Deadline(2))
        assert smaller.states <= system.states
    assert smaller.states == _bisimilar(system)


@settings(max_examples=100, deadline=None)
@given(transitions(len(LABELS) + 1, 5))
def test_the_smaller_system_has_the_same_words(left: tuple[int, list[tuple[int, int, int]]]) -> None:
    system = Lts.of("left", ("tau", *LABELS), *left)
    smaller = merged_states(system, Deadline(60))
    assert smaller.states <= system.states
    assert all(can_do(smaller, word) == can_do(system, word) for word in words(LABELS, 4))


def test_a_long_chain_of_silent_moves_becomes_one_state() -> None:
    count = 1000
    chain = Lts.of("chain", ("tau", "a"), count, [(s, 0, s + 1) for s in range(count - 1)] + [(count - 1, 1, 0)])
    smaller = merged_states(chain, Deadline(60))
    assert (smaller.states, smaller.triples()) == (1, [(0, 1, 0)])


def test_the_deadline_ends_it() -> None:
    with pytest.raises(OutOfTimeError):
        merged_states(Lts.of("left", ("tau", "a"), 2, [(0, 1, 1)]), Deadline(-1))
