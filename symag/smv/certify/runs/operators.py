"""The operators of ``symag.smv.model.typed`` on values: the table of the interpreter.

Laws of this file:

- A value is a truth value, a number or a symbol, as in ``symag.traces``; a set of values is a frozenset. A
  word is its number, which is negative if its type is signed and its highest bit is set.
- An expression denotes a ``Failure`` where NuSMV reports an error. An operation with such an operand denotes
  it too, except that FALSE absorbs it under ``and`` and TRUE under ``or``, and that ``case`` reads only the
  value that it chooses.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from symag.core.trace import Value
from symag.smv.model.typed import Operation
from symag.smv.model.types import BooleanType, Type, WordType


class Failure(Struct, frozen=True):
    """An error of evaluation, and its position in the source text."""

    message: str
    position: int


#: The denotation of an expression: a value, a set of values, or an error.
Denotation = Value | frozenset[Value] | Failure
#: From the operands' denotations to the denotation of the operation.
Rule = Callable[..., Denotation]


def members(denotation: Value | frozenset[Value]) -> frozenset[Value]:
    """The set of values; a single value stands for its singleton."""
    return denotation if isinstance(denotation, frozenset) else frozenset((denotation,))


def pattern(number: int, width: int) -> int:
    """The bits of a word's number, as a number from 0 to 2**width - 1."""
    return number & ((1 << width) - 1)


def word(bits: int, word_type: WordType) -> int:
    """The number of a word of the given type from its bits; higher bits are cut off."""
    bits &= (1 << word_type.width) - 1
    if word_type.signed and bits >> (word_type.width - 1):
        return bits - (1 << word_type.width)
    return bits


def rule(operation: Operation) -> Rule:
    """The function that computes an operation from its operands' denotations.

    Raises ValueError for an operator without a value at one transition (the temporal ones).
    """
    operator, result, position = operation.operator, operation.type, operation.position
    types = tuple(operand.type for operand in operation.operands)
    match operator:
        case "case":
            return _choice(Failure("case conditions are not exhaustive", position))
        case "index":
            return _choice(Failure("array index out of bounds", position))
        case "and" | "or" if not isinstance(result, WordType):
            return _junction(operator == "or")
        case "not" if not isinstance(result, WordType):
            return _negation
        case "union":
            return _strict(lambda *operands: frozenset().union(*map(members, operands)))
        case "in":
            return _strict(lambda left, right: members(left) <= members(right))
        case "count":
            return _strict(lambda *operands: sum(operands))
        case "=" | "!=" | "<" | "<=" | ">" | ">=":
            return _strict(_COMPARISONS[operator])
        case "/" | "mod":
            return _strict(_division(operator, result, Failure("division by zero", position)))
        case "<<" | ">>":
            return _strict(_shift(operator, result, Failure("shift amount is out of range", position)))
    if isinstance(result, WordType) and operator in _WORD_RULES:
        return _strict(_WORD_RULES[operator](result, types))
    if isinstance(result, BooleanType) and operator in _BOOLEAN_RULES:
        return _strict(_BOOLEAN_RULES[operator])
    if operator in _NUMBER_RULES:
        return _strict(_NUMBER_RULES[operator])
    raise ValueError(f"operator {operator} has no value at a single transition")


def _strict(compute: Rule) -> Rule:
    def apply(*operands: Denotation) -> Denotation:
        for operand in operands:
            if operand.__class__ is Failure:
                return operand
        return compute(*operands)

    return apply


def _negation(operand: Denotation) -> Denotation:
    return operand if operand.__class__ is Failure else not operand


def _junction(absorbing: bool) -> Rule:
    """The conjunction (``absorbing`` is False) or disjunction: its value, once met, counts before any failure."""

    def apply(*operands: Denotation) -> Denotation:
        failure: Failure | None = None
        for operand in operands:
            if operand is absorbing:
                return absorbing
            if failure is None and isinstance(operand, Failure):
                failure = operand
        return not absorbing if failure is None else failure

    return apply


