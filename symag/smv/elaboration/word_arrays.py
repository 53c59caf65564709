"""``READ``, ``WRITE`` and ``CONSTARRAY``: arrays with one element for each value of an unsigned word.

NuSMV 2.6 reads them and refuses to build a model with them; nuXmv decides such models.
"""

from __future__ import annotations

from symag.smv.elaboration.arrays import ExpressionArray, Value, array_case, indexed
from symag.smv.elaboration.kinds import converts_to, type_text
from symag.smv.elaboration.rules import Rules
from symag.smv.model.typed import BOOLEAN, Constant, Expression, Operation
from symag.smv.model.types import WordType


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
        elements.append(array_case(rules, [here, always], [value, element], position))
    return ExpressionArray.of(rules.source, 0, elements, position)


def constant_array(rules: Rules, array: Value, value: Value, position: int) -> Value:
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
