"""Is the whole composition simulated by the specification, or safe?"""

from __future__ import annotations

from symag.core.limits import Progress, no_progress
from symag.core.results import Verdict
from symag.lpts.composition import Composition, composed
from symag.lpts.methods.evidence import counterexample_value, proof
from symag.lpts.methods.factored import factored
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.requirements import requirement_of
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem

METHOD = "monolithic"


def decide(problem: SimulationProblem, options: LptsOptions, progress: Progress = no_progress) -> SimulationOutcome:
    """Compose, then decide. Raises MemoryError and MemoryExhausted."""
    return decide_composed(problem, composed(problem.components, "L", progress), options, progress)


def decide_composed(
    problem: SimulationProblem, whole: Composition, options: LptsOptions, progress: Progress
) -> SimulationOutcome:
    """Decide a problem whose components are composed. Raises MemoryError and MemoryExhausted."""
    requirement = requirement_of(problem, options)
    decision = requirement.decide(whole.lpts, progress)
    statistics = {
        "system_states": whole.lpts.states,
        "largest_component_states": max(component.states for component in problem.components),
        **requirement.sizes(),
        **decision.statistics,
    }
    order = tuple(range(len(problem.components)))
    if decision.reason is not None:
        evidence = proof(decision.reason, whole, (), (order,), problem.specification)
        return SimulationOutcome(Verdict.HOLDS, evidence, statistics=statistics)
    (tree,) = decision.trees
    value = counterexample_value(factored(tree, whole), problem.components, order)
    return SimulationOutcome(Verdict.VIOLATED, tree=value, statistics={**statistics, "tree_nodes": tree.nodes})
