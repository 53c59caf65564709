"""A system with facts of a certificate, which are re-checked first."""

from __future__ import annotations

from dataclasses import replace

from symag.core.deadlines import Deadline
from symag.smv.certificates.inductive_facts import FactLemmas, InductiveFacts
from symag.smv.expression_reader import expressions
from symag.smv.model.flat import Constraint, FlatSystem


def strengthened(system: FlatSystem, facts: FactLemmas, deadline: Deadline) -> FlatSystem:
    """The system with the facts as INVAR: it has the same reachable states and the same runs.

    Raises CertificationError with the fact and its premise that fails, OutOfTimeError at the deadline. Costs two
    questions to a SAT solver for each fact.
    """
    if not facts.texts:
        return system
    from symag.smv.certify.inductive_facts import check_inductive_facts  # few certificates have facts

    check_inductive_facts(system, None, InductiveFacts(facts.texts, facts.uses), deadline, expressions)
    known = tuple(Constraint(expression, 0) for expression in expressions(system, facts.texts))
    return replace(system, invar=(*system.invar, *known))
