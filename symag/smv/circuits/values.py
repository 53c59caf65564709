"""The denotation of an expression, as literals: a truth value, an integer, a word, a symbolic constant, or a set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from symag.core.trace import Value
from symag.smv.circuits import vectors
from symag.smv.circuits.graph import FALSE, TRUE, Graph
from symag.smv.circuits.vectors import Vector
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, Type, VariableType, WordType


class Number(Struct, frozen=True):
    """An integer in two's complement."""

    bits: Vector


class Word(Struct, frozen=True):
    """A word's bit pattern, and whether it is read as a signed number."""

    bits: Vector
    signed: bool

    def number(self) -> Vector:
        """The pattern as an integer."""
        return self.bits if self.signed else (*self.bits, FALSE)


class Symbol(Struct, frozen=True):
    """The symbolic constant whose literal is true; if none is, the integer ``number``."""

    names: Mapping[str, int]
    number: Vector = (FALSE,)

    def is_number(self, graph: Graph) -> int:
        """A literal that is true iff the value is the integer."""
        return graph.any(self.names.values()) ^ 1


#: A single value; a bare literal is a truth value.
Single: TypeAlias = int | Number | Word | Symbol


class Interval(Struct, frozen=True):
    """All integers from low to high."""

    low: int
    high: int


class GuardedSet(Struct, frozen=True):
    """A set: its elements are those whose literals are true."""

    elements: tuple[tuple[int, Single | Interval], ...]


Denotation: TypeAlias = Single | GuardedSet


def constant(value: Value, kind: Type) -> Single:
    """A constant of a type."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        return Symbol({value: TRUE})
    if isinstance(kind, WordType):
        return Word(vectors.literal_vector(value, kind.width), kind.signed)
    return Number(vectors.literal_vector(value))


def constants(values: Iterable[tuple[Value, Type]]) -> GuardedSet:
    """The set of some constants; consecutive integers become one interval."""
    singles: list[tuple[int, Single | Interval]] = []
    numbers = []
    for value, kind in values:
        if isinstance(value, int) and not isinstance(value, bool) and not isinstance(kind, WordType):
            numbers.append(value)
        else:
            singles.append((TRUE, constant(value, kind)))
    for number in sorted(set(numbers)):
        last = singles[-1][1] if singles else None
        if isinstance(last, Interval) and last.high + 1 == number:
            singles[-1] = (TRUE, Interval(last.low, number))
        else:
            singles.append((TRUE, Interval(number, number)))
    return GuardedSet(tuple(singles))


def of_bits(graph: Graph, kind: VariableType, bits: Vector) -> Single:
    """The value of a variable from the bits of its index (see ``symag.smv.certificates``)."""
    match kind:
        case BooleanType():
            return bits[0]
        case WordType(_, signed):
            return Word(bits, signed)
        case RangeType(low, _):
            index = (*bits, FALSE)
            return Number(index if low == 0 else vectors.total(graph, index, vectors.literal_vector(low)))
        case EnumerationType(values):
            return _of_enumeration(graph, values, bits)


def _of_enumeration(graph: Graph, values: Sequence[int | str], bits: Vector) -> Single:
    codes = [has_index(graph, bits, code) for code in range(len(values))]
    width = max((value.bit_length() + 1 for value in values if isinstance(value, int)), default=1)
    number = tuple(
        graph.any(code for value, code in zip(values, codes, strict=True) if isinstance(value, int) and value >> k & 1)
        for k in range(width)
    )
    names = {value: code for value, code in zip(values, codes, strict=True) if isinstance(value, str)}
    return Symbol(names, number) if names else Number(vectors.reduced(number))


def has_index(graph: Graph, bits: Vector, index: int) -> int:
    """A literal that is true iff the bits are those of an index."""
    return graph.all(bit if index >> number & 1 else bit ^ 1 for number, bit in enumerate(bits))


def index_bits(graph: Graph, kind: VariableType, value: Single, width: int) -> tuple[Vector, int]:
    """The bits of the index of a value in a variable's type, and a literal: true iff the type lacks the value."""
    match kind, value:
        case BooleanType(), int():
            return (value,), FALSE
        case WordType(), Word(bits):
            return bits, FALSE
        case RangeType(low, high), Number(number):
            index = number if low == 0 else vectors.difference(graph, number, vectors.literal_vector(low))
            above = vectors.less(graph, vectors.literal_vector(high - low), index)
            return vectors.extended(index, width), graph.disjunction(above, index[-1])
        case EnumerationType(values), Number() | Symbol():
            same = [equal(graph, value, constant(symbol, kind)) for symbol in values]
            bits = tuple(graph.any(here for code, here in enumerate(same) if code >> k & 1) for k in range(width))
            return bits, graph.any(same) ^ 1
    raise TypeError("a value of another type is assigned")


