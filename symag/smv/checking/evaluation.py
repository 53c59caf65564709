"""Errors of evaluation in a model whose evidence comes from a file.

Search engines refuse them while they encode the model. A re-check has to refuse them too: a certificate or a trace of
a model whose assignments can give values outside their types speaks of some other model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symag.core.limits import Limits, Progress
from symag.core.results import Reason
from symag.process.race import limited
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.failures import refuse_failures
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property
from symag.smv.model.sequences import SEQUENCE_OPERATORS
from symag.smv.model.typed import TEMPORAL_OPERATORS, Expression, Operation, subexpressions
from symag.smv.model.types import BooleanType
from symag.smv.reduction.failures import Failures


def refuse_errors_of_evaluation(system: FlatSystem, properties: Iterable[Property]) -> None:
    """Raise InputError if an expression of the model, or one of these properties, fails for some values of the types.

    Looks at the form of expressions first; only if that leaves a doubt, the model becomes a circuit, and costs a SAT
    query for each doubtful expression.
    """
    truths = system.fairness
    for item in properties:
        formula = item.sequences if item.expression is None else item.expression
        truths += [] if formula is None else _atoms(formula)
    if _is_doubtful(system, truths):
        _refuse(system, truths)


def unasked(system: FlatSystem, limits: Limits, progress: Progress) -> list[str]:
    """Warnings about a model without properties: within the limits it is not known whether it has such errors.

    Raises InputError if it has one, as ``refuse_errors_of_evaluation`` and the searches for properties do.
    """
    truths = system.fairness
    if not _is_doubtful(system, truths):
        return []

    def work(report: Progress) -> bool:
        report("checking the assignments")
        _refuse(system, truths)
        return True

    outcome = limited("check", work, limits, progress)
    if outcome.value:
        return []
    return [f"whether the model has errors of evaluation is unknown ({outcome.reason or Reason.TIMEOUT.text()})"]


def _is_doubtful(system: FlatSystem, truths: Iterable[Expression]) -> bool:
    """Whether the form of the model's relations and of these expressions leaves it open that one fails."""
    failures = Failures(system)
    relations: tuple[Assignment | Constraint, ...] = (*system.assignments, *system.init, *system.invar, *system.trans)
    doubtful = any(failures.possible(relation) for relation in relations)
    return doubtful or any(failures.in_expression(expression) for expression in truths)


def _refuse(system: FlatSystem, truths: Iterable[Expression]) -> None:
    blasting = Blasting(system)
    for expression in truths:
        blasting.truth(expression)
    refuse_failures(blasting)


def _atoms(formula: Expression) -> Iterator[Expression]:
    """The largest boolean parts of a formula without operators of temporal logics and on sequences."""
    stack = [formula]
    while stack:
        part = stack.pop()
        if isinstance(part, Operation) and any(map(_is_temporal, subexpressions(part))):
            stack.extend(part.operands)
        elif isinstance(part.type, BooleanType):
            yield part


def _is_temporal(part: Expression) -> bool:
    return isinstance(part, Operation) and (
        part.operator in TEMPORAL_OPERATORS or part.operator in SEQUENCE_OPERATORS or part.operator.startswith("sere")
    )
