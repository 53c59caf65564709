"""A certificate in words: the parts, and every assumption as an automaton over the I/O variables."""

from __future__ import annotations

from collections.abc import Iterator

from symag.core.certificates import AssumeGuarantee, Assumption, Certificate, Induction, InductiveFacts
from symag.smv.checking.assumption_text import Formulas
from symag.smv.model.flat import FlatSystem

_TITLES = {
    "inductive-set": "an inductive set of states",
    "fair-emptiness": "sets of positions that leave no fair run to the formula's negation",
    "labelling": "sets of states, one for each CTL operator",
}


def certificate_lines(system: FlatSystem, certificate: Certificate) -> Iterator[str]:
    """The lines that show a certificate. Formulas are sums of products of I/O values."""
    if isinstance(certificate, InductiveFacts):
        yield f"{len(certificate.facts)} facts, inductive together"
        for number, (text, uses) in enumerate(zip(certificate.facts, certificate.uses, strict=True)):
            yield f"  {number}: {text}  (uses {', '.join(map(str, uses)) or 'nothing'})"
        return
    if isinstance(certificate, Induction):
        yield from _induction(certificate)
        return
    if not isinstance(certificate, AssumeGuarantee):
        yield f"{_TITLES[certificate.kind]}: {len(certificate.table.nodes)} diagram nodes"
        return
    yield f"{certificate.rule}: {len(certificate.parts)} parts, {len(certificate.assumptions)} assumptions"
    for name, text in certificate.wires:
        role = " (the property)" if name == certificate.property_wire else ""
        yield f"wire {name}{role} := {text}"
    for number, part in enumerate(certificate.parts):
        yield f"part {number}: {', '.join(part.variables)}"
    for number, assumption in enumerate(certificate.assumptions):
        states = len(assumption.edges)
        yield f"assumption {number}, for part {number}: {states} state{'s' if states > 1 else ''}"
        yield from _automaton(Formulas(system, certificate.table), assumption)


def _induction(certificate: Induction) -> Iterator[str]:
    distinct = " of paths without a repeated state" if certificate.distinct else ""
    yield f"inductive over {certificate.steps} step{'s' if certificate.steps > 1 else ''}{distinct}, with"
    for text in certificate.lemmas:
        yield f"  {text}"
    for clause in certificate.clauses:
        yield "  " + (" | ".join(f"{'' if value else '!'}{name}.{bit}" for name, bit, value in clause) or "FALSE")


def _automaton(formulas: Formulas, assumption: Assumption) -> Iterator[str]:
    for state, (edges, rejects) in enumerate(zip(assumption.edges, assumption.rejects, strict=True)):
        yield f"  state {state}: forbids {formulas.text(rejects)}"
        for target, label in edges:
            yield f"    to state {target}: {formulas.text(label)}"
