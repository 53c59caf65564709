"""The denotation of an expression, as signals: a truth value, an integer, a word, a symbolic constant, or a set.

The signals are literals of a graph or diagrams (see ``SignalAlgebra``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from symag.core.trace import Value
from symag.smv.circuits import vectors
from symag.smv.circuits.algebra import Signal, SignalAlgebra
from symag.smv.circuits.vectors import Vector
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, Type, VariableType, WordType, bit_count


class Number(Struct, frozen=True):
    """An integer in two's complement."""

    bits: Vector


class Word(Struct, frozen=True):
    """A word's bit pattern, and whether it is read as a signed number."""

    bits: Vector
    signed: bool


class Symbol(Struct, frozen=True):
    """The symbolic constant whose signal is true; if none is, the integer ``number``."""

    names: Mapping[str, Signal]
    number: Vector

    def is_number(self, algebra: SignalAlgebra) -> Signal:
        """A signal that is true iff the value is the integer."""
        return algebra.negation(algebra.any(self.names.values()))


class Interval(Struct, frozen=True):
    """All integers from low to high."""

    low: int
    high: int


class GuardedSet(Struct, frozen=True):
    """A set: its elements, single values or intervals, are those whose signals are true."""

    elements: tuple[tuple[Signal, Any], ...]


#: A single value: a Number, Word or Symbol; a bare signal is a truth value (signals are Any, so the union is too).
Single: TypeAlias = Any

#: A single value or a GuardedSet.
Denotation: TypeAlias = Any


def is_truth(value: Denotation) -> bool:
    """Whether a denotation is a bare signal."""
    return not isinstance(value, Number | Word | Symbol | GuardedSet)


def constant(algebra: SignalAlgebra, value: Value, kind: Type) -> Single:
    """A constant of a type."""
    if isinstance(value, bool):
        return algebra.true if value else algebra.false
    if isinstance(value, str):
        return Symbol({value: algebra.true}, (algebra.false,))
    if isinstance(kind, WordType):
        return Word(vectors.constant(algebra, value, kind.width), kind.signed)
    return Number(vectors.constant(algebra, value))


def constants(algebra: SignalAlgebra, values: Iterable[tuple[Value, Type]]) -> GuardedSet:
    """The set of some constants; consecutive integers become one interval."""
    elements: list[Single | Interval] = []
    numbers = []
    for value, kind in values:
        if isinstance(value, int) and not isinstance(value, bool) and not isinstance(kind, WordType):
            numbers.append(value)
        else:
            elements.append(constant(algebra, value, kind))
    for number in sorted(set(numbers)):
        last = elements[-1] if elements else None
        if isinstance(last, Interval) and last.high + 1 == number:
            elements[-1] = Interval(last.low, number)
        else:
            elements.append(Interval(number, number))
    return GuardedSet(tuple((algebra.true, element) for element in elements))


def of_bits(algebra: SignalAlgebra, kind: VariableType, bits: Vector) -> Single:
    """The value of a variable from the bits of its index (see ``symag.smv.certificates``)."""
    match kind:
        case BooleanType():
            return bits[0]
        case WordType(_, signed):
            return Word(bits, signed)
        case RangeType(low, _):
            index = (*bits, algebra.false)
            return Number(index if low == 0 else vectors.total(algebra, index, vectors.constant(algebra, low)))
        case EnumerationType(values):
            return _of_enumeration(algebra, values, bits)


def _of_enumeration(algebra: SignalAlgebra, values: Sequence[int | str], bits: Vector) -> Single:
    codes = [has_index(algebra, bits, code) for code in range(len(values))]
    width = max((value.bit_length() + 1 for value in values if isinstance(value, int)), default=1)
    number = tuple(
        algebra.any(
            code for value, code in zip(values, codes, strict=True) if isinstance(value, int) and value >> k & 1
        )
        for k in range(width)
    )
    names = {value: code for value, code in zip(values, codes, strict=True) if isinstance(value, str)}
    return Symbol(names, number) if names else Number(vectors.reduced(number))


def has_index(algebra: SignalAlgebra, bits: Vector, index: int) -> Signal:
    """A signal that is true iff the bits are those of an index."""
    return algebra.all(bit if index >> k & 1 else algebra.negation(bit) for k, bit in enumerate(bits))


def index_bits(algebra: SignalAlgebra, kind: VariableType, value: Single, width: int) -> tuple[Vector, Signal]:
    """The bits of the index of a value in a variable's type, and a signal: true iff the type lacks the value."""
    match kind, value:
        case WordType(), Word(bits):
            return bits, algebra.false
        case RangeType(low, high), Number(number):
            index = number if low == 0 else vectors.difference(algebra, number, vectors.constant(algebra, low))
            above = vectors.less(algebra, vectors.constant(algebra, high - low), index)
            return vectors.extended(index, width), algebra.disjunction(above, index[-1])
        case EnumerationType(values), Number() | Symbol():
            same = [equal(algebra, value, constant(algebra, symbol, kind)) for symbol in values]
            bits = tuple(algebra.any(here for code, here in enumerate(same) if code >> k & 1) for k in range(width))
            return bits, algebra.negation(algebra.any(same))
        case BooleanType(), _ if is_truth(value):
            return (value,), algebra.false
    raise TypeError("a value of another type is assigned")


