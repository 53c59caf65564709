"""Re-check of counterexamples: which traces refute which properties.

A trace is accepted if it is a run of the original system, with a value of its type for every variable, and
refutes the property:

- ``INVARSPEC p``: p is false in the last state of a finite trace, or in some state of a lasso. If p reads
  inputs or the next state, it is false on some transition.
- LTL: a fair lasso along which the formula is false. For ``G p`` a finite trace is enough where it is for CTL.
- CTL: a path that refutes the property by itself (see ``branching``). As in NuSMV only states count from which a fair
  path starts. A lasso with a fair loop shows such a path. A finite trace is enough in systems of assignments only,
  without fairness: there every state has a successor.
"""

from __future__ import annotations

from collections.abc import Callable

from symag.core.errors import CertificationError
from symag.core.trace import Trace
from symag.smv.certify.properties import branching_formula, invariant, linear_formula, transition_invariant
from symag.smv.certify.runs.runs import check_fair_loop, check_run, outcomes, truth, truths
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression

__all__ = ["check_run", "is_refutation", "replay", "shows_fair_path"]


@deep_recursion()
def replay(system: FlatSystem, property: Property, trace: Trace) -> None:
    """Accept a counterexample.

    Raises CertificationError with the reason in one line for every other trace, and for a trace that alone does not
    refute a CTL property. Linear in the size of the system, the number of steps and the nesting of past operators.
    """
    if property.sequences is not None:
        from symag.smv.certify.sequences import words as sequences  # few properties have any

        _replay_linear(system, property.sequences, trace, sequences.holds_along)
        return
    formula, expression = linear_formula(system, property), invariant(system, property)
    beginning = expression is not None and trace.kind == "finite" and shows_fair_path(system, trace)
    if formula is not None and not beginning:
        from symag.smv.certify.runs.lasso import holds_along  # for start-up: most properties are invariants

        _replay_linear(system, formula, trace, holds_along)
        return
    if expression is not None:
        _replay_invariant(system, property, expression, trace)
        return
    expression = transition_invariant(system, property)
    if expression is not None:
        _replay_transition_invariant(system, expression, trace)
        return
    formula = branching_formula(system, property)
    if formula is None:
        raise CertificationError(f"no replay exists for the {property.kind} property {property.text}")
    check_run(system, trace)
    _check_fair_continuation(system, trace)
    if not _refutes(system, formula, trace):
        raise CertificationError("the trace is a run, but does not refute the property all by itself")


@deep_recursion()
def is_refutation(system: FlatSystem, property: Property, trace: Trace) -> bool:
    """Whether a trace refutes a property by itself. Against CTL a trace may be only the beginning of a counterexample.

    Raises CertificationError for a trace that is not a run of the system, and for a run that does not refute an
    invariant or an LTL formula.
    """
    formula = branching_formula(system, property)
    if formula is None or invariant(system, property) is not None:
        replay(system, property, trace)
        return True
    if trace.kind == "tree":
        return False
    check_run(system, trace)
    return shows_fair_path(system, trace) and _refutes(system, formula, trace)


def shows_fair_path(system: FlatSystem, trace: Trace) -> bool:
    """Whether a run of the system is a fair infinite run, or is known to be the beginning of one."""
    try:
        _check_fair_continuation(system, trace)
    except CertificationError:
        return False
    return True


def _replay_invariant(system: FlatSystem, property: Property, expression: Expression, trace: Trace) -> None:
    check_run(system, trace)
    holds = [row[0] for row in truths(system, [expression], trace)]
    if trace.kind == "finite" and holds[-1]:
        raise CertificationError(f"the property holds in the last state (state {len(holds)}) of the trace")
    if all(holds):
        raise CertificationError("the property holds in every state of the trace")
    if property.kind != "INVARSPEC":
        _check_fair_continuation(system, trace)


def _replay_transition_invariant(system: FlatSystem, expression: Expression, trace: Trace) -> None:
    check_run(system, trace)
    if trace.kind == "finite" and len(trace.steps) < 2:
        raise CertificationError("the trace has no transition, which the property reads")
    holds = [
        truth(system, outcome[0], "the property", number)
        for number, outcome in outcomes(system, [expression], trace)
        if trace.kind == "lasso" or number < len(trace.steps) - 1
    ]
    if all(holds):
        raise CertificationError("the property holds on every transition of the trace")


def _replay_linear(
    system: FlatSystem, formula: Expression, trace: Trace, holds: Callable[[FlatSystem, Expression, Trace], bool]
) -> None:
    check_run(system, trace)
    if trace.kind != "lasso":
        raise CertificationError("a counterexample to an LTL property is an infinite run, but the trace is finite")
    check_fair_loop(system, trace)
    if holds(system, formula, trace):
        raise CertificationError("the property is true along the trace")


def _refutes(system: FlatSystem, formula: Expression, trace: Trace) -> bool:
    from symag.smv.certify.runs.branching import refutes  # for start-up: most properties are invariants

    return refutes(system, formula, trace)


def _check_fair_continuation(system: FlatSystem, trace: Trace) -> None:
    if trace.kind != "finite":
        check_fair_loop(system, trace)
    elif system.justice or system.compassion or system.trans or system.invar:
        raise CertificationError("the trace shows no fair path that continues it")
