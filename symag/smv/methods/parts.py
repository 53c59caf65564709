"""Proves invariants by what is known of parts: local facts, or sets of states of overlapping parts.

Facts are relations and clauses over neighbouring variables (``symag.smv.facts``), sets come from part-wise reachability
(``symag.smv.methods.partwise``), which come first where components move by interactions; both look at the property's
cone of influence only. If a random run meets a violation, or nothing proves the property (with interactions: sets do
not), bounded search looks for a shortest violation; with interactions one that takes many of them at once comes first.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.values import replace
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.invariants import InductiveFacts
from symag.smv.facts.circuit import reduced
from symag.smv.facts.finding import FactFinder, InductiveFactSet
from symag.smv.facts.simulation import LONGEST
from symag.smv.methods import bmc
from symag.smv.methods.by_parts.phases import PhaseProgress
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.safety import by_monitor
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.properties import invariant_of
from symag.smv.model.typed import Expression
from symag.smv.reduction.evaluation_errors import refuse_errors_of_evaluation
from symag.smv.symbolic.choices import interaction_variable

#: The number of steps of the bounded search where nothing proves the invariant.
BOUND = 30

NO_FACTS = "no facts of the forms tried prove it"


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide an invariant, ``AG p``, or a safety property of LTL.

    ``holds`` comes with the facts or sets that prove it, ``violated`` with a trace; with ``options.brief``
    step-by-step search for violations is left to others. Raises InputError, and UnsupportedError for other
    properties.
    """
    return by_monitor(_decide, system, property, options, progress)


def _decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    started = time.process_time()
    invariant = invariant_of(system, property)
    if invariant is None:
        raise UnsupportedError(f"{property.kind} that is not an invariant of states, by facts")
    refuse_errors_of_evaluation(system, (property,))
    cut = reduced(system, invariant) if options.cone_of_influence else system
    phases = PhaseProgress(progress)
    phases.enter("facts", "encoding")
    finder = FactFinder(cut, options.seed, phases)
    if finder.is_empty:
        warning = "the set of initial states is empty: every property holds"
        return replace(_holds(InductiveFacts(("FALSE",), ((0,),)), options), warnings=(warning,))
    if finder.is_violated(invariant):
        # A state that simulation visits is at most that deep. Of CTL and LTL, or by constraints outside of the cone, a
        # run to it may be no counterexample, as it does not go on.
        result = _refuted(system, property, options, LONGEST, phases)
        if result.verdict is not Verdict.UNKNOWN:
            return result
        reason = f"a state violates it, and no run within {_steps(options, LONGEST)} steps is a counterexample"
        return replace(result, reason=Reason.BOUND.text(reason))
    attempts = []
    if options.invariants != "sets":
        attempts.append(_by_facts)
    if options.invariants != "facts":
        attempts.append(_by_sets)
    interacting = interaction_variable(cut) is not None
    if interacting:
        # Random runs seldom satisfy the conditions on interactions, and facts come from runs. Where sets fail, facts
        # take long and prove nothing either (quorum4-2er: over 60 s), so bounded search comes before them.
        attempts.reverse()
    bounded: PropertyResult | None = None
    reasons: list[str] = []
    costs: dict[str, Any] = {}
    for attempt in attempts:
        outcome, known = attempt(finder, invariant, options, phases)
        costs = {**costs, **known, **phases.seconds(), "cpu_seconds": round(time.process_time() - started, 3)}
        if isinstance(outcome, Certificate):
            return replace(_holds(outcome, options), statistics=costs)
        if isinstance(outcome, tuple):
            from symag.smv.methods.partwise.parallel import violation_through  # as in _by_sets

            phases.enter("bounded", "the run through the states")
            bounded = violation_through(system, property, options, outcome)
            if bounded is not None:
                return replace(bounded, statistics={**costs, **bounded.statistics})
            outcome = "the states of a violation are no run"
        if isinstance(outcome, int):
            return replace(_refuted(system, property, options, outcome, phases), statistics=costs)
        reasons.append(outcome)
        if bounded is None and not options.brief and (interacting or attempt is attempts[-1]):
            bounded = _refuted(system, property, options, BOUND, phases)
            if bounded.verdict is not Verdict.UNKNOWN:
                return bounded
    costs |= phases.seconds()
    if bounded is None:
        return PropertyResult(Verdict.UNKNOWN, "parts", reason=", ".join(reasons), statistics=costs)
    reason = f"{', '.join(reasons)}, and no violation within {_steps(options, BOUND)} steps"
    return replace(bounded, reason=reason, statistics=costs)


#: A proof, the number of steps of a violation, states of a run to one, or why there is none of these.
_Outcome = Certificate | int | tuple[Mapping[tuple[str, int], bool], ...] | str


def _by_facts(
    finder: FactFinder, invariant: Expression, options: SmvOptions, phases: PhaseProgress
) -> tuple[_Outcome, dict[str, Any]]:
    facts = finder.proof(invariant)
    if facts is None:
        return NO_FACTS, {"sat_queries": finder.queries}
    return _certificate(facts), {"facts": len(facts.facts), "sat_queries": facts.queries}


def _by_sets(
    finder: FactFinder, invariant: Expression, options: SmvOptions, phases: PhaseProgress
) -> tuple[_Outcome, dict[str, Any]]:
    phases.enter("sets", "sets of states of the parts")
    from symag.smv.methods.partwise import decision  # needs partitioners; with facts alone it is not used

    outcome = decision.decide(finder.circuit, invariant, options, phases)
    if outcome.states:
        return outcome.states, outcome.statistics
    if outcome.violated_within is not None:
        return outcome.violated_within, outcome.statistics
    return outcome.proof or outcome.reason, outcome.statistics


def _steps(options: SmvOptions, steps: int) -> int:
    """How far bounded search goes: as the user says, or else ``steps``."""
    return steps if options.bound is None else options.bound


def _refuted(
    system: FlatSystem, property: Property, options: SmvOptions, steps: int, phases: PhaseProgress
) -> PropertyResult:
    """The result of bounded search for an invariant; it holds if no state of the whole system is initial."""
    phases.enter("bounded", "bounded search")
    result = bmc.decide(system, property, replace(options, bound=_steps(options, steps)), phases)
    return replace(result, method="parts (bounded search)" if result.verdict is Verdict.VIOLATED else "parts")


def _certificate(facts: InductiveFactSet) -> InductiveFacts:
    texts = tuple(flat_expression_text(fact.expression) for fact in facts.facts)
    return InductiveFacts(texts, tuple(fact.uses for fact in facts.facts))


def _holds(certificate: Certificate, options: SmvOptions) -> PropertyResult:
    return PropertyResult(Verdict.HOLDS, "parts", certificate=certificate if options.evidence else None)
