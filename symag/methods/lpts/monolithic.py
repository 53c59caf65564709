"""Strong simulation between the whole composition and the specification."""

from __future__ import annotations

from symag.limits import Progress, no_progress
from symag.lpts.composition import composed
from symag.methods.lpts.engines import engine
from symag.methods.lpts.evidence import counterexample_value, proof
from symag.methods.lpts.factored import factored
from symag.methods.lpts.problem import LptsOptions, SimulationOutcome, SimulationProblem
from symag.methods.lpts.refutation import counterexample
from symag.methods.lpts.sides import sides
from symag.methods.lpts.simulation import Simulation
from symag.results import Verdict

METHOD = "monolithic"


def decide(problem: SimulationProblem, options: LptsOptions, progress: Progress = no_progress) -> SimulationOutcome:
    """Compose, then ask the engine. Raises MemoryError and MemoryExhausted."""
    whole = composed(problem.components, "L", progress)
    both = sides(whole.lpts, problem.specification)
    found = engine(options.engine)(both, progress)
    statistics = {
        "system_states": whole.lpts.states,
        "specification_states": problem.specification.states,
        "largest_component_states": max(each.states for each in problem.components),
        **found.statistics,
    }
    order = tuple(range(len(problem.components)))
    if isinstance(found, Simulation):
        return SimulationOutcome(Verdict.HOLDS, proof(found, whole, (), (order,)), statistics=statistics)
    tree = factored(counterexample(both, found), whole)
    value = counterexample_value(tree, problem.components, order)
    return SimulationOutcome(Verdict.VIOLATED, tree=value, statistics={**statistics, "tree_nodes": tree.nodes})
