"""Flat systems and expressions written by hand."""

from __future__ import annotations

from symag.core.source import SourceText
from symag.core.trace import Value
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Variable, VariableKind
from symag.smv.model.typed import Constant, Expression, Operation, VariableReference
from symag.smv.model.types import (
    BooleanType,
    EnumerationType,
    IntegerType,
    RangeType,
    SetType,
    SymbolType,
    Type,
    VariableType,
    WordType,
)

BOOLEAN = BooleanType()
INTEGER = IntegerType()


def constant(value: Value, kind: Type | None = None) -> Constant:
    if kind is None:
        kind = BOOLEAN if isinstance(value, bool) else INTEGER if isinstance(value, int) else SymbolType()
    return Constant(value, kind, 0)


def reference(name: str, kind: Type, primed: bool = False) -> VariableReference:
    return VariableReference(name, primed, kind, 0)


def operation(operator: str, *operands: Expression, kind: Type = BOOLEAN, position: int = 0) -> Operation:
    return Operation(operator, operands, kind, position)


def one_of(*values: Value) -> Expression:
    return operation("union", *(constant(value) for value in values), kind=SetType(INTEGER))


def flat(
    variables: dict[str, VariableType],
    *,
    init: dict[str, Expression] | None = None,
    next_: dict[str, Expression] | None = None,
    current: dict[str, Expression] | None = None,
    invar: tuple[Expression, ...] = (),
    trans: tuple[Expression, ...] = (),
    inputs: tuple[str, ...] = (),
    frozen: tuple[str, ...] = (),
    defines: dict[str, Expression] | None = None,
) -> FlatSystem:
    """A flat system whose source text is empty (every position is 1:1)."""

    def kind_of(name: str) -> VariableKind:
        if name in inputs:
            return VariableKind.INPUT
        return VariableKind.FROZEN if name in frozen else VariableKind.STATE

    assignments = [
        Assignment(name, time, value, 0)
        for time, group in (("init", init), ("next", next_), ("current", current))
        for name, value in (group or {}).items()
    ]
    return FlatSystem(
        SourceText.of("hand.smv", ""),
        tuple(Variable(name, kind, kind_of(name), 0) for name, kind in variables.items()),
        defines or {},
        tuple(assignments),
        (),
        tuple(Constraint(each, 0) for each in invar),
        tuple(Constraint(each, 0) for each in trans),
        (),
        (),
        (),
    )


def counter(limit: int = 3) -> FlatSystem:
    """x counts from 0 up to ``limit`` while the input ``go`` is true."""
    kind = RangeType(0, limit)
    x = reference("x", kind)
    go = reference("go", BOOLEAN)
    step = operation(
        "case",
        operation("and", go, operation("<", x, constant(limit))),
        operation("+", x, constant(1), kind=INTEGER),
        constant(True),
        x,
        kind=INTEGER,
    )
    return flat({"x": kind, "go": BOOLEAN}, init={"x": constant(0)}, next_={"x": step}, inputs=("go",))


__all__ = [
    "BOOLEAN",
    "INTEGER",
    "EnumerationType",
    "WordType",
    "constant",
    "counter",
    "flat",
    "one_of",
    "operation",
    "reference",
]
