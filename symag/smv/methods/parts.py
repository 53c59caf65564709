"""Proves invariants by local facts: relations and clauses over neighbouring variables, found from the model.

``symag.smv.facts`` looks for them in the property's cone of influence. If a random run meets a violation, or no facts
prove the property, bounded search looks for a shortest violation.
"""

from __future__ import annotations

import time
from dataclasses import replace

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.smv.certificates.inductive_facts import InductiveFacts
from symag.smv.facts.finding import FactFinder, InductiveFactSet
from symag.smv.facts.readable import reduced
from symag.smv.methods import bmc
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.safety import by_monitor
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.properties import invariant_of

#: The number of steps of the bounded search where no facts prove the invariant.
BOUND = 30

NO_FACTS = f"no facts of the forms tried prove it, and no violation within {BOUND} steps"


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide an invariant, ``AG p``, or a safety property of LTL.

    ``holds`` comes with the facts that prove it, ``violated`` with a trace. Raises InputError, and
    UnsupportedError for other properties.
    """
    return by_monitor(_decide, system, property, options, progress)


def _decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    started = time.process_time()
    invariant = invariant_of(system, property)
    if invariant is None:
        raise UnsupportedError(f"{property.kind} that is not an invariant of states, by facts")
    cut = reduced(system, invariant) if options.cone_of_influence else system
    finder = FactFinder(cut, options.seed, progress)
    if finder.is_empty:
        warning = "the set of initial states is empty: every property holds"
        result = _holds(InductiveFactSet((), 0), options, empty=True)
        return replace(result, warnings=(warning,))
    if finder.is_violated(invariant):
        return _refuted(system, property, replace(options, bound=None), progress)
    facts = finder.proof(invariant)
    cost = {"cpu_seconds": round(time.process_time() - started, 3)}
    if facts is None:
        result = _refuted(system, property, replace(options, bound=BOUND), progress)
        return result if result.verdict is Verdict.VIOLATED else replace(result, reason=NO_FACTS, statistics=cost)
    return replace(_holds(facts, options), statistics={**cost, "facts": len(facts.facts), "sat_queries": facts.queries})


def _refuted(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """The result of bounded search for an invariant."""
    result = bmc.decide(system, property, options, progress)
    return replace(result, method="parts (bounded search)" if result.verdict is Verdict.VIOLATED else "parts")


def _holds(facts: InductiveFactSet, options: SmvOptions, empty: bool = False) -> PropertyResult:
    certificate = None
    if options.evidence:
        texts = ["FALSE"] if empty else [flat_expression_text(fact.expression) for fact in facts.facts]
        uses = [(0,)] if empty else [fact.uses for fact in facts.facts]
        certificate = InductiveFacts(tuple(texts), tuple(uses))
    return PropertyResult(Verdict.HOLDS, "parts", certificate=certificate)
