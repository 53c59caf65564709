"""Typed expressions over bit-vectors: one bit is a boolean, several are an unsigned word, an array is a tuple of them.

Constants are folded where that is free, because models made from Verilog are full of them.
"""

from __future__ import annotations

from symag.smv.model.typed import BOOLEAN, FALSE, TRUE, Constant, Expression, Operation
from symag.smv.model.types import BooleanType, IntegerType, VariableType, WordType

_INTEGER = IntegerType()


def type_of_width(width: int) -> VariableType:
    """The type of the variables of a width."""
    return BOOLEAN if width == 1 else WordType(width, False)


def width_of(value: Expression) -> int:
    """How many bits a value has."""
    return value.type.width if isinstance(value.type, WordType) else 1


def constant(number: int, width: int) -> Expression:
    """A constant; higher bits are cut off."""
    if width == 1:
        return TRUE if number & 1 else FALSE
    return Constant(number & ((1 << width) - 1), WordType(width, False), 0)


def known(value: Expression) -> int | None:
    """A constant's number, else None."""
    return int(value.value) if isinstance(value, Constant) else None


def word(value: Expression) -> Expression:
    """The value as a word, also where it has one bit."""
    if isinstance(value.type, WordType):
        return value
    if isinstance(value, Constant):
        return Constant(int(value.value), WordType(1, False), 0)
    return Operation("word1", (value,), WordType(1, False), 0)


def value_of_word(expression: Expression) -> Expression:
    """A word as a value: a boolean where it has one bit."""
    if width_of(expression) > 1:
        return expression
    if isinstance(expression, Constant):
        return TRUE if expression.value else FALSE
    return Operation("bool", (expression,), BOOLEAN, 0)


def negation(value: Expression) -> Expression:
    """Bit by bit."""
    number = known(value)
    if number is not None:
        return constant(~number, width_of(value))
    if isinstance(value, Operation) and value.operator == "not":
        return value.operands[0]
    return Operation("not", (value,), value.type, 0)


def conjunction(*values: Expression) -> Expression:
    """Bit by bit; all values have one width, and there are some."""
    zero, ones = 0, (1 << width_of(values[0])) - 1
    if any(known(value) == zero for value in values):
        return constant(0, width_of(values[0]))
    relevant = tuple(value for value in values if known(value) != ones)
    if len(relevant) < 2:
        return relevant[0] if relevant else constant(ones, width_of(values[0]))
    return Operation("and", relevant, values[0].type, 0)


def disjunction(*values: Expression) -> Expression:
    """Bit by bit; all values have one width, and there are some."""
    zero, ones = 0, (1 << width_of(values[0])) - 1
    if any(known(value) == ones for value in values):
        return constant(ones, width_of(values[0]))
    relevant = tuple(value for value in values if known(value) != zero)
    if len(relevant) < 2:
        return relevant[0] if relevant else constant(0, width_of(values[0]))
    return Operation("or", relevant, values[0].type, 0)


def exclusive(one: Expression, other: Expression) -> Expression:
    """Bit by bit."""
    for constant_side, value in ((one, other), (other, one)):
        if known(constant_side) == 0:
            return value
        if known(constant_side) == (1 << width_of(value)) - 1:
            return negation(value)
    return Operation("xor", (one, other), one.type, 0)


def equality(one: Expression, other: Expression) -> Expression:
    """Whether two values of one width are equal."""
    left, right = known(one), known(other)
    if left is not None and right is not None:
        return TRUE if left == right else FALSE
    if isinstance(one.type, BooleanType):
        return negation(exclusive(one, other)) if left is not None or right is not None else _same(one, other)
    return Operation("=", (one, other), BOOLEAN, 0)


def _same(one: Expression, other: Expression) -> Expression:
    return Operation("iff", (one, other), BOOLEAN, 0)


