"""Re-check of an LTL formula: no fair run of the system satisfies its negation.

The negation's tableau is certify's own (see ``tableau``); the certificate's observers are read as the
formulas that they stand for. The premises are asked with the constraints in the cone of influence of the formula, the
observers and the sets first, and if that fails with all constraints.
"""

from __future__ import annotations

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.smv.certificates.temporal import FairEmptiness
from symag.smv.certify.circuits.constraints import ConstraintReads, relevant, with_read_variables
from symag.smv.certify.circuits.decision_diagrams import Bdd
from symag.smv.certify.circuits.diagrams import Diagrams
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.properties import linear_formula, provable, refused, temporal_formula
from symag.smv.certify.sequences.claim import sequence_claim
from symag.smv.certify.temporal.positions import Constraints, Emptiness, Positions
from symag.smv.certify.temporal.tableau import Pair, Tableau
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property

_NOT_INITIAL = "an initial position is not in the set"
_LEAVES = "a transition leaves the set"

CERTIFICATE = FairEmptiness


def check(property: Property, certificate: FairEmptiness, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``. Costs BDDs of the transitions, and a search for fair runs in what the removals leave."""
    system = encoded.system
    if property.sequences is not None:
        system, claim = sequence_claim(system, property.sequences, deadline)
    else:
        claim = provable(linear_formula(system, property), property, certificate)
    own = EncodedSystem(system, encoded.package)
    encoder = own.encoder
    tableau = Tableau(encoder, own.reading)
    with deep_recursion():
        violated = -tableau.truth(claim)[0]
        observers = _observers(system, certificate, tableau)
        eventualities = [tableau.eventuality(temporal_formula(system, text)) for text in certificate.eventualities]
    diagrams = Diagrams(encoder, certificate.table, observers)
    start = diagrams.support([*certificate.reached, *(item.positions for item in certificate.removals)])
    start = start.union(tableau.reads, *(own.reading.of(condition)[0] for condition in system.fairness))

    def check_with(selected: list[ConstraintReads], mentioned: set[str]) -> None:
        names = with_read_variables(mentioned, selected)
        constraints = Constraints(selected, names, tableau.bits, tableau.initial, tableau.transitions)
        positions = Positions.of(encoder, diagrams, certificate.table, constraints, deadline)
        context = positions.context
        reached = [positions.set([root]) for root in certificate.reached]
        inside = context.conjunction(reached)
        _check_closed(positions, reached, inside, context.of(violated))
        fairness = positions.fairness(encoder, certain=False)
        justice = len(system.justice)
        met = [~positions.certainly(~context.of(signal)) for signal in eventualities]
        emptiness = Emptiness(positions, fairness[:justice], fairness[justice:], met)
        emptiness.check(inside & context.conjunction(positions.always), certificate.removals, "no fair run")

    in_cone = relevant(own.constraints, start)
    try:
        check_with(in_cone, start)
    except CertificationError:
        if len(in_cone) == len(own.constraints):
            raise
        check_with(own.constraints, set(system.by_name))


def _observers(system: FlatSystem, certificate: FairEmptiness, tableau: Tableau) -> dict[str, Pair]:
    pairs: dict[str, Pair] = {}
    for name, text in certificate.observers:
        if name in pairs or name in system.by_name or name in system.defines:
            raise refused(f"the observer {name} is not a fresh name")
        pairs[name] = tableau.truth(temporal_formula(system, text))
    return pairs


def _check_closed(positions: Positions, reached: list[Bdd], inside: Bdd, violated: Bdd) -> None:
    """Every position that a run begins at, or that a transition from the set leads to, is in the set or has no
    successor. No infinite run visits a position without a successor.
    """
    context = positions.context
    first = [*positions.initial, *positions.always]
    live: Bdd | None = None
    for condition in reached:
        for failure in (_NOT_INITIAL, _LEAVES):
            if not _fails(positions, inside, first, violated, ~condition, failure):
                continue
            live = positions.may.before(context.true) if live is None else live
            if _fails(positions, inside, first, violated, live & ~condition, failure):
                raise refused(failure)


def _fails(positions: Positions, inside: Bdd, first: list[Bdd], violated: Bdd, outside: Bdd, failure: str) -> bool:
    """Whether some of the positions ``outside`` the set are initial, or are reached from the set."""
    if failure == _LEAVES:
        return positions.may.leads(inside, outside)
    return positions.context.is_satisfiable(violated, first, outside, positions.deadline)
