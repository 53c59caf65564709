"""Re-check of invariants that are inductive together, given as texts.

The step of a fact has to follow from the facts that the certificate names for it. It is asked with the constraints in
the cone of influence of all facts first, and if that fails with all constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symag.core.deadlines import Deadline
from symag.smv.certificates.inductive_facts import InductiveFacts
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    ConstraintSignals,
    failure_by_cone,
    with_read_variables,
)
from symag.smv.certify.circuits.encoded import EncodedSystem
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
    system: FlatSystem,
    property: Property,
    certificate: InductiveFacts,
    deadline: Deadline,
    package: Package = "auto",
    encoded: EncodedSystem | None = None,
) -> None:
    """See ``kinds``."""
    claim = provable(invariant(system, property), property, certificate)
    check_inductive_facts(system, claim, certificate, deadline, expressions, encoded)


def check_together(
    system: FlatSystem,
    properties: Sequence[Property],
    certificate: InductiveFacts,
    encoded: EncodedSystem | None = None,
) -> None:
    """Accept facts as a proof of several invariants: they imply each of them.

    Raises CertificationError with the premise that fails, UnsupportedError for a property that is no such invariant.
    """
    with deep_recursion():
        claims = tuple(provable(invariant(system, item), item, certificate) for item in properties)
        claim = Operation("and", claims, BooleanType(), claims[0].position)
        check_inductive_facts(system, claim, certificate, Deadline(None), expressions, encoded)


def check_inductive_facts(
    system: FlatSystem,
    claim: Expression | None,
    certificate: InductiveFacts,
    deadline: Deadline,
    read: Read,
    encoded: EncodedSystem | None = None,
) -> None:
    """Accept facts as invariants, and as a proof of the invariant ``claim`` unless it is None.

    Raises CertificationError with the fact and the premise that fails, OutOfTimeError at the deadline. Costs two
    questions to a SAT solver for each fact; with ``encoded``, of this system, for each that it did not prove before.
    """
    encoded = encoded or EncodedSystem(system)
    facts = conditions(system, certificate.facts, read, "a fact")
    reading = encoded.reading
    names: set[str] = set()
    for expression in facts if claim is None else [*facts, claim]:
        current, following = reading.of(expression)
        if following or any(system.by_name[name].kind is VariableKind.INPUT for name in current):
            raise refused("a fact is not about states")
        names |= current

    def failure(selected: list[ConstraintReads], start: set[str]) -> str | None:
        return _failure(encoded, facts, claim, certificate, selected, start, deadline)

    reason = failure_by_cone(system, encoded.constraints, names, failure)
    if reason is not None:
        raise refused(reason)


def _failure(
    encoded: EncodedSystem,
    facts: list[Expression],
    claim: Expression | None,
    certificate: InductiveFacts,
    selected: list[ConstraintReads],
    start: set[str],
    deadline: Deadline,
) -> str | None:
    """The premise that fails under the selected constraints, in words; those that are proved are recorded.

    More constraints leave fewer states and transitions, so it does not matter under which ones one was proved.
    """
    encoder = encoded.encoder
    now = [encoder.truth(fact) for fact in facts]
    then = [encoder.truth(fact, primed=True) for fact in facts]
    steps = [
        ("step", frozenset(now[use] for use in uses), fact) for fact, uses in zip(then, certificate.uses, strict=True)
    ]
    waiting = [number for number, step in enumerate(steps) if not encoded.is_proved(step)]
    needed = selected if waiting else [item for item in selected if item.moment != "transition"]
    constraints = ConstraintSignals.of(encoder, needed, with_read_variables(start, selected))
    with Satisfiability(encoder.circuit, deadline) as solver:
        for signal in constraints.state:
            solver.require(signal)
        if claim is not None and solver.is_satisfiable([*now, -encoder.truth(claim)]):
            return "the facts do not imply the property"
        for text, fact in zip(certificate.facts, now, strict=True):
            if encoded.is_proved(("initial", fact)):
                continue
            if solver.is_satisfiable([*constraints.initial, -fact]):
                return f"an initial state violates {text}"
            encoded.record(("initial", fact))
        if not waiting:
            return None
        for signal in (*constraints.next_state, *constraints.step):
            solver.require(signal)
        for number in waiting:
            if solver.is_satisfiable([*steps[number][1], -then[number]]):
                return f"a transition leads to a state that violates {certificate.facts[number]}"
            encoded.record(steps[number])
    return None
