"""Errors of evaluation in a model, apart from those in its properties."""

from __future__ import annotations

from symag.core.limits import Limits, Progress
from symag.core.results import Reason
from symag.process.child import ChildOutcome
from symag.process.race import alone, deadline_of, once
from symag.smv.model.flat import FlatSystem
from symag.smv.reduction.evaluation_errors import may_have_errors_of_evaluation, refuse_errors_of_evaluation


def unasked(system: FlatSystem, limits: Limits, progress: Progress) -> list[str]:
    """Warnings about a model without properties: within the limits it is not known whether it has such errors.

    Raises InputError if it has one, as ``refuse_errors_of_evaluation`` and the searches for properties do.
    """
    if not may_have_errors_of_evaluation(system):
        return []
    outcome = _looked_at(system, limits.memory, deadline_of(limits), progress)
    if outcome.error is not None:
        raise outcome.error
    if outcome.value:
        return []
    return [f"whether the model has errors of evaluation is unknown ({outcome.reason or Reason.TIMEOUT.text()})"]


def fails_without_properties(
    system: FlatSystem, memory: int | None, deadline: float | None, progress: Progress
) -> bool:
    """Whether the model, properties aside, has an error of evaluation that is seen within ``memory`` MiB before the
    deadline.
    """
    if not may_have_errors_of_evaluation(system):
        return False
    return _looked_at(system, memory, deadline, progress).error is not None


def _looked_at(system: FlatSystem, memory: int | None, deadline: float | None, progress: Progress) -> ChildOutcome:
    def work(report: Progress) -> bool:
        report("checking the assignments")
        refuse_errors_of_evaluation(system)
        return True

    return alone(once("check", work, memory), deadline, progress)
