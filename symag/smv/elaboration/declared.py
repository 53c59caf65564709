"""The types of declared variables: bounds and widths are constant expressions."""

from __future__ import annotations

from collections.abc import Callable

from symag.core.trace import Value
from symag.smv.elaboration.hierarchy import MAIN_PROCESS, Hierarchy, Scope, declared_name
from symag.smv.elaboration.names import (
    ArraySymbol,
    DefineSymbol,
    InstanceSymbol,
    RunningSymbol,
    Symbol,
    VariableSymbol,
    stated_constants,
)
from symag.smv.language.syntax import (
    INFINITE_TYPES,
    ArraySyntax,
    BooleanSyntax,
    EnumerationSyntax,
    Expression,
    InstanceSyntax,
    Name,
    Number,
    Operation,
    RangeSyntax,
    TypeSyntax,
    WordArraySyntax,
    WordSyntax,
    not_finite,
)
from symag.smv.model.flat import VariableKind
from symag.smv.model.types import LARGEST_WORD, ArrayType, BooleanType, EnumerationType, RangeType, Type, WordType

#: The input variable that chooses the running process (NuSMV's name).
SELECTOR = "_process_selector_"

_LARGEST_ARRAY = 1_000_000


def single_value(of: Type) -> Value | None:
    """The value of a type with one value, else None: NuSMV makes such a variable a define."""
    match of:
        case EnumerationType((only,)):
            return only
        case RangeType(low, high) if low == high:
            return low
    return None


def running_name(process: str) -> str:
    """The full name of a process's ``running``."""
    return "running" if process == MAIN_PROCESS else f"{process}.running"


class HierarchyDeclarations:
    """The declarations of a hierarchy; types are evaluated on first use. ``number`` gives the number of a constant
    expression, or raises InputError, which says what has to be one.
    """

    def __init__(self, hierarchy: Hierarchy, number: Callable[[Expression, Scope, str], int]) -> None:
        self.hierarchy = hierarchy
        self.source = hierarchy.source
        stated = stated_constants(hierarchy)
        self.constants = stated.union(hierarchy.processes)
        self.processes = frozenset(hierarchy.processes) - {MAIN_PROCESS} - stated
        self.number = number
        self._types: dict[str, Type] = {}
        self._running = {running_name(process): process for process in hierarchy.processes}

    def symbol(self, full: str) -> Symbol | None:
        """The symbol of a full name, if it has one."""
        if full in self.hierarchy.variables:
            declared = self.variable_type(full)
            return ArraySymbol(full, declared) if isinstance(declared, ArrayType) else VariableSymbol(full)
        if full in self.hierarchy.defines:
            return DefineSymbol(full)
        if full in self.hierarchy.instances:
            return InstanceSymbol(self.hierarchy.instances[full])
        if full in self._running:
            return RunningSymbol(self._running[full])
        return None

    def variable_type(self, name: str) -> Type:
        """The type of a declared variable or array. Raises InputError for a type that is empty or not finite."""
        if name == SELECTOR and self.hierarchy.processes:
            return EnumerationType(self.hierarchy.processes)
        type_ = self._types.get(name)
        if type_ is None:
            declared = self.hierarchy.variables[name]
            self._types[name] = type_ = self.type(declared.type, declared.scope)
        return type_

    def variable_kind(self, name: str) -> VariableKind:
        """The kind of a variable, or of an array's element, by its full name."""
        variables = self.hierarchy.variables
        declared = name
        while declared not in variables:
            declared = declared[: declared.rindex("[")]
        return variables[declared].kind

    def type(self, declared: TypeSyntax, scope: Scope) -> Type:
        """The type that a syntax tree denotes. Raises InputError."""
        match declared:
            case BooleanSyntax():
                return BooleanType()
            case RangeSyntax():
                low, high = self.bounds(declared, scope)
                return RangeType(low, high)
            case EnumerationSyntax(values):
                return self.enumeration(values)
            case WordSyntax(width, signed):
                bits = self.number(width, scope, "the width of a word")
                if not 1 <= bits <= LARGEST_WORD:
                    raise self.source.error(f"word width {bits} is out of range 1..{LARGEST_WORD}", width.position)
                return WordType(bits, signed)
            case ArraySyntax(bounds, element, position):
                low, high = self.bounds(bounds, scope)
                return self.array(low, high, element, scope, position)
            case WordArraySyntax(width, element, position):
                bits = self.number(width, scope, "the width of a word")
                if bits < 1:
                    raise self.source.error(f"word width {bits} is out of range 1..{LARGEST_WORD}", width.position)
                return self.array(0, (1 << min(bits, LARGEST_WORD)) - 1, element, scope, position)
            case InstanceSyntax(module) if module in INFINITE_TYPES:
                raise self.source.error(not_finite(module), declared.position)
        raise self.source.error("expected the type of a variable", declared.position)

    def array(self, low: int, high: int, element: TypeSyntax, scope: Scope, position: int) -> ArrayType:
        """The type of an array. Raises InputError for one that is too large."""
        if high - low >= _LARGEST_ARRAY:
            raise self.source.error(f"an array with more than {_LARGEST_ARRAY:,} elements", position)
        return ArrayType(low, high, self.type(element, scope))

    def bounds(self, declared: RangeSyntax, scope: Scope) -> tuple[int, int]:
        """The bounds of a range or array type."""
        low = self.number(declared.low, scope, "a bound")
        high = self.number(declared.high, scope, "a bound")
        if low > high:
            raise self.source.error(f"the range {low}..{high} is empty", declared.position)
        return low, high

    def enumeration(self, values: tuple[Expression, ...]) -> EnumerationType:
        """The type of an enumeration. Raises InputError for a constant that occurs twice."""
        constants: dict[int | str, None] = {}
        for value in values:
            constant = self.enumerated(value)
            if constant in constants:
                raise self.source.error(f"'{constant}' occurs twice in an enumeration", value.position)
            constants[constant] = None
        return EnumerationType(tuple(constants))

    def enumerated(self, value: Expression) -> int | str:
        """One constant of an enumeration."""
        match value:
            case Number(number) if not isinstance(number, bool):
                return number
            case Operation("negate", (Number(number),)) if not isinstance(number, bool):
                return -number
            case Name() | Operation("."):
                return declared_name(self.source, value)
        raise self.source.error("an enumeration holds symbolic constants and integers only", value.position)
