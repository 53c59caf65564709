"""The requirement on a system: a specification simulates it, or it satisfies a safety formula."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct, field

from symag.core.limits import Progress
from symag.lpts.lpts import Lpts
from symag.lpts.methods.factored import StochasticTree
from symag.lpts.methods.formulas import SatisfyingStates, satisfied, witness
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.simulation import blocks
from symag.lpts.methods.simulation.answers import SpecificationAnswers
from symag.lpts.methods.simulation.question import BlockSimulation, Engine, RefutedPairs, SimulationRelation
from symag.lpts.methods.simulation.refutation import counterexamples
from symag.lpts.methods.simulation.sides import sides
from symag.lpts.problems import Liveness, SimulationProblem


class Decision(Struct, frozen=True):
    """Either trees that the system can run and that do not meet the requirement, or why the system does."""

    trees: tuple[StochasticTree, ...] = ()
    reason: SimulationRelation | BlockSimulation | SatisfyingStates | None = None
    statistics: Mapping[str, int] = field(default_factory=dict)


class Requirement(Protocol):
    """A requirement that simulation preserves: a system meets it if a system that simulates this one does."""

    def decide(self, system: Lpts, progress: Progress, most_trees: int = 1) -> Decision:
        """The exact decision, with at most this many trees (at least 1). Raises MemoryExhausted for too large ones."""

    def sizes(self) -> Mapping[str, int]:
        """Its sizes, for the statistics."""


def requirement_of(problem: SimulationProblem, options: LptsOptions) -> Requirement:
    """The requirement of a problem."""
    if isinstance(problem.specification, Lpts):
        if options.engine == "blocks":
            return BlockRequirement(problem.specification)
        return SimulationRequirement(problem.specification, engine(options.engine))
    return SafetyRequirement(problem.specification)


class SimulationRequirement(Struct, frozen=True):
    """The specification simulates the system."""

    specification: Lpts
    engine: Engine

    def decide(self, system: Lpts, progress: Progress, most_trees: int = 1) -> Decision:
        both = sides(system, self.specification)
        answer = self.engine(both, progress)
        if isinstance(answer, RefutedPairs):
            return Decision(counterexamples(both, answer, most_trees), None, answer.statistics)
        return Decision((), answer, answer.statistics)

    def sizes(self) -> Mapping[str, int]:
        return {"specification_states": self.specification.states}


class BlockRequirement(Struct, frozen=True):
    """The specification simulates the system, decided on arrays (``symag.lpts.methods.simulation.blocks``)."""

    specification: Lpts
    answers: dict[object, SpecificationAnswers] = field(default_factory=dict)  # what was decided before

    def decide(self, system: Lpts, progress: Progress, most_trees: int = 1) -> Decision:
        answer = blocks.decide(system, self.specification, progress, answers=self.answers, most_trees=most_trees)
        if isinstance(answer, tuple):
            return Decision(answer[0], None, answer[1])
        return Decision((), answer, answer.statistics)

    def sizes(self) -> Mapping[str, int]:
        return {"specification_states": self.specification.states}


class SafetyRequirement(Struct, frozen=True):
    """A liveness formula is false of the system."""

    violation: Liveness

    def decide(self, system: Lpts, progress: Progress, most_trees: int = 1) -> Decision:
        satisfying = satisfied(system, self.violation, progress)
        if 0 in satisfying.states[self.violation]:
            return Decision((witness(system, self.violation, satisfying),))
        return Decision((), satisfying)

    def sizes(self) -> Mapping[str, int]:
        return {}


#: Adding an engine is one file and one line here. Modules are imported when an engine is first asked for.
MODULES: Mapping[str, str] = {
    "worklist": "symag.lpts.methods.simulation.worklist",
    "textbook": "symag.lpts.methods.simulation.textbook",
    "smt": "symag.lpts.methods.simulation.smt",
}


def engine(name: str) -> Engine:
    """The function that decides; KeyError for a name that is not registered."""
    decide: Engine = importlib.import_module(MODULES[name]).decide
    return decide
