"""Re-check of invariants that are inductive together, given as texts.

The step of a fact has to follow from the facts that the certificate names for it. It is asked with the constraints in
the cone of influence of all facts first, and if that fails with all constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symag.core.deadlines import Deadline
from symag.smv.certificates.inductive_facts import InductiveFacts
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    ConstraintSignals,
    VariableReads,
    failure_by_cone,
    requirements,
    with_read_variables,
)
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.properties import conditions, invariant, provable, refused
from symag.smv.expression_reader import expressions
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.typed import Expression, Operation
from symag.smv.model.types import BooleanType

#: Reads expressions over a system's names.
Read = Callable[[FlatSystem, Sequence[str]], list[Expression]]


CERTIFICATE = InductiveFacts


def check(
    system: FlatSystem, property: Property, certificate: InductiveFacts, deadline: Deadline, package: Package = "auto"
) -> None:
    """See ``kinds``."""
    claim = provable(invariant(system, property), property, certificate)
    check_inductive_facts(system, claim, certificate, deadline, expressions)


def check_together(system: FlatSystem, properties: Sequence[Property], certificate: InductiveFacts) -> None:
    """Accept facts as a proof of several invariants: they imply each of them.

    Raises CertificationError with the premise that fails, UnsupportedError for a property that is no such invariant.
    """
    with deep_recursion():
        claims = tuple(provable(invariant(system, item), item, certificate) for item in properties)
        claim = Operation("and", claims, BooleanType(), claims[0].position)
        check_inductive_facts(system, claim, certificate, Deadline(None), expressions)


def check_inductive_facts(
    system: FlatSystem, claim: Expression | None, certificate: InductiveFacts, deadline: Deadline, read: Read
) -> None:
    """Accept facts as invariants, and as a proof of the invariant ``claim`` unless it is None.

    Raises CertificationError with the fact and the premise that fails, OutOfTimeError at the deadline. Costs two
    questions to a SAT solver for each fact.
    """
    facts = conditions(system, certificate.facts, read, "a fact")
    reading = VariableReads(system)
    names: set[str] = set()
    for expression in facts if claim is None else [*facts, claim]:
        current, following = reading.of(expression)
        if following or any(system.by_name[name].kind is VariableKind.INPUT for name in current):
            raise refused("a fact is not about states")
        names |= current

    def failure(selected: list[ConstraintReads], start: set[str]) -> str | None:
        return _failure(system, facts, claim, certificate, selected, start, deadline)

    reason = failure_by_cone(system, requirements(system, reading), names, failure)
    if reason is not None:
        raise refused(reason)


def _failure(
    system: FlatSystem,
    facts: list[Expression],
    claim: Expression | None,
    certificate: InductiveFacts,
    selected: list[ConstraintReads],
    start: set[str],
    deadline: Deadline,
) -> str | None:
    """The premise that fails under the selected constraints, in words."""
    encoder = Encoder(system, Circuit())
    now = [encoder.truth(fact) for fact in facts]
    then = [encoder.truth(fact, primed=True) for fact in facts]
    constraints = ConstraintSignals.of(encoder, selected, with_read_variables(start, selected))
    with Satisfiability(encoder.circuit, deadline) as solver:
        for signal in constraints.state:
            solver.require(signal)
        if claim is not None and solver.is_satisfiable([*now, -encoder.truth(claim)]):
            return "the facts do not imply the property"
        for text, fact in zip(certificate.facts, now, strict=True):
            if solver.is_satisfiable([*constraints.initial, -fact]):
                return f"an initial state violates {text}"
        for signal in (*constraints.next_state, *constraints.step):
            solver.require(signal)
        for text, fact, uses in zip(certificate.facts, then, certificate.uses, strict=True):
            if solver.is_satisfiable([*(now[use] for use in uses), -fact]):
                return f"a transition leads to a state that violates {text}"
    return None
