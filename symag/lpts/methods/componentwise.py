"""Abstraction refinement with an assumption for each part by itself (agar-lpts-2012, Section 5, rule ASym-N).

Assumption B_k abstracts part k alone, by a partition, and premise 1 asks whether part 0 composed with all of them
meets the requirement. It is rule ASym-N with A_k-1 = B_k || A_k: from L_k <= B_k follows L_k || A_k <= B_k || A_k. So
every premise except the first holds by construction, and a refinement leaves the other assumptions as they are. There
are at most as many refinements as the sum of the states of all parts except the first, where nested assumptions can
need the product. The order of these parts does not matter.

A tree that refutes premise 1 is projected on every assumption. The partitions of all parts that cannot run their
projection are refined before premise 1 is checked again. If all parts can, the tree is real, as the composition of its
projections simulates it; it becomes a tree that runs in the parts, one part after the other.

A round looks at several trees (``--conflicts``), which use different moves where they can, and splits until no
assumption that was refined can run its projection. Between the splits no premise is checked: what is left of a tree is
computed on the assumption alone. On MER(6) that makes 3 rounds of 13, with the same assumptions at the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from symag.core.limits import Progress
from symag.lpts.composition import Composer, Composition, composed
from symag.lpts.methods.concrete import ConcreteSystem, PartitionedSystem
from symag.lpts.methods.evidence import Parts
from symag.lpts.methods.factored import FactoredTree
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.refinement import Projection, SpuriousCounterexample, analysed, projection, still_there
from symag.lpts.methods.refinement_loop import RefinementLoop
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem


def decide(problem: SimulationProblem, parts: Parts, options: LptsOptions, progress: Progress) -> SimulationOutcome:
    """Part 0 concrete (or empty), each other part abstracted. Raises MemoryError and MemoryExhausted."""
    outcome = AssumptionRefinement(problem, parts, options, progress).run()
    assert outcome is not None, "without a bound it ends"
    return outcome


class AssumptionRefinement(RefinementLoop):
    """The loop of refinements, which may pause. ``transitions`` is the size of all compositions so far."""

    def __init__(self, problem: SimulationProblem, parts: Parts, options: LptsOptions, progress: Progress) -> None:
        super().__init__(problem, parts, options, progress)
        self._conflicts_at_once = options.conflicts
        self._rounds = 0
        self._composing: Composer | None = None
        self.transitions = 0
        self._first = composed(self._components(0), "L1", progress) if parts[0] else None
        self._levels = [
            ConcreteSystem(composed(self._components(part), f"L{part + 1}", progress), public=self._public(part))
            for part in range(1, len(parts))
        ]

    def _public(self, part: int) -> frozenset[str]:
        """The actions of the components of all other parts."""
        return self._labels([index for index in range(len(self._parts)) if index != part])

    def _composer(self) -> Composer:
        """Of part 0 with all assumptions; its columns are part 0's components and then the assumptions."""
        assumptions = [level.abstraction for level in self._levels]
        return Composer(assumptions if self._first is None else [self._first.lpts, *assumptions])

    def run(self, most_transitions: int | None = None) -> SimulationOutcome | None:
        """Refine until premise 1 holds or a tree is real, or all compositions together have more transitions.

        This ends: every round makes a partition finer. If the result is None, the next call continues.
        """
        while True:
            left = None if most_transitions is None else most_transitions - self.transitions
            if left is not None and left <= 0:
                return None
            if self._composing is None:
                self._composing = self._composer()
            before = self._composing.transitions
            composed_all = self._composing.run(most_transitions=None if left is None else before + left)
            self.transitions += self._composing.transitions - before
            if not composed_all:
                return None
            premise = self._composing.result("L1 || A")
            self._composing = None
            outcome = self._round(premise if self._first is None else _opened(premise, self._first))
            if outcome is not None:
                return outcome

    def _round(self, premise: Composition) -> SimulationOutcome | None:
        """What premise 1 shows; None after a refinement."""
        self._largest = max(self._largest, premise.lpts.states)
        self._rounds += 1
        trees = self._decided(premise, nested=False, most_trees=self._conflicts_at_once)
        if isinstance(trees, SimulationOutcome):
            return trees
        if self._refined(trees):
            return None
        real = self._real(trees[0])
        return None if real is None else self._violated(real)

    def _refined(self, trees: Sequence[FactoredTree]) -> bool:
        """Whether some part cannot run the first tree; if so, refines the partitions until no tree is left.

        Of another tree only what earlier refinements have left of it counts. What is left of it at a part that cannot
        run it is split until the part's assumption cannot run it either; further trees that all parts can run are left
        for the next round.
        """
        before = [level.snapshot() for level in self._levels]
        for tree in trees:
            conflicts = self._conflicts(tree, before)
            for level, view in conflicts:
                self._exclude(level, view)
            if not conflicts and tree is trees[0]:
                return False
        return True

    def _conflicts(
        self, tree: FactoredTree, before: Sequence[PartitionedSystem]
    ) -> list[tuple[ConcreteSystem, Projection]]:
        """The parts that cannot run their projections of a tree; none if an assumption cannot any more.

        ``before`` has the partitions of the round in which the tree refuted premise 1.
        """
        fixed = len(self._parts[0])
        conflicts = []
        for index, level in enumerate(self._levels):
            view: Projection | None = projection(_with_last(tree, fixed + index))
            assert view is not None
            if before[index].number_of_classes < level.abstraction.states:
                view = still_there(view, level, before[index])
                if view is None:
                    return []
            if isinstance(analysed(view, level), SpuriousCounterexample):
                conflicts.append((level, view))
        return conflicts

    def _exclude(self, level: ConcreteSystem, view: Projection) -> None:
        """Refine a partition until its assumption cannot run a projection that the part cannot run."""
        present: Projection | None = view
        while present is not None:
            analysis = analysed(present, level)
            assert isinstance(analysis, SpuriousCounterexample), "what simulates a spurious tree is spurious"
            before = level.snapshot()
            level.split(analysis.parts)
            self._refinements += 1
            present = still_there(present, level, before)

    def _real(self, tree: FactoredTree) -> FactoredTree | None:
        """The tree as one that runs in the components of all parts, in their order; None after a refinement."""
        fixed = len(self._parts[0])
        for level in self._levels:
            concrete = self._concretised(_with_last(tree, fixed), level)
            if concrete is None:
                return None
            tree = concrete
        return tree

    def _assumption_runs(self, nodes: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            _run(level, [tuple(node[number] for number in part) for node in nodes])
            for part, level in zip(self._parts[1:], self._levels, strict=True)
        )

    def _statistics(self) -> dict[str, int]:
        sizes = {} if self._first is None else {"first_states": self._first.lpts.states}
        if len(self._levels) == 1:
            sizes["second_states"] = self._levels[0].system.states
        assumed = [level.abstraction.states for level in self._levels]
        return self._figures(
            sizes, max(assumed), {"assumption_states_product": math.prod(assumed), "rounds": self._rounds}
        )


