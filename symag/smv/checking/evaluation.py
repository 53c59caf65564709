"""Errors of evaluation in a model that has no properties."""

from __future__ import annotations

from symag.core.limits import Limits, Progress
from symag.core.results import Reason
from symag.process.race import limited
from symag.smv.model.flat import FlatSystem
from symag.smv.reduction.evaluation_errors import may_have_errors_of_evaluation, refuse_errors_of_evaluation


def unasked(system: FlatSystem, limits: Limits, progress: Progress) -> list[str]:
    """Warnings about a model without properties: within the limits it is not known whether it has such errors.

    Raises InputError if it has one, as ``refuse_errors_of_evaluation`` and the searches for properties do.
    """
    if not may_have_errors_of_evaluation(system):
        return []

    def work(report: Progress) -> bool:
        report("checking the assignments")
        refuse_errors_of_evaluation(system)
        return True

    outcome = limited("check", work, limits, progress)
    if outcome.value:
        return []
    return [f"whether the model has errors of evaluation is unknown ({outcome.reason or Reason.TIMEOUT.text()})"]
