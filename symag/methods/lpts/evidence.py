"""What the methods found, as values that others can re-check."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symag.limits import MemoryExhausted
from symag.lpts.composition import Composition
from symag.lpts.lpts import Lpts
from symag.methods.lpts import worklist
from symag.methods.lpts.concrete import Concrete
from symag.methods.lpts.factored import FactoredTree, as_lpts, label_of, probabilities_of, selected
from symag.methods.lpts.refutation import counterexample
from symag.methods.lpts.sides import sides
from symag.methods.lpts.simulation import Removal, Simulation
from symag.simulation_evidence import AbstractSystem, SimulationProof, TreeCounterexample, TreeNode

Parts = tuple[tuple[int, ...], ...]


def proof(found: Simulation, premise: Composition, levels: Sequence[Concrete], parts: Parts) -> SimulationProof:
    """The relation of the last premise 1, and the assumptions with their partitions."""
    local = [tuple(row) for row in premise.local.tolist()]
    number = {pair: place for place, pair in enumerate(found.pairs)}
    relation = tuple((local[s], t) for s, t in found.pairs)
    weights = tuple(tuple((number[pair], mass) for pair, mass in function) for function in found.weights)
    return SimulationProof(parts, tuple(_abstract(level) for level in levels), relation, weights, found.total)


def _abstract(level: Concrete) -> AbstractSystem:
    system = level.abstraction
    transitions = tuple(
        (source, system.alphabet[action], tuple(sorted(distribution.items())))
        for source, action, distribution in system.triples()
    )
    rows = level.composition.local.tolist()
    classes = tuple((tuple(row), place) for row, place in zip(rows, level.classes.tolist(), strict=True))
    return AbstractSystem(system.states, transitions, classes)


def reduced(tree: FactoredTree, components: Sequence[Lpts], specification: Lpts) -> FactoredTree:
    """Only what is needed of a tree that the specification cannot simulate."""
    shape = as_lpts(tree, components)
    both = sides(shape, specification)
    found = worklist.decide(both)
    assert isinstance(found, Removal), "the tree is no counterexample"
    return selected(tree, shape, counterexample(both, found))


def counterexample_value(tree: FactoredTree, components: Sequence[Lpts], order: Sequence[int]) -> TreeCounterexample:
    """A tree that runs in the components, which stand in ``order`` (their numbers in the problem)."""
    places = sorted(range(len(order)), key=lambda place: order[place])
    above: list[tuple[int, int, str | None, Fraction]] = [(-1, 0, None, Fraction(1))] * tree.nodes
    for node, moves in enumerate(tree.moves):
        for number, move in enumerate(moves):
            label = label_of(move[0], components)
            for child, probability in probabilities_of(tree, move, components).items():
                above[child] = node, number, label, probability
    nodes = tuple(
        TreeNode(*facts, local=tuple(local[place] for place in places))
        for facts, local in zip(above, tree.local, strict=True)
    )
    return TreeCounterexample(nodes)


def within(nodes: int, bound: int = 1_000_000) -> None:
    """Raises MemoryExhausted for trees too large to be handled."""
    if nodes > bound:
        raise MemoryExhausted
