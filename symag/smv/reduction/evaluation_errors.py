"""Errors of evaluation in a model: assignments that can give values outside their types, divisions by zero and others.

Search engines refuse them while they encode the model. Where a method looks at parts of it only, or evidence comes from
a file, they have to be refused too: the evidence would speak of some other model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.failures import refuse_failures
from symag.smv.model.failures import Failures
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property
from symag.smv.model.sequences import SEQUENCE_OPERATORS
from symag.smv.model.typed import TEMPORAL_OPERATORS, Expression, Operation, subexpressions
from symag.smv.model.types import BooleanType


def refuse_errors_of_evaluation(system: FlatSystem, properties: Iterable[Property] = ()) -> None:
    """Raise InputError if an expression of the model, or one of these properties, fails for some values of the types.

    Looks at the form of expressions first; only if that leaves a doubt, the model becomes a circuit, and costs a SAT
    query for each doubtful expression.
    """
    truths = system.fairness
    for item in properties:
        formula = item.sequences if item.expression is None else item.expression
        truths += [] if formula is None else _atoms(formula)
    if not _is_doubtful(system, truths):
        return
    blasting = Blasting(system)
    for expression in truths:
        blasting.truth(expression)
    refuse_failures(blasting)


def may_have_errors_of_evaluation(system: FlatSystem) -> bool:
    """Whether the form of the model's expressions, properties aside, leaves it open that one fails."""
    return _is_doubtful(system, system.fairness)


def _is_doubtful(system: FlatSystem, truths: Iterable[Expression]) -> bool:
    """Whether the form of the model's relations and of these expressions leaves it open that one fails."""
    failures = Failures(system)
    relations: tuple[Assignment | Constraint, ...] = (*system.assignments, *system.init, *system.invar, *system.trans)
    doubtful = any(failures.possible(relation) for relation in relations)
    return doubtful or any(failures.in_expression(expression) for expression in truths)


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
