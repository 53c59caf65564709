"""A system with facts of a certificate, which are re-checked first."""

from __future__ import annotations

from dataclasses import replace

from symag.core.deadlines import Deadline
from symag.smv.certificates.inductive_facts import FactLemmas, InductiveFacts
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.expression_reader import expressions
from symag.smv.model.flat import Constraint, FlatSystem


def strengthened(
    system: FlatSystem, facts: FactLemmas, deadline: Deadline, encoded: EncodedSystem | None = None
) -> FlatSystem:
    """The system with the facts as INVAR: it has the same reachable states and the same runs.

    ``encoded`` is the system without the facts. Raises CertificationError with the fact and its premise that fails,
    OutOfTimeError at the deadline. Costs two questions to a SAT solver for each fact.
    """
    if not facts.texts:
        return system
    from symag.smv.certify.inductive_facts import check_inductive_facts  # few certificates have facts

    certificate = InductiveFacts(facts.texts, facts.uses)
    check_inductive_facts(system, None, certificate, deadline, expressions, encoded)
    known = tuple(Constraint(expression, 0) for expression in expressions(system, facts.texts))
    return replace(system, invar=(*system.invar, *known))


def strengthened_encoding(encoded: EncodedSystem, facts: FactLemmas, deadline: Deadline) -> EncodedSystem:
    """As ``strengthened``, encoded; the same facts are re-checked once."""
    if not facts.texts:
        return encoded
    key = facts.texts, facts.uses
    if key not in encoded.with_facts:
        system = strengthened(encoded.system, facts, deadline, encoded)
        encoded.with_facts[key] = EncodedSystem(system, encoded.package)
    return encoded.with_facts[key]
