"""Evidence from a file, re-checked and described, as ``symag certify`` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from symag.core.errors import InputError
from symag.core.evidence.quantitative_evidence import QuantitativeEvidence
from symag.core.evidence.simulation_evidence import Evidence, SafetyProof, TreeCounterexample
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.core.value_bounds import ValueBounds
from symag.lpts.certify.files import property_index, read_quantitative_evidence, read_simulation_evidence
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.checking.questions import questions, read_questions
from symag.lpts.checking.recheck import recheck
from symag.lpts.lpts import Lpts
from symag.lpts.quantitative import QuantitativeProblem


def recheck_file(files: SimulationFiles, certificate: str, show: bool, limits: Limits, progress: Progress) -> Report:
    """Re-check the evidence in a file, and describe it if ``show``. Raises InputError and CertificationError."""
    listed = questions(files)
    index = property_index(certificate)
    if index >= len(listed):
        raise InputError(f"it is about property {index}, and there are {len(listed)}", certificate)
    question = listed[index]
    (read,) = read_questions(files, [question], limits, progress)
    reason, lines, claim = read.reason, list[str](), "holds"
    if isinstance(read.problem, QuantitativeProblem):
        proof = read_quantitative_evidence(certificate, read.problem)
        reason = recheck(read.problem, proof, limits, progress)
        claim = {"holds": "holds", "violated": "is violated"}.get(proof.verdict, "")
        if proof.value is not None:
            claim = f"is {ValueBounds(*proof.value)}"
        lines += quantity_lines(proof) if show else ()
    elif read.problem is not None:
        evidence = read_simulation_evidence(certificate, read.problem.components, read.problem.specification)
        reason = recheck(read.problem, evidence, limits, progress)
        claim = "is violated" if isinstance(evidence, TreeCounterexample) else "holds"
        lines += evidence_lines(evidence, read.problem.components) if show else ()
    verdict = f"undecided ({reason})" if reason else f"accepted: the property {claim}"
    lines.append(f"certificate of {question.text}  {verdict}")
    fields = {"index": question.index, "name": question.name, "text": question.text}
    return Report(fields, tuple(lines), reason=reason)


def quantity_lines(evidence: QuantitativeEvidence) -> Iterator[str]:
    """For each measure the number of its bounds, and the largest difference of a lower and an upper bound."""
    for number, bounds in enumerate(evidence.bounds):
        pairs = zip(bounds.lower.numerators, bounds.upper.numerators, strict=True)
        low, high = bounds.lower.denominator, bounds.upper.denominator
        largest = max((Fraction(b, high) - Fraction(a, low) for a, b in pairs), default=Fraction(0))
        yield f"measure {number}: bounds for {len(bounds.lower.numerators)} states, largest gap {float(largest):.1e}"


def evidence_lines(evidence: Evidence, components: Sequence[Lpts]) -> Iterator[str]:
    """The size of the evidence, and the components of each part."""
    if isinstance(evidence, TreeCounterexample):
        yield f"stochastic tree of {len(evidence.nodes)} nodes"
        return
    if isinstance(evidence, SafetyProof):
        yield f"bounds of {len(evidence.values)} sub-formulas for {len(evidence.states)} states"
    else:
        yield f"strong simulation of {len(evidence.relation)} pairs, {len(evidence.weights)} weight functions"
    for number, part in enumerate(evidence.parts):
        yield f"part {number}: {', '.join(components[k].name for k in part) or 'nothing'}"
    beside = evidence.beside or tuple(range(len(evidence.assumptions)))
    for number, assumption in enumerate(evidence.assumptions):
        standing = [str(k) for k, part in enumerate(beside) if part == number + 1]
        yield (
            f"assumption {number}: {assumption.states} states, {len(assumption.transitions)} transitions, "
            f"for {len(assumption.classes)} states of part {number + 1}"
            + (f" with assumption{'s' if len(standing) > 1 else ''} {', '.join(standing)}" if standing else "")
        )
