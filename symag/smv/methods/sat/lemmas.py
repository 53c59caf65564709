"""Local facts as lemmas of other methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symag.core.errors import UnsupportedError
from symag.core.limits import Progress, ProgressFigures
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of
from symag.smv.model.typed import Expression

if TYPE_CHECKING:
    # Only types: these modules take time to import.
    from symag.smv.facts.finding import Fact, Reach

#: The terms of the linear relations among the lemmas (see ``symag.smv.facts.finding``). The wider reaches give a few
#: more facts at ten times the cost (miter_a: 25 in 0.3 s of CPU, 39 with products in 2.7 s).
REACH: Reach = "variables"

#: The number of solver queries after which the search for facts ends: those proved by then are the lemmas.
MOST_QUERIES = 5_000


def lemmas_for(target: Property, system: FlatSystem, options: SmvOptions, progress: Progress) -> tuple[Expression, ...]:
    """The facts of ``facts_for`` as expressions."""
    return tuple(fact.expression for fact in facts_for(target, system, options, progress))


def facts_for(target: Property, system: FlatSystem, options: SmvOptions, progress: Progress) -> tuple[Fact, ...]:
    """Facts, inductive together, that exclude predecessors of violations of an invariant or ``AG p``.

    Empty if ``options.facts`` is off, for other properties, if the invariant is violated or the system has no initial
    state, and for systems that are too large to look for facts. Raises InputError.
    """
    invariant = invariant_of(system, target) if options.facts else None
    if invariant is None:
        return ()
    # Here, because they take time to import, and few searches use facts.
    from symag.smv.facts.circuit import reduced
    from symag.smv.facts.finding import FactFinder

    cut = reduced(system, invariant) if options.cone_of_influence else system
    try:
        # With what the reader names k-induction takes 5.6 s instead of 4.2 for zip_wbarbiter, and no more is proved.
        finder = FactFinder(cut, options.seed, progress, own_names=True)
    except UnsupportedError as error:
        progress(f"no lemmas: {error}")
        return ()
    if finder.is_empty or finder.is_violated(invariant):
        return ()
    facts = finder.lemmas(invariant, REACH, MOST_QUERIES).facts
    progress(ProgressFigures(f"{len(facts)} facts as lemmas", {"facts": len(facts)}))
    return facts
