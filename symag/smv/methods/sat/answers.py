"""Results of the SAT engines, with the warnings and sizes that are common to all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symag.core.results import PropertyResult, Verdict
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.invariants import Induction
from symag.smv.methods.sat.liveness import no_fair_lasso
from symag.smv.methods.sat.partial_run import Run
from symag.smv.methods.sat.problem import ReachabilityProblem
from symag.smv.model.properties import in_its_logic


def _statistics(problem: ReachabilityProblem, figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures, and the numbers of latches and inputs of the circuit that was searched."""
    circuit = problem.circuit
    return {"latches": len(circuit.latches), "inputs": len(circuit.inputs), **figures}


def violated(problem: ReachabilityProblem, method: str, run: Run, figures: Mapping[str, Any]) -> PropertyResult | None:
    """The result for a run to a bad state; None if the whole system has no such run, or if only an infinite run would
    be a counterexample.
    """
    if problem.lasso is None and not finite_run_refutes(problem):
        return None
    # For start-up: numpy is needed only where there is a run.
    from symag.smv.methods.sat.runs import as_lasso, as_trace

    trace = as_trace(problem, run) if problem.lasso is None else as_lasso(problem, run)
    if trace is None:
        return None
    statistics = _statistics(problem, figures)
    return PropertyResult(Verdict.VIOLATED, method, trace=trace, warnings=problem.warnings, statistics=statistics)


def holds(
    problem: ReachabilityProblem, method: str, certificate: Certificate | None, figures: Mapping[str, Any]
) -> PropertyResult:
    """The result for a proof."""
    statistics = _statistics(problem, figures)
    return PropertyResult(
        Verdict.HOLDS, method, certificate=certificate, warnings=problem.warnings, statistics=statistics
    )


def holds_without_start(
    problem: ReachabilityProblem, method: str, evidence: bool, figures: Mapping[str, Any]
) -> PropertyResult:
    """The result for a model without initial states: the clause without literals, which is never true, is inductive."""
    certificate = None
    if evidence:
        certificate = Induction(1, ((),)) if problem.lasso is None else no_fair_lasso(problem, ((),))
    return holds(problem, method, certificate, figures)


def unknown(problem: ReachabilityProblem, method: str, reason: str, figures: Mapping[str, Any]) -> PropertyResult:
    """The result for a search without an answer."""
    statistics = _statistics(problem, figures)
    return PropertyResult(Verdict.UNKNOWN, method, reason=reason, warnings=problem.warnings, statistics=statistics)


def finite_run_refutes(problem: ReachabilityProblem) -> bool:
    """Whether a finite run to a bad state is a counterexample: to an INVARSPEC always, to ``AG p`` if every state
    starts a fair run because of the form of the system.
    """
    system = problem.system
    if problem.target.kind == "INVARSPEC":
        return True
    obvious = not (system.justice or system.compassion or system.trans or system.invar)
    return obvious and in_its_logic(problem.target).kind == "CTL"
