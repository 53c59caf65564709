"""What names mean: variables, arrays, defines, parameters, instances and symbolic constants."""

from __future__ import annotations

from msgspec import Struct

from symag.smv.elaboration.hierarchy import Hierarchy, Scope, declared_name
from symag.smv.language.syntax import ArraySyntax, EnumerationSyntax, Expression, Name, Operation, TypeSyntax
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
    """A symbolic constant."""

    name: str


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


def symbolic_constants(hierarchy: Hierarchy) -> frozenset[str]:
    """Every symbolic constant of the model; they are global."""
    names = {declared_name(hierarchy.source, name) for name, _ in hierarchy.constants}
    for variable in hierarchy.variables.values():
        names.update(_constants_of(hierarchy, variable.type))
    names.update(hierarchy.processes)
    return frozenset(names)


def _constants_of(hierarchy: Hierarchy, declared: TypeSyntax) -> list[str]:
    while isinstance(declared, ArraySyntax):
        declared = declared.element
    if not isinstance(declared, EnumerationSyntax):
        return []
    return [
        declared_name(hierarchy.source, value)
        for value in declared.values
        if isinstance(value, Name) or (isinstance(value, Operation) and value.operator == ".")
    ]
