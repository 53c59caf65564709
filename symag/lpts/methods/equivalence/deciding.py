"""Bisimulation and simulation equivalence of two systems, by the monolithic method.

Both systems stand beside each other, and the coarsest bisimulation of the union is computed by refinement on arrays
(``symag.lpts.bisimulation``). For bisimulation the first round that separates the initial states gives a formula.
Simulation is decided in both directions between the quotients, as ``symag.lpts.methods.simulation.blocks`` does.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from msgspec import Struct, field

from symag.core.limits import Progress, no_progress
from symag.core.ranges import stable_order
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lpts.bisimulation import Hashes, bisimulation_classes, by_first_states, is_stable, quotient
from symag.lpts.certificates.equivalences import DistinguishingFormula, DistinguishingTree, EquivalenceClasses
from symag.lpts.composition import Composition, composed
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.methods.equivalence.formula import UnfoundedSplitError, distinguishing_formula
from symag.lpts.methods.evidence import counterexample_value
from symag.lpts.methods.factored import StochasticTree, factored
from symag.lpts.methods.simulation import blocks
from symag.lpts.methods.simulation.question import SimulationRelation
from symag.lpts.problems import EquivalenceProblem

_Pairs = tuple[tuple[int, int], ...]


class EquivalenceOutcome(Struct, frozen=True):
    """``holds`` with classes, ``violated`` with a formula or a tree; sizes as statistics."""

    verdict: Verdict
    evidence: EquivalenceClasses | DistinguishingFormula | DistinguishingTree
    statistics: Mapping[str, int] = field(default_factory=dict)


def decide_equivalence(problem: EquivalenceProblem, progress: Progress = no_progress) -> EquivalenceOutcome:
    """Exact. Costs what composition and refinement cost, and for ``simulation`` that of both directions.

    Memory: 8 bytes a state for each round until the initial states are separated. Raises MemoryError and
    MemoryExhausted.
    """
    whole, other = composed(problem.components, "left", progress), composed([problem.other], "right", progress)
    sizes = {"left_states": whole.lpts.states, "right_states": other.lpts.states}
    evidence: EquivalenceClasses | DistinguishingFormula | DistinguishingTree
    if problem.relation == "bisimulation":
        evidence, figures = _bisimilar(whole, other, progress)
    else:
        evidence, figures = _simulating(whole, other, progress)
    verdict = Verdict.HOLDS if isinstance(evidence, EquivalenceClasses) else Verdict.VIOLATED
    return EquivalenceOutcome(verdict, evidence, {**sizes, **figures})


def _bisimilar(
    whole: Composition, other: Composition, progress: Progress
) -> tuple[EquivalenceClasses | DistinguishingFormula, dict[str, int]]:
    alphabet = common_alphabet(whole.lpts, other.lpts)
    union = beside(over(alphabet, whole.lpts)[0], over(alphabet, other.lpts)[0])
    for seed in itertools.count():
        rounds = _rounds(union, whole.lpts.states, seed, progress)
        classes = rounds[-1]
        figures = {"classes": int(classes.max()) + 1, "rounds": len(rounds) - 1}
        if classes[0] == classes[whole.lpts.states]:
            numbered = by_first_states(classes)
            left, right = np.split(numbered, [whole.lpts.states])
            return EquivalenceClasses("bisimulation", _rows(whole, left), _rows(other, right)), figures
        try:
            formula = distinguishing_formula(union, rounds, 0, whole.lpts.states, (*alphabet[:-1], ""))
        except UnfoundedSplitError:
            continue
        return formula, {**figures, "formulas": len(formula.formulas)}
    raise AssertionError("unreachable")


def _rounds(union: Lpts, second: int, seed: int, progress: Progress) -> list[Numbers]:
    """The partitions of a refinement until it separates state 0 from state ``second``, or is a bisimulation."""
    hashes = Hashes(union, seed)
    rounds = [np.zeros(union.states, dtype=np.int64)]
    while rounds[-1][0] == rounds[-1][second]:
        classes, count = hashes.refined(rounds[-1])
        progress(f"round {len(rounds)}, {count:,} classes of {union.states:,} states")
        if count == int(rounds[-1].max()) + 1 and is_stable(union, by_first_states(classes)):
            return rounds
        rounds.append(classes)
    return rounds


def _rows(composition: Composition, classes: Numbers) -> Numbers:
    """The local states of each state, last its class."""
    return np.column_stack((composition.local.astype(np.int64), classes))


def _simulating(
    whole: Composition, other: Composition, progress: Progress
) -> tuple[EquivalenceClasses | DistinguishingTree, dict[str, int]]:
    alphabet = common_alphabet(whole.lpts, other.lpts)
    systems = [over(alphabet, composition.lpts) for composition in (whole, other)]
    classes = [bisimulation_classes(system, progress) for system, _ in systems]
    small = [quotient(system, numbers) for (system, _), numbers in zip(systems, classes, strict=True)]
    figures = {"classes": small[0].states + small[1].states}
    relations: list[_Pairs] = []
    for side, (composition, system, specification) in enumerate(
        ((whole, systems[0], small[1]), (other, systems[1], small[0]))
    ):
        pairs = _relation(small[side], specification, progress)
        if pairs is None:
            tree = _tree(system[0], specification, progress)
            original = [tuple((int(system[1][k]), children) for k, children in moves) for moves in tree.moves]
            value = counterexample_value(
                factored(StochasticTree(tree.states, tuple(original)), composition),
                composition.components,
                tuple(range(len(composition.components))),
            )
            return DistinguishingTree(("left", "right")[side], value), {**figures, "tree_nodes": tree.nodes}
        relations.append(pairs)
    rows = [_rows(composition, numbers) for composition, numbers in zip((whole, other), classes, strict=True)]
    evidence = EquivalenceClasses("simulation", rows[0], rows[1], relations[0], relations[1])
    return evidence, {**figures, "pairs": len(relations[0]) + len(relations[1])}


def _relation(system: Lpts, specification: Lpts, progress: Progress) -> _Pairs | None:
    """A simulation between two systems, None if there is none."""
    answer = blocks.decide(system, specification, progress, directly=system.states)
    return answer.pairs if isinstance(answer, SimulationRelation) else None


def _tree(system: Lpts, specification: Lpts, progress: Progress) -> StochasticTree:
    """A tree that the system can run, of which it is known that the specification does not simulate it."""
    answer = blocks.decide(system, specification, progress)
    assert isinstance(answer, tuple)
    return answer[0][0]


def common_alphabet(left: Lpts, right: Lpts) -> tuple[str, ...]:
    """ "", the actions of both, and last a name that stands for moves without a label."""
    names = sorted({*left.alphabet[1:], *right.alphabet[1:]})
    unlabelled = "(no label)"
    while unlabelled in names:
        unlabelled += "'"
    return ("", *names, unlabelled)


def over(alphabet: tuple[str, ...], system: Lpts) -> tuple[Lpts, Numbers]:
    """The system over a common alphabet, whose last action replaces ""; and the number that each transition had."""
    number = {name: index for index, name in enumerate(alphabet)}
    numbers = [len(alphabet) - 1, *(number[name] for name in system.alphabet[1:])]
    action = np.array(numbers, dtype=np.int64)[system.action]
    order = stable_order(system.source * len(alphabet) + action)
    entry, begin = entries_of(system.begin, order)
    return replace(
        system,
        alphabet=alphabet,
        source=system.source[order],
        action=action[order],
        begin=begin.astype(np.int64),
        target=system.target[entry],
        weight=system.weight[entry],
    ), order


def beside(left: Lpts, right: Lpts) -> Lpts:
    """The disjoint union of two systems over one alphabet; the states of the right one follow those of the left."""
    number: dict[Fraction, int] = {}
    weights = [
        np.array([number.setdefault(value, len(number)) for value in system.probabilities], dtype=np.int64)[
            system.weight
        ]
        for system in (left, right)
    ]
    return replace(
        left,
        states=left.states + right.states,
        source=np.concatenate((left.source, right.source + left.states)),
        action=np.concatenate((left.action, right.action)),
        begin=np.concatenate((left.begin, right.begin[1:] + left.entries)),
        target=np.concatenate((left.target, right.target + left.states)),
        weight=np.concatenate(weights),
        probabilities=tuple(number),
    )
