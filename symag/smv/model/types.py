"""The finite types of NuSMV's language and their values, in the order in which they are encoded."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from symag.core.trace import Value


class BooleanType(Struct, frozen=True):
    """TRUE and FALSE."""


class EnumerationType(Struct, frozen=True, dict=True):
    """Symbolic constants, numbers, or both, in declaration order and without repetition."""

    constants: tuple[int | str, ...]

    @cached_property
    def numbers(self) -> int:
        """How many of the constants are numbers."""
        return sum(isinstance(constant, int) for constant in self.constants)


class RangeType(Struct, frozen=True):
    """The integers from low to high, both included."""

    low: int
    high: int


class WordType(Struct, frozen=True):
    """A bit vector of the given width (at least 1), read as unsigned or as two's complement."""

    width: int
    signed: bool


class IntegerType(Struct, frozen=True):
    """The type of integer expressions; never the type of a variable."""


class SymbolType(Struct, frozen=True):
    """The type of expressions over symbolic constants; never the type of a variable.

    ``mixed`` if integers may be among the values too.
    """

    mixed: bool = False


class SetType(Struct, frozen=True):
    """Sets of values of a scalar type: the type of ``{a, b}``, ``union`` and of what contains them."""

    element: BooleanType | IntegerType | SymbolType | WordType


class ArrayType(Struct, frozen=True):
    """``array low..high of element``; the flat system has one variable an element, named ``a[low]``."""

    low: int
    high: int
    element: Type


VariableType = BooleanType | EnumerationType | RangeType | WordType
#: Words have at most this many bits.
LARGEST_WORD = 1 << 16
#: NuSMV's words have at most this many bits (but any two of them may be concatenated).
LARGEST_WORD_OF_NUSMV = 64

Type = VariableType | IntegerType | SymbolType | SetType | ArrayType


def values(variable_type: VariableType) -> tuple[Value, ...] | range:
    """All values of a variable's type, in the order of their codes.

    A word's values are given by increasing bit PATTERN; a signed word's pattern 2**(width-1) is its
    least number. Do not call it on wide words: the result is a tuple only for booleans, enumerations
    and signed words (2**width values).
    """
    match variable_type:
        case BooleanType():
            return (False, True)
        case EnumerationType(constants):
            return constants
        case RangeType(low, high):
            return range(low, high + 1)
        case WordType(width, signed):
            if not signed:
                return range(1 << width)
            half = 1 << (width - 1)
            return (*range(half), *range(-half, 0))


def bit_count(variable_type: VariableType) -> int:
    """How many bits encode the type; a type with one value needs none."""
    match variable_type:
        case BooleanType():
            return 1
        case WordType(width, _):
            return width
        case EnumerationType(constants):
            return (len(constants) - 1).bit_length()
        case RangeType(low, high):
            return (high - low).bit_length()


def code_of(variable_type: VariableType, value: Value) -> int:
    """The bit pattern of a value. Raises ValueError if the type does not have the value."""
    match variable_type:
        case BooleanType():
            return int(bool(value))
        case EnumerationType(constants):
            return constants.index(value)
        case RangeType(low, high):
            if not (isinstance(value, int) and low <= value <= high):
                raise ValueError(f"{value} is not in {low}..{high}")
            return value - low
        case WordType(width, _):
            return int(value) & ((1 << width) - 1)


def value_of(variable_type: VariableType, code: int) -> Value:
    """The value of a bit pattern; for a pattern without a value the type's last value."""
    match variable_type:
        case BooleanType():
            return bool(code)
        case EnumerationType(constants):
            return constants[min(code, len(constants) - 1)]
        case RangeType(low, high):
            return min(low + code, high)
        case WordType(width, signed):
            return code - (1 << width) if signed and code >> (width - 1) else code


def code_count(variable_type: VariableType) -> int:
    """The number of bit patterns that stand for a value: the patterns from 0 below this number."""
    match variable_type:
        case BooleanType():
            return 2
        case EnumerationType(constants):
            return len(constants)
        case RangeType(low, high):
            return high - low + 1
        case WordType(width, _):
            return 1 << width
