"""Systems whose variables may all wait, as the gates of speed-independent circuits."""

from __future__ import annotations

from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.typed import Expression, Operation, VariableReference


def all_may_wait(system: FlatSystem) -> bool:
    """Whether every state variable has a next assignment by which it may keep its value, whatever the state.

    Judged by the form: a ``union`` with the variable, in every branch of a ``case``; DEFINEs are not looked into.
    Constraints (TRANS) may still forbid it. Linear.
    """
    names = [variable.name for variable in system.variables if variable.kind is VariableKind.STATE]
    values = [system.assigned.get((name, "next")) for name in names]
    return bool(names) and all(
        assignment is not None and _keeps(assignment.value, name)
        for name, assignment in zip(names, values, strict=True)
    )


def _keeps(value: Expression, name: str) -> bool:
    """Whether the variable's present value is among the values."""
    if isinstance(value, VariableReference):
        return value.name == name and not value.primed
    if not isinstance(value, Operation):
        return False
    if value.operator == "union":
        return any(_keeps(operand, name) for operand in value.operands)
    return value.operator == "case" and all(_keeps(branch, name) for branch in value.operands[1::2])
