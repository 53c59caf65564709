"""The reachability problem that a property poses, and the one to solve next when a run is not a counterexample."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.values import replace
from symag.smv.circuits.transitions import is_whole
from symag.smv.methods.sat.answers import finite_run_refutes
from symag.smv.methods.sat.liveness import liveness_problem
from symag.smv.methods.sat.problem import ReachabilityProblem, SharedCircuit, problem_of
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import searched_invariant
from symag.smv.model.typed import Expression
from symag.smv.temporal.claims import linear_claim


def posed(
    system: FlatSystem,
    target: Property,
    lemmas: Sequence[Expression] = (),
    coi: bool = True,
    shared: SharedCircuit | None = None,
    shortest: bool = False,
) -> ReachabilityProblem:
    """The problem that an invariant, ``AG p``, LTL, PSL, or CTL that is LTL (see ``linear_claim``) poses. ``shared`` is
    as in ``problem_of``, ``shortest`` as in ``liveness_problem``.

    Raises UnsupportedError for other properties and InputError where evaluation can fail.
    """
    if searched_invariant(system, target) is None:
        claim = linear_claim(system, target)
        if claim is not None:
            return liveness_problem(system, target, claim, coi, shortest)
    return problem_of(system, target, lemmas, coi, shared)


def harder(problem: ReachabilityProblem) -> ReachabilityProblem:
    """The problem to solve next when a run of this one is not a counterexample.

    If only infinite runs refute the property: is there a fair lasso? Else the same problem without cone of influence.
    """
    if problem.lasso is not None or not finite_run_refutes(problem):
        claim = linear_claim(problem.system, problem.target)
        assert claim is not None, "AG p and G p are LTL"
        first = problem.lasso is None
        shortest = problem.lasso is not None and problem.lasso.automaton is None
        return liveness_problem(problem.system, problem.target, claim, coi=first, shortest=shortest)
    if is_whole(problem.whole, problem.circuit):
        raise AssertionError("a run of the whole circuit is a run of the system")
    return replace(problem, circuit=problem.whole)
