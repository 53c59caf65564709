"""Abstraction refinement: CEGAR, AGAR under ASym, and its nested form under ASym-N (agar-lpts-2012, 4 and 5).

All three are one loop over levels. Level k holds what the assumption A_k abstracts, by a partition: part k + 1
composed with A_k+1, or the last part alone. Premise 1 asks whether part 0 composed with A_0 meets the requirement
(to be simulated by a specification, or to satisfy a safety formula). If not, the tree is analysed level by
level. Where its projection on A_k is spurious, A_k is refined, and the compositions with it are built again. Where it
is real, the tree becomes one that runs in what A_k abstracts, and the next level analyses it. Two parts
make AGAR, more ASym-N; CEGAR is the case in which part 0 is empty and A_0 abstracts the whole system.

That is the paper's form, ``--assumptions joint``. By default every part has an assumption by itself:
``symag.lpts.methods.componentwise``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.core.grouping import parts as parts_of
from symag.core.limits import Progress, no_progress
from symag.lpts.composition import Composition, composed
from symag.lpts.distributions import Origins
from symag.lpts.lpts import Numbers
from symag.lpts.methods import componentwise
from symag.lpts.methods.concrete import ConcreteSystem
from symag.lpts.methods.evidence import Parts
from symag.lpts.methods.factored import FactoredTree
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.refinement_loop import RefinementLoop
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem


def cegar(problem: SimulationProblem, options: LptsOptions, progress: Progress = no_progress) -> SimulationOutcome:
    """Algorithm 2: an abstraction of the whole composition. Raises MemoryError and MemoryExhausted."""
    return _Loop(problem, ((), tuple(range(len(problem.components)))), options, progress).run()


def agar(problem: SimulationProblem, options: LptsOptions, progress: Progress = no_progress) -> SimulationOutcome:
    """Algorithm 3: part 0 concrete, an abstraction of the composition of all others (rule ASym).

    With one part alone there is nothing to assume: that is CEGAR. With separate assumptions that abstraction is the
    composition of one for each other part, and without parts or an order the largest component is concrete.
    """
    parts = _parts(problem, options)
    if len(parts) == 1:
        return cegar(problem, options, progress)
    if options.assumptions == "separate":
        return componentwise.decide(problem, _largest_first(problem, parts, options), options, progress)
    if not _are_given(options):
        parts = _smallest_last(problem)
    first, *others = parts
    rest = tuple(sorted(number for part in others for number in part))
    return _Loop(problem, (first, rest), options, progress).run()


def refinement(
    problem: SimulationProblem, options: LptsOptions, progress: Progress = no_progress
) -> componentwise.AssumptionRefinement:
    """What ``agar`` runs for several components with separate assumptions."""
    parts = _largest_first(problem, _parts(problem, options), options)
    return componentwise.AssumptionRefinement(problem, parts, options, progress)


def _are_given(options: LptsOptions) -> bool:
    """Whether the user has said something about parts or their order."""
    return bool(options.groups or options.order or options.smallest_first)


def _largest_first(problem: SimulationProblem, parts: Parts, options: LptsOptions) -> Parts:
    """The parts as they are given; if nothing is, the largest component is the first of them.

    Its partition would need the most refinements: on MER(3) 10 are made where the arbiter is concrete, 94 where it is
    abstracted too.
    """
    if _are_given(options):
        return parts
    first = max(parts, key=lambda part: problem.components[part[0]].states)
    return first, *(part for part in parts if part != first)


def _smallest_last(problem: SimulationProblem) -> Parts:
    """All components except for the smallest (the last of several), and the smallest.

    The number of states of the abstracted part bounds the refinements (Theorem 4). On CSN(4) there are 4 of them
    instead of 17 with the server alone abstracted and hundreds with the clients; on MER(4) 2 instead of 30.
    """
    numbers = range(len(problem.components))
    smallest = min(numbers, key=lambda number: (problem.components[number].states, -number))
    return tuple(number for number in numbers if number != smallest), (smallest,)


def agar_n(problem: SimulationProblem, options: LptsOptions, progress: Progress = no_progress) -> SimulationOutcome:
    """One abstraction for each part but the first (rule ASym-N); with two parts it is AGAR.

    With separate assumptions it is ``agar`` in all cases: see ``symag.lpts.methods.componentwise``.
    """
    parts = _parts(problem, options)
    if options.assumptions == "separate" and len(parts) > 1:
        return componentwise.decide(problem, _largest_first(problem, parts, options), options, progress)
    return _Loop(problem, parts if len(parts) > 1 else ((), *parts), options, progress).run()


def _parts(problem: SimulationProblem, options: LptsOptions) -> Parts:
    order = options.order
    if not order and options.smallest_first:
        order = tuple(sorted(range(len(problem.components)), key=lambda k: problem.components[k].states))
    return parts_of(len(problem.components), options.groups, order)


class _Loop(RefinementLoop):
    def __init__(self, problem: SimulationProblem, parts: Parts, options: LptsOptions, progress: Progress) -> None:
        super().__init__(problem, parts, options, progress)
        self._most_assumed = 0
        self._sizes: dict[str, int] = {}
        self._build()

    def _public(self, part: int) -> frozenset[str]:
        """The actions of the components of all parts before this one."""
        return self._labels(range(part))

    def _build(self) -> None:
        last = len(self._parts) - 1
        whole = composed(self._components(last), f"L{last + 1}", self._progress)
        self._levels = [ConcreteSystem(whole, public=self._public(last))]
        if last == 1 and self._parts[0]:
            first = composed(self._components(0), "L1", self._progress)
            self._sizes = {"first_states": first.lpts.states, "second_states": whole.lpts.states}
        elif last == 1:
            self._sizes = {"system_states": whole.lpts.states}
        for part in range(last - 1, 0, -1):
            composition = self._with_assumption(part, self._levels[0])
            self._levels.insert(0, ConcreteSystem(composition, public=self._public(part)))

    def _with_assumption(self, part: int, level: ConcreteSystem) -> Composition:
        composition = composed([*self._components(part), level.abstraction], f"L{part + 1} || A{part + 1}")
        self._most_assumed = max(self._most_assumed, level.abstraction.states)
        self._largest = max(self._largest, composition.lpts.states)
        return composition

    def run(self) -> SimulationOutcome:
        """Refine until premise 1 holds or a tree is real.

        This ends: every refinement makes one partition finer, and never makes one above it coarser.
        """
        while True:
            decision = self._decided(self._with_assumption(0, self._levels[0]), nested=True)
            if isinstance(decision, SimulationOutcome):
                return decision
            tree = self._analysed(decision[0])
            if tree is not None:
                return self._violated(tree)

    def _analysed(self, tree: FactoredTree) -> FactoredTree | None:
        """A tree that runs in the components, or None after a refinement."""
        for index, level in enumerate(self._levels):
            concrete = self._concretised(tree, level)
            if concrete is None:
                self._rebuild(index)
                return None
            tree = concrete
        return tree

    def _assumption_runs(self, nodes: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
        runs: list[tuple[str, ...]] = []
        below: list[tuple[int, ...]] = [()] * len(nodes)
        for part in range(len(self._levels), 0, -1):
            level = self._levels[part - 1]
            number = {local: state for state, local in enumerate(map(tuple, level.composition.local.tolist()))}
            joint = [(*(node[k] for k in self._parts[part]), *inner) for node, inner in zip(nodes, below, strict=True)]
            below = [(level.class_of(number[local]),) for local in joint]
            runs.insert(0, tuple(str(class_) for (class_,) in below))
        return tuple(runs)

    def _rebuild(self, refined: int) -> None:
        """Build the compositions with a refined assumption again, with the partitions that they had."""
        for index in range(refined - 1, -1, -1):
            old = self._levels[index]
            below = self._levels[index + 1]
            composition = self._with_assumption(index + 1, below)
            classes, coarser = _inherited(old, composition.local, below.coarser)
            self._levels[index] = ConcreteSystem(composition, classes, coarser, self._public(index + 1))

    def _statistics(self) -> dict[str, int]:
        return self._figures(self._sizes, self._most_assumed, {})


def _inherited(old: ConcreteSystem, local: Origins, coarser: Sequence[int]) -> tuple[Numbers, list[int]]:
    """The former partition for a composition whose last component was refined, and each class's former number.

    Classes that are empty now are left out. ``coarser`` gives the former state for each state of that component.
    """
    number = {
        tuple(row): class_ for row, class_ in zip(old.composition.local.tolist(), old.classes.tolist(), strict=True)
    }
    classes = [number[(*row[:-1], coarser[row[-1]])] for row in local.tolist()]
    distinct, numbers = np.unique(np.array(classes, dtype=np.int64), return_inverse=True)
    return numbers.reshape(-1).astype(np.int64), distinct.tolist()
