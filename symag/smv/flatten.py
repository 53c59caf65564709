"""The flat system of a model: variables, defines, assignments, constraints and properties, all typed."""

from __future__ import annotations

from symag.smv import syntax
from symag.smv.flat import (
    Assignment,
    Constraint,
    FlatSystem,
    Property,
    PropertyKind,
    SourceText,
    Variable,
    VariableKind,
)
from symag.smv.hierarchy import MAIN_PROCESS, Hierarchy, Scope, instantiate
from symag.smv.kinds import converts_to, element_of, type_text
from symag.smv.recursion import deep_recursion
from symag.smv.symbols import DefineSymbol, ParameterSymbol, VariableSymbol
from symag.smv.text import text_of
from symag.smv.typed import Constant, Expression, Operation, VariableReference
from symag.smv.types import ArrayType, BooleanType, Type
from symag.smv.typing import SELECTOR, Typer

_ORDER: tuple[PropertyKind, ...] = ("CTL", "COMPUTE", "LTL", "PSL", "INVARSPEC")


def flatten(source: SourceText, modules: tuple[syntax.Module, ...]) -> FlatSystem:
    """Instantiates ``main`` and types everything; raises InputError. Linear in the size of the result."""
    hierarchy = instantiate(source, modules)
    with deep_recursion(source):
        return _Flattener(hierarchy).system()


