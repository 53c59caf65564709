"""Re-check of invariants that are inductive together, given as texts.

Every fact's step is asked from the facts alone that it is said to use, first with the constraints in their cone of
influence only (fewer constraints allow more runs, so success is success), then, if that fails, with all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symag.core.deadlines import Deadline
from symag.core.errors import CertificationError, InputError
from symag.smv.certificates.inductive_facts import InductiveFacts
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import (
    ConstraintReads,
    VariableReads,
    read_variables,
    relevant,
    requirements,
)
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.properties import invariant, provable
from symag.smv.expression_reader import expressions
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType

#: Reads expressions over a system's names.
Read = Callable[[FlatSystem, Sequence[str]], list[Expression]]


CERTIFICATE = InductiveFacts


def check(
    system: FlatSystem, property: Property, certificate: InductiveFacts, deadline: Deadline, package: Package = "auto"
) -> None:
    """See ``kinds.Kind``."""
    claim = provable(invariant(system, property), property, certificate)
    check_inductive_facts(system, claim, certificate, deadline, expressions)


def check_inductive_facts(
    system: FlatSystem, claim: Expression | None, certificate: InductiveFacts, deadline: Deadline, read: Read
) -> None:
    """Accept facts as invariants, and as a proof of an invariant if one is wanted.

    Raises CertificationError with the fact and the premise that fails, OutOfTimeError at the deadline.
    """
    facts = _expressions(system, certificate, read)
    reading = VariableReads(system)
    every = requirements(system, reading)
    names: set[str] = set()
    for expression in facts if claim is None else [*facts, claim]:
        current, following = reading.of(expression)
        if following or any(system.by_name[name].kind is VariableKind.INPUT for name in current):
            raise CertificationError("the certificate is not accepted: a fact is not about states")
        names |= current
    near = relevant(every, names)
    attempt = _Attempt(system, facts, claim, certificate, deadline)
    failure = attempt.failure(near, names)
    if failure is not None and len(near) < len(every):
        failure = attempt.failure(every, set(system.by_name))
    if failure is not None:
        raise CertificationError(f"the certificate is not accepted: {failure}")


def _expressions(system: FlatSystem, certificate: InductiveFacts, read: Read) -> list[Expression]:
    try:
        expressions = read(system, certificate.facts)
    except InputError as error:
        raise CertificationError(f"the certificate is not accepted: a fact cannot be read: {error}") from None
    for text, expression in zip(certificate.facts, expressions, strict=True):
        if not isinstance(expression.type, BooleanType):
            raise CertificationError(f"the certificate is not accepted: {text} is not a condition")
    return expressions


class _Attempt:
    """The premises of one certificate under a choice of constraints."""

    def __init__(
        self,
        system: FlatSystem,
        facts: list[Expression],
        claim: Expression | None,
        certificate: InductiveFacts,
        deadline: Deadline,
    ) -> None:
        self._system = system
        self._facts = facts
        self._wanted = claim
        self._certificate = certificate
        self._deadline = deadline

    def failure(self, selected: list[ConstraintReads], start: set[str]) -> str | None:
        """The failure in words."""
        encoder = Encoder(self._system, Circuit())
        names = sorted(start.union(read_variables(selected)))
        now = [encoder.truth(fact) for fact in self._facts]
        then = [encoder.truth(fact, primed=True) for fact in self._facts]
        states = [item for item in selected if item.moment == "state"]
        always = [encoder.in_range(name, False) for name in names] + [item.signal(encoder) for item in states]
        with Satisfiability(encoder.circuit, self._deadline) as solver:
            for signal in always:
                solver.require(signal)
            if self._wanted is not None and solver.is_satisfiable([*now, -encoder.truth(self._wanted)]):
                return "the facts do not imply the property"
            initial = [item.signal(encoder) for item in selected if item.moment == "initial"]
            for number, fact in enumerate(now):
                if solver.is_satisfiable([*initial, -fact]):
                    return f"an initial state violates {self._certificate.facts[number]}"
            for name in names:
                solver.require(encoder.in_range(name, True))
            for item in states:
                solver.require(item.signal(encoder, primed=True))
            for item in selected:
                if item.moment == "transition":
                    solver.require(item.signal(encoder))
            for number, (fact, uses) in enumerate(zip(then, self._certificate.uses, strict=True)):
                if solver.is_satisfiable([*(now[use] for use in uses), -fact]):
                    return f"a transition leads to a state that violates {self._certificate.facts[number]}"
        return None
