"""Values of single-valued expressions as signals of a circuit, and the operations on values of any type."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.trace import Value
from symag.smv.certify.circuits import numbers
from symag.smv.certify.circuits.circuit import FALSE, TRUE, Circuit
from symag.smv.certify.circuits.numbers import Bits
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, Type, VariableType, WordType


class Number(Struct, frozen=True):
    """An integer, in two's complement."""

    bits: Bits


class Word(Struct, frozen=True):
    """A word's bit pattern."""

    bits: Bits


class Symbol(Struct, frozen=True):
    """A symbolic constant, for each of which there is a signal, or, where ``is_number`` is true, a number."""

    signals: Mapping[str, int]
    is_number: int
    number: Bits


#: A single value; an int is the signal of a truth value.
Scalar = int | Number | Word | Symbol


def decoded(circuit: Circuit, variable_type: VariableType, bits: Bits) -> Scalar:
    """The value of a variable of a type from its index bits."""
    match variable_type:
        case BooleanType():
            return bits[0]
        case WordType():
            return Word(bits)
        case RangeType(low, _):
            return Number(numbers.add(circuit, (*bits, FALSE), numbers.constant_number(low)))
        case EnumerationType(constants):
            return _decoded_enumeration(circuit, constants, bits)


def _decoded_enumeration(circuit: Circuit, constants: tuple[int | str, ...], bits: Bits) -> Scalar:
    codes = [
        circuit.all(bit if index >> k & 1 else -bit for k, bit in enumerate(bits)) for index in range(len(constants))
    ]
    signals = {item: signal for item, signal in zip(constants, codes, strict=True) if isinstance(item, str)}
    integers = [(item, signal) for item, signal in zip(constants, codes, strict=True) if isinstance(item, int)]
    width = max((item.bit_length() + 1 for item, _ in integers), default=1)
    number = tuple(circuit.any(signal for item, signal in integers if item >> index & 1) for index in range(width))
    if not signals:
        return Number(numbers.trimmed(number))
    return Symbol(signals, circuit.any(signal for _, signal in integers), number)


def constant(value: Value, kind: Type) -> Scalar:
    """A constant of a type."""
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        return Symbol({value: TRUE}, FALSE, (FALSE,))
    if isinstance(kind, WordType):
        return Word(numbers.constant_word(value, kind.width))
    return Number(numbers.constant_number(value))


def symbol_of(value: Scalar) -> Symbol:
    """The value as one that may be a symbolic constant; raises UnsupportedError for truth values and words."""
    if isinstance(value, Number):
        return Symbol({}, TRUE, value.bits)
    if isinstance(value, Symbol):
        return value
    raise UnsupportedError("certify: operands of incompatible types")


def signal_of(value: Scalar) -> int:
    """The signal of a truth value; raises UnsupportedError for any other value."""
    if isinstance(value, int):
        return value
    raise UnsupportedError("certify: a truth value is needed")


def number_of(value: Scalar) -> Bits:
    """The bits of a number; raises UnsupportedError for truth values and words."""
    match value:
        case Number(bits):
            return bits
        case Symbol(_, _, number):
            return number
    raise UnsupportedError("certify: a number is needed")


def word_of(value: Scalar) -> Bits:
    """The bits of a word; raises UnsupportedError for any other value."""
    if isinstance(value, Word):
        return value.bits
    raise UnsupportedError("certify: a word is needed")


def arbitrary(circuit: Circuit, example: Scalar) -> Scalar:
    """A value of the example's shape that nothing constrains."""
    fresh = circuit.input
    match example:
        case int():
            return fresh()
        case Number(bits):
            return Number(tuple(fresh() for _ in bits))
        case Word(bits):
            return Word(tuple(fresh() for _ in bits))
        case Symbol(signals, _, number):
            return Symbol({name: fresh() for name in signals}, fresh(), tuple(fresh() for _ in number))


def choice(circuit: Circuit, condition: int, a: Scalar, b: Scalar) -> Scalar:
    """a where the condition is true, b elsewhere; the two are of one kind."""
    match a, b:
        case int(), int():
            return circuit.choice(condition, a, b)
        case Word(one), Word(other):
            return Word(numbers.choice(circuit, condition, one, other))
        case Number(one), Number(other):
            return Number(numbers.trimmed(numbers.choice(circuit, condition, one, other)))
    left, right = symbol_of(a), symbol_of(b)
    names = {**left.signals, **right.signals}
    return Symbol(
        {
            name: circuit.choice(condition, left.signals.get(name, FALSE), right.signals.get(name, FALSE))
            for name in names
        },
        circuit.choice(condition, left.is_number, right.is_number),
        numbers.choice(circuit, condition, left.number, right.number),
    )


def equal(circuit: Circuit, a: Scalar, b: Scalar) -> int:
    """Whether two values of one kind are equal."""
    match a, b:
        case int(), int():
            return circuit.equal(a, b)
        case Word(one), Word(other):
            return circuit.all(circuit.equal(x, y) for x, y in zip(one, other, strict=True))
        case Number(one), Number(other):
            return numbers.equal(circuit, one, other)
    left, right = symbol_of(a), symbol_of(b)
    same = [
        circuit.conjunction(signal, right.signals[name])
        for name, signal in left.signals.items()
        if name in right.signals
    ]
    both = circuit.conjunction(left.is_number, right.is_number)
    return circuit.any([*same, circuit.conjunction(both, numbers.equal(circuit, left.number, right.number))])
