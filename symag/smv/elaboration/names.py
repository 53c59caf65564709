"""What names mean, and how they are looked up: parameters by name, instances by dots, array elements by indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.smv.elaboration.hierarchy import Hierarchy, Scope, declared_name
from symag.smv.language.syntax import (
    ArraySyntax,
    EnumerationSyntax,
    Expression,
    Name,
    Operation,
    TypeSyntax,
    WordArraySyntax,
)
from symag.smv.model.flat import VariableKind
from symag.smv.model.types import ArrayType, Type


class VariableSymbol(Struct, frozen=True):
    """A variable of the flat system; ``type`` is None if its declaration has to be looked up."""

    name: str
    type: Type | None = None


class ArraySymbol(Struct, frozen=True):
    """An array of variables; its elements are ``name[low]`` and so on."""

    name: str
    type: ArrayType


class DefineSymbol(Struct, frozen=True):
    """A DEFINE, by its full name."""

    name: str


class ParameterSymbol(Struct, frozen=True):
    """A formal parameter: its actual expression, and the scope of that."""

    instance: str
    name: str
    actual: Expression
    scope: Scope


class InstanceSymbol(Struct, frozen=True):
    """An instance of a module."""

    scope: Scope


class RunningSymbol(Struct, frozen=True):
    """``running`` of a process."""

    process: str


class ConstantSymbol(Struct, frozen=True):
    """A symbolic constant, whose name may also be the beginning of a longer name: ``full`` in the scope."""

    name: str
    full: str


class PrefixSymbol(Struct, frozen=True):
    """A name without a declaration that may be the beginning of a longer one such as ``a.b`` or ``a[0]``."""

    name: str


Symbol = (
    VariableSymbol
    | ArraySymbol
    | DefineSymbol
    | ParameterSymbol
    | InstanceSymbol
    | RunningSymbol
    | ConstantSymbol
    | PrefixSymbol
)


def stated_constants(hierarchy: Hierarchy) -> frozenset[str]:
    """The symbolic constants of enumerations and CONSTANTS; they are global. (Names of processes are constants too.)"""
    names = {declared_name(hierarchy.source, name) for name, _ in hierarchy.constants}
    for variable in hierarchy.variables.values():
        names.update(_constants_of(hierarchy, variable.type))
    return frozenset(names)


def _constants_of(hierarchy: Hierarchy, declared: TypeSyntax) -> list[str]:
    while isinstance(declared, ArraySyntax | WordArraySyntax):
        declared = declared.element
    if not isinstance(declared, EnumerationSyntax):
        return []
    return [
        declared_name(hierarchy.source, value)
        for value in declared.values
        if isinstance(value, Name) or (isinstance(value, Operation) and value.operator == ".")
    ]


class Declarations(Protocol):
    """The declarations of a name space."""

    @property
    def source(self) -> SourceText:
        """The text that positions refer to."""

    @property
    def constants(self) -> frozenset[str]:
        """The symbolic constants, which are global."""

    @property
    def processes(self) -> frozenset[str]:
        """The names of processes but main that no enumeration has: they may also be names elsewhere."""

    def symbol(self, full: str) -> Symbol | None:
        """The symbol of a full name, if it has one."""

    def variable_type(self, name: str) -> Type:
        """The type of a variable or array by its full name."""

    def variable_kind(self, name: str) -> VariableKind:
        """The kind of a variable, or of an array's element, by its full name."""


class NameLookup:
    """Looks up names and paths; ``index`` gives the number that an index stands for in a scope, or None."""

    def __init__(self, declarations: Declarations, index: Callable[[Expression, Scope], int | None]) -> None:
        self.declarations = declarations
        self.source = declarations.source
        self.index = index
        self.constants = declarations.constants
        self._ambiguous_names = declarations.constants - declarations.processes

    def resolve(self, expression: Expression, scope: Scope) -> Symbol | None:
        """The symbol of a name, or of a path of dots and constant indices; None if the expression is not a path."""
        match expression:
            case Name(text, position):
                return self.member(text, scope, position)
            case Operation("self"):
                return InstanceSymbol(scope)
            case Operation(".", (base, Name(field, position))):
                return self._field(self._followed(base, scope), field, position)
            case Operation("[]", (base, index)):
                return self._element(self._followed(base, scope), index, scope)
        return None

    def member(self, name: str, scope: Scope, position: int) -> Symbol:
        """The symbol of a single name in a scope."""
        if name in scope.parameters:
            if name in self._ambiguous_names:
                raise self._ambiguous(name, position)
            assert scope.outer is not None
            return ParameterSymbol(scope.name, name, scope.parameters[name], scope.outer)
        symbol = self.lookup(scope.full(name), name, position)
        if isinstance(symbol, PrefixSymbol) and name in self.constants:
            return ConstantSymbol(name, symbol.name)
        return symbol

    def lookup(self, full: str, last: str, position: int) -> Symbol:
        """The symbol of a full name."""
        symbol = self.declarations.symbol(full)
        if symbol is None:
            return ConstantSymbol(full, full) if full in self.constants else PrefixSymbol(full)
        if last in self._ambiguous_names and not isinstance(symbol, InstanceSymbol):
            raise self._ambiguous(full, position)
        return symbol

    def _ambiguous(self, name: str, position: int) -> InputError:
        message = f"'{name}' is ambiguous: it is declared and it is a symbolic constant"
        return self.source.error(message, position)

    def _followed(self, expression: Expression, scope: Scope) -> Symbol | None:
        symbol = self.resolve(expression, scope)
        while isinstance(symbol, ParameterSymbol):
            symbol = self.resolve(symbol.actual, symbol.scope)
        return symbol

    def _field(self, base: Symbol | None, field: str, position: int) -> Symbol | None:
        match base:
            case InstanceSymbol(scope):
                if field in scope.parameters:
                    return self.member(field, scope, position)
                return self.lookup(scope.full(field), field, position)
            case ConstantSymbol(name, full):
                symbol = self.lookup(f"{full}.{field}", field, position)
                # Only constants are global: other names belong to the scope.
                if isinstance(symbol, PrefixSymbol) and f"{name}.{field}" in self.constants:
                    return ConstantSymbol(f"{name}.{field}", symbol.name)
                return symbol
            case PrefixSymbol(name) | VariableSymbol(name) | DefineSymbol(name):
                return self.lookup(f"{name}.{field}", field, position)
            case ArraySymbol(name):
                return self.lookup(f"{name}.{field}", field, position)
        return None

    def _element(self, base: Symbol | None, index: Expression, scope: Scope) -> Symbol | None:
        match base:
            case PrefixSymbol(name) | ConstantSymbol(_, name) | VariableSymbol(name) | DefineSymbol(name):
                number = self.index(index, scope)
                if number is None:
                    return None
                full = f"{name}[{number}]"
                return self.lookup(full, full, index.position)
            case ArraySymbol(name, array):
                number = self.index(index, scope)
                if number is None:
                    return None
                if not array.low <= number <= array.high:
                    message = f"array index {number} is out of bounds {array.low}..{array.high}"
                    raise self.source.error(message, index.position)
                full = f"{name}[{number}]"
                if isinstance(array.element, ArrayType):
                    return ArraySymbol(full, array.element)
                return VariableSymbol(full, array.element)
        return None


def path_text(expression: Expression) -> str:
    """A path as written, for messages."""
    match expression:
        case Name(text):
            return text
        case Operation(".", (base, Name(field))):
            return f"{path_text(base)}.{field}"
        case Operation("[]", (base, _)):
            return f"{path_text(base)}[...]"
        case Operation("self"):
            return "self"
    return "expression"
