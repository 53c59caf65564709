"""A certificate as text: the parts, and every assumption as an automaton over the I/O variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.certificates.bounded_fairness import BoundedFairness
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.clauses import BitClause
from symag.smv.certificates.induction import Induction
from symag.smv.certificates.inductive_facts import InductiveFacts
from symag.smv.certificates.inductive_parts import InductiveParts
from symag.smv.certificates.inductive_set import InductiveSet
from symag.smv.certificates.no_fair_lasso import NoFairLasso
from symag.smv.certificates.signal_correspondence import SignalCorrespondence
from symag.smv.checking.reports.assumption_text import Formulas, wire_lines
from symag.smv.model.flat import FlatSystem


def certificate_lines(system: FlatSystem, certificate: Certificate) -> Iterator[str]:
    """The lines that show a certificate. Formulas are sums of products of I/O values."""
    yield certificate.summary()
    match certificate:
        case InductiveFacts():
            for number, (text, uses) in enumerate(zip(certificate.facts, certificate.uses, strict=True)):
                yield f"  {number}: {text}  (uses {', '.join(map(str, uses)) or 'nothing'})"
        case InductiveParts():
            for number, (roots, uses) in enumerate(zip(certificate.sets, certificate.uses, strict=True)):
                bits = ", ".join(f"{name}.{bit}" for name, bit in certificate.table.support(roots))
                yield f"  {number}: over {bits or 'no bits'}  (uses {', '.join(map(str, uses)) or 'nothing'})"
        case Induction():
            yield from (f"  {text}" for text in certificate.lemmas)
            yield from _clauses(certificate.clauses)
        case BoundedFairness() | NoFairLasso() | SignalCorrespondence():
            yield from _clauses(certificate.clauses)
        case InductiveSet():
            yield from certificate.facts.lines()
        case AssumeGuarantee():
            yield from _assume_guarantee(system, certificate)


def _assume_guarantee(system: FlatSystem, certificate: AssumeGuarantee) -> Iterator[str]:
    yield from certificate.facts.lines()
    yield from wire_lines(certificate)
    for number, part in enumerate(certificate.parts):
        yield f"part {number}: {', '.join(part.variables)}"
    for number, assumption in enumerate(certificate.assumptions):
        states = len(assumption.edges)
        yield f"assumption {number}, for part {number}: {states} state{'s' if states > 1 else ''}"
        yield from _automaton(Formulas(system, certificate.table), assumption)


def _clauses(clauses: Iterable[BitClause]) -> Iterator[str]:
    for clause in clauses:
        yield "  " + (" | ".join(f"{'' if value else '!'}{name}.{bit}" for name, bit, value in clause) or "FALSE")


def _automaton(formulas: Formulas, assumption: Assumption) -> Iterator[str]:
    for state, (edges, rejects) in enumerate(zip(assumption.edges, assumption.rejects, strict=True)):
        yield f"  state {state}: forbids {formulas.text(rejects)}"
        for target, label in edges:
            yield f"    to state {target}: {formulas.text(label)}"
