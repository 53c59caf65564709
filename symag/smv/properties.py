"""What a property says, independent of any method."""

from __future__ import annotations

from symag.smv.flat import Property
from symag.smv.specifications import TEMPORAL_OPERATORS
from symag.smv.typed import DefineReference, Expression, Operation, VariableReference, subexpressions
from symag.smv.types import BooleanType


def invariant_of(checked: Property) -> Expression | None:
    """The propositional p of ``INVARSPEC p``, of CTL ``AG p``, or of CTL ``!(EF !p)`` in any nesting of ``!``.

    None for every other property, and where p reads the next state itself (a define that does so is
    not looked into). With fairness, CTL's ``AG p`` and the invariant p differ; that is for the caller.
    """
    if checked.expression is None:
        return None
    if checked.kind == "INVARSPEC":
        found: Expression | None = checked.expression
    elif checked.kind == "CTL":
        found = _always(checked.expression)
    else:
        return None
    return found if found is not None and _is_propositional(found) else None


def _always(expression: Expression) -> Expression | None:
    negated = False
    while isinstance(expression, Operation) and expression.operator == "not":
        negated = not negated
        expression = expression.operands[0]
    if not isinstance(expression, Operation):
        return None
    if expression.operator == "AG" and not negated:
        return expression.operands[0]
    if expression.operator == "EF" and negated:
        return Operation("not", expression.operands, BooleanType(), expression.position)
    return None


def _is_propositional(expression: Expression) -> bool:
    for part in subexpressions(expression):
        if isinstance(part, Operation) and part.operator in TEMPORAL_OPERATORS:
            return False
        if isinstance(part, (VariableReference, DefineReference)) and part.primed:
            return False
    return True
