"""What a property says, independent of any method."""

from __future__ import annotations

from symag.smv.dependencies import references
from symag.smv.flat import FlatSystem, Property, VariableKind
from symag.smv.specifications import TEMPORAL_OPERATORS
from symag.smv.typed import Expression, Operation, subexpressions
from symag.smv.types import BooleanType


def invariant_of(system: FlatSystem, checked: Property) -> Expression | None:
    """The propositional p of ``INVARSPEC p``, of CTL ``AG p``, or of CTL ``!(EF !p)`` in any nesting of ``!``.

    None for every other property, and where p reads an input or the next state, also through a define:
    such a property is not one of states. With fairness, CTL's ``AG p`` and the invariant p differ; that is
    for the caller.
    """
    if checked.expression is None:
        return None
    if checked.kind == "INVARSPEC":
        found: Expression | None = checked.expression
    elif checked.kind == "CTL":
        found = _always(checked.expression)
    else:
        return None
    if found is None or not _is_propositional(found):
        return None
    read = references(system, found)
    inputs = any(system.by_name[name].kind is VariableKind.INPUT for name in read.current)
    return None if read.next or inputs else found


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
    return not any(
        isinstance(part, Operation) and part.operator in TEMPORAL_OPERATORS for part in subexpressions(expression)
    )
