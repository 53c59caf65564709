"""Which properties certify can judge: invariants, and CTL ``AG p`` with propositional p."""

from __future__ import annotations

from symag.smv.flat import FlatSystem, Property
from symag.smv.typed import DefineReference, Expression, Operation, VariableReference, subexpressions

_BRANCHING = ("AG", "AF", "AX", "EG", "EF", "EX", "AU", "EU", "ABU", "EBU", "ABF", "ABG", "EBF", "EBG")
_LINEAR = ("X", "F", "G", "U", "V", "Y", "Z", "H", "O", "S", "T")
_TEMPORAL = frozenset(_BRANCHING + _LINEAR)


def invariant(system: FlatSystem, checked: Property) -> Expression | None:
    """The propositional p of ``INVARSPEC p`` or ``SPEC AG p``; None for every other property."""
    expression = checked.expression
    if expression is None:
        return None
    if checked.kind == "CTL":
        if not (isinstance(expression, Operation) and expression.operator == "AG"):
            return None
        expression = expression.operands[0]
    elif checked.kind != "INVARSPEC":
        return None
    return expression if _is_propositional(system, expression) else None


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
