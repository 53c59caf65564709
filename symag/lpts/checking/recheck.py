"""Re-checks the evidence of answers about probabilistic systems."""

from __future__ import annotations

from typing import Any

from symag.core.limits import Progress
from symag.lpts.certificates.certificate import ProbabilisticCertificate
from symag.lpts.certify.kinds import check_certificate
from symag.lpts.checking.check import SimulationQuestion
from symag.lpts.problems import Problem
from symag.process.decisions import Judgement, judged


def judgement(
    problem: Problem, certificate: ProbabilisticCertificate, seconds: float | None, progress: Progress
) -> Judgement:
    """The re-check itself, in a child process. Raises CertificationError for evidence that proves nothing."""
    progress("re-checking the answer")
    return judged(lambda deadline: check_certificate(problem, certificate, deadline), seconds)


def property_fields(question: SimulationQuestion) -> dict[str, Any]:
    """The members about the property in a file with evidence."""
    return {"index": question.index, "kind": question.kind, "name": question.name, "text": question.text}
