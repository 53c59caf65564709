"""Values of single-valued expressions as signals of a circuit, and the operators of ``symag.smv.model.typed``."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from symag.core.errors import UnsupportedError
from symag.core.trace import Value
from symag.smv.certify.circuits import numbers
from symag.smv.certify.circuits.circuit import FALSE, TRUE, Circuit
from symag.smv.certify.circuits.numbers import Bits
from symag.smv.model.typed import Constant, Operation
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


def operation(circuit: Circuit, expression: Operation, values: list[Scalar]) -> Scalar:
    """The value of an operation from its operands' values, none of them a set.

    Where it denotes an error it has an arbitrary value. Raises UnsupportedError for other operators.
    """
    operator = expression.operator
    if operator in ("=", "!="):
        same = equal(circuit, values[0], values[1])
        return same if operator == "=" else -same
    if operator in ("not", "and", "or", "xor", "xnor", "implies", "iff"):
        if isinstance(values[0], Word):
            columns = zip(*(word_of(value) for value in values), strict=True)
            return Word(tuple(_boolean(circuit, operator, column) for column in columns))
        return _boolean(circuit, operator, tuple(signal_of(value) for value in values))
    if operator == "count":
        return Number(numbers.count(circuit, [signal_of(value) for value in values]))
    if isinstance(values[0], Word) or isinstance(expression.type, WordType):
        return _word_operation(circuit, expression, values)
    if operator in ("bool", "toint") and isinstance(values[0], int):
        return values[0] if operator == "bool" else Number(numbers.trimmed((values[0], FALSE)))
    return _arithmetic(circuit, operator, [number_of(value) for value in values])


def _boolean(circuit: Circuit, operator: str, signals: tuple[int, ...]) -> int:
    match operator:
        case "not":
            return -signals[0]
        case "and":
            return circuit.all(signals)
        case "or":
            return circuit.any(signals)
        case "xor":
            return circuit.exclusive(*signals)
        case "implies":
            return circuit.disjunction(-signals[0], signals[1])
        case _:
            return circuit.equal(*signals)


def _arithmetic(circuit: Circuit, operator: str, operands: list[Bits]) -> Scalar:
    first, last = operands[0], operands[-1]
    match operator:
        case "<":
            return numbers.less(circuit, first, last)
        case "<=":
            return -numbers.less(circuit, last, first)
        case ">":
            return numbers.less(circuit, last, first)
        case ">=":
            return -numbers.less(circuit, first, last)
        case "+":
            return Number(numbers.add(circuit, first, last))
        case "-":
            return Number(numbers.subtract(circuit, first, last))
        case "*":
            return Number(numbers.multiply(circuit, first, last))
        case "/" | "mod":
            quotient, remainder = numbers.divide(circuit, first, last)
            result = quotient if operator == "/" else remainder
            by_zero = numbers.equal(circuit, last, (FALSE,))
            arbitrary = tuple(circuit.input() for _ in result)
            return Number(numbers.choice(circuit, by_zero, arbitrary, result))
        case "negate":
            return Number(numbers.negate(circuit, first))
        case "abs":
            return Number(numbers.absolute(circuit, first))
        case "min" | "max":
            smaller = numbers.less(circuit, first, last)
            return Number(numbers.choice(circuit, smaller if operator == "min" else -smaller, first, last))
        case "bool":
            return circuit.any(first)
        case "toint":
            return Number(first)
    raise UnsupportedError(f"certify: operator {operator}")


def _word_operation(circuit: Circuit, expression: Operation, values: list[Scalar]) -> Scalar:
    operator, result = expression.operator, expression.type
    if operator == "word1":
        return Word((signal_of(values[0]),))
    first = word_of(values[0])
    types = [operand.type for operand in expression.operands]
    signed = [isinstance(kind, WordType) and kind.signed for kind in types]
    match operator:
        case "concat":
            return Word(word_of(values[1]) + first)
        case "select":
            low = expression.operands[2]
            assert isinstance(low, Constant)
            assert isinstance(low.value, int)
            assert isinstance(result, WordType)
            return Word(first[low.value : low.value + result.width])
        case "signed" | "unsigned":
            return Word(first)
        case "extend" | "resize":
            assert isinstance(result, WordType)
            if signed[0] and result.width < len(first):
                return Word((*first[: result.width - 1], first[-1]))
            return Word(numbers.extended(numbers.word_number(first, signed[0]), result.width))
        case "<<" | ">>":
            return _shift(circuit, operator, first, values[1], filler=first[-1] if signed[0] else FALSE)
    operands = [
        numbers.word_number(value.bits, is_signed) if isinstance(value, Word) else number_of(value)
        for value, is_signed in zip(values, signed, strict=True)
    ]
    result_ = _arithmetic(circuit, operator, operands)
    if isinstance(result, WordType):
        return Word(numbers.extended(number_of(result_), result.width))
    return result_


def _shift(circuit: Circuit, operator: str, word: Bits, amount: Scalar, filler: int) -> Scalar:
    steps = numbers.word_number(amount.bits, False) if isinstance(amount, Word) else number_of(amount)
    if operator == "<<":
        shifted = numbers.shift_left(circuit, word, steps)
    else:
        shifted = numbers.shift_right(circuit, word, steps, filler)
    too_far = numbers.less(circuit, numbers.constant_number(len(word)), steps)
    outside = circuit.disjunction(too_far, steps[-1])
    return Word(numbers.choice(circuit, outside, tuple(circuit.input() for _ in shifted), shifted))
