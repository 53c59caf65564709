"""Bisimilarity and simulation on arrays, against the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lpts.bisimulation import bisimulation_classes, is_stable, quotient
from symag.lpts.lpts import Lpts
from symag.lpts.methods.simulation.answers import SpecificationAnswers
from symag.lpts.methods.simulation.blocks import coarsest, decide
from symag.lpts.methods.simulation.question import BlockSimulation, SimulationRelation
from tests.conftest import examples
from tests.lpts.strategies import by_label, coarsest_simulation, from_moves, simulated, system_of_tree, systems

HALF = Fraction(1, 2)


def bisimilar(system: Lpts, apart: Sequence[int]) -> set[tuple[int, int]]:
    """The coarsest bisimulation, an equivalence, by the definition: Larsen and Skou's condition, again and again."""
    moves = by_label(system)
    relation = {(s, t) for s in moves for t in moves if apart[s] == apart[t]}

    def same(mu: dict[int, Fraction], nu: dict[int, Fraction]) -> bool:
        return all(
            sum(p for u, p in mu.items() if (s, u) in relation) == sum(p for u, p in nu.items() if (s, u) in relation)
            for s in moves
        )

    def answers(s: int, t: int) -> bool:
        return all(any(a == b and same(mu, nu) for b, nu in moves[t]) for a, mu in moves[s])

    while True:
        kept = {(s, t) for s, t in relation if answers(s, t) and answers(t, s)}
        if kept == relation:
            return relation
        relation = kept