def _choice(nothing_chosen: Failure) -> Rule:
    def apply(*operands: Denotation) -> Denotation:
        for index in range(0, len(operands), 2):
            condition = operands[index]
            if condition is True:
                return operands[index + 1]
            if isinstance(condition, Failure):
                return condition
        return nothing_chosen

    return apply


_COMPARISONS: dict[str, Rule] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}

_BOOLEAN_RULES: dict[str, Rule] = {
    "xor": lambda left, right: left is not right,
    "xnor": lambda left, right: left is right,
    "iff": lambda left, right: left is right,
    "implies": lambda left, right: not left or right,
    "bool": lambda operand: operand != 0,
}

_NUMBER_RULES: dict[str, Rule] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "negate": lambda operand: -operand,
    "abs": abs,
    "min": min,
    "max": max,
    "toint": int,
}


def _wrapped(compute: Rule) -> Callable[[WordType, tuple[Type, ...]], Rule]:
    # A rule may return any value; the rules of words return numbers.
    return lambda result, _: lambda *operands: word(compute(*operands), result)  # type: ignore[arg-type]  # a number


def _fold(step: Callable[[int, int], int]) -> Rule:
    def apply(first: int, *others: int) -> int:
        for other in others:
            first = step(first, other)
        return first

    return apply


def _width(operand: Type) -> int:
    assert isinstance(operand, WordType)
    return operand.width


def _concatenation(result: WordType, types: tuple[Type, ...]) -> Rule:
    high, low = _width(types[0]), _width(types[1])
    return lambda left, right: word(pattern(left, high) << low | pattern(right, low), result)


def _selection(result: WordType, types: tuple[Type, ...]) -> Rule:
    width = _width(types[0])
    return lambda operand, _, low: word(pattern(operand, width) >> low, result)


def _resizing(result: WordType, types: tuple[Type, ...]) -> Rule:
    old = types[0]
    assert isinstance(old, WordType)
    if not old.signed or old.width <= result.width:
        return lambda operand, *_: word(operand, result)
    sign = 1 << (result.width - 1)
    return lambda operand, *_: word(operand & (sign - 1) | (sign if operand < 0 else 0), result)


_WORD_RULES: dict[str, Callable[[WordType, tuple[Type, ...]], Rule]] = {
    "not": _wrapped(lambda operand: ~operand),
    "and": _wrapped(_fold(lambda left, right: left & right)),
    "or": _wrapped(_fold(lambda left, right: left | right)),
    "xor": _wrapped(lambda left, right: left ^ right),
    "xnor": _wrapped(lambda left, right: ~(left ^ right)),
    "iff": _wrapped(lambda left, right: ~(left ^ right)),
    "implies": _wrapped(lambda left, right: ~left | right),
    "+": _wrapped(lambda left, right: left + right),
    "-": _wrapped(lambda left, right: left - right),
    "*": _wrapped(lambda left, right: left * right),
    "negate": _wrapped(lambda operand: -operand),
    "abs": _wrapped(abs),
    "min": _wrapped(min),
    "max": _wrapped(max),
    "concat": _concatenation,
    "select": _selection,
    "extend": _wrapped(lambda operand, *_: operand),
    "resize": _resizing,
    "signed": _wrapped(lambda operand: operand),
    "unsigned": _wrapped(lambda operand: operand),
    "word1": _wrapped(int),
}


def _division(operator: str, result: Type, by_zero: Failure) -> Rule:
    def compute(left: int, right: int) -> Denotation:
        if right == 0:
            return by_zero
        quotient = abs(left) // abs(right)
        if (left < 0) is not (right < 0):
            quotient = -quotient
        number = quotient if operator == "/" else left - right * quotient
        return word(number, result) if isinstance(result, WordType) else number

    return compute


def _shift(operator: str, result: Type, out_of_range: Failure) -> Rule:
    assert isinstance(result, WordType)

    def compute(operand: int, amount: int) -> Denotation:
        if not 0 <= amount <= result.width:
            return out_of_range
        return word(operand << amount if operator == "<<" else operand >> amount, result)

    return compute
