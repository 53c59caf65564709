"""ASSIGN sections: targets, double and circular assignments, and the interleaving of processes."""

from __future__ import annotations

from symag.smv.elaboration.arrays import ExpressionArray, Value
from symag.smv.elaboration.checks import CircularAssignments, References
from symag.smv.elaboration.declared import single_value
from symag.smv.elaboration.hierarchy import Hierarchy, Scope
from symag.smv.elaboration.kinds import converts_to, element_of, type_text
from symag.smv.elaboration.names import (
    ArraySymbol,
    DefineSymbol,
    ParameterSymbol,
    PrefixSymbol,
    VariableSymbol,
    path_text,
)
from symag.smv.elaboration.typing import Typer
from symag.smv.language import syntax
from symag.smv.model.flat import Assignment, VariableKind
from symag.smv.model.typed import Constant, Expression, Operation, VariableReference
from symag.smv.model.types import ArrayType, BooleanType, Type


class Assignments:
    """Types the assignments of a hierarchy and checks them against each other."""

    def __init__(self, hierarchy: Hierarchy, typer: Typer, references: References) -> None:
        self.hierarchy = hierarchy
        self.source = hierarchy.source
        self.typer = typer
        self.named = typer.named
        self.references = references
        self.assignments: dict[tuple[str, str], Assignment] = {}
        self.of_processes: dict[str, dict[str, tuple[Expression, int]]] = {}

    def all(self) -> tuple[Assignment, ...]:
        """All assignments; next assignments of processes are one ``case`` for each variable. Raises InputError."""
        for assign, scope in self.hierarchy.assigns:
            self._add(assign, scope)
        for (name, time), assignment in self.assignments.items():
            if time != "current" and (name, "current") in self.assignments:
                message = f"'{name}' is assigned both as {time}({name}) and as {name}"
                raise self.source.error(message, assignment.position)
        self._refuse_circles()
        return tuple(self.assignments.values())

    def _add(self, assign: syntax.Assign, scope: Scope) -> None:
        symbol = self._target(assign, scope)
        value = self.typer.any_value(assign.value, scope, False)
        of = symbol.type or self.named.names.declarations.variable_type(symbol.name)
        if not converts_to(element_of(value.type), of):
            message = f"illegal operand types of ':=': {type_text(of)} and {type_text(value.type)}"
            raise self.source.error(message, assign.position)
        self._add_elements(symbol.name, of, value, assign, scope)

    def _add_elements(self, name: str, of: Type, value: Value, assign: syntax.Assign, scope: Scope) -> None:
        """The assignments of a variable, or of all elements of an array."""
        if isinstance(of, ArrayType) and isinstance(value, ExpressionArray):
            for index, element in enumerate(value.elements, start=of.low):
                self._add_elements(f"{name}[{index}]", of.element, element, assign, scope)
        else:
            self._add_single(name, of, self.typer.single(value), assign, scope)

    def _add_single(self, name: str, of: Type, value: Expression, assign: syntax.Assign, scope: Scope) -> None:
        self._refuse_target(name, of, assign)
        key = (name, assign.time)
        before = self.assignments.get(key)
        if assign.time == "next":
            process = self.of_processes.setdefault(scope.process, {})
            if name in process:
                raise self._assigned_twice(assign, name)
            process[name] = (value, assign.position)
            if self.hierarchy.processes:
                value = self._guarded(name, of, value, scope, before, assign.position)
        else:
            if before is not None:
                raise self._assigned_twice(assign, name)
            what = f"{assign.time}({name})" if assign.time == "init" else f"the assignment of '{name}'"
            self.references.refuse_next(value, what)
            self.references.refuse_inputs(value, what)
        self.assignments[key] = Assignment(name, assign.time, value, assign.position)

    def _assigned_twice(self, assign: syntax.Assign, name: str) -> Exception:
        shown = name if assign.time == "current" else f"{assign.time}({name})"
        return self.source.error(f"{shown} is assigned twice", assign.position)

    def _target(self, assign: syntax.Assign, scope: Scope) -> VariableSymbol | ArraySymbol:
        names, target = self.named.names, assign.target
        meant, symbol = target, names.resolve(target, scope)
        while isinstance(symbol, ParameterSymbol):
            meant, symbol = symbol.actual, names.resolve(symbol.actual, symbol.scope)
        if isinstance(symbol, PrefixSymbol):
            raise self.named.undeclared(meant)
        if isinstance(symbol, DefineSymbol):
            raise self.source.error(f"'{symbol.name}' is a define and cannot be assigned", target.position)
        if not isinstance(symbol, VariableSymbol | ArraySymbol):
            shown = path_text(target)
            if isinstance(target, syntax.Operation) and target.operator == "[]" and symbol is None:
                message = f"'{shown}' cannot be assigned: its index must be a constant"
                raise self.source.error(message, target.position)
            raise self.source.error(f"'{shown}' is not a variable: only variables can be assigned", target.position)
        return symbol

    def _refuse_target(self, name: str, of: Type, assign: syntax.Assign) -> None:
        """Raises InputError for a variable that cannot be assigned, or not at this time."""
        position = assign.target.position
        if single_value(of) is not None:
            raise self.source.error(f"'{name}' has one value only and cannot be assigned", position)
        kind = self.named.names.declarations.variable_kind(name)
        if kind is VariableKind.INPUT:
            raise self.source.error(f"input variable '{name}' cannot be assigned", position)
        if kind is VariableKind.FROZEN and assign.time != "init":
            raise self.source.error(f"frozen variable '{name}' can only be assigned by init", position)

    def _guarded(
        self, name: str, of: Type, value: Expression, scope: Scope, before: Assignment | None, position: int
    ) -> Expression:
        """A next assignment of a process as a ``case``: its value if the process runs, else that of the assignments by
        other processes, else the old value.
        """
        branches: list[Expression] = [self.named.running(scope.process, position), value]
        if before is not None and isinstance(before.value, Operation):
            branches.extend(before.value.operands)
        else:
            always = Constant(True, BooleanType(), position)
            branches.extend((always, VariableReference(name, False, of, position)))
        return self.typer.rules.case(branches, position)

    def _refuse_circles(self) -> None:
        now = {
            name: (assigned.value, assigned.position)
            for (name, time), assigned in self.assignments.items()
            if time == "init"
        }
        now |= {
            name: (assigned.value, assigned.position)
            for (name, time), assigned in self.assignments.items()
            if time == "current"
        }
        CircularAssignments(self.source, self.named.defines, now, {}).check()
        for after in self.of_processes.values():
            CircularAssignments(self.source, self.named.defines, {}, after).check()
