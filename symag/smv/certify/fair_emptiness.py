"""Re-check of an LTL formula: no fair run of the system satisfies its negation.

The negation's tableau is certify's own (see ``tableau``); the certificate's observers are read as the
formulas that they stand for. The premises are asked with the constraints in the cone of influence of the formula, the
observers and the sets first, and if that fails with all constraints.
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
    relevant,
    requirements,
    with_read_variables,
)
from symag.smv.certify.circuits.decision_diagrams import Bdd
from symag.smv.certify.circuits.diagrams import Diagrams
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.properties import LINEAR, linear_formula, provable, refused
from symag.smv.certify.sequences.claim import sequence_claim
from symag.smv.certify.temporal.positions import Constraints, Positions
from symag.smv.certify.temporal.removals import Emptiness
from symag.smv.certify.temporal.tableau import Pair, Tableau
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
    system: FlatSystem,
    property: Property,
    certificate: FairEmptiness,
    deadline: Deadline,
    package: Package = "auto",
    encoded: EncodedSystem | None = None,
) -> None:
    """See ``kinds``."""
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

    ``read_formula`` reads the texts of observers and eventualities. Raises CertificationError with the premise that
    fails, OutOfTimeError at the deadline. Costs BDDs of the transitions, and a search for fair runs in what the
    removals leave.
    """
    reading = VariableReads(system)
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
    constraints = requirements(system, reading)
    in_cone = relevant(constraints, start)
    try:
        _check(encoder, tableau, diagrams, certificate, in_cone, start, violated, eventualities, deadline)
    except CertificationError:
        if len(in_cone) == len(constraints):
            raise
        names = set(system.by_name)
        _check(encoder, tableau, diagrams, certificate, constraints, names, violated, eventualities, deadline)


def _observers(
    system: FlatSystem, certificate: FairEmptiness, tableau: Tableau, read_formula: ReadFormula
) -> dict[str, Pair]:
    pairs: dict[str, Pair] = {}
    for name, text in certificate.observers:
        if name in pairs or name in system.by_name or name in system.defines:
            raise refused(f"the observer {name} is not a fresh name")
        pairs[name] = tableau.truth(_formula(system, text, read_formula))
    return pairs


def _formula(system: FlatSystem, text: str, read_formula: ReadFormula) -> Expression:
    formula = read_formula(system, text)
    if not isinstance(formula.type, BooleanType):
        raise refused(f"{text} is not a formula, but a value")
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
    names = with_read_variables(start, selected)
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
