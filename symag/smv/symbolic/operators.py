"""The operators of typed expressions on the denotations of their operands: truth values, value maps and words."""

from __future__ import annotations

import operator as operator_module
from collections.abc import Callable, Mapping

from symag.bdd.context import Bdd
from symag.core.grouping import pairwise
from symag.smv.model.typed import Constant, Expression, Operation
from symag.smv.model.types import IntegerType, RangeType, WordType
from symag.smv.symbolic.values import PRODUCT_LIMIT, Alternatives, Denotation, ValueMap, ValueOperations
from symag.smv.symbolic.vectors import Vector


def _quotient(left: int, right: int) -> int | None:
    """The quotient rounded towards zero, as in C; None for division by 0."""
    if right == 0:
        return None
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def _remainder(left: int, right: int) -> int | None:
    quotient = _quotient(left, right)
    return None if quotient is None else left - quotient * right


_ARITHMETIC: Mapping[str, Callable[[int, int], int | None]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _quotient,
    "mod": _remainder,
    "min": min,
    "max": max,
}
_COMPARISON: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


class Operators:
    """The operators without regard to failures of operands; where an operation itself fails its result is arbitrary."""

    def __init__(self, operations: ValueOperations) -> None:
        self._operations = operations
        self._context = operations.context

    def logic(self, operator: str, values: list[Denotation]) -> Denotation:
        """A connective of truth values, or of words bit by bit."""
        if isinstance(values[0], Vector):
            columns = zip(*(value.bits for value in values), strict=True)
            return Vector(tuple(self.logic(operator, list(column)) for column in columns), values[0].signed)
        match operator:
            case "not":
                return ~values[0]
            case "and":
                return pairwise(operator_module.and_, values)
            case "or":
                return pairwise(operator_module.or_, values)
            case "xor":
                return self._context.xor(*values)
            case "implies":
                return ~values[0] | values[1]
            case _:
                return self._context.xnor(*values)

    def compare(self, operator: str, left: Denotation, right: Denotation) -> Bdd:
        """``<``, ``<=``, ``>`` or ``>=`` of two numbers or two words of one sign."""
        if isinstance(left, ValueMap) and isinstance(right, ValueMap):
            return self._operations.relate(left, right, _COMPARISON[operator])
        if operator in (">", "<="):
            left, right = right, left
        less = self._operations.arithmetic.less(self._operations.vector(left), self._operations.vector(right))
        return less if operator in ("<", ">") else ~less

    def count(self, values: list[Denotation]) -> ValueMap:
        """The number of these truth values that are true."""
        conditions = [self._context.true]
        for value in values:
            more = [value & condition for condition in conditions]
            less = [~value & condition for condition in conditions]
            conditions = [
                one | other
                for one, other in zip([*less, self._context.false], [self._context.false, *more], strict=True)
            ]
        return self._operations.prune(dict(enumerate(conditions)))

    def is_zero(self, value: Denotation) -> Bdd:
        """The condition that a number or a word is 0."""
        if isinstance(value, ValueMap):
            return value.conditions.get(0, self._context.false)
        return ~self._context.disjunction(value.bits)

    def compute(self, expression: Operation, values: list[Denotation]) -> Denotation:
        """Arithmetic on integers or words."""
        operator = expression.operator
        arithmetic = self._operations.arithmetic
        word = isinstance(expression.type, WordType)
        if operator in ("negate", "abs"):
            (value,) = values
            if isinstance(value, ValueMap):
                zero = ValueMap({0: self._context.true})
                operation = _ARITHMETIC["-"] if operator == "negate" else lambda _, number: abs(number)
                return self._operations.combine(zero, value, operation)
            if not word:
                value = arithmetic.widen(value, len(value.bits) + 1)
            return arithmetic.negate(value) if operator == "negate" else self._absolute(value)
        left, right = values
        maps = isinstance(left, ValueMap) and isinstance(right, ValueMap)
        if maps and len(left.conditions) * len(right.conditions) <= PRODUCT_LIMIT:
            return self._operations.combine(left, right, _ARITHMETIC[operator])
        first, second = self._operations.vector(left), self._operations.vector(right)
        if word:
            first, second = arithmetic.align(first, second)
        elif operator == "*":
            width = len(first.bits) + len(second.bits)
            first, second = arithmetic.widen(first, width), arithmetic.widen(second, width)
        else:
            first, second = arithmetic.align(first, second, extra=1)
        match operator:
            case "+":
                return arithmetic.add(first, second)
            case "-":
                return arithmetic.subtract(first, second)
            case "*":
                return arithmetic.multiply(first, second)
            case "min":
                return arithmetic.choose(arithmetic.less(first, second), first, second)
            case "max":
                return arithmetic.choose(arithmetic.less(first, second), second, first)
            case "/":
                return arithmetic.divide(first, second)[0]
            case _:
                return arithmetic.divide(first, second)[1]

    def _absolute(self, value: Vector) -> Vector:
        arithmetic = self._operations.arithmetic
        return arithmetic.choose(value.sign, arithmetic.negate(value), value) if value.signed else value

    def shift(self, operator: str, word: Denotation, amount: Denotation) -> tuple[Vector, Bdd]:
        """The shifted word, and the condition under which the amount is outside 0..width."""
        arithmetic = self._operations.arithmetic
        width = len(word.bits)
        sign = 1 if operator == "<<" else -1
        if isinstance(amount, ValueMap):
            result = arithmetic.constant(0, width, word.signed)
            outside = self._context.false
            for number, condition in amount.conditions.items():
                if isinstance(number, int) and 0 <= number <= width:
                    result = arithmetic.choose(condition, arithmetic.shift(word, sign * number), result)
                else:
                    outside = outside | condition
            return result, outside
        # One stage for each bit of the amount, because the amount may have many values.
        stages = amount.bits[:-1] if amount.signed else amount.bits
        for index, bit in enumerate(stages):
            if bit != self._context.false:
                word = arithmetic.choose(bit, arithmetic.shift(word, sign * min(1 << index, width)), word)
        outside = arithmetic.less(arithmetic.integer(width), arithmetic.as_integer(amount))
        return word, outside | amount.sign if amount.signed else outside

    def convert(self, expression: Operation, values: list[Denotation]) -> Denotation:
        """Conversions and the operators that only move bits."""
        arithmetic = self._operations.arithmetic
        operand = values[0]
        match expression.operator:
            case "concat":
                return Vector((*values[1].bits, *operand.bits), False)
            case "select":
                high, low = (_literal(item) for item in expression.operands[1:])
                return Vector(operand.bits[low : high + 1], False)
            case "extend":
                return arithmetic.widen(operand, len(operand.bits) + _literal(expression.operands[1]))
            case "resize":
                width = _literal(expression.operands[1])
                if width >= len(operand.bits):
                    return arithmetic.widen(operand, width)
                low_bits = operand.bits[:width]
                return Vector((*low_bits[:-1], operand.sign) if operand.signed else low_bits, operand.signed)
            case "signed" | "unsigned":
                return Vector(operand.bits, expression.operator == "signed")
            case "word1":
                return Vector((operand,), False)
            case "bool":
                if isinstance(operand, ValueMap | Vector):
                    return ~self.is_zero(operand)
                return operand
            case "toint":
                if isinstance(operand, Vector):
                    return arithmetic.as_integer(operand)
                if isinstance(operand, ValueMap | Alternatives):
                    return operand
                return self._operations.prune({1: operand, 0: ~operand})
            case other:
                raise ValueError(f"no propositional operator: {other}")


def _literal(expression: Expression) -> int:
    if not isinstance(expression, Constant) or not isinstance(expression.type, IntegerType | RangeType):
        raise ValueError("a constant number was expected")
    return int(expression.value)
