"""The operators of ``symag.smv.model.typed`` that take single values, as circuits."""

from __future__ import annotations

from symag.core.errors import UnsupportedError
from symag.smv.certify.circuits import numbers
from symag.smv.certify.circuits.circuit import FALSE, Circuit
from symag.smv.certify.circuits.numbers import Bits
from symag.smv.certify.circuits.scalars import Number, Scalar, Word, equal, number_of, signal_of, word_of
from symag.smv.model.typed import Constant, Operation
from symag.smv.model.types import WordType


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
