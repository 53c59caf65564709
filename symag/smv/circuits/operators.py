"""The operators of ``symag.smv.model.typed`` on single values: their results, and the conditions of their failures."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.errors import UnsupportedError
from symag.smv.circuits import vectors
from symag.smv.circuits.graph import FALSE, Graph
from symag.smv.circuits.values import Denotation, GuardedSet, Number, Single, Word, equal, number_of
from symag.smv.circuits.vectors import Vector
from symag.smv.model.typed import Constant, Operation
from symag.smv.model.types import WordType

_LOGIC = frozenset({"not", "and", "or", "xor", "xnor", "implies", "iff"})
_CONVERSIONS = frozenset({"concat", "select", "extend", "resize", "signed", "unsigned", "word1", "bool", "toint"})

#: A value, and the literal and the message of the failure of the operation itself (FALSE: none).
Outcome = tuple[Single, int, str]


def operate(graph: Graph, expression: Operation, operands: Sequence[Denotation]) -> Outcome:
    """The value of an operation; it has no meaning where it fails. Raises UnsupportedError for temporal operators."""
    operator = expression.operator
    values = [_single(value) for value in operands]
    if operator in ("=", "!="):
        same = equal(graph, values[0], values[1])
        return (same if operator == "=" else same ^ 1), FALSE, ""
    if operator in _LOGIC:
        return _logic(graph, operator, values), FALSE, ""
    if operator == "count":
        return Number(vectors.count(graph, [_truth(value) for value in values])), FALSE, ""
    if operator in ("<<", ">>"):
        return _shift(graph, operator, values[0], number_of(values[1]))
    if operator in _CONVERSIONS:
        return _converted(graph, expression, values), FALSE, ""
    numbers = [number_of(value) for value in values]
    if operator in ("<", "<=", ">", ">="):
        first, second = numbers if operator in ("<", ">=") else reversed(numbers)
        less = vectors.less(graph, first, second)
        return (less if operator in ("<", ">") else less ^ 1), FALSE, ""
    fails = vectors.equal(graph, numbers[1], (FALSE,)) if operator in ("/", "mod") else FALSE
    if isinstance(expression.type, WordType):
        width = expression.type.width
        bits = vectors.extended(_arithmetic(graph, operator, numbers, width), width)
        return Word(bits, expression.type.signed), fails, "division by zero"
    return Number(vectors.reduced(_arithmetic(graph, operator, numbers, None))), fails, "division by zero"


def _logic(graph: Graph, operator: str, values: Sequence[Single]) -> Single:
    first = values[0]
    if isinstance(first, Word):
        columns = zip(*(value.bits for value in values if isinstance(value, Word)), strict=True)
        return Word(tuple(_connective(graph, operator, column) for column in columns), first.signed)
    return _connective(graph, operator, [_truth(value) for value in values])


def _connective(graph: Graph, operator: str, literals: Sequence[int]) -> int:
    match operator:
        case "not":
            return literals[0] ^ 1
        case "and":
            return graph.all(literals)
        case "or":
            return graph.any(literals)
        case "implies":
            return graph.disjunction(literals[0] ^ 1, literals[1])
        case "xor":
            return graph.exclusive(literals[0], literals[1])
        case _:
            return graph.equal(literals[0], literals[1])


def _arithmetic(graph: Graph, operator: str, numbers: Sequence[Vector], width: int | None) -> Vector:
    """The result as an integer; if ``width`` is given, only its lowest ``width`` bits matter."""
    first, last = numbers[0], numbers[-1]
    match operator:
        case "+":
            return vectors.total(graph, first, last) if width is None else vectors.add(graph, first, last, width)
        case "-":
            return vectors.difference(graph, first, last)
        case "*":
            return vectors.product(graph, first, last, len(first) + len(last) if width is None else width)
        case "/":
            return vectors.quotient_and_rest(graph, first, last)[0]
        case "mod":
            return vectors.quotient_and_rest(graph, first, last)[1]
        case "negate":
            return vectors.negated(graph, first)
        case "abs":
            return vectors.magnitude(graph, first)
        case "min" | "max":
            less = vectors.less(graph, first, last)
            return vectors.choose(graph, less ^ (operator == "max"), first, last)
    raise UnsupportedError(f"operator {operator} in a circuit")


def _shift(graph: Graph, operator: str, word: Single, amount: Vector) -> Outcome:
    if not isinstance(word, Word):
        raise TypeError("a word is shifted")
    filler = word.bits[-1] if word.signed and operator == ">>" else FALSE
    bits = vectors.shifted(graph, word.bits, amount, operator == "<<", filler)
    above = vectors.less(graph, vectors.literal_vector(len(word.bits)), amount)
    return Word(bits, word.signed), graph.disjunction(above, amount[-1]), "shift amount is out of range"


def _converted(graph: Graph, expression: Operation, values: Sequence[Single]) -> Single:
    value = values[0]
    operator, result = expression.operator, expression.type
    if operator == "word1":
        return Word((_truth(value),), False)
    if operator == "bool":
        return value if isinstance(value, int) else graph.any(number_of(value))
    if operator == "toint":
        return Number(vectors.reduced(number_of(value))) if isinstance(value, int | Word) else value
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
    return Word(vectors.extended(bits, result.width, None if value.signed else FALSE), value.signed)


def _truth(value: Single) -> int:
    if not isinstance(value, int):
        raise TypeError("a truth value is expected")
    return value


def _single(value: Denotation) -> Single:
    if isinstance(value, GuardedSet):
        raise TypeError("a set where a single value is expected")
    return value
