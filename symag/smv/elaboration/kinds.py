"""The rules of NuSMV 2.6 for types: which types convert, and which have a common type."""

from __future__ import annotations

from symag.smv.model.types import (
    ArrayType,
    BooleanType,
    EnumerationType,
    IntegerType,
    RangeType,
    SetType,
    SymbolType,
    Type,
    WordType,
)

#: A type in which all integers are alike, whatever range they are of.
Kind = BooleanType | IntegerType | SymbolType | WordType | SetType | ArrayType


def kind(of: Type) -> Kind:
    """A type's kind: ranges and enumerations of numbers are integers, other enumerations symbolic or mixed."""
    if isinstance(of, RangeType):
        return IntegerType()
    if isinstance(of, EnumerationType):
        if of.numbers == len(of.constants):
            return IntegerType()
        return SymbolType(mixed=of.numbers > 0)
    return of


def is_boolean(of: Type) -> bool:
    """Whether a type is boolean, not a set of booleans."""
    return isinstance(of, BooleanType)


def is_integer(of: Type) -> bool:
    """Whether all values of a type are integers, not sets of them."""
    return isinstance(kind(of), IntegerType)


def is_word(of: Type) -> bool:
    """Whether a type is a word."""
    return isinstance(of, WordType)


def set_of(of: Type) -> SetType | None:
    """The type of sets of a type's values; None for words and arrays, which have no sets."""
    kind_ = kind(of)
    if isinstance(kind_, SetType):
        return kind_
    if isinstance(kind_, (BooleanType, IntegerType, SymbolType)):
        return SetType(kind_)
    return None


def element_of(of: Type) -> Kind:
    """The kind of the elements of a set type; the kind of any other type."""
    kind_ = kind(of)
    return kind_.element if isinstance(kind_, SetType) else kind_


def converts_to(right: Type, left: Type) -> bool:
    """Whether values of type ``right`` may be used as values of type ``left``."""
    target, given = kind(left), kind(right)
    if target == given:
        return True
    match target, given:
        case SymbolType(True), IntegerType() | SymbolType():
            return True
        case SetType(SymbolType(True)), SetType(element):
            return not isinstance(element, BooleanType)
        case ArrayType(low, high, element), ArrayType(other_low, other_high, other):
            return (low, high) == (other_low, other_high) and converts_to(other, element)
    return False


def comparable(left: Type, right: Type) -> bool:
    """Whether one of two types converts to the other."""
    return converts_to(right, left) or converts_to(left, right)


def common(left: Type, right: Type) -> Kind | None:
    """The least kind that has the values of both, as for the branches of a ``case``; None if there is none."""
    one, other = kind(left), kind(right)
    if isinstance(one, SetType) or isinstance(other, SetType):
        one_set, other_set = set_of(one), set_of(other)
        if one_set is None or other_set is None:
            return None
        mixed = SetType(SymbolType(mixed=True))
        if one_set == other_set:
            return one_set
        return mixed if converts_to(one_set, mixed) and converts_to(other_set, mixed) else None
    if one == other:
        return one
    if isinstance(one, (IntegerType, SymbolType)) and isinstance(other, (IntegerType, SymbolType)):
        return SymbolType(mixed=True)
    return None


def type_text(of: Type) -> str:
    """A type as an error message names it."""
    match kind(of):
        case BooleanType():
            return "boolean"
        case IntegerType():
            return "integer"
        case SymbolType(mixed):
            return "integer-and-symbolic" if mixed else "symbolic"
        case WordType(width, signed):
            return f"{'signed' if signed else 'unsigned'} word[{width}]"
        case SetType(element):
            return f"set of {type_text(element)}"
        case ArrayType(low, high, element):
            return f"array {low}..{high} of {type_text(element)}"