def less(one: Expression, other: Expression, signed: bool, or_equal: bool = False) -> Expression:
    """Whether one < other (or one <= other)."""
    if isinstance(one.type, BooleanType):
        low, high = (other, one) if signed else (one, other)  # the only negative number is -1
        return disjunction(negation(low), high) if or_equal else conjunction(negation(low), high)
    if signed:
        one, other = as_signed(one), as_signed(other)
    return Operation("<=" if or_equal else "<", (one, other), BOOLEAN, 0)


def as_signed(value: Expression) -> Expression:
    """The word, read in two's complement."""
    return Operation("signed", (word(value),), WordType(width_of(value), True), 0)


def arithmetic(operator: str, *values: Expression, signed: bool = False) -> Expression:
    """``+ - * / mod negate`` of words of one width, cut to that width; division by zero has no value."""
    width = width_of(values[0])
    operands = tuple(as_signed(value) if signed else word(value) for value in values)
    operation = Operation(operator, operands, WordType(width, signed), 0)
    return value_of_word(Operation("unsigned", (operation,), WordType(width, False), 0) if signed else operation)


def choice(condition: Expression, one: Expression, other: Expression) -> Expression:
    """One where the condition is true, else the other."""
    if known(condition) is not None:
        return one if known(condition) else other
    if one is other:
        return one
    return Operation("case", (condition, one, TRUE, other), one.type, 0)


def concatenation(high: Expression, low: Expression) -> Expression:
    """The bits of one above those of the other."""
    one, other = known(high), known(low)
    width = width_of(high) + width_of(low)
    if one is not None and other is not None:
        return constant(one << width_of(low) | other, width)
    return Operation("concat", (word(high), word(low)), WordType(width, False), 0)


def selection(value: Expression, high: int, low: int) -> Expression:
    """Bits ``high`` to ``low``."""
    if low == 0 and high == width_of(value) - 1:
        return value
    number = known(value)
    if number is not None:
        return constant(number >> low, high - low + 1)
    bounds = tuple(Constant(bound, _INTEGER, 0) for bound in (high, low))
    return value_of_word(Operation("select", (value, *bounds), WordType(high - low + 1, False), 0))


def sign(value: Expression) -> Expression:
    """The highest bit."""
    return bit(value, width_of(value) - 1)


def bit(value: Expression, index: int) -> Expression:
    """One bit, as a boolean."""
    return selection(value, index, index)


def extension(value: Expression, added: int, signed: bool) -> Expression:
    """With ``added`` bits on top: zeros, or copies of the sign."""
    if added == 0:
        return value
    number, width = known(value), width_of(value)
    if number is not None:
        negative = signed and number >> (width - 1)
        return constant(number - (1 << width) if negative else number, width + added)
    operand = as_signed(value) if signed else word(value)
    extended = Operation("extend", (operand, Constant(added, _INTEGER, 0)), WordType(width + added, signed), 0)
    return Operation("unsigned", (extended,), WordType(width + added, False), 0) if signed else extended


#: The elements, by their addresses from 0.
Memory = tuple[Expression, ...]


def element_at(memory: Memory, address: Expression) -> Expression:
    """The element at an address: a tree of choices, one level for each bit of the address."""
    number = known(address)
    if number is not None:
        return memory[number]
    level = list(memory)
    for index in range(width_of(address)):
        is_upper = bit(address, index)
        level = [choice(is_upper, high, low) for low, high in zip(level[::2], level[1::2], strict=True)]
    return level[0]


def with_element(memory: Memory, address: Expression, value: Expression) -> Memory:
    """The memory with another element at an address."""
    width = width_of(address)
    return tuple(
        choice(equality(address, constant(number, width)), value, element) for number, element in enumerate(memory)
    )


def memory_choice(condition: Expression, one: Memory, other: Memory) -> Memory:
    """One where the condition is true, else the other."""
    return tuple(choice(condition, left, right) for left, right in zip(one, other, strict=True))


def same_memory(one: Memory, other: Memory) -> Expression:
    """Whether all elements are equal."""
    return conjunction(*(equality(left, right) for left, right in zip(one, other, strict=True)))
