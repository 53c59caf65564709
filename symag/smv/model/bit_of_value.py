"""One bit of an expression's value, from as few bits of the variables as the expression's form allows.

The selection of a bit is moved down through ``case``, concatenation, selection, extension and the bitwise operators to
the bits of variables; bit k of a sum, difference or product of words depends on the bits up to k only. For other
operators the bit is a condition on the whole value.
"""

from __future__ import annotations

from collections.abc import Mapping

from symag.core.trace import Value
from symag.smv.model.flat import Variable
from symag.smv.model.typed import BOOLEAN, Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import (
    EnumerationType,
    IntegerType,
    RangeType,
    SetType,
    SymbolType,
    VariableType,
    WordType,
    bit_count,
    values,
)

_BITWISE = frozenset({"and", "or", "xor", "xnor", "not", "implies", "iff"})
_FROM_THE_RIGHT = frozenset({"+", "-", "*", "negate"})


def bit_name(variable: str, index: int) -> str:
    """The boolean variable that stands for a bit."""
    return f"{variable}.{index}"


def constant(value: Value, kind: VariableType, position: int) -> Constant:
    """A value of a range or an enumeration as an expression."""
    number = isinstance(kind, RangeType) or isinstance(value, int)
    return Constant(value, IntegerType() if number else SymbolType(), position)


class BitsOfValues:
    """``split`` are the variables of several bits; expressions refer to them as DEFINEs of the same name."""

    def __init__(self, split: Mapping[str, Variable]) -> None:
        self._split = split

    def bit(self, kind: VariableType, value: Expression, index: int) -> Expression:
        """Whether bit ``index`` of a single value of the type is set. Recurses as deep as the expression is nested."""
        if isinstance(value, Operation) and value.operator == "case":
            operands = tuple(
                self.bit(kind, operand, index) if number % 2 else operand
                for number, operand in enumerate(value.operands)
            )
            return Operation("case", operands, BOOLEAN, value.position)
        return self._word_bit(value, index) if isinstance(kind, WordType) else self._scalar_bit(kind, value, index)

    def _scalar_bit(self, kind: VariableType, value: Expression, index: int) -> Expression:
        position = value.position
        if isinstance(value, Constant):
            # A constant that is no value of the type is in a branch that is never taken.
            codes = [code for code, member in enumerate(values(kind)) if member == value.value]
            return Constant(any(code >> index & 1 for code in codes), BOOLEAN, position)
        if isinstance(value, DefineReference) and value.name in self._split:
            other = self._split[value.name].type
            if other == kind or (
                isinstance(other, RangeType) and isinstance(kind, RangeType) and other.low == kind.low
            ):
                return self._of_variable(value, index)
        having = [constant(member, kind, position) for code, member in enumerate(values(kind)) if code >> index & 1]
        if len(having) == 1:
            return Operation("=", (value, having[0]), BOOLEAN, position)
        element = SymbolType(mixed=kind.numbers > 0) if isinstance(kind, EnumerationType) else IntegerType()
        union = Operation("union", tuple(having), SetType(element), position)
        return Operation("in", (value, union), BOOLEAN, position)

    def _of_variable(self, reference: DefineReference, index: int) -> Expression:
        if index >= bit_count(self._split[reference.name].type):
            return Constant(False, BOOLEAN, reference.position)
        return VariableReference(bit_name(reference.name, index), reference.primed, BOOLEAN, reference.position)

    def _word_bit(self, value: Expression, index: int) -> Expression:
        position = value.position
        if isinstance(value, Constant):
            return Constant(bool(int(value.value) >> index & 1), BOOLEAN, position)
        if isinstance(value, DefineReference) and value.name in self._split:
            return self._of_variable(value, index)
        if isinstance(value, Operation):
            bit = self._word_operation_bit(value, index)
            if bit is not None:
                return bit
        return _selected(value, index)

    def _word_operation_bit(self, value: Operation, index: int) -> Expression | None:
        operator, operands = value.operator, value.operands
        if operator in _BITWISE:
            bits = tuple(self._word_bit(operand, index) for operand in operands)
            return Operation(operator, bits, BOOLEAN, value.position)
        if operator == "concat":
            low = _width(operands[1])
            return self._word_bit(operands[1], index) if index < low else self._word_bit(operands[0], index - low)
        if operator == "select" and isinstance(operands[2], Constant):
            return self._word_bit(operands[0], index + int(operands[2].value))
        if operator in ("signed", "unsigned") and isinstance(operands[0].type, WordType):
            return self._word_bit(operands[0], index)
        if operator in ("extend", "resize") and index < _width(operands[0]) and index < _width(value) - 1:
            return self._word_bit(operands[0], index)
        if operator in _FROM_THE_RIGHT and index + 1 < _width(value):
            return _selected(self._low(value, index + 1), index)
        if operator == "case":
            return self.bit(WordType(_width(value), False), value, index)
        return None

    def _low(self, value: Expression, width: int) -> Expression:
        """The ``width`` lowest bits of a word, unsigned."""
        word = WordType(width, False)
        if isinstance(value, Operation) and value.operator in _FROM_THE_RIGHT:
            operands = tuple(self._low(operand, width) for operand in value.operands)
            return Operation(value.operator, operands, word, value.position)
        return joined([self._word_bit(value, index) for index in range(width)])


def joined(bits: list[Expression]) -> Expression:
    """The unsigned word with these bits, the lowest first."""
    singles: list[Expression] = [Operation("word1", (bit,), WordType(1, False), bit.position) for bit in bits]
    result = singles[0]
    for width, single in enumerate(singles[1:], start=2):
        result = Operation("concat", (single, result), WordType(width, False), result.position)
    return result


def _selected(value: Expression, index: int) -> Expression:
    place = Constant(index, IntegerType(), value.position)
    selected = Operation("select", (value, place, place), WordType(1, False), value.position)
    return Operation("bool", (selected,), BOOLEAN, value.position)


def _width(value: Expression) -> int:
    assert isinstance(value.type, WordType)
    return value.type.width
