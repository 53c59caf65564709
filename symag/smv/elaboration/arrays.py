"""Array-valued expressions: every operation on them becomes operations on their elements.

``READ``, ``WRITE`` and ``CONSTARRAY`` are those of nuXmv, on arrays with one element for each value of an unsigned
word; NuSMV 2.6 reads them and refuses to build a model with them.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from symag.core.source import SourceText
from symag.smv.elaboration.kinds import common, comparable, converts_to, is_integer, is_word, kind, type_text
from symag.smv.elaboration.rules import Rules
from symag.smv.model.typed import BOOLEAN, Constant, Expression, Operation, conjunction, negation
from symag.smv.model.types import ArrayType, IntegerType, Type, WordType


class ExpressionArray(Struct, frozen=True, eq=False):
    """The elements of an array-valued expression, from index ``low`` on."""

    low: int
    elements: tuple[Value, ...]
    type: ArrayType
    position: int

    @classmethod
    def of(cls, source: SourceText, low: int, elements: list[Value], position: int) -> ExpressionArray:
        """The array of some elements. Raises InputError if their types have no common type."""
        element: Type = elements[0].type
        for following in elements[1:]:
            merged = common_of(element, following.type)
            if merged is None:
                message = f"array elements of types {type_text(element)} and {type_text(following.type)}"
                raise source.error(message, following.position)
            element = merged
        return cls(low, tuple(elements), ArrayType(low, low + len(elements) - 1, element), position)

    def primed(self, primed: Callable[[Expression], Expression]) -> ExpressionArray:
        """The same array with a function applied to every single value."""
        elements = tuple(
            element.primed(primed) if isinstance(element, ExpressionArray) else primed(element)
            for element in self.elements
        )
        return ExpressionArray(self.low, elements, self.type, self.position)


Value = Expression | ExpressionArray


def common_of(left: Type, right: Type) -> Type | None:
    """The least type with the values of both, element by element for arrays."""
    if isinstance(left, ArrayType) and isinstance(right, ArrayType):
        element = common_of(left.element, right.element)
        if element is None or (left.low, left.high) != (right.low, right.high):
            return None
        return ArrayType(left.low, left.high, element)
    if isinstance(left, ArrayType) or isinstance(right, ArrayType):
        return None
    return common(left, right)


def indexed(rules: Rules, array: ExpressionArray, index: Expression, number: int | None, position: int) -> Value:
    """An element by an index; ``number`` is the index if it is constant."""
    if number is not None:
        if not array.type.low <= number <= array.type.high:
            message = f"array index {number} is out of bounds {array.type.low}..{array.type.high}"
            raise rules.source.error(message, index.position)
        return array.elements[number - array.low]
    if not (is_integer(index.type) or is_word(index.type)):
        raise rules.source.error(f"an array index cannot be {type_text(index.type)}", index.position)
    of: IntegerType | WordType = index.type if isinstance(index.type, WordType) else IntegerType()
    conditions: list[Expression] = []
    values = []
    for offset, element in enumerate(array.elements):
        number = array.low + offset
        if isinstance(of, WordType) and not _fits(number, of):
            continue
        conditions.append(Operation("=", (index, Constant(number, of, position)), BOOLEAN, position))
        values.append(element)
    return _choice(rules, "index", conditions, values, position)


def _fits(number: int, word: WordType) -> bool:
    if word.signed:
        return -(1 << (word.width - 1)) <= number < 1 << (word.width - 1)
    return 0 <= number < 1 << word.width


def case(rules: Rules, conditions: list[Expression], values: list[Value], position: int) -> Value:
    """A ``case``, whose values may be arrays of one shape."""
    return _choice(rules, "case", conditions, values, position)


def _choice(rules: Rules, operator: str, conditions: list[Expression], values: list[Value], position: int) -> Value:
    arrays = [value for value in values if isinstance(value, ExpressionArray)]
    if not arrays:
        branches: list[Expression] = []
        for condition, value in zip(conditions, values, strict=True):
            assert not isinstance(value, ExpressionArray)
            branches.extend((condition, value))
        return rules.case(branches, position, operator)
    first = arrays[0]
    for value in values:
        if not isinstance(value, ExpressionArray) or common_of(first.type, value.type) is None:
            message = f"illegal operand types of '{operator}': {type_text(first.type)} and {type_text(value.type)}"
            raise rules.source.error(message, value.position)
    elements = [
        _choice(rules, operator, conditions, [array.elements[offset] for array in arrays], position)
        for offset in range(len(first.elements))
    ]
    return ExpressionArray.of(rules.source, first.low, elements, position)


def equality(rules: Rules, operator: str, left: Value, right: Value, position: int) -> Expression:
    """``=`` or ``!=`` of two arrays of one shape: all elements are equal, or not."""
    if not comparable(kind(left.type), kind(right.type)):
        message = f"illegal operand types of '{operator}': {type_text(left.type)} and {type_text(right.type)}"
        raise rules.source.error(message, position)
    pairs = _pairs(left, right)
    both = conjunction(*(rules.equality("=", one, other, position) for one, other in pairs))
    return both if operator == "=" else negation(both)


def _pairs(left: Value, right: Value) -> list[tuple[Expression, Expression]]:
    if isinstance(left, ExpressionArray) and isinstance(right, ExpressionArray):
        return [pair for one, other in zip(left.elements, right.elements, strict=True) for pair in _pairs(one, other)]
    assert not isinstance(left, ExpressionArray)
    assert not isinstance(right, ExpressionArray)
    return [(left, right)]


def read(rules: Rules, array: Value, index: Expression, number: int | None, position: int) -> Value:
    """The element at an index, whose value is ``number`` if it is constant. Raises InputError."""
    return indexed(rules, _over_words("READ", rules, array, index, position), index, number, position)


def written(rules: Rules, array: Value, index: Expression, number: int | None, value: Value, position: int) -> Value:
    """The array with another element at an index, whose value is ``number`` if it is constant. Raises InputError."""
    array = _over_words("WRITE", rules, array, index, position)
    _check_element("WRITE", rules, array, value, position)
    always = Constant(True, BOOLEAN, position)
    elements: list[Value] = []
    for place, element in enumerate(array.elements):
        if number is not None:
            elements.append(value if place == number else element)
            continue
        here = Operation("=", (index, Constant(place, index.type, position)), BOOLEAN, position)
        elements.append(case(rules, [here, always], [value, element], position))
    return ExpressionArray.of(rules.source, 0, elements, position)


def constant(rules: Rules, array: Value, value: Value, position: int) -> Value:
    """An array like another one, all of whose elements have one value. Raises InputError."""
    if not isinstance(array, ExpressionArray):
        raise rules.source.error(f"expected an array in 'typeof', not {type_text(array.type)}", array.position)
    _check_element("CONSTARRAY", rules, array, value, position)
    return ExpressionArray.of(rules.source, array.low, [value] * len(array.elements), position)


def _over_words(operator: str, rules: Rules, array: Value, index: Expression, position: int) -> ExpressionArray:
    """The array, if the index is an unsigned word of its width. Raises InputError."""
    if isinstance(array, ExpressionArray) and index.type == WordType(len(array.elements).bit_length() - 1, False):
        last = (1 << index.type.width) - 1
        if (array.type.low, array.type.high) == (0, last):
            return array
    raise _wrong(operator, rules, (array, index), position)


def _check_element(operator: str, rules: Rules, array: ExpressionArray, value: Value, position: int) -> None:
    if not converts_to(value.type, array.type.element):
        raise _wrong(operator, rules, (array, value), position)


def _wrong(operator: str, rules: Rules, operands: tuple[Value, Value], position: int) -> Exception:
    shown = " and ".join(type_text(operand.type) for operand in operands)
    return rules.source.error(f"illegal operand types of '{operator}': {shown}", position)
