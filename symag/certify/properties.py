"""Which properties certify can judge: invariants, and CTL ``AG p`` or ``!EF !p`` with propositional p."""

from __future__ import annotations

from symag.smv.flat import FlatSystem, Property
from symag.smv.typed import DefineReference, Expression, Operation, VariableReference, subexpressions
from symag.smv.types import BooleanType

_BRANCHING = ("AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU", "ABU", "EBU", "ABF", "ABG", "EBF", "EBG")
_LINEAR = ("X", "F", "G", "U", "V", "Y", "Z", "H", "O", "S", "T")
_TEMPORAL = frozenset(_BRANCHING + _LINEAR)


def invariant(system: FlatSystem, checked: Property) -> Expression | None:
    """The propositional p of ``INVARSPEC p``, ``SPEC AG p`` or ``SPEC !EF !p``; None for every other property."""
    expression = checked.expression
    if checked.kind == "CTL" and expression is not None:
        expression = _globally(expression)
    elif checked.kind != "INVARSPEC":
        return None
    return expression if expression is not None and _is_propositional(system, expression) else None


def _globally(expression: Expression) -> Expression | None:
    positive = True
    while isinstance(expression, Operation) and expression.operator == "not":
        positive = not positive
        (expression,) = expression.operands
    match expression:
        case Operation(operator="AG", operands=(inner,)) if positive:
            return inner
        case Operation(operator="EF", operands=(inner,)) if not positive:
            return Operation("not", (inner,), BooleanType(), expression.position)
    return None


def _is_propositional(system: FlatSystem, expression: Expression) -> bool:
    pending = [expression]
    defines: set[str] = set()
    while pending:
        for node in subexpressions(pending.pop()):
            if isinstance(node, Operation) and node.operator in _TEMPORAL:
                return False
            if isinstance(node, VariableReference | DefineReference) and node.primed:
                return False
            if isinstance(node, DefineReference) and node.name not in defines:
                defines.add(node.name)
                pending.append(system.defines[node.name])
    return True
