"""The values of names: references to variables and defines, the actual expressions of parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symag.core.errors import InputError
from symag.smv.elaboration.arrays import ExpressionArray, Value
from symag.smv.elaboration.declared import SELECTOR, single_value
from symag.smv.elaboration.hierarchy import DeclaredDefine, Scope
from symag.smv.elaboration.names import (
    ArraySymbol,
    ConstantSymbol,
    Declarations,
    DefineSymbol,
    InstanceSymbol,
    NameLookup,
    ParameterSymbol,
    RunningSymbol,
    Symbol,
    VariableSymbol,
    path_text,
)
from symag.smv.language import syntax
from symag.smv.model.flat import VariableKind
from symag.smv.model.typed import BOOLEAN, Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import ArrayType, SymbolType, Type

#: Types any expression in a scope, now or in the next state.
TypeExpression = Callable[[syntax.Expression, Scope, bool], Value]


class NamedValues:
    """The values of names; remembers references, defines and parameters, so that each is typed once.

    ``declared`` are the defines that are typed when they are first used; their typed bodies go to ``defines``.
    ``primed_defines`` are the defines that occur under ``next``, with the first position.
    """

    def __init__(
        self,
        declarations: Declarations,
        names: NameLookup,
        declared: Mapping[str, DeclaredDefine],
        defines: dict[str, Expression],
        type_expression: TypeExpression,
    ) -> None:
        self.declarations = declarations
        self.source = declarations.source
        self.names = names
        self.declared = declared
        self.defines = defines
        self.primed_defines: dict[str, int] = {}
        self._type_expression = type_expression
        self._bodies: dict[str, Value] = {}
        self._open_defines: dict[str, int] = {}
        self._open_parameters: set[tuple[str, str]] = set()
        self._known: dict[tuple[str, str, bool], Value] = {}
        self._parameters: dict[tuple[str, str, bool], Value] = {}

    def name(self, name: syntax.Name, scope: Scope, primed: bool) -> Value:
        """The value of a single name; one object for all its occurrences in a scope."""
        typed = self._known.get((scope.name, name.text, primed))
        if typed is None:
            symbol = self.names.member(name.text, scope, name.position)
            typed = self._known[scope.name, name.text, primed] = self.reference(symbol, name, primed)
        return typed

    def reference(self, symbol: Symbol | None, expression: syntax.Expression, primed: bool) -> Value:
        """The value of a symbol to which a path was resolved. Raises InputError for symbols without a value."""
        position = expression.position
        match symbol:
            case VariableSymbol(name, of):
                return self._variable(name, of or self.declarations.variable_type(name), primed, position)
            case ArraySymbol(name, of):
                return self._array(name, of, primed, position)
            case DefineSymbol(name):
                return self._define_reference(name, primed, position)
            case ParameterSymbol():
                return self._parameter(symbol, primed, position)
            case ConstantSymbol(name):
                return Constant(name, SymbolType(), position)
            case RunningSymbol(process):
                return self.running(process, position)
            case InstanceSymbol() if isinstance(expression, syntax.Name) and expression.text in self.names.constants:
                return Constant(expression.text, SymbolType(), position)
            case InstanceSymbol(inner):
                shown = inner.name or "main"
                raise self.source.error(f"'{shown}' is an instance of a module, not a value", position)
        raise self.undeclared(expression)

    def undeclared(self, expression: syntax.Expression) -> InputError:
        """The error for a name without a declaration."""
        shown = path_text(expression)
        hint = ""
        if shown.endswith("-"):
            hint = "; '-' is part of the name: write a blank before '->'"
        elif "-" in shown:
            hint = "; '-' is part of the name: write blanks around a minus sign"
        return self.source.error(f"'{shown}' is not declared{hint}", expression.position)

    def running(self, process: str, position: int) -> Expression:
        """Whether a process runs."""
        selector = VariableReference(SELECTOR, False, self.declarations.variable_type(SELECTOR), position)
        return Operation("=", (selector, Constant(process, SymbolType(), position)), BOOLEAN, position)

    def _variable(self, name: str, of: Type, primed: bool, position: int) -> Expression:
        single = single_value(of)
        if single is not None:
            self.defines.setdefault(name, Constant(single, of, position))
            return DefineReference(name, primed, of, position)
        if primed and self.declarations.variable_kind(name) is VariableKind.INPUT:
            raise self.source.error(f"input variable '{name}' inside 'next'", position)
        return VariableReference(name, primed, of, position)

    def _array(self, name: str, of: ArrayType, primed: bool, position: int) -> ExpressionArray:
        elements: list[Value] = []
        for index in range(of.low, of.high + 1):
            full = f"{name}[{index}]"
            if isinstance(of.element, ArrayType):
                elements.append(self._array(full, of.element, primed, position))
            else:
                elements.append(self._variable(full, of.element, primed, position))
        return ExpressionArray(of.low, tuple(elements), of, position)

    def _parameter(self, symbol: ParameterSymbol, primed: bool, position: int) -> Value:
        key = (symbol.instance, symbol.name, primed)
        typed = self._parameters.get(key)
        if typed is None:
            if key[:2] in self._open_parameters:
                raise self.source.error(f"parameter '{symbol.name}' stands for itself", position)
            self._open_parameters.add(key[:2])
            typed = self._type_expression(symbol.actual, symbol.scope, primed)
            self._open_parameters.discard(key[:2])
            self._parameters[key] = typed
        return typed

    def define(self, name: str) -> Value:
        """A define's typed body; for an array define, an array of references to its elements."""
        known = self._bodies.get(name) or self.defines.get(name)
        if known is not None:
            return known
        declared = self.declared[name]
        if name in self._open_defines:
            chain = [*list(self._open_defines)[self._open_defines[name] :], name]
            raise self.source.error(f"circular definition: {' -> '.join(chain)}", declared.position)
        self._open_defines[name] = len(self._open_defines)
        if isinstance(declared.value, syntax.ArrayLiteral):
            body: Value = self._array_define(name, declared.value, declared.scope)
        else:
            body = self._type_expression(declared.value, declared.scope, False)
            if isinstance(body, ExpressionArray):
                body = self._named_elements(name, body)
            else:
                self.defines[name] = body
        del self._open_defines[name]
        self._bodies[name] = body
        return body

    def _named_elements(self, name: str, array: ExpressionArray) -> ExpressionArray:
        """The array with a define of its own for each element that is an operation, so that its uses share it."""
        elements: list[Value] = []
        for index, element in enumerate(array.elements, start=array.low):
            full = f"{name}[{index}]"
            if isinstance(element, ExpressionArray):
                elements.append(self._named_elements(full, element))
            elif isinstance(element, Operation):
                self.defines[full] = element
                elements.append(DefineReference(full, False, element.type, element.position))
            else:
                elements.append(element)
        return ExpressionArray(array.low, tuple(elements), array.type, array.position)

    def _array_define(self, name: str, literal: syntax.ArrayLiteral, scope: Scope) -> ExpressionArray:
        elements: list[Value] = []
        for index, element in enumerate(literal.elements):
            full = f"{name}[{index}]"
            if isinstance(element, syntax.ArrayLiteral):
                elements.append(self._array_define(full, element, scope))
            else:
                body = self._single(element, scope)
                self.defines[full] = body
                elements.append(DefineReference(full, False, body.type, element.position))
        return ExpressionArray.of(self.source, 0, elements, literal.position)

    def _single(self, element: syntax.Expression, scope: Scope) -> Expression:
        body = self._type_expression(element, scope, False)
        if isinstance(body, ExpressionArray):
            raise self.source.error("an array inside an array literal is written out", element.position)
        return body

    def _define_reference(self, name: str, primed: bool, position: int) -> Value:
        body = self.define(name)
        if not isinstance(body, ExpressionArray):
            if primed:
                self.primed_defines.setdefault(name, position)
            return DefineReference(name, primed, body.type, position)
        return body.primed(self.primed) if primed else body

    def primed(self, expression: Expression) -> Expression:
        """An element of an array define in the next state."""
        match expression:
            case VariableReference(name, False, of, position):
                return self._variable(name, of, True, position)
            case DefineReference(name, False, of, position):
                self.primed_defines.setdefault(name, position)
                return DefineReference(name, True, of, position)
            case Constant():
                return expression
            case Operation(operator, operands, of, position):
                return Operation(operator, tuple([self.primed(operand) for operand in operands]), of, position)
        raise self.source.error("'next' inside 'next'", expression.position)