def outside(algebra: SignalAlgebra, kind: VariableType, value: Denotation) -> list[tuple[Signal, Single | Interval]]:
    """The elements of a value, or parts of them, that a type may lack, each with a signal: true iff it has this one."""
    lacking: list[tuple[Signal, Single | Interval]] = []
    for here, element in choices(algebra, value).elements:
        if not isinstance(element, Interval):
            missing = index_bits(algebra, kind, element, bit_count(kind))[1]
            lacking.append((algebra.conjunction(here, missing), element))
        elif isinstance(kind, RangeType):
            below = Interval(element.low, min(element.high, kind.low - 1))
            above = Interval(max(element.low, kind.high + 1), element.high)
            lacking += [(here, part) for part in (below, above) if part.low <= part.high]
        elif isinstance(kind, EnumerationType):
            numbers = range(element.low, element.high + 1)
            lacking += [(here, Interval(number, number)) for number in numbers if number not in kind.constants]
    return [(condition, element) for condition, element in lacking if condition != algebra.false]


def equal(algebra: SignalAlgebra, a: Single, b: Single) -> Signal:
    """A signal that is true iff two values are equal. Raises TypeError for values of different types."""
    match a, b:
        case (Number() | Word(), Number() | Word()):
            return vectors.equal(algebra, number_of(algebra, a), number_of(algebra, b))
        case (Symbol() | Number(), Symbol() | Number()):
            few, many = sorted((_symbol(a), _symbol(b)), key=lambda symbol: len(symbol.names))
            same = [
                algebra.conjunction(here, many.names[name]) for name, here in few.names.items() if name in many.names
            ]
            numbers = few.is_number(algebra)
            if numbers != algebra.false:  # a constant name is no number
                numbers = algebra.conjunction(numbers, many.is_number(algebra))
                same.append(algebra.conjunction(numbers, vectors.equal(algebra, few.number, many.number)))
            return algebra.any(same)
        case _ if is_truth(a) and is_truth(b):
            return algebra.equal(a, b)
    raise TypeError("values of different types are compared")


def choose(algebra: SignalAlgebra, condition: Signal, a: Denotation, b: Denotation) -> Denotation:
    """a where the condition holds, b elsewhere."""
    match a, b:
        case Number(x), Number(y):
            return Number(vectors.choose(algebra, condition, x, y))
        case Word(x, signed), Word(y):
            return Word(vectors.choose(algebra, condition, x, y), signed)
        case (GuardedSet(), _) | (_, GuardedSet()):
            return union([guarded(algebra, condition, a), guarded(algebra, algebra.negation(condition), b)])
        case (Symbol() | Number(), Symbol() | Number()):
            one, other = _symbol(a), _symbol(b)
            names = {
                name: algebra.choice(
                    condition, one.names.get(name, algebra.false), other.names.get(name, algebra.false)
                )
                for name in sorted(one.names.keys() | other.names.keys())
            }
            return Symbol(names, vectors.choose(algebra, condition, one.number, other.number))
        case _ if is_truth(a) and is_truth(b):
            return algebra.choice(condition, a, b)
    raise TypeError("values of different types are chosen from")


def choices(algebra: SignalAlgebra, value: Denotation) -> GuardedSet:
    """The set itself, or a single value as a set."""
    return value if isinstance(value, GuardedSet) else GuardedSet(((algebra.true, value),))


def guarded(algebra: SignalAlgebra, condition: Signal, value: Denotation) -> GuardedSet:
    """The set where the condition holds, else the empty set."""
    elements = choices(algebra, value).elements
    return GuardedSet(tuple((algebra.conjunction(condition, here), element) for here, element in elements))


def union(sets: Iterable[GuardedSet]) -> GuardedSet:
    """The set of all elements of all sets."""
    return GuardedSet(tuple(element for operand in sets for element in operand.elements))


def member(algebra: SignalAlgebra, value: Single, values: GuardedSet) -> Signal:
    """A signal that is true iff a value is in a set."""
    return algebra.any(algebra.conjunction(here, _is(algebra, value, element)) for here, element in values.elements)


def subset(algebra: SignalAlgebra, left: Denotation, right: Denotation) -> Signal:
    """A signal that is true iff every value of the left is in the right."""
    whole = choices(algebra, right)
    conditions: list[Signal] = []
    for here, element in choices(algebra, left).elements:
        singles: Iterable[Single] = (element,)
        if isinstance(element, Interval):
            singles = (Number(vectors.constant(algebra, k)) for k in range(element.low, element.high + 1))
        absent = algebra.negation(here)
        conditions.extend(algebra.disjunction(absent, member(algebra, single, whole)) for single in singles)
    return algebra.all(conditions)


def _is(algebra: SignalAlgebra, value: Single, element: Single | Interval) -> Signal:
    if not isinstance(element, Interval):
        return equal(algebra, value, element)
    low, high = vectors.constant(algebra, element.low), vectors.constant(algebra, element.high)
    if isinstance(value, Symbol):
        return algebra.conjunction(value.is_number(algebra), _is(algebra, Number(value.number), element))
    number = number_of(algebra, value)
    if element.low == element.high:
        return vectors.equal(algebra, number, low)
    below, above = vectors.less(algebra, number, low), vectors.less(algebra, high, number)
    return algebra.conjunction(algebra.negation(below), algebra.negation(above))


def number_of(algebra: SignalAlgebra, value: Denotation) -> Vector:
    """The integer of a number or a word; a truth value counts as 0 or 1. Raises TypeError for a set."""
    match value:
        case Number(bits) | Symbol(_, bits) | Word(bits, True):
            return bits
        case Word(bits):
            return (*bits, algebra.false)
        case GuardedSet():
            raise TypeError("a single number is expected")
    return (value, algebra.false)


def _symbol(value: Symbol | Number) -> Symbol:
    return value if isinstance(value, Symbol) else Symbol({}, value.bits)
