"""One method's answer to one safety question against brute force, and its evidence against the re-check."""

from __future__ import annotations

from collections.abc import Callable

from symag.core.limits import Deadline, Progress, no_progress
from symag.core.results import Verdict
from symag.lts import System
from symag.lts.certificates import LabelledCertificate
from symag.lts.certify.kinds import check_certificate
from symag.lts.certify.properties import check_violation
from symag.lts.methods.options import METHODS as _BY_NAME
from symag.lts.methods.options import MONOLITHIC, LtsOptions
from symag.lts.questions import CompositeQuestion
from symag.lts.safety_problem import SafetyOutcome, SafetyProblem, safety_problem
from symag.lts.words import realised
from tests.lts.explicit_safety import distance_to_error

SAFETY = CompositeQuestion(1, "safety", None, "ERROR is not reached", None, "S")

#: Every assume-guarantee method that is registered.
METHODS = tuple(name for name in _BY_NAME.names() if _BY_NAME.resolved(name) != MONOLITHIC)


def agreed(
    system: System,
    method: str,
    options: LtsOptions,
    decide: Callable[[SafetyProblem, Progress], SafetyOutcome] | None = None,
) -> SafetyOutcome:
    """The method's outcome, or that of ``decide``. Raises AssertionError where it is wrong, CertificationError for
    evidence that is.
    """
    outcome = answered(system, method, options, decide)
    expected = Verdict.HOLDS if distance_to_error(system.components) is None else Verdict.VIOLATED
    assert outcome.verdict is expected, (method, options, outcome)
    return outcome


def answered(
    system: System,
    method: str,
    options: LtsOptions,
    decide: Callable[[SafetyProblem, Progress], SafetyOutcome] | None = None,
) -> SafetyOutcome:
    """The method's outcome, its evidence accepted. Raises AssertionError or CertificationError if it is not."""
    problem = safety_problem(system)
    outcome = (
        _BY_NAME.function(method)(problem, options, no_progress) if decide is None else decide(problem, no_progress)
    )
    assert outcome.reason is None, (method, options, outcome)
    if outcome.word is not None:
        trace = realised(system, problem.observed(outcome.word))
        assert trace is not None, (method, options, outcome.word)
        check_violation(system, SAFETY, trace, Deadline(60))
    else:
        assert isinstance(outcome.certificate, LabelledCertificate), (method, options)
        check_certificate(system, SAFETY, outcome.certificate, Deadline(60))
    return outcome