@settings(max_examples=150, deadline=None)
@given(systems(silent=True, moves=9), st.integers(0, 3), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_classes_are_the_coarsest_bisimulation(system: Lpts, seed: int, apart: list[int]) -> None:
    classes = bisimulation_classes(system, seed=seed, apart=np.array(apart[: system.states]))
    expected = bisimilar(system, apart)
    assert {(s, t) for s, c in enumerate(classes) for t, d in enumerate(classes) if c == d} == expected
    assert [int(c) for c in dict.fromkeys(classes.tolist())] == list(range(int(classes.max()) + 1))


@settings(max_examples=150, deadline=None)
@given(systems(silent=True, moves=9), st.data())
def test_a_partition_is_stable_exactly_if_it_is_a_bisimulation(system: Lpts, data: st.DataObject) -> None:
    drawn = data.draw(st.lists(st.integers(0, 2), min_size=system.states, max_size=system.states))
    numbers = {value: place for place, value in enumerate(dict.fromkeys(drawn))}
    classes = np.array([numbers[value] for value in drawn], dtype=np.int64)
    small = by_label(quotient(system, classes))
    moves = by_label(system)

    def lifted(s: int) -> set[tuple[str, tuple[tuple[int, Fraction], ...]]]:
        found = set()
        for a, mu in moves[s]:
            mass: dict[int, Fraction] = {}
            for u, p in mu.items():
                mass[int(classes[u])] = mass.get(int(classes[u]), Fraction(0)) + p
            found.add((a, tuple(sorted(mass.items()))))
        return found

    expected = all(
        lifted(s) == {(a, tuple(sorted(mu.items()))) for a, mu in small[int(classes[s])]} for s in range(system.states)
    )
    assert is_stable(system, classes) == expected


@pytest.mark.long
@pytest.mark.parametrize(("hashed", "directly"), [(64, 0), (1, 0), (1, 4)])
def test_blocks_decide_the_definition(hashed: int, directly: int) -> None:
    """With hashes of one bit nearly all questions are taken for each other, which has to be noticed."""
    apart = st.tuples(systems(silent=True), systems(silent=True, moves=9))

    @settings(max_examples=examples(150), deadline=None)
    @given(apart | st.tuples(systems(actions="a"), systems(actions="a", moves=9)))
    def on_random_systems(pair: tuple[Lpts, Lpts]) -> None:
        system, specification = pair
        # Asked twice, the second time with what is known from the first.
        answers: dict[object, SpecificationAnswers] = {}
        decide(system, specification, hashed=hashed, answers=answers)
        found = decide(system, specification, hashed=hashed, answers=answers, directly=directly)
        assert (not isinstance(found, tuple)) == ((0, 0) in coarsest_simulation(*pair))
        if isinstance(found, SimulationRelation):
            assert (0, 0) in found.pairs
            assert set(found.pairs) <= coarsest_simulation(*pair)
        elif isinstance(found, BlockSimulation):
            assert found.blocks[0] == 0
            assert is_lifted_simulation(found, system, specification)
        else:
            (tree,), _ = found
            running = system_of_tree(tree, system)
            assert simulated(running, system)
            assert not simulated(running, specification)

    on_random_systems()


def is_lifted_simulation(found: BlockSimulation, system: Lpts, specification: Lpts) -> bool:
    """What is related by blocks is in the coarsest simulation, and has the initial pair."""
    related = {(s, t) for s in range(system.states) for k, t in found.simulation.pairs if found.blocks[s] == k}
    return (0, 0) in related and related <= coarsest_simulation(system, specification)


@settings(max_examples=500, deadline=None)
@given(systems(silent=True), systems(silent=True, moves=9))
def test_all_pairs_and_their_rounds(system: Lpts, specification: Lpts) -> None:
    relation = coarsest(system, SpecificationAnswers.of(specification, system))
    expected = coarsest_simulation(system, specification)
    every = {(s, t) for s in range(system.states) for t in range(specification.states)}
    removed = relation.removed()
    assert removed.keys() <= every - expected
    if relation.holds:
        assert {pair for pair in every if relation.relates(*pair)} == expected
        assert set(removed) == every - expected
        assert all(pair not in removed for pair in expected)


@settings(max_examples=150, deadline=None)
@given(st.lists(systems(silent=True, moves=9), min_size=2, max_size=4), systems(silent=True, moves=9))
def test_answers_are_for_other_systems_too(asked: list[Lpts], specification: Lpts) -> None:
    answers: dict[object, SpecificationAnswers] = {}
    for system in asked:
        found = decide(system, specification, answers=answers)
        assert (not isinstance(found, tuple)) == simulated(system, specification)


def test_more_specification_states_than_a_word_has_bits() -> None:
    """A chain of 200 states that differ, simulated by itself, and not by a shorter one."""
    chain = from_moves({s: [("a", {s + 1: HALF, 201: HALF})] for s in range(200)})
    shorter = from_moves({s: [("a", {s + 1: HALF, 151: HALF})] for s in range(150)})
    assert isinstance(decide(chain, chain, directly=0), BlockSimulation)
    assert isinstance(decide(shorter, chain), SimulationRelation)
    found = decide(chain, shorter)
    assert isinstance(found, tuple)
    assert found[0][0].nodes > 150


@settings(max_examples=100, deadline=None)
@given(systems(silent=True, moves=9), systems(silent=True, moves=9), st.data())
def test_batches_change_nothing(system: Lpts, specification: Lpts, data: st.DataObject) -> None:
    """Transitions are looked at in batches; here in batches of one or two."""
    chosen = [data.draw(st.integers(0, 2)) for _ in range(system.states - 1)]
    classes = np.unique(np.array([0, *chosen]), return_inverse=True)[1].reshape(-1)
    expected = quotient(system, classes)
    pairs = decide(system, specification, directly=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symag.lpts.bisimulation._BATCH", data.draw(st.integers(1, 2)))
        patch.setattr("symag.lpts.methods.simulation.blocks._TRANSITIONS", data.draw(st.integers(1, 2)))
        small = quotient(system, classes)
        again = decide(system, specification, directly=0)
    assert small.broken_law() is None
    assert (small.states, sorted(map(repr, small.triples()))) == (
        expected.states,
        sorted(map(repr, expected.triples())),
    )
    assert isinstance(again, BlockSimulation) == isinstance(pairs, BlockSimulation) == simulated(system, specification)
