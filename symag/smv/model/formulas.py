"""Boolean expressions made of others. Their positions are those of their first operands."""

from __future__ import annotations

from collections.abc import Iterable

from symag.smv.model.typed import Constant, Expression, Operation
from symag.smv.model.types import BooleanType

BOOLEAN = BooleanType()
TRUE: Expression = Constant(True, BOOLEAN, 0)
FALSE: Expression = Constant(False, BOOLEAN, 0)


def negation(expression: Expression) -> Expression:
    """The negation of an expression."""
    return Operation("not", (expression,), BOOLEAN, expression.position)


def conjunction(*expressions: Expression) -> Expression:
    """All of the expressions; TRUE for none."""
    return _joined("and", expressions, TRUE)


def disjunction(*expressions: Expression) -> Expression:
    """One of the expressions or more; FALSE for none."""
    return _joined("or", expressions, FALSE)


def implication(premise: Expression, conclusion: Expression) -> Expression:
    """The second if the first."""
    return Operation("implies", (premise, conclusion), BOOLEAN, premise.position)


def equal(left: Expression, right: Expression) -> Expression:
    """Left if and only if right."""
    return Operation("iff", (left, right), BOOLEAN, left.position)


def not_all_often(conditions: Iterable[Expression]) -> Expression:
    """LTL: no run meets each condition infinitely often, ``!((G F a) & (G F b))``."""
    often = (Operation("G", (Operation("F", (item,), BOOLEAN, 0),), BOOLEAN, 0) for item in conditions)
    return negation(conjunction(*often))


def _joined(operator: str, expressions: tuple[Expression, ...], neutral: Expression) -> Expression:
    if len(expressions) < 2:
        return expressions[0] if expressions else neutral
    return Operation(operator, expressions, BOOLEAN, expressions[0].position)
