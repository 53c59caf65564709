"""Re-checks evidence about probabilistic systems, of an answer or from a file."""

from __future__ import annotations

from typing import Any

from symag.core.limits import Limits, Progress
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certify.kinds import check_certificate
from symag.lpts.checking.check import SimulationQuestion
from symag.lpts.problems import Problem
from symag.process.decisions import Judgement, judged, why_undecided
from symag.process.limited import limited_recheck


def recheck(
    problem: Problem,
    certificate: ProbabilisticCertificate,
    limits: Limits,
    progress: Progress,
) -> str | None:
    """None if the evidence is accepted, else the reason why the re-check did not finish.

    Raises CertificationError for evidence that proves nothing.
    """

    def work(report: Progress) -> Judgement:
        return judgement(problem, certificate, limits.seconds, report)

    return why_undecided(limited_recheck("certify", work, limits, progress))


def judgement(
    problem: Problem,
    certificate: ProbabilisticCertificate,
    seconds: float | None,
    progress: Progress,
) -> Judgement:
    """The re-check itself, in a child process. Raises CertificationError for evidence that proves nothing."""
    progress("re-checking the answer")
    return judged(lambda deadline: check_certificate(problem, certificate, deadline), seconds)


def property_fields(question: SimulationQuestion) -> dict[str, Any]:
    """The members about the property in a file with evidence."""
    return {"index": question.index, "kind": question.kind, "name": question.name, "text": question.text}
