"""Evidence from a file, re-checked and in words, as ``symag certify`` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symag.core.evidence.simulation_evidence import Evidence, SafetyProof, TreeCounterexample
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.lpts.certify.files import read_simulation_evidence
from symag.lpts.checking.check import SimulationFiles, read_problem, recheck
from symag.lpts.lpts import Lpts


def recheck_file(files: SimulationFiles, certificate: str, show: bool, limits: Limits, progress: Progress) -> Report:
    """Re-check evidence. Raises InputError and CertificationError."""
    read = read_problem(files, limits, progress)
    reason, evidence = read.reason, None
    if read.problem is not None:
        evidence = read_simulation_evidence(certificate, read.problem.components, read.problem.specification)
        reason = recheck(read.problem, evidence, limits, progress)
    question = files.question
    lines: list[str] = []
    if show and evidence is not None and read.problem is not None:
        lines += evidence_lines(evidence, read.problem.components)
    claim = "is violated" if isinstance(evidence, TreeCounterexample) else "holds"
    verdict = f"undecided ({reason})" if reason else f"accepted: the property {claim}"
    lines.append(f"certificate of {question.text}  {verdict}")
    fields = {"index": question.index, "name": question.name, "text": question.text}
    return Report(fields, tuple(lines), reason=reason)


def evidence_lines(evidence: Evidence, components: Sequence[Lpts]) -> Iterator[str]:
    """How large it is, and which components each part has."""
    if isinstance(evidence, TreeCounterexample):
        yield f"stochastic tree of {len(evidence.nodes)} nodes"
        return
    if isinstance(evidence, SafetyProof):
        yield f"bounds of {len(evidence.values)} sub-formulas for {len(evidence.states)} states"
    else:
        yield f"strong simulation of {len(evidence.relation)} pairs, {len(evidence.weights)} weight functions"
    for number, part in enumerate(evidence.parts):
        yield f"part {number}: {', '.join(components[k].name for k in part) or 'nothing'}"
    for number, assumption in enumerate(evidence.assumptions):
        yield (
            f"assumption {number}: {assumption.states} states, {len(assumption.transitions)} transitions, "
            f"for {len(assumption.classes)} states of part {number + 1}"
            + (f" with assumption {number + 1}" if number + 1 < len(evidence.assumptions) else "")
        )
