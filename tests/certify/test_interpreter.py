"""The interpreter's values against NuSMV's manual, expression by expression, built by hand."""

from __future__ import annotations

import pytest

from symag.core.source import SourceText
from symag.core.trace import Value
from symag.smv.certify.runs.interpreter import EvaluationError, evaluate
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, IntegerType, SetType, SymbolType, Type, WordType

BOOLEAN, INTEGER, SYMBOL = BooleanType(), IntegerType(), SymbolType()


def system(**defines: Expression) -> FlatSystem:
    return FlatSystem(SourceText.of("<text>", ""), (), defines, (), (), (), (), (), (), ())


def constant(value: Value, kind: Type | None = None) -> Constant:
    if kind is None:
        kind = BOOLEAN if isinstance(value, bool) else INTEGER if isinstance(value, int) else SYMBOL
    return Constant(value, kind, 0)


def variable(name: str, primed: bool = False, kind: Type = BOOLEAN) -> VariableReference:
    return VariableReference(name, primed, kind, 7)


def apply(operator: str, result: Type, *operands: Expression) -> Operation:
    return Operation(operator, operands, result, 3)


def unsigned(width: int) -> WordType:
    return WordType(width, False)


def signed(width: int) -> WordType:
    return WordType(width, True)


def value(expression: Expression, **current: Value) -> Value:
    (only,) = evaluate(system(), expression, current)
    return only


@pytest.mark.parametrize(
    ("left", "right", "quotient", "remainder"), [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1)]
)
def test_division_truncates_towards_zero_as_c_does(left: int, right: int, quotient: int, remainder: int) -> None:
    assert value(apply("/", INTEGER, constant(left), constant(right))) == quotient
    assert value(apply("mod", INTEGER, constant(left), constant(right))) == remainder


WORDS = [
    (apply("+", unsigned(3), constant(7, unsigned(3)), constant(2, unsigned(3))), 1),
    (apply("-", unsigned(3), constant(1, unsigned(3)), constant(2, unsigned(3))), 7),
    (apply("*", signed(3), constant(3, signed(3)), constant(2, signed(3))), -2),
    (apply("/", signed(3), constant(-4, signed(3)), constant(-1, signed(3))), -4),
    (apply("negate", signed(3), constant(-4, signed(3))), -4),
    (apply("not", unsigned(3), constant(5, unsigned(3))), 2),
    (apply("and", signed(3), constant(-1, signed(3)), constant(2, signed(3))), 2),
    (apply("<<", unsigned(4), constant(5, unsigned(4)), constant(2)), 4),
    (apply(">>", signed(3), constant(-3, signed(3)), constant(2)), -1),
    (apply(">>", unsigned(3), constant(5, unsigned(3)), constant(3)), 0),
    (apply("concat", unsigned(5), constant(-1, signed(2)), constant(1, unsigned(3))), 25),
    (apply("select", unsigned(2), constant(-4, signed(4)), constant(3), constant(2)), 3),
    (apply("extend", signed(5), constant(-2, signed(3)), constant(2)), -2),
    (apply("extend", unsigned(5), constant(6, unsigned(3)), constant(2)), 6),
    (apply("resize", signed(2), constant(-3, signed(3)), constant(2)), -1),
    (apply("resize", signed(2), constant(2, signed(3)), constant(2)), 0),
    (apply("resize", unsigned(2), constant(6, unsigned(3)), constant(2)), 2),
    (apply("signed", signed(3), constant(6, unsigned(3))), -2),
    (apply("unsigned", unsigned(3), constant(-2, signed(3))), 6),
    (apply("toint", INTEGER, constant(-2, signed(3))), -2),
    (apply("word1", unsigned(1), constant(True)), 1),
    (apply("bool", BOOLEAN, constant(0, unsigned(1))), False),
    (apply("toint", INTEGER, constant(True)), 1),
    (apply("count", INTEGER, constant(True), constant(False), constant(True)), 2),
]


@pytest.mark.parametrize(("expression", "expected"), WORDS, ids=lambda item: getattr(item, "operator", str(item)))
def test_words_and_conversions(expression: Expression, expected: Value) -> None:
    found = value(expression)
    assert found == expected
    assert type(found) is type(expected)


def test_the_first_true_branch_counts_and_hides_errors_of_the_others() -> None:
    by_zero = apply("/", INTEGER, constant(1), constant(0))
    chosen = apply("case", INTEGER, variable("a"), constant(1), variable("b"), constant(2), constant(True), by_zero)
    assert value(chosen, a=True, b=True) == 1
    assert value(chosen, a=False, b=True) == 2
    with pytest.raises(EvaluationError, match="division by zero"):
        value(chosen, a=False, b=False)


@pytest.mark.parametrize(
    ("operator", "message"), [("case", "case conditions are not exhaustive"), ("index", "array index out of bounds")]
)
def test_no_true_branch_is_an_error_with_its_position(operator: str, message: str) -> None:
    with pytest.raises(EvaluationError, match=message) as caught:
        value(apply(operator, INTEGER, constant(False), constant(1)))
    assert caught.value.position == 3


def test_a_shift_beyond_the_width_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="shift amount"):
        value(apply("<<", unsigned(2), constant(1, unsigned(2)), constant(3)))


def test_sets_flatten_and_compare() -> None:
    both = apply("union", SetType(SYMBOL), constant("a"), apply("union", SetType(SYMBOL), constant("b"), constant("a")))
    assert evaluate(system(), both, {}) == {"a", "b"}
    assert value(apply("in", BOOLEAN, constant("a"), both)) is True
    assert value(apply("in", BOOLEAN, both, constant("a"))) is False


def test_next_reads_the_successor_also_through_defines() -> None:
    model = system(d=apply("not", BOOLEAN, variable("a")))
    primed = DefineReference("d", True, BOOLEAN, 0)
    both = apply("union", SetType(BOOLEAN), primed, DefineReference("d", False, BOOLEAN, 0))
    assert evaluate(model, primed, {"a": True}, {"a": False}) == {True}
    assert evaluate(model, both, {"a": True}, {"a": False}) == {True, False}
    with pytest.raises(EvaluationError, match="a has no value in the next state"):
        evaluate(model, primed, {"a": True})


def test_deep_and_shared_expressions_need_neither_stack_nor_time() -> None:
    deep: Expression = variable("a")
    for _ in range(20_000):
        deep = apply("not", BOOLEAN, deep)
    assert value(deep, a=True) is True
    wide: Expression = constant(1)
    for _ in range(60):
        wide = apply("+", INTEGER, wide, wide)
    assert value(wide) == 1 << 60
