"""Formulas with probabilities and rewards: decided and re-checked in child processes."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from symag.core.deadlines import Deadline, OutOfTimeError
from symag.core.errors import CertificationError
from symag.core.evidence.quantitative_evidence import QuantitativeEvidence
from symag.core.evidence.refusals import Refusal, refused
from symag.core.files import write_file
from symag.core.limits import Limits, Progress, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.value_bounds import ValueBounds
from symag.lpts.certify.files import quantitative_evidence_text
from symag.lpts.certify.quantities import check_quantities
from symag.lpts.checking.check import AnswerWithEvidence, SimulationQuestion
from symag.lpts.checking.methods import MONOLITHIC, resolved
from symag.lpts.methods.quantitative.deciding import QuantitativeOutcome, decide_quantities
from symag.lpts.quantitative import QuantitativeProblem
from symag.process.limited import limited, limited_recheck


def decide_quantitative(
    problem: QuantitativeProblem,
    question: SimulationQuestion,
    path: str,
    method: str,
    limits: Limits,
    certify: bool = True,
    progress: Progress = no_progress,
) -> AnswerWithEvidence:
    """The answer about the model of a file; the limits are for the decision, and as much again for its re-check."""
    name = resolved(method)
    if name != MONOLITHIC:
        reason = f"unsupported: --method {MONOLITHIC} decides formulas that are no weak-safety formulas"
        return AnswerWithEvidence(PropertyResult(Verdict.UNKNOWN, name, reason=reason))
    started = time.monotonic()
    outcome = limited(name, lambda report: decide_quantities(problem, report), limits, progress)
    costs = {"seconds": round(time.monotonic() - started, 4), "memory_mib": round(outcome.memory, 1)}
    if outcome.value is None:
        reason = outcome.reason or "no answer"
        return AnswerWithEvidence(PropertyResult(Verdict.UNKNOWN, name, reason=reason, statistics=costs))
    decided: QuantitativeOutcome = outcome.value
    statistics = {**decided.statistics, **costs}
    evidence = decided.evidence
    if evidence is None:
        return AnswerWithEvidence(PropertyResult(Verdict.UNKNOWN, name, reason=decided.reason, statistics=statistics))
    bounds = None if evidence.value is None else ValueBounds(*evidence.value)
    if bounds is not None and bounds.low is not None and bounds.high is not None:
        statistics["gap"] = float(bounds.high - bounds.low)
    verdict = Verdict(evidence.verdict)
    result = PropertyResult(verdict, name, certificate=evidence, statistics=statistics, bounds=bounds)
    if not certify:
        return AnswerWithEvidence(result, evidence)
    started = time.monotonic()
    try:
        ended = recheck_quantities(problem, evidence, limits, progress)
    except CertificationError as error:
        return AnswerWithEvidence(_refused(problem, question, path, result, evidence, error))
    result = replace(
        result,
        certified=ended is None,
        statistics={**statistics, "certify_seconds": round(time.monotonic() - started, 4)},
        warnings=() if ended is None else (f"not certified: the re-check ended with: {ended}",),
    )
    return AnswerWithEvidence(result, evidence)


def recheck_quantities(
    problem: QuantitativeProblem, evidence: QuantitativeEvidence, limits: Limits, progress: Progress
) -> str | None:
    """None if the evidence is accepted, else the reason why the re-check did not finish. Raises CertificationError."""

    def work(report: Progress) -> bool:
        report("re-checking the answer")
        try:
            check_quantities(problem, evidence, Deadline(limits.seconds))
        except OutOfTimeError:
            return False
        return True

    outcome = limited_recheck("certify", work, limits, progress)
    return None if outcome.value else outcome.reason or "timeout"


def property_fields(question: SimulationQuestion) -> dict[str, Any]:
    """The members about the property in a file with evidence."""
    return {"index": question.index, "kind": question.kind, "name": question.name, "text": question.text}


def _refused(
    problem: QuantitativeProblem,
    question: SimulationQuestion,
    path: str,
    result: PropertyResult,
    evidence: QuantitativeEvidence,
    error: CertificationError,
) -> PropertyResult:
    why, _, details = str(error).partition("\n")

    def write(target: Path) -> None:
        write_file(target, quantitative_evidence_text(path, property_fields(question), problem, evidence))

    shown = replace(result, bounds=None)
    return refused(shown, Refusal(path, question.index, question.text, why, write, details))