def _run(level: ConcreteSystem, states: Sequence[tuple[int, ...]]) -> tuple[str, ...]:
    """The state of an assumption for each of some states of the components that it abstracts."""
    number = {local: state for state, local in enumerate(map(tuple, level.composition.local.tolist()))}
    return tuple(str(level.class_of(number[state])) for state in states)


def _opened(joint: Composition, first: Composition) -> Composition:
    """A composition whose first component is one, with the columns of that one's components in its place."""
    taken = joint.moves[:, 0]
    moves = np.full((len(taken), len(first.components)), -1)
    moves[taken >= 0] = first.moves[taken[taken >= 0]]
    return Composition(
        joint.lpts,
        (*first.components, *joint.components[1:]),
        np.concatenate((first.local[joint.local[:, 0]], joint.local[:, 1:]), axis=1),
        np.concatenate((moves, joint.moves[:, 1:]), axis=1),
    )


def _with_last(tree: FactoredTree, column: int) -> FactoredTree:
    """The tree with one component behind all others."""

    def moved(row: tuple[int, ...]) -> tuple[int, ...]:
        return (*row[:column], *row[column + 1 :], row[column])

    moves = tuple(tuple((moved(factors), children) for factors, children in mine) for mine in tree.moves)
    return FactoredTree(tuple(moved(local) for local in tree.local), moves)
