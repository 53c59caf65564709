"""Tree counterexamples: Theorem 2, Corollary 1, Lemmas 4 and 5, and the figures' claims."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, settings

from symag.lpts.lpts import Lpts
from symag.lpts.methods.factored import StochasticTree
from symag.lpts.methods.simulation.question import RefutedPairs
from symag.lpts.methods.simulation.refutation import counterexamples
from symag.lpts.methods.simulation.sides import sides
from tests.lpts.methods.test_simulation import ENGINES, pairs
from tests.lpts.strategies import ONE, by_label, from_moves, simulated, system_of_tree, systems

HALF = Fraction(1, 2)


def tree_against(left: Lpts, right: Lpts, engine: str = "worklist") -> StochasticTree | None:
    both = sides(left, right)
    found = ENGINES[engine](both)
    return counterexamples(both, found)[0] if isinstance(found, RefutedPairs) else None


def is_tree(system: Lpts) -> bool:
    """The definition in Section 2: the start is no target, every other state is one of exactly one distribution."""
    targets = system.target.tolist()
    return sorted(targets) == list(range(1, system.states))


def is_execution(tree: StochasticTree, shape: Lpts, system: Lpts) -> bool:
    """An execution mapping: distributions are those of the system, one to one on their supports."""
    mine, theirs = by_label(shape), by_label(system)
    for node, moves in mine.items():
        for label, mu in moves:
            image = {tree.states[child]: probability for child, probability in mu.items()}
            if len(image) < len(mu) or (label, image) not in theirs[tree.states[node]]:
                return False
    return tree.states[0] == 0


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=300, deadline=None)
@given(pairs())
def test_trees_run_in_the_system_and_not_in_the_specification(engine: str, pair: tuple[Lpts, Lpts]) -> None:
    tree = tree_against(*pair, engine)
    assert (tree is None) == simulated(*pair)
    if tree is not None:
        shape = system_of_tree(tree, pair[0])
        assert shape.broken_law() is None
        assert is_tree(shape)
        assert is_execution(tree, shape, pair[0])
        assert simulated(shape, pair[0])
        assert not simulated(shape, pair[1])


@settings(max_examples=300, deadline=None)
@given(systems(reactive=True), systems(moves=9))
def test_trees_of_reactive_systems_are_reactive(left: Lpts, right: Lpts) -> None:
    tree = tree_against(left, right)
    if tree is not None:
        assert system_of_tree(tree, left).is_reactive()


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(pairs())
def test_no_move_of_a_tree_is_superfluous(pair: tuple[Lpts, Lpts]) -> None:
    tree = tree_against(*pair)
    assume(tree is not None)
    shape = system_of_tree(tree, pair[0])
    triples = shape.triples()
    for left_out in range(len(triples)):
        less = Lpts.of("less", shape.alphabet, shape.states, triples[:left_out] + triples[left_out + 1 :])
        assert simulated(less, pair[1])


@settings(max_examples=200, deadline=None)
@given(pairs())
def test_several_trees_differ_and_each_is_one(pair: tuple[Lpts, Lpts]) -> None:
    both = sides(*pair)
    removed = ENGINES["worklist"](both)
    if not isinstance(removed, RefutedPairs):
        return
    trees = counterexamples(both, removed, 3)
    assert trees[0] == tree_against(*pair)
    assert 1 <= len(set(trees)) == len(trees) <= 3
    for tree in trees:
        shape = system_of_tree(tree, pair[0])
        assert is_tree(shape)
        assert is_execution(tree, shape, pair[0])
        assert not simulated(shape, pair[1])


def test_every_way_to_refute_has_a_tree() -> None:
    left = from_moves({0: [("a", {0: ONE}), ("b", {0: ONE}), ("c", {0: ONE})]})
    both = sides(left, from_moves({0: [("b", {0: ONE})]}, alphabet="abc"))
    removed = ENGINES["worklist"](both)
    assert isinstance(removed, RefutedPairs)
    trees = counterexamples(both, removed, 5)
    assert [[left.alphabet[left.action[k]] for k, _ in tree.moves[0]] for tree in trees] == [["a"], ["c"]]


def sub_trees(shape: Lpts) -> list[Lpts]:
    triples = shape.triples()
    every = [chosen for size in range(len(triples)) for chosen in combinations(triples, size)]
    return [Lpts.of("part", shape.alphabet, shape.states, chosen) for chosen in every]


def test_lemma_4_a_reactive_system_may_need_branching() -> None:
    """After flipping, a is possible with half the mass and b with half in both; in one state only for R1."""
    r1 = from_moves({0: [("flip", {1: HALF, 2: HALF})], 1: [("a", {2: ONE}), ("b", {2: ONE})]})
    r2 = from_moves({0: [("flip", {1: HALF, 2: HALF})], 1: [("a", {3: ONE})], 2: [("b", {3: ONE})]})
    assert r1.is_reactive()
    assert r2.is_reactive()
    tree = tree_against(r1, r2)
    assert tree is not None
    shape = system_of_tree(tree, r1)
    assert shape.is_reactive()
    assert not shape.is_fully_probabilistic()
    assert all(simulated(part, r2) for part in sub_trees(shape) if part.is_fully_probabilistic())


def test_lemma_5_a_system_with_choice_may_need_choice() -> None:
    """With half the mass L may choose between a.b and a.c; R has half the mass for each."""
    after = {3: [("b", {5: ONE})], 4: [("c", {5: ONE})]}
    left = from_moves({0: [("flip", {1: HALF, 2: HALF})], 1: [("a", {3: ONE}), ("a", {4: ONE})], **after})
    right = from_moves({0: [("flip", {1: HALF, 2: HALF})], 1: [("a", {3: ONE})], 2: [("a", {4: ONE})], **after})
    assert right.is_reactive()
    tree = tree_against(left, right)
    assert tree is not None
    shape = system_of_tree(tree, left)
    assert not shape.is_reactive()
    assert all(simulated(part, right) for part in sub_trees(shape) if part.is_reactive())
    quarter = Fraction(1, 4)
    split = {0: [("flip", {1: quarter, 6: quarter, 2: HALF})], 1: [("a", {3: ONE})], 6: [("a", {4: ONE})], **after}
    assert simulated(from_moves(split), left)
    assert simulated(from_moves(split), right)


def test_a_known_smallest_tree() -> None:
    """Probability 1/2 of being able to go on against 2/5: two moves show it."""
    left = from_moves({0: [("a", {1: HALF, 2: HALF}), ("b", {0: ONE})], 1: [("b", {1: ONE})]}, states=3)
    right = from_moves(
        {0: [("a", {1: Fraction(2, 5), 2: Fraction(3, 5)}), ("b", {0: ONE})], 1: [("b", {1: ONE})]}, states=3
    )
    tree = tree_against(left, right)
    assert tree is not None
    assert tree.states == (0, 1, 2, 1)
    assert simulated(right, left)
