"""Safety properties of LTL for the methods that decide invariants: by a monitor."""

from __future__ import annotations

from collections.abc import Callable

from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.smv.methods.ltl import without_added
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.pdr import k_liveness
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import in_its_logic, invariant_of
from symag.smv.model.typed import Operation
from symag.smv.model.types import BooleanType
from symag.smv.temporal.safety import monitored
from symag.smv.temporal.tableau import is_temporal

#: A method's ``decide`` for properties that ``invariant_of`` reads as invariants.
DecideInvariant = Callable[[FlatSystem, Property, SmvOptions, Progress], PropertyResult]


def by_monitor(
    decide: DecideInvariant, system: FlatSystem, target: Property, options: SmvOptions, progress: Progress
) -> PropertyResult:
    """Decide a property with ``decide``: an invariant at once, a safety property of LTL by its monitor.

    A violation is a fair lasso of the system without the monitor. No re-check knows the monitor, so after a proof about
    the monitored system PDR searches for clauses that prove the formula. Raises UnsupportedError for LTL that is not
    safe in the form of ``symag.smv.temporal.safety``, and what ``decide`` raises.
    """
    stated = in_its_logic(target)
    if stated.kind != "LTL" or stated.expression is None or invariant_of(system, stated) is not None:
        return decide(system, target, options, progress)
    product = monitored(system, stated.expression)
    if product is None:
        raise UnsupportedError("LTL that is not a safety property with a deterministic monitor")
    position = stated.expression.position
    always = Operation("G", (product.invariant,), BooleanType(), position)
    result = decide(product.system, replace(stated, expression=always), options, progress)
    if result.verdict is Verdict.HOLDS and options.evidence:
        return _certified(result, system, target, options, progress)
    trace = None if result.trace is None else without_added(result.trace, frozenset(system.by_name)).shortened()
    return replace(result, trace=trace, certificate=None)


def _certified(
    result: PropertyResult, system: FlatSystem, target: Property, options: SmvOptions, progress: Progress
) -> PropertyResult:
    """The proof with clauses for a certificate: by k-liveness, which needs no copy of the state, or by PDR for lassos.

    Raises CertificationError if a run violates the formula.
    """
    progress("proved with a monitor: searching for clauses that prove it without")
    formula = in_its_logic(target).expression
    # Runs of a formula about the first state only meet all of no conditions in every state.
    counts = formula is not None and is_temporal(formula)
    proof = (k_liveness if counts else pdr).decide(system, target, options, progress)
    if proof.certificate is None:
        proof = pdr.decide(system, target, options, progress)
    if proof.trace is not None:
        raise CertificationError(f"{result.method} finds that the property holds, {proof.method} that it is violated")
    statistics = {**proof.statistics, **result.statistics}
    return replace(result, certificate=proof.certificate, statistics=statistics)
