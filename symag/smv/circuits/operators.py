"""The operators of ``symag.smv.model.typed`` on single values: their results, and the conditions of their failures."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import UnsupportedError
from symag.smv.circuits import vectors
from symag.smv.circuits.algebra import Signal, SignalAlgebra
from symag.smv.circuits.values import Denotation, GuardedSet, Number, Single, Symbol, Word, equal, is_truth, number_of
from symag.smv.circuits.vectors import Vector
from symag.smv.model.typed import Constant, Operation
from symag.smv.model.types import WordType

_LOGIC = frozenset({"not", "and", "or", "xor", "xnor", "implies", "iff"})
_CONVERSIONS = frozenset({"concat", "select", "extend", "resize", "signed", "unsigned", "word1", "bool", "toint"})

#: A value, and the signal and the message of the failure of the operation itself (FALSE: none).
Outcome = tuple[Single, Signal, str]


def operate(algebra: SignalAlgebra, expression: Operation, operands: Sequence[Denotation]) -> Outcome:
    """The value of an operation; it has no meaning where it fails. Raises UnsupportedError for temporal operators."""
    operator = expression.operator
    values = [_single(value) for value in operands]
    none = algebra.false
    if operator in ("=", "!="):
        same = equal(algebra, values[0], values[1])
        return (same if operator == "=" else algebra.negation(same)), none, ""
    if operator in _LOGIC:
        return _logic(algebra, operator, values), none, ""
    if operator == "count":
        return Number(vectors.count(algebra, [_truth(value) for value in values])), none, ""
    if operator in ("<<", ">>"):
        return _shift(algebra, operator, values[0], number_of(algebra, values[1]))
    if operator in _CONVERSIONS:
        return _converted(algebra, expression, values), none, ""
    numbers = [number_of(algebra, value) for value in values]
    if operator in ("<", "<=", ">", ">="):
        first, second = numbers if operator in ("<", ">=") else reversed(numbers)
        less = vectors.less(algebra, first, second)
        return (less if operator in ("<", ">") else algebra.negation(less)), none, ""
    fails = vectors.equal(algebra, numbers[1], (none,)) if operator in ("/", "mod") else none
    if isinstance(expression.type, WordType):
        width = expression.type.width
        bits = vectors.extended(_arithmetic(algebra, operator, numbers, width), width)
        return Word(bits, expression.type.signed), fails, "division by zero"
    return Number(vectors.reduced(_arithmetic(algebra, operator, numbers, None))), fails, "division by zero"


def _logic(algebra: SignalAlgebra, operator: str, values: Sequence[Single]) -> Single:
    first = values[0]
    if isinstance(first, Word):
        columns = zip(*(value.bits for value in values if isinstance(value, Word)), strict=True)
        return Word(tuple(_connective(algebra, operator, column) for column in columns), first.signed)
    return _connective(algebra, operator, [_truth(value) for value in values])


def _connective(algebra: SignalAlgebra, operator: str, signals: Sequence[Signal]) -> Signal:
    match operator:
        case "not":
            return algebra.negation(signals[0])
        case "and":
            return algebra.all(signals)
        case "or":
            return algebra.any(signals)
        case "implies":
            return algebra.disjunction(algebra.negation(signals[0]), signals[1])
        case "xor":
            return algebra.exclusive(signals[0], signals[1])
        case _:
            return algebra.equal(signals[0], signals[1])


def _arithmetic(algebra: SignalAlgebra, operator: str, numbers: Sequence[Vector], width: int | None) -> Vector:
    """The result as an integer; if ``width`` is given, only its lowest ``width`` bits matter."""
    first, last = numbers[0], numbers[-1]
    match operator:
        case "+":
            return vectors.total(algebra, first, last) if width is None else vectors.add(algebra, first, last, width)
        case "-":
            return vectors.difference(algebra, first, last)
        case "*":
            return vectors.product(algebra, first, last, len(first) + len(last) if width is None else width)
        case "/":
            return vectors.quotient_and_rest(algebra, first, last)[0]
        case "mod":
            return vectors.quotient_and_rest(algebra, first, last)[1]
        case "negate":
            return vectors.negated(algebra, first)
        case "abs":
            return vectors.magnitude(algebra, first)
        case "min" | "max":
            less = vectors.less(algebra, first, last)
            return vectors.choose(algebra, less if operator == "min" else algebra.negation(less), first, last)
    raise UnsupportedError(f"operator {operator} in a circuit")


def _shift(algebra: SignalAlgebra, operator: str, word: Single, amount: Vector) -> Outcome:
    if not isinstance(word, Word):
        raise TypeError("a word is shifted")
    filler = word.bits[-1] if word.signed and operator == ">>" else algebra.false
    bits = vectors.shifted(algebra, word.bits, amount, operator == "<<", filler)
    above = vectors.less(algebra, vectors.constant(algebra, len(word.bits)), amount)
    return Word(bits, word.signed), algebra.disjunction(above, amount[-1]), "shift amount is out of range"


def _converted(algebra: SignalAlgebra, expression: Operation, values: Sequence[Single]) -> Single:
    value = values[0]
    operator, result = expression.operator, expression.type
    if operator == "word1":
        return Word((_truth(value),), False)
    if operator == "bool":
        return value if is_truth(value) else algebra.any(number_of(algebra, value))
    if operator == "toint":
        return Number(vectors.reduced(number_of(algebra, value))) if not isinstance(value, Symbol) else value
    if not isinstance(value, Word) or not isinstance(result, WordType):
        raise TypeError(f"{operator} of no word")
    bits = value.bits
    match operator:
        case "concat":
            low = values[1]
            assert isinstance(low, Word)
            return Word((*low.bits, *bits), False)
        case "select":
            position = expression.operands[2]
            assert isinstance(position, Constant)
            return Word(bits[int(position.value) : int(position.value) + result.width], False)
        case "signed" | "unsigned":
            return Word(bits, result.signed)
    if result.width < len(bits):  # resize keeps the sign of a signed word
        return Word((*bits[: result.width - 1], bits[-1]) if value.signed else bits[: result.width], value.signed)
    return Word(vectors.extended(bits, result.width, None if value.signed else algebra.false), value.signed)


def _truth(value: Single) -> Signal:
    if not is_truth(value):
        raise TypeError("a truth value is expected")
    return value


def _single(value: Denotation) -> Single:
    if isinstance(value, GuardedSet):
        raise TypeError("a set where a single value is expected")
    return value
