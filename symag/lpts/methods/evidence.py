"""The results of the methods, as values that separate code can re-check."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from symag.core.limits import no_progress
from symag.lpts.certificates.assumptions import (
    AbstractSystem,
    ProofByParts,
    SafetyProof,
    SimulationProof,
    TreeCounterexample,
    TreeNode,
)
from symag.lpts.composition import Composition
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.methods.concrete import ConcreteSystem
from symag.lpts.methods.factored import FactoredTree, as_lpts, label_of, probabilities_of, selected
from symag.lpts.methods.formulas import SatisfyingStates
from symag.lpts.methods.requirements import Requirement
from symag.lpts.methods.simulation.question import BlockSimulation, SimulationRelation
from symag.lpts.problems import Liveness, subformulas

Parts = tuple[tuple[int, ...], ...]


def proof(
    reason: SimulationRelation | BlockSimulation | SatisfyingStates,
    premise: Composition,
    levels: Sequence[ConcreteSystem],
    parts: Parts,
    violation: Liveness | Lpts,
    nested: bool = True,
) -> ProofByParts:
    """Why the last premise 1 holds, and the assumptions with their partitions.

    Level k abstracts part k + 1, composed with level k + 1 if they are ``nested``; else all stand beside part 0.
    Where it was shown by blocks, these are one more assumption: of part 0 with what was assumed of the others, so that
    part 0 of the proof is empty.
    """
    if isinstance(reason, BlockSimulation):
        return _proof_by_blocks(reason, premise, levels, parts, nested)
    beside = () if nested else (0,) * len(levels)
    local = tuple(tuple(row) for row in premise.local.tolist())
    assumptions = tuple(_abstract(level) for level in levels)
    if isinstance(reason, SatisfyingStates):
        assert isinstance(violation, Liveness)
        untils = [subformula for subformula in subformulas(violation) if subformula.operator == "until"]
        return SafetyProof(
            parts, assumptions, local, tuple(tuple(reason.values[formula]) for formula in untils), beside
        )
    return _proof(reason, local, assumptions, parts, beside)


def _proof(
    reason: SimulationRelation,
    local: Sequence[tuple[int, ...]],
    assumptions: tuple[AbstractSystem, ...],
    parts: Parts,
    beside: tuple[int, ...],
) -> SimulationProof:
    number = {pair: index for index, pair in enumerate(reason.pairs)}
    relation = tuple((local[s], t) for s, t in reason.pairs)
    weights = tuple(tuple((number[pair], mass) for pair, mass in function) for function in reason.weights)
    return SimulationProof(parts, assumptions, relation, weights, reason.total, beside)


def _proof_by_blocks(
    reason: BlockSimulation, premise: Composition, levels: Sequence[ConcreteSystem], parts: Parts, nested: bool
) -> SimulationProof:
    beside = () if nested else (0, *(1 for _ in levels))
    if nested and not parts[0]:
        # Premise 1 is about assumption 0 alone: it becomes as coarse as the blocks.
        block_of = np.empty(levels[0].abstraction.states, dtype=np.int64)
        block_of[premise.local[:, 0]] = reason.blocks
        composition, classes, levels = levels[0].composition, block_of[levels[0].classes], levels[1:]
    else:
        composition, classes, parts = premise, reason.blocks, ((), *parts)
    blocks = _abstraction(reason.quotient, composition, classes)
    local = [(block,) for block in range(reason.quotient.states)]
    return _proof(reason.simulation, local, (blocks, *(_abstract(level) for level in levels)), parts, beside)


def _abstract(level: ConcreteSystem) -> AbstractSystem:
    return _abstraction(level.abstraction, level.composition, level.classes)


def _abstraction(system: Lpts, composition: Composition, classes: Numbers) -> AbstractSystem:
    transitions = tuple(
        (source, system.alphabet[action], tuple(sorted(distribution.items())))
        for source, action, distribution in system.triples()
    )
    rows = np.empty((len(classes), composition.local.shape[1] + 1), dtype=np.int32)
    rows[:, :-1], rows[:, -1] = composition.local, classes
    return AbstractSystem(system.states, transitions, rows)


def reduced(tree: FactoredTree, components: Sequence[Lpts], requirement: Requirement) -> FactoredTree:
    """The part of a tree that suffices to violate the requirement, as the whole tree does."""
    shape = as_lpts(tree, components)
    trees = requirement.decide(shape, no_progress).trees
    assert trees, "the tree is not a counterexample"
    return selected(tree, shape, trees[0])


def counterexample_value(tree: FactoredTree, components: Sequence[Lpts], order: Sequence[int]) -> TreeCounterexample:
    """A tree that runs in components as evidence; ``order`` has their numbers in the problem."""
    places = sorted(range(len(order)), key=lambda index: order[index])
    above: list[tuple[int, int, str | None, Fraction]] = [(-1, 0, None, Fraction(1))] * tree.nodes
    for node, moves in enumerate(tree.moves):
        for number, move in enumerate(moves):
            label = label_of(move[0], components)
            for child, probability in probabilities_of(tree, move, components).items():
                above[child] = node, number, label, probability
    nodes = tuple(
        TreeNode(*facts, local=tuple(local[index] for index in places))
        for facts, local in zip(above, tree.local, strict=True)
    )
    return TreeCounterexample(nodes)