def equal(graph: Graph, a: Single, b: Single) -> int:
    """A literal that is true iff two values are equal. Raises TypeError for values of different types."""
    match a, b:
        case int(), int():
            return graph.equal(a, b)
        case (Number() | Word(), Number() | Word()):
            return vectors.equal(graph, number_of(a), number_of(b))
        case (Symbol() | Number(), Symbol() | Number()):
            first, second = _symbol(a), _symbol(b)
            same = [
                graph.conjunction(here, second.names[name])
                for name, here in first.names.items()
                if name in second.names
            ]
            numbers = vectors.equal(graph, first.number, second.number)
            same.append(graph.all((first.is_number(graph), second.is_number(graph), numbers)))
            return graph.any(same)
    raise TypeError("values of different types are compared")


def choose(graph: Graph, condition: int, a: Denotation, b: Denotation) -> Denotation:
    """a where the condition holds, b elsewhere."""
    match a, b:
        case int(), int():
            return graph.choice(condition, a, b)
        case Number(x), Number(y):
            return Number(vectors.choose(graph, condition, x, y))
        case Word(x, signed), Word(y):
            return Word(vectors.choose(graph, condition, x, y), signed)
        case (GuardedSet(), _) | (_, GuardedSet()):
            first = [(graph.conjunction(condition, here), element) for here, element in choices(a).elements]
            others = [(graph.conjunction(condition ^ 1, here), element) for here, element in choices(b).elements]
            return GuardedSet(tuple(first + others))
        case (Symbol() | Number(), Symbol() | Number()):
            one, other = _symbol(a), _symbol(b)
            names = {
                name: graph.choice(condition, one.names.get(name, FALSE), other.names.get(name, FALSE))
                for name in sorted(one.names.keys() | other.names.keys())
            }
            return Symbol(names, vectors.choose(graph, condition, one.number, other.number))
    raise TypeError("values of different types are chosen from")


def choices(value: Denotation) -> GuardedSet:
    """The set itself, or a single value as a set."""
    return value if isinstance(value, GuardedSet) else GuardedSet(((TRUE, value),))


def union(operands: Iterable[Denotation]) -> GuardedSet:
    """The set of all values of all operands."""
    return GuardedSet(tuple(element for operand in operands for element in choices(operand).elements))


def member(graph: Graph, value: Single, values: GuardedSet) -> int:
    """A literal that is true iff a value is in a set."""
    return graph.any(graph.conjunction(here, _is(graph, value, element)) for here, element in values.elements)


def subset(graph: Graph, left: Denotation, right: Denotation) -> int:
    """A literal that is true iff every value of the left is in the right."""
    conditions = []
    for here, element in choices(left).elements:
        if isinstance(element, Interval):
            inside = [
                graph.disjunction(here ^ 1, member(graph, Number(vectors.literal_vector(number)), choices(right)))
                for number in range(element.low, element.high + 1)
            ]
            conditions.extend(inside)
        else:
            conditions.append(graph.disjunction(here ^ 1, member(graph, element, choices(right))))
    return graph.all(conditions)


def _is(graph: Graph, value: Single, element: Single | Interval) -> int:
    if not isinstance(element, Interval):
        return equal(graph, value, element)
    low, high = vectors.literal_vector(element.low), vectors.literal_vector(element.high)
    if isinstance(value, Symbol):
        return graph.conjunction(value.is_number(graph), _is(graph, Number(value.number), element))
    number = number_of(value)
    if element.low == element.high:
        return vectors.equal(graph, number, low)
    return graph.conjunction(vectors.less(graph, number, low) ^ 1, vectors.less(graph, high, number) ^ 1)


def number_of(value: Denotation) -> Vector:
    """The integer of a number or a word; a truth value counts as 0 or 1. Raises TypeError for a set."""
    match value:
        case Number(bits):
            return bits
        case Word():
            return value.number()
        case Symbol():
            return value.number
        case int():
            return (value, FALSE)
    raise TypeError("a single number is expected")


def _symbol(value: Symbol | Number) -> Symbol:
    return value if isinstance(value, Symbol) else Symbol({}, value.bits)
