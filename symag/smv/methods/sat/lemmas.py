"""Local facts as lemmas of other methods."""

from __future__ import annotations

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress, ProgressFigures
from symag.smv.facts.finding import FactFinder, InductiveFactSet, Reach
from symag.smv.facts.readable import reduced
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of
from symag.smv.model.typed import Expression

#: The terms of the linear relations among the lemmas (see ``symag.smv.facts.finding``). The wider reaches give a few
#: more facts at ten times the cost (miter_a: 25 in 0.3 s of CPU, 39 with products in 2.7 s).
REACH: Reach = "variables"

#: The number of solver queries after which the search for facts ends: those proved by then are the lemmas.
MOST_QUERIES = 5_000


def lemmas_for(target: Property, system: FlatSystem, options: SmvOptions, progress: Progress) -> tuple[Expression, ...]:
    """The facts of ``facts_for`` as expressions."""
    return tuple(fact.expression for fact in facts_for(target, system, options, progress).facts)


def facts_for(target: Property, system: FlatSystem, options: SmvOptions, progress: Progress) -> InductiveFactSet:
    """Facts, inductive together, that exclude predecessors of violations of an invariant or ``AG p``.

    None if ``options.facts`` is off, for other properties, if the invariant is violated or the system has no initial
    state, and for systems that are too large to look for facts. Raises InputError.
    """
    none = InductiveFactSet((), 0)
    invariant = invariant_of(system, target) if options.facts else None
    if invariant is None:
        return none
    cut = reduced(system, invariant) if options.cone_of_influence else system
    try:
        finder = FactFinder(cut, options.seed, progress)
    except UnsupportedError as error:
        progress(f"no lemmas: {error}")
        return none
    if finder.is_empty or finder.is_violated(invariant):
        return none
    facts = finder.lemmas(invariant, REACH, MOST_QUERIES)
    progress(ProgressFigures(f"{len(facts.facts)} facts as lemmas", {"facts": len(facts.facts)}))
    return facts
