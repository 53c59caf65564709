"""A system with facts of a certificate, which are re-checked first."""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.core.values import replace
from symag.smv.certificates.invariants import FactLemmas, InductiveFacts
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.expression_reader import expressions
from symag.smv.model.flat import Constraint


def strengthened(encoded: EncodedSystem, facts: FactLemmas, deadline: Deadline) -> EncodedSystem:
    """The system with the facts as INVAR: it has the same reachable states and the same runs.

    The same facts are re-checked once. Raises CertificationError with the fact and its premise that fails,
    OutOfTimeError at the deadline. Costs two questions to a SAT solver for each fact.
    """
    if not facts.texts:
        return encoded
    key = facts.texts, facts.uses
    if key not in encoded.with_facts:
        from symag.smv.certify.inductive_facts import check_inductive_facts  # few certificates have facts

        system = encoded.system
        check_inductive_facts(encoded, None, InductiveFacts(facts.texts, facts.uses), deadline)
        known = tuple(Constraint(expression, 0) for expression in expressions(system, facts.texts))
        encoded.with_facts[key] = EncodedSystem(replace(system, invar=(*system.invar, *known)), encoded.package)
    return encoded.with_facts[key]
