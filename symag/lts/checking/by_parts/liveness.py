"""Decides one question about progress or an assertion by modal abstractions of parts."""

from __future__ import annotations

from symag.core.errors import UnsupportedError
from symag.core.grouping import parts
from symag.core.limits import MemoryExhausted, Progress
from symag.core.reasons import Reason
from symag.core.results import PropertyResult, Verdict
from symag.lts.checking.by_parts.safety import resolved_options
from symag.lts.language.composites import System
from symag.lts.methods.liveness.method import decide_liveness
from symag.lts.methods.options import LtsOptions
from symag.lts.questions import CompositeQuestion
from symag.lts.safety_problem import SafetyProblem, joint_property

_METHOD = "agar"


def decide_liveness_by_parts(
    system: System, question: CompositeQuestion, options: LtsOptions, progress: Progress
) -> PropertyResult:
    """The answer, with the abstractions or with a run, which need not be a shortest one.

    All components of the system count, so they have the numbers that they have there. Raises UsageError,
    MemoryExhausted.
    """
    if system.priority is not None:
        reason = Reason.UNSUPPORTED.text(f"{_METHOD} decides {question.kind} only without priorities")
        return PropertyResult(Verdict.UNKNOWN, _METHOD, reason=reason)
    problem = SafetyProblem(system.components, joint_property(()))
    arranged = resolved_options(problem, options, progress)
    members = parts(len(system.components), arranged.groups, arranged.order)
    try:
        outcome = decide_liveness(system, question, members, progress)
    except UnsupportedError as error:
        return PropertyResult(Verdict.UNKNOWN, _METHOD, reason=Reason.UNSUPPORTED.text(str(error)))
    except MemoryError as error:
        raise MemoryExhausted("out of memory") from error
    statistics = {"components": len(system.components), **outcome.statistics}
    if outcome.reason is not None:
        return PropertyResult(Verdict.UNKNOWN, _METHOD, reason=outcome.reason, statistics=statistics)
    if outcome.trace is None:
        certificate = outcome.certificate
        return PropertyResult(Verdict.HOLDS, _METHOD, certificate=certificate, statistics=statistics)
    return PropertyResult(Verdict.VIOLATED, _METHOD, trace=outcome.trace, statistics=statistics)