class _Flattener:
    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.source = hierarchy.source
        self.typer = Typer(hierarchy)

    def system(self) -> FlatSystem:
        variables = self.variables()
        defines = self.defines()
        assignments, from_assignments = self.assignments()
        conditions = self.conditions()
        init = conditions["INIT"] + from_assignments["init"]
        invar = conditions["INVAR"] + from_assignments["current"]
        trans = conditions["TRANS"] + from_assignments["next"]
        return FlatSystem(
            self.source,
            tuple(variables),
            defines,
            tuple(assignments),
            tuple(init),
            tuple(invar),
            tuple(trans),
            tuple(conditions["JUSTICE"]),
            tuple(self.compassion()),
            tuple(self.properties()),
            SELECTOR if self.hierarchy.processes else None,
            self.hierarchy.warnings,
        )

    def variables(self) -> list[Variable]:
        found: list[Variable] = []
        if self.hierarchy.processes:
            found.append(Variable(SELECTOR, self.typer.types.selector(), VariableKind.INPUT, 0))
        for declared in self.hierarchy.variables.values():
            self.add_variables(
                declared.name, self.typer.types.of(declared.name), declared.kind, declared.position, found
            )
        return found

    def add_variables(self, name: str, of: Type, kind: VariableKind, position: int, found: list[Variable]) -> None:
        if isinstance(of, ArrayType):
            for index in range(of.low, of.high + 1):
                self.add_variables(f"{name}[{index}]", of.element, kind, position, found)
            return
        single = self.typer.types.single_value(of)
        if single is not None:
            self.typer.defines[name] = Constant(single, of, position)
            return
        assert not isinstance(of, ArrayType)
        found.append(Variable(name, of, kind, position))  # type: ignore[arg-type]

    def defines(self) -> dict[str, Expression]:
        for name in self.hierarchy.defines:
            self.typer.define(name)
        for process in self.hierarchy.processes:
            full = "running" if process == MAIN_PROCESS else f"{process}.running"
            self.typer.defines[full] = self.typer.running(process, 0)
        return self.typer.defines

    def conditions(self) -> dict[str, list[Constraint]]:
        found: dict[str, list[Constraint]] = {"INIT": [], "INVAR": [], "TRANS": [], "JUSTICE": []}
        for condition, scope in self.hierarchy.conditions:
            if condition.section != "COMPASSION":
                what = "FAIRNESS" if condition.section == "JUSTICE" else condition.section
                expression = self.typer.condition(condition.operands[0], scope, f"the expression of {what}")
                found[condition.section].append(Constraint(expression, condition.position))
        return found

    def compassion(self) -> list[tuple[Constraint, Constraint]]:
        found = []
        for condition, scope in self.hierarchy.conditions:
            if condition.section == "COMPASSION":
                premise, conclusion = (
                    Constraint(self.typer.condition(operand, scope, "the expression of COMPASSION"), operand.position)
                    for operand in condition.operands
                )
                found.append((premise, conclusion))
        return found

    def assignments(self) -> tuple[list[Assignment], dict[str, list[Constraint]]]:
        found: dict[tuple[str, str], Assignment] = {}
        constraints: dict[str, list[Constraint]] = {"init": [], "next": [], "current": []}
        for assign, scope in self.hierarchy.assigns:
            name, of = self.target(assign.target, scope)
            value = self.typer.value(assign.value, scope)
            if not converts_to(element_of(value.type), of):
                message = f"illegal operand types of ':=': {type_text(of)} and {type_text(value.type)}"
                raise self.source.error(message, assign.position)
            key = (name, assign.time)
            before = found.get(key)
            if assign.time == "next" and self.hierarchy.processes:
                value = self.guarded(name, of, value, scope, before, assign.position)
            elif before is not None:
                raise self.source.error(f"'{name}' is assigned twice", assign.position)
            found[key] = Assignment(name, assign.time, value, assign.position)
        for place, assignment in list(found.items()):
            only = self.typer.defines.get(assignment.variable)
            if only is not None:  # a variable with one value is a define: its assignment only constrains
                membership = Operation("in", (only, assignment.value), BooleanType(), assignment.position)
                constraints[assignment.time].append(Constraint(membership, assignment.position))
                del found[place]
        return list(found.values()), constraints

    def guarded(
        self, name: str, of: Type, value: Expression, scope: Scope, before: Assignment | None, position: int
    ) -> Expression:
        """A next assignment inside a process: it acts when the process runs, others keep what was there."""
        running = self.typer.running(scope.process, position)
        single = self.typer.types.single_value(of)
        unchanged = VariableReference(name, False, of, position) if single is None else Constant(single, of, position)
        otherwise = unchanged if before is None else before.value
        always = Constant(True, BooleanType(), position)
        branches: list[Expression] = [running, value]
        if before is not None and isinstance(otherwise, Operation):
            branches.extend(otherwise.operands)
        else:
            branches.extend((always, otherwise))
        return self.typer.rules.case(branches, position)

    def target(self, target: syntax.Expression, scope: Scope) -> tuple[str, Type]:
        symbol = self.typer.names.resolve(target, scope)
        while isinstance(symbol, ParameterSymbol):
            symbol = self.typer.names.resolve(symbol.actual, symbol.scope)
        match symbol:
            case VariableSymbol(name, of):
                return name, of or self.typer.types.of(name)
            case DefineSymbol(name):
                raise self.source.error(f"'{name}' is a define and cannot be assigned", target.position)
        raise self.source.error("only variables can be assigned", target.position)

    def properties(self) -> list[Property]:
        found: list[Property] = []
        for kind in _ORDER:
            for specification, scope in self.hierarchy.specifications:
                if specification.kind == kind:
                    found.append(self.property(len(found), specification, scope))
        return found

    def property(self, index: int, specification: syntax.Specification, scope: Scope) -> Property:
        inner = scope
        if specification.context is not None:
            symbol = self.typer.names.resolve(specification.context, scope)
            inner = getattr(symbol, "scope", scope)
        expression = None
        if specification.kind != "PSL":
            expression = self.typer.condition(specification.expression, inner, "a property")
        text = text_of(specification.expression)
        if inner.name:
            text = f"{text} IN {inner.name}"
        line, _ = self.source.location(specification.position)
        name = None if specification.name is None else scope.full(text_of(specification.name))
        return Property(index, specification.kind, name, text.strip(), line, expression)
