"""Re-check of an LTL formula: no fair run of the system satisfies its negation.

The negation's tableau is certify's own (see ``tableau``); the certificate's observers are read as the
formulas that they stand for. Only constraints in the cone of influence of the formula, the observers and
the sets count at first: fewer constraints allow more runs, so success is success.
"""

from __future__ import annotations

from collections.abc import Callable

from symag.core.deadlines import Deadline
from symag.core.errors import CertificationError
from symag.smv.certificates.fair_emptiness import FairEmptiness
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    VariableReads,
    read_variables,
    relevant,
    requirements,
)
from symag.smv.certify.circuits.decision_diagrams import Bdd
from symag.smv.certify.circuits.diagrams import Diagrams
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.positions import Constraints, Positions
from symag.smv.certify.properties import LINEAR, linear_formula, provable
from symag.smv.certify.removals import Emptiness
from symag.smv.certify.sequences.claim import sequence_claim
from symag.smv.certify.tableau import Pair, Tableau
from symag.smv.expression_reader import expression
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType

#: From an LTL formula's text to the formula in a system's name space.
ReadFormula = Callable[[FlatSystem, str], Expression]

_NOT_INITIAL = "an initial position is not in the set"
_LEAVES = "a transition leaves the set"


CERTIFICATE = FairEmptiness


def check(
    system: FlatSystem, property: Property, certificate: FairEmptiness, deadline: Deadline, package: Package = "auto"
) -> None:
    """See ``kinds.Kind``."""
    if property.sequences is not None:
        whole, claim = sequence_claim(system, property.sequences, deadline)
    else:
        whole, claim = system, provable(linear_formula(system, property), property, certificate)
    check_fair_emptiness(whole, claim, certificate, deadline, _linear_expression, package)


def _linear_expression(system: FlatSystem, text: str) -> Expression:
    return expression(system, text, temporal=LINEAR)


def check_fair_emptiness(
    system: FlatSystem,
    formula: Expression,
    certificate: FairEmptiness,
    deadline: Deadline,
    read_formula: ReadFormula,
    package: Package = "auto",
) -> None:
    """Accept sets of positions as a proof that every fair run satisfies an LTL formula.

    Raises CertificationError with the premise that fails, OutOfTimeError at the deadline.
    """
    reading = VariableReads(system)
    every = requirements(system, reading)
    encoder = Encoder(system, Circuit(package))
    tableau = Tableau(encoder, reading)
    with deep_recursion():
        violated = -tableau.truth(formula)[0]
        observers = _observers(system, certificate, tableau, read_formula)
        eventualities = [
            tableau.eventuality(_formula(system, text, read_formula)) for text in certificate.eventualities
        ]
    diagrams = Diagrams(encoder, certificate.table, observers)
    start = diagrams.support([*certificate.reached, *(item.positions for item in certificate.removals)])
    start |= tableau.reads
    for item in system.justice:
        start |= reading.of(item.expression)[0]
    for pair in system.compassion:
        start = start.union(*(reading.of(side.expression)[0] for side in pair))
    near = relevant(every, start)
    try:
        _check(encoder, tableau, diagrams, certificate, near, start, violated, eventualities, deadline)
    except CertificationError:
        if len(near) == len(every):
            raise
        names = set(system.by_name)
        _check(encoder, tableau, diagrams, certificate, every, names, violated, eventualities, deadline)


def _observers(
    system: FlatSystem, certificate: FairEmptiness, tableau: Tableau, read_formula: ReadFormula
) -> dict[str, Pair]:
    pairs: dict[str, Pair] = {}
    for name, text in certificate.observers:
        if name in pairs or name in system.by_name or name in system.defines:
            raise CertificationError(f"the certificate is not accepted: the observer {name} is not a fresh name")
        pairs[name] = tableau.truth(_formula(system, text, read_formula))
    return pairs


def _formula(system: FlatSystem, text: str, read_formula: ReadFormula) -> Expression:
    formula = read_formula(system, text)
    if not isinstance(formula.type, BooleanType):
        raise CertificationError(f"the certificate is not accepted: no formula, but a value: {text}")
    return formula


def _check(
    encoder: Encoder,
    tableau: Tableau,
    diagrams: Diagrams,
    certificate: FairEmptiness,
    selected: list[ConstraintReads],
    start: set[str],
    violated: int,
    eventualities: list[int],
    deadline: Deadline,
) -> None:
    names = sorted(start.union(read_variables(selected)))
    constraints = Constraints(selected, names, tableau.bits, tableau.initial, tableau.transitions)
    positions = Positions.of(encoder, diagrams, certificate.table, constraints, deadline)
    context = positions.context
    reached = [positions.set([root]) for root in certificate.reached]
    inside = context.conjunction(reached)
    _check_closed(positions, reached, inside, context.of(violated))
    fairness = positions.fairness(encoder, certain=False)
    justice = len(encoder.system.justice)
    met = [~positions.certainly(~context.of(signal)) for signal in eventualities]
    emptiness = Emptiness(positions, fairness[:justice], fairness[justice:], met)
    emptiness.check(inside & context.conjunction(positions.always), certificate.removals, "no fair run")


def _check_closed(positions: Positions, reached: list[Bdd], inside: Bdd, violated: Bdd) -> None:
    """What the set lacks must be without a successor: no infinite run comes there."""
    context = positions.context
    first = [*positions.initial, *positions.always]
    live: Bdd | None = None
    for condition in reached:
        for failure in (_NOT_INITIAL, _LEAVES):
            if not _is_lacking(positions, inside, first, violated, ~condition, failure):
                continue
            live = positions.may.before(context.true) if live is None else live
            if _is_lacking(positions, inside, first, violated, live & ~condition, failure):
                raise CertificationError(f"the certificate is not accepted: {failure}")


def _is_lacking(positions: Positions, inside: Bdd, first: list[Bdd], violated: Bdd, outside: Bdd, failure: str) -> bool:
    if failure == _LEAVES:
        return positions.may.leads(inside, outside)
    return positions.context.is_satisfiable(violated, first, outside, positions.deadline)
