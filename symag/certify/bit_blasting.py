"""Typed expressions as circuits: certify's own encoding, independent of the BDD side.

Laws of this file:

- Variables are encoded as ``symag.certificates`` says: the bits of the index of the value; frozen
  variables have the same bits now and next.
- An expression that denotes an error (see ``symag.smv.typed``) takes an ARBITRARY value there: fresh
  inputs. So what is proved of the circuit holds whatever such an expression is taken to mean.
- Set-valued expressions have no vector: they occur in membership tests only, which descend through
  ``union``, ``case`` and defines.

Expressions may be deep, so the methods that follow their structure are generators: they yield what they
need and ``Encoder._finish`` runs them with a stack of its own.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from symag.certify import numbers
from symag.certify.circuit import FALSE, TRUE, Circuit
from symag.certify.numbers import Bits
from symag.errors import UnsupportedError
from symag.smv.flat import FlatSystem, VariableKind
from symag.smv.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.types import (
    BooleanType,
    EnumerationType,
    RangeType,
    SetType,
    Type,
    VariableType,
    WordType,
    bit_count,
)
from symag.traces import Value


@dataclass(frozen=True, slots=True)
class Number:
    """An integer, in two's complement."""

    bits: Bits


@dataclass(frozen=True, slots=True)
class Word:
    """A word's bit pattern."""

    bits: Bits


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbolic constant, one signal each, or, where ``is_number`` is true, a number."""

    signals: Mapping[str, int]
    is_number: int
    number: Bits


#: A single value; an int is the signal of a truth value.
Scalar = int | Number | Word | Symbol
Task = Generator[Any, Any, Any]


class Encoder:
    """One circuit over the current and next values of a system's variables.

    ``wires`` are defines of the system that are encoded as boolean variables of their own.
    """

    def __init__(self, system: FlatSystem, circuit: Circuit, wires: Mapping[str, Expression] | None = None) -> None:
        self.system = system
        self.circuit = circuit
        self.wires = dict(wires or {})
        self._bits: dict[tuple[str, bool], Bits] = {}
        self._scalars: dict[tuple[str, bool], Scalar] = {}
        self._values: dict[tuple[int, bool], Scalar] = {}
        self._kept: list[Expression] = []  # expressions whose ids are keys of _values

    def type_of(self, name: str) -> VariableType:
        """The type of a variable or wire; raises KeyError for an unknown name."""
        return BooleanType() if name in self.wires else self.system.by_name[name].type

    def bits(self, name: str, primed: bool) -> Bits:
        """The index bits of a variable now or in the next state."""
        variable = self.system.by_name.get(name)
        if variable is not None and variable.kind is VariableKind.FROZEN:
            primed = False
        key = name, primed
        if key not in self._bits:
            self._bits[key] = tuple(self.circuit.input() for _ in range(bit_count(self.type_of(name))))
        return self._bits[key]

    def in_range(self, name: str, primed: bool) -> int:
        """Whether the variable's code stands for a value."""
        match self.type_of(name):
            case EnumerationType(constants):
                largest = len(constants) - 1
            case RangeType(low, high):
                largest = high - low
            case _:
                return TRUE
        index = (*self.bits(name, primed), FALSE)
        return -numbers.less(self.circuit, numbers.constant_number(largest), index)

    def variable(self, name: str, primed: bool) -> Scalar:
        """The value of a variable or wire."""
        key = name, primed
        if key not in self._scalars:
            self._scalars[key] = self._decoded(self.type_of(name), self.bits(name, primed))
        return self._scalars[key]

    def truth(self, expression: Expression, primed: bool = False) -> int:
        """The signal of a boolean expression, read in the next state if ``primed``."""
        found = self._finish(self._value(expression, primed))
        assert isinstance(found, int)
        return found

    def value(self, expression: Expression, primed: bool = False) -> Scalar:
        """A single-valued expression."""
        found: Scalar = self._finish(self._value(expression, primed))
        return found

    def contains(self, expression: Expression, value: Scalar, primed: bool = False) -> int:
        """Whether the value is one of those that the expression denotes."""
        found: int = self._finish(self._contains(expression, value, primed))
        return found

    def _finish(self, task: Task) -> Any:
        stack, answer = [task], None
        while stack:
            try:
                needed = stack[-1].send(answer)
            except StopIteration as finished:
                stack.pop()
                answer = finished.value
            else:
                stack.append(needed)
                answer = None
        return answer

    def _decoded(self, variable_type: VariableType, bits: Bits) -> Scalar:
        match variable_type:
            case BooleanType():
                return bits[0]
            case WordType():
                return Word(bits)
            case RangeType(low, _):
                return Number(numbers.add(self.circuit, (*bits, FALSE), numbers.constant_number(low)))
            case EnumerationType(constants):
                return self._decoded_enumeration(constants, bits)

    def _decoded_enumeration(self, constants: tuple[int | str, ...], bits: Bits) -> Scalar:
        circuit = self.circuit
        chosen = [
            circuit.all(bit if index >> place & 1 else -bit for place, bit in enumerate(bits))
            for index in range(len(constants))
        ]
        signals = {item: signal for item, signal in zip(constants, chosen, strict=True) if isinstance(item, str)}
        integers = [(item, signal) for item, signal in zip(constants, chosen, strict=True) if isinstance(item, int)]
        width = max((item.bit_length() + 1 for item, _ in integers), default=1)
        number = tuple(circuit.any(signal for item, signal in integers if item >> place & 1) for place in range(width))
        if not signals:
            return Number(numbers.trimmed(number))
        return Symbol(signals, circuit.any(signal for _, signal in integers), number)

    def _value(self, expression: Expression, primed: bool) -> Task:
        key = id(expression), primed
        if key in self._values:
            return self._values[key]
        match expression:
            case Constant(value=value, type=kind):
                found: Scalar = _constant(value, kind)
            case VariableReference(name=name):
                found = self.variable(name, primed or expression.primed)
            case DefineReference(name=name):
                found = yield self._value(self.system.defines[name], primed or expression.primed)
            case Operation(operator="case" | "index"):
                found = yield self._case(expression, primed)
            case Operation(operator="in", operands=(left, right)):
                found = yield self._subset(left, right, primed)
            case Operation(operator="union"):
                raise UnsupportedError("certify: a set where a single value is needed")
            case Operation(operands=operands):
                values = []
                for operand in operands:
                    values.append((yield self._value(operand, primed)))
                found = self._operation(expression, values)
        self._values[key] = found
        self._kept.append(expression)
        return found

    def _case(self, expression: Operation, primed: bool) -> Task:
        result: Scalar | None = None
        for place in range(len(expression.operands) - 2, -1, -2):
            condition = yield self._value(expression.operands[place], primed)
            value = yield self._value(expression.operands[place + 1], primed)
            if result is None:
                result = self._arbitrary(value)
            result = self._choice(condition, value, result)
        return result

    def _contains(self, expression: Expression, value: Scalar, primed: bool) -> Task:
        match expression:
            case DefineReference(name=name, type=SetType()):
                found = yield self._contains(self.system.defines[name], value, primed or expression.primed)
            case Operation(operator="union", operands=operands):
                signals = []
                for operand in operands:
                    signals.append((yield self._contains(operand, value, primed)))
                found = self.circuit.any(signals)
            case Operation(operator="case" | "index", operands=operands, type=SetType()):
                found = TRUE
                for place in range(len(operands) - 2, -1, -2):
                    condition = yield self._value(operands[place], primed)
                    inside = yield self._contains(operands[place + 1], value, primed)
                    found = self.circuit.choice(condition, inside, found)
            case _:
                found = self._equal(value, (yield self._value(expression, primed)))
        return found

    def _subset(self, left: Expression, right: Expression, primed: bool) -> Task:
        match left:
            case DefineReference(name=name, type=SetType()):
                definition = self.system.defines[name]
                if left.primed and not primed:  # the right side keeps its own time
                    raise UnsupportedError("certify: next of a set-valued define on the left of 'in'")
                found = yield self._subset(definition, right, primed)
            case Operation(operator="union", operands=operands):
                signals = []
                for operand in operands:
                    signals.append((yield self._subset(operand, right, primed)))
                found = self.circuit.all(signals)
            case Operation(operator="case" | "index", operands=operands, type=SetType()):
                found = self.circuit.input()
                for place in range(len(operands) - 2, -1, -2):
                    condition = yield self._value(operands[place], primed)
                    inside = yield self._subset(operands[place + 1], right, primed)
                    found = self.circuit.choice(condition, inside, found)
            case _:
                found = yield self._contains(right, (yield self._value(left, primed)), primed)
        return found

    def _arbitrary(self, example: Scalar) -> Scalar:
        """A value of the example's shape that nothing constrains."""
        fresh = self.circuit.input
        match example:
            case int():
                return fresh()
            case Number(bits):
                return Number(tuple(fresh() for _ in bits))
            case Word(bits):
                return Word(tuple(fresh() for _ in bits))
            case Symbol(signals, _, number):
                return Symbol({name: fresh() for name in signals}, fresh(), tuple(fresh() for _ in number))

    def _choice(self, condition: int, a: Scalar, b: Scalar) -> Scalar:
        circuit = self.circuit
        match a, b:
            case int(), int():
                return circuit.choice(condition, a, b)
            case Word(one), Word(other):
                return Word(numbers.choice(circuit, condition, one, other))
            case Number(one), Number(other):
                return Number(numbers.trimmed(numbers.choice(circuit, condition, one, other)))
        left, right = _symbol(a), _symbol(b)
        names = {**left.signals, **right.signals}
        return Symbol(
            {
                name: circuit.choice(condition, left.signals.get(name, FALSE), right.signals.get(name, FALSE))
                for name in names
            },
            circuit.choice(condition, left.is_number, right.is_number),
            numbers.choice(circuit, condition, left.number, right.number),
        )

    def _equal(self, a: Scalar, b: Scalar) -> int:
        circuit = self.circuit
        match a, b:
            case int(), int():
                return circuit.equal(a, b)
            case Word(one), Word(other):
                return circuit.all(circuit.equal(x, y) for x, y in zip(one, other, strict=True))
            case Number(one), Number(other):
                return numbers.equal(circuit, one, other)
        left, right = _symbol(a), _symbol(b)
        same = [
            circuit.conjunction(signal, right.signals[name])
            for name, signal in left.signals.items()
            if name in right.signals
        ]
        both = circuit.conjunction(left.is_number, right.is_number)
        return circuit.any([*same, circuit.conjunction(both, numbers.equal(circuit, left.number, right.number))])

    def _operation(self, expression: Operation, values: list[Scalar]) -> Scalar:
        operator = expression.operator
        if operator in ("=", "!="):
            same = self._equal(values[0], values[1])
            return same if operator == "=" else -same
        if operator in ("not", "and", "or", "xor", "xnor", "implies", "iff"):
            if isinstance(values[0], Word):
                columns = zip(*(_word(value) for value in values), strict=True)
                return Word(tuple(self._boolean(operator, column) for column in columns))
            return self._boolean(operator, tuple(_signal(value) for value in values))
        if operator == "count":
            return Number(numbers.count(self.circuit, [_signal(value) for value in values]))
        if isinstance(values[0], Word) or isinstance(expression.type, WordType):
            return self._word_operation(expression, values)
        if operator in ("bool", "toint") and isinstance(values[0], int):
            return values[0] if operator == "bool" else Number(numbers.trimmed((values[0], FALSE)))
        return self._arithmetic(operator, [_number(value) for value in values])

    def _boolean(self, operator: str, signals: tuple[int, ...]) -> int:
        match operator:
            case "not":
                return -signals[0]
            case "and":
                return self.circuit.all(signals)
            case "or":
                return self.circuit.any(signals)
            case "xor":
                return self.circuit.exclusive(*signals)
            case "implies":
                return self.circuit.disjunction(-signals[0], signals[1])
            case _:
                return self.circuit.equal(*signals)

    def _arithmetic(self, operator: str, operands: list[Bits]) -> Scalar:
        circuit, first, last = self.circuit, operands[0], operands[-1]
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
                found = quotient if operator == "/" else remainder
                by_zero = numbers.equal(circuit, last, (FALSE,))
                arbitrary = tuple(circuit.input() for _ in found)
                return Number(numbers.choice(circuit, by_zero, arbitrary, found))
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

    def _word_operation(self, expression: Operation, values: list[Scalar]) -> Scalar:
        operator, result = expression.operator, expression.type
        if operator == "word1":
            return Word((_signal(values[0]),))
        first = _word(values[0])
        types = [operand.type for operand in expression.operands]
        signed = [isinstance(kind, WordType) and kind.signed for kind in types]
        match operator:
            case "concat":
                return Word(_word(values[1]) + first)
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
                return self._shift(operator, first, values[1], filler=first[-1] if signed[0] else FALSE)
        operands = [
            numbers.word_number(value.bits, is_signed) if isinstance(value, Word) else _number(value)
            for value, is_signed in zip(values, signed, strict=True)
        ]
        found = self._arithmetic(operator, operands)
        if isinstance(result, WordType):
            return Word(numbers.extended(_number(found), result.width))
        return found

    def _shift(self, operator: str, word: Bits, amount: Scalar, filler: int) -> Scalar:
        steps = numbers.word_number(amount.bits, False) if isinstance(amount, Word) else _number(amount)
        if operator == "<<":
            found = numbers.shift_left(self.circuit, word, steps)
        else:
            found = numbers.shift_right(self.circuit, word, steps, filler)
        too_far = numbers.less(self.circuit, numbers.constant_number(len(word)), steps)
        outside = self.circuit.disjunction(too_far, steps[-1])
        return Word(numbers.choice(self.circuit, outside, tuple(self.circuit.input() for _ in found), found))


def _constant(value: Value, kind: Type) -> Scalar:
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, str):
        return Symbol({value: TRUE}, FALSE, (FALSE,))
    if isinstance(kind, WordType):
        return Word(numbers.constant_word(value, kind.width))
    return Number(numbers.constant_number(value))


def _symbol(value: Scalar) -> Symbol:
    if isinstance(value, Number):
        return Symbol({}, TRUE, value.bits)
    if isinstance(value, Symbol):
        return value
    raise UnsupportedError("certify: operands of incompatible types")


def _signal(value: Scalar) -> int:
    if isinstance(value, int):
        return value
    raise UnsupportedError("certify: a truth value is needed")


def _number(value: Scalar) -> Bits:
    match value:
        case Number(bits):
            return bits
        case Symbol(_, _, number):
            return number
    raise UnsupportedError("certify: a number is needed")


def _word(value: Scalar) -> Bits:
    if isinstance(value, Word):
        return value.bits
    raise UnsupportedError("certify: a word is needed")
