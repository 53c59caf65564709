"""The steps that abstraction refinement has in common with joint and with separate assumptions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from symag.core.limits import MemoryExhausted, Progress
from symag.core.results import Verdict
from symag.lpts.composition import Composition
from symag.lpts.lpts import Lpts
from symag.lpts.methods.concrete import ConcreteSystem
from symag.lpts.methods.evidence import Parts, counterexample_value, proof, reduced
from symag.lpts.methods.factored import FactoredTree, factored
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.refinement import SpuriousCounterexample, analysed, concretised, projection
from symag.lpts.methods.requirements import requirement_of
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem

#: Larger trees are not handled.
_MOST_NODES = 1_000_000


class RefinementLoop(ABC):
    """Part 0 of a problem is concrete (or empty); ``_levels`` are the others with their assumptions."""

    def __init__(self, problem: SimulationProblem, parts: Parts, options: LptsOptions, progress: Progress) -> None:
        self._problem = problem
        self._parts = parts
        self._requirement = requirement_of(problem, options)
        self._progress = progress
        self._levels: list[ConcreteSystem] = []
        self._refinements = self._largest = 0
        self._sums: dict[str, int] = {}

    @abstractmethod
    def _statistics(self) -> dict[str, int]:
        """The sizes and the work so far."""

    @abstractmethod
    def _assumption_runs(self, nodes: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
        """The state of each assumption for each of some joint states of the components."""

    def _components(self, part: int) -> list[Lpts]:
        return [self._problem.components[number] for number in self._parts[part]]

    def _labels(self, parts: Sequence[int]) -> frozenset[str]:
        """The actions of the components of some parts."""
        return frozenset(label for part in parts for lpts in self._components(part) for label in lpts.alphabet[1:])

    def _decided(
        self, premise: Composition, nested: bool, most_trees: int = 1
    ) -> SimulationOutcome | list[FactoredTree]:
        """The proof if premise 1 holds (its assumptions are ``nested`` or not), else trees that refute it."""
        sizes = ", ".join(str(level.abstraction.states) for level in self._levels)
        self._progress(f"{self._refinements} refinements, assumptions of {sizes} states")
        decision = self._requirement.decide(premise.lpts, self._progress, most_trees)
        for name in ("pairs", "flow_calls"):
            if name in decision.statistics:
                self._sums[name] = self._sums.get(name, 0) + decision.statistics[name]
        if decision.reason is None:
            return [factored(tree, premise) for tree in decision.trees]
        evidence = proof(decision.reason, premise, self._levels, self._parts, self._problem.specification, nested)
        return SimulationOutcome(Verdict.HOLDS, evidence, statistics=self._statistics())

    def _concretised(self, tree: FactoredTree, level: ConcreteSystem) -> FactoredTree | None:
        """The tree as one that runs in what the level abstracts; None after a refinement of the level."""
        view = projection(tree)
        analysis = analysed(view, level)
        if isinstance(analysis, SpuriousCounterexample):
            level.split(analysis.parts)
            self._refinements += 1
            return None
        tree = concretised(tree, view, level, analysis.related)
        if tree.nodes > _MOST_NODES:
            raise MemoryExhausted
        return tree

    def _violated(self, tree: FactoredTree) -> SimulationOutcome:
        """The outcome by a tree that runs in all components, in the order of the parts."""
        order = tuple(number for part in self._parts for number in part)
        components = [self._problem.components[number] for number in order]
        small = reduced(tree, components, self._requirement)
        value = counterexample_value(small, components, order)
        statistics = {**self._statistics(), "tree_nodes": small.nodes}
        runs = self._assumption_runs([node.local for node in value.nodes])
        return SimulationOutcome(Verdict.VIOLATED, tree=value, statistics=statistics, assumption_runs=runs)

    def _figures(self, sizes: Mapping[str, int], largest_assumption: int, further: Mapping[str, int]) -> dict[str, int]:
        """The statistics, with those that only one of the loops has."""
        return {
            **sizes,
            **self._requirement.sizes(),
            "largest_component_states": max(component.states for component in self._problem.components),
            "largest_composition_states": self._largest,
            "assumption_states_max": largest_assumption,
            "refinements": self._refinements,
            **further,
            **self._sums,
        }
