"""Reads single expressions over the names of a flat system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from symag.core.source import SourceText
from symag.smv.elaboration.hierarchy import MAIN_PROCESS, Scope
from symag.smv.elaboration.named import NamedValues
from symag.smv.elaboration.names import ArraySymbol, DefineSymbol, NameLookup, Symbol, VariableSymbol
from symag.smv.elaboration.typing import Typer
from symag.smv.language.expressions import ExpressionParser
from symag.smv.language.lexer import LexedText, tokens
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.typed import Constant, Expression, subexpressions
from symag.smv.model.types import ArrayType, EnumerationType, Type

#: What errors call an expression that stands in no file.
_PATH = "<expression>"
# A text, compiled when it is first used: for start-up.
_ELEMENT = r"(.*)\[(-?[0-9]+)\]"


def expression(system: FlatSystem, text: str, path: str = _PATH, temporal: frozenset[str] = frozenset()) -> Expression:
    """Parses and types an expression over a flat system's variables, arrays, defines and constants.

    It may have any type, ``next`` and the ``temporal`` operators. Positions refer to ``text``, which errors call
    ``path``. Raises InputError. Linear in the text and the system's names.
    """
    return _read(_FlatDeclarations(SourceText.of(path, text), system), temporal)


def expressions(system: FlatSystem, texts: Sequence[str]) -> list[Expression]:
    """Several expressions without temporal operators, each as by ``expression``; the system's names cost once."""
    expressions_ = []
    first: _FlatDeclarations | None = None
    for text in texts:
        declarations = _FlatDeclarations(SourceText.of(_PATH, text), system)
        if first is None:
            first = declarations
        else:
            declarations.share(first)
        expressions_.append(_read(declarations, frozenset()))
    return expressions_


def symbolic_constants(system: FlatSystem) -> frozenset[str]:
    """The symbolic constants that expressions over a flat system may have. Linear in its types and DEFINEs."""
    constants: set[object] = set()
    for variable in system.variables:
        if isinstance(variable.type, EnumerationType):
            constants.update(variable.type.constants)
    for body in system.defines.values():
        constants.update(part.value for part in subexpressions(body) if isinstance(part, Constant))
    return frozenset(value for value in constants if isinstance(value, str))


def _read(declarations: _FlatDeclarations, temporal: frozenset[str]) -> Expression:
    source = declarations.source
    read = tokens(source)
    with deep_recursion():
        parsed, after = ExpressionParser(read).parse(0)
        _refuse_rest(read, after)
        typer = Typer(source)
        typer.temporal = temporal
        names = NameLookup(declarations, typer.number)
        typer.named = NamedValues(declarations, names, {}, declarations.defines, typer.any_value)
        return typer.value(parsed, Scope("", "main", {}, None, MAIN_PROCESS))


def _refuse_rest(read: LexedText, after: int) -> None:
    if read.texts[after]:
        raise read.error(f"unexpected {read.describe(after)}, expected the end of the expression", after)


class _FlatDeclarations:
    def __init__(self, source: SourceText, system: FlatSystem) -> None:
        self.source = source
        self.system = system

    def share(self, other: _FlatDeclarations) -> None:
        """Take over what another reader has computed for the same system."""
        self.constants = other.constants
        self.defines = other.defines
        self.arrays = other.arrays

    @cached_property
    def constants(self) -> frozenset[str]:
        return symbolic_constants(self.system)

    @cached_property
    def defines(self) -> dict[str, Expression]:
        """The bodies of all DEFINEs, by name."""
        return dict(self.system.defines)

    @cached_property
    def processes(self) -> frozenset[str]:
        others = [item.type for item in self.system.variables if item.name != self.system.selector]
        stated = [of.constants for of in others if isinstance(of, EnumerationType)]
        return self.system.processes.difference(*stated) - {MAIN_PROCESS}

    @cached_property
    def arrays(self) -> dict[str, dict[int, str]]:
        """For each array, its elements' full names by index."""
        elements: dict[str, dict[int, str]] = {}
        for name in (*self.system.by_name, *self.system.defines):
            element = name
            while match := re.fullmatch(_ELEMENT, element):
                elements.setdefault(match[1], {})[int(match[2])] = element
                element = match[1]
        return elements

    def symbol(self, full: str) -> Symbol | None:
        """The symbol of a full name, if it has one."""
        if full in self.system.by_name:
            return VariableSymbol(full)
        if full in self.system.defines:
            return DefineSymbol(full)
        if full in self.arrays:
            return self._array(full)
        return None

    def _array(self, full: str) -> Symbol | None:
        elements = self.arrays[full]
        low, high = min(elements), max(elements)
        symbols = [self.symbol(elements[index]) for index in sorted(elements)]
        types = {self._type(symbol) for symbol in symbols}
        if len(elements) != high - low + 1 or len(types) != 1 or None in types:
            return None
        (element,) = types
        return None if element is None else ArraySymbol(full, ArrayType(low, high, element))

    def _type(self, symbol: Symbol | None) -> Type | None:
        match symbol:
            case VariableSymbol(name):
                return self.system.by_name[name].type
            case ArraySymbol(_, of):
                return of
        return None

    def variable_type(self, name: str) -> Type:
        """The type of a variable by its full name."""
        return self.system.by_name[name].type

    def variable_kind(self, name: str) -> VariableKind:
        """The kind of a variable by its full name."""
        return self.system.by_name[name].kind
