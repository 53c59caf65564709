"""The meaning of a property, independent of any method."""

from __future__ import annotations

from symag.core.values import replace
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.supports import references
from symag.smv.model.typed import CTL_OPERATORS, TEMPORAL_OPERATORS, Expression, Operation, has_operator
from symag.smv.model.types import BooleanType


def in_its_logic(checked: Property) -> Property:
    """A PSL property as the LTL or CTL property that it means; every other property as it is."""
    if checked.kind != "PSL" or checked.expression is None:
        return checked
    branching = has_operator(checked.expression, CTL_OPERATORS)
    return replace(checked, kind="CTL" if branching else "LTL")


def invariant_of(system: FlatSystem, checked: Property) -> Expression | None:
    """The propositional p of ``INVARSPEC p``, CTL ``AG p``, LTL ``G p``, or ``!(EF !p)``, ``!(F !p)`` with any ``!``.

    Of a conjunction of such: the conjunction.

    None for every other property, and if p reads an input or the next state, also through a define. With fairness or
    dead ends ``AG p`` and ``G p`` differ from the invariant p; the caller has to consider that.
    """
    checked = in_its_logic(checked)
    if checked.expression is None:
        return None
    if checked.kind == "INVARSPEC":
        invariant: Expression | None = checked.expression
    elif checked.kind in ("CTL", "LTL"):
        invariant = _always(checked.expression)
    else:
        return None
    if invariant is None or has_operator(invariant, TEMPORAL_OPERATORS):
        return None
    read = references(system, invariant)
    return None if read.next or read.current & system.inputs else invariant


def justice_of(system: FlatSystem, checked: Property) -> tuple[Expression, ...] | None:
    """The propositional p1 .. pn of LTL ``!((G F p1) & .. & (G F pn))``, as ``not_all_often`` makes it.

    None for every other property, and if one of them reads an input or the next state, also through a define.
    """
    checked = in_its_logic(checked)
    negation = checked.expression
    if checked.kind != "LTL" or not isinstance(negation, Operation) or negation.operator != "not":
        return None
    conditions, stack = [], [negation.operands[0]]
    while stack:
        match stack.pop():
            case Operation("and", operands):
                stack.extend(reversed(operands))
            case Operation("G", (Operation("F", (condition,)),)):
                conditions.append(condition)
            case _:
                return None
    reads = [references(system, condition) for condition in conditions]
    if any(has_operator(condition, TEMPORAL_OPERATORS) for condition in conditions):
        return None
    return None if any(read.next or read.current & system.inputs for read in reads) else tuple(conditions)


def searched_invariant(system: FlatSystem, checked: Property) -> Expression | None:
    """What a search for one bad state or step decides: ``invariant_of``, or an INVARSPEC over inputs or next values.

    None for every other property.
    """
    invariant = invariant_of(system, checked)
    return checked.expression if invariant is None and checked.kind == "INVARSPEC" else invariant


def _always(expression: Expression) -> Expression | None:
    negated = False
    while isinstance(expression, Operation) and expression.operator == "not":
        negated = not negated
        expression = expression.operands[0]
    if not isinstance(expression, Operation):
        return None
    if expression.operator == "and" and not negated:
        parts = [_always(operand) for operand in expression.operands]
        inner = tuple(part for part in parts if part is not None)
        return Operation("and", inner, BooleanType(), expression.position) if len(inner) == len(parts) else None
    if len(expression.operands) != 1:
        return None
    if expression.operator in ("AG", "G") and not negated:
        return expression.operands[0]
    if expression.operator in ("EF", "F") and negated:
        return Operation("not", expression.operands, BooleanType(), expression.position)
    return None


def speaks_of_transitions(system: FlatSystem, expression: Expression) -> bool:
    """Whether an INVARSPEC reads inputs or next values, even if its truth depends on neither.

    Then it is violated only in states with a successor. The next value of a frozen variable is its current value, as in
    NuSMV.
    """
    read = references(system, expression)
    moves = any(system.by_name[name].kind is not VariableKind.FROZEN for name in read.next)
    return moves or bool(read.current & system.inputs)
