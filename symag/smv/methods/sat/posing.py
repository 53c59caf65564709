"""The reachability problem that a property poses, and the one to solve next when a run is not a counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symag.smv.circuits.transitions import is_whole
from symag.smv.methods.sat.answers import finite_run_refutes
from symag.smv.methods.sat.liveness import liveness_problem
from symag.smv.methods.sat.problem import ReachabilityProblem, problem_of
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import in_its_logic, invariant_of
from symag.smv.model.typed import Expression, Operation
from symag.smv.model.types import BooleanType


def posed(
    system: FlatSystem, target: Property, lemmas: Sequence[Expression] = (), coi: bool = True
) -> ReachabilityProblem:
    """The problem that an invariant, ``AG p`` or LTL poses.

    Raises UnsupportedError for other properties and InputError where evaluation can fail.
    """
    stated = in_its_logic(target)
    if stated.kind == "LTL" and stated.expression is not None and invariant_of(system, stated) is None:
        return liveness_problem(system, target, stated.expression, coi)
    return problem_of(system, target, lemmas, coi)


def harder(problem: ReachabilityProblem) -> ReachabilityProblem:
    """The problem to solve next when a run of this one is not a counterexample.

    If only infinite runs refute the property: is there a fair lasso? Else the same problem without cone of influence.
    """
    if problem.save is None and not finite_run_refutes(problem):
        always = Operation("G", problem.read[:1], BooleanType(), problem.read[0].position)
        return liveness_problem(problem.system, problem.target, always)
    if problem.save is not None:
        return liveness_problem(problem.system, problem.target, problem.read[0], coi=False)
    if is_whole(problem.whole, problem.circuit):
        raise AssertionError("a run of the whole circuit is a run of the system")
    return replace(problem, circuit=problem.whole)
