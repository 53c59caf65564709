"""Which properties are invariants: INVARSPEC, and CTL ``AG p`` or ``!EF q`` with propositional operands."""

from __future__ import annotations

from symag.smv.flat import Property
from symag.smv.typed import Expression, Operation, VariableReference, subexpressions
from symag.smv.types import BooleanType

_BRANCHING = ("AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU", "ABU", "EBU", "ABF", "ABG", "EBF", "EBG")
_LINEAR = ("X", "F", "G", "U", "V", "Y", "Z", "H", "O", "S", "T")


def invariant_of(checked: Property) -> Expression | None:
    """The p of ``INVARSPEC p``, ``SPEC AG p`` or (negated q) ``SPEC !EF q``; None for every other property."""
    expression = checked.expression
    if expression is None or checked.kind not in ("INVARSPEC", "CTL"):
        return None
    if checked.kind == "CTL":
        expression = _always(expression)
    return expression if expression is not None and _is_propositional(expression) else None


def _always(expression: Expression) -> Expression | None:
    if isinstance(expression, Operation) and expression.operator == "AG":
        return expression.operands[0]
    if isinstance(expression, Operation) and expression.operator == "not":
        (inner,) = expression.operands
        if isinstance(inner, Operation) and inner.operator == "EF":
            return Operation("not", inner.operands, BooleanType(), expression.position)
    return None


def _is_propositional(expression: Expression) -> bool:
    return not any(
        (isinstance(part, Operation) and part.operator in (*_BRANCHING, *_LINEAR))
        or (isinstance(part, VariableReference) and part.primed)
        for part in subexpressions(expression)
    )
