"""Typed expressions, of which the flat system consists: names are resolved, types and positions are known.

Values follow NuSMV 2.6. An expression denotes, at a state (and, under ``next``, a successor), a set of
values: one for most, several for sets. Operators (``Operation.operator``) and their operands:

=====================================  ==============================================================
``not and or xor xnor implies iff``    booleans, or words bit by bit; ``and``/``or`` take two or more
``= != < <= > >=``                     two operands of compatible types; result boolean
``+ - * / mod negate abs min max``     integers or words; ``/`` and ``mod`` truncate towards zero as in C
``<< >>``                              a word, and an integer or unsigned word
``concat``                             two words
``select``                             word, Constant high, Constant low (bits of the pattern)
``extend resize``                      word, Constant (bits to add; new width)
``signed unsigned bool word1 toint``   conversions, one operand
``count``                              booleans; how many are true
``union``                              two or more; the set of all values of all operands; singleton sets
                                       are not distinguished from their element
``in``                                 element or set, set: TRUE where every value of the left is in the right
``case``                               condition, value, condition, value ...; the first true one counts;
                                       no true condition is an error (``case conditions are not exhaustive``)
``index``                              laid out as ``case``; no true condition is ``array index out of bounds``
=====================================  ==============================================================

Division by zero is an error too. An error counts only where evaluation reaches it: a value of a
``case`` is evaluated only where its condition is the first true one.

Temporal operators occur in properties only, with NuSMV's spelling: ``AG AF AX EG EF EX AU EU`` (and the
bounded ``ABU EBU ABF ABG EBF EBG``), ``X F G U V Y Z H O S T``. Set-valued operands of other operators
than ``union``, ``in``, ``case`` and ``index`` do not occur.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeGuard

from msgspec import Struct

from symag.core.trace import Value
from symag.smv.model.types import BooleanType, Type

CTL_OPERATORS = frozenset("EX AX EF AF EG AG EBF ABF EBG ABG AU EU ABU EBU".split())
LTL_OPERATORS = frozenset("XYZGHFOUSVT")
TEMPORAL_OPERATORS = CTL_OPERATORS | LTL_OPERATORS | {"MIN", "MAX"}
LOGICAL_OPERATORS = frozenset(("not", "and", "or", "xor", "xnor", "implies", "iff"))


class Constant(Struct, frozen=True, eq=False):
    """A value; a word constant holds its number (negative possible if signed)."""

    value: Value
    type: Type
    position: int


class VariableReference(Struct, frozen=True, eq=False):
    """A variable's value now, or in the next state when ``primed``."""

    name: str
    primed: bool
    type: Type
    position: int


class DefineReference(Struct, frozen=True, eq=False):
    """A DEFINE's value now, or with every variable in it read in the next state when ``primed``."""

    name: str
    primed: bool
    type: Type
    position: int


class Operation(Struct, frozen=True, eq=False):
    """An operator with its operands (see the table above)."""

    operator: str
    operands: tuple[Expression, ...]
    type: Type
    position: int


Expression = Constant | VariableReference | DefineReference | Operation


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """The expression and all below it, each object once, parents before children; not through defines."""
    stack = [expression]
    seen: set[int] = set()
    while stack:
        current = stack.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, Operation):
            stack.extend(reversed(current.operands))


def has_operator(expression: Expression, operators: Collection[str]) -> bool:
    """Whether one of these operators occurs in the expression."""
    return any(isinstance(part, Operation) and part.operator in operators for part in subexpressions(expression))


def references(expression: Expression) -> Iterator[VariableReference | DefineReference]:
    """All references in an expression from left to right, not through defines; a shared one perhaps twice.

    Cheaper than :func:`subexpressions` where most of an expression is constants, as ``0..65535`` is.
    """
    stack = [expression]
    seen: set[int] = set()
    while stack:
        current = stack.pop()
        if isinstance(current, Operation):
            if id(current) not in seen:
                seen.add(id(current))
                stack.extend([operand for operand in reversed(current.operands) if type(operand) is not Constant])
        elif not isinstance(current, Constant):
            yield current


def constants_only(operation: Operation) -> bool:
    """Whether all operands are constants, as in ``0..65535``."""
    return all(type(operand) is Constant for operand in operation.operands)


BOOLEAN = BooleanType()
TRUE: Expression = Constant(True, BOOLEAN, 0)
FALSE: Expression = Constant(False, BOOLEAN, 0)


def negation(expression: Expression) -> Expression:
    """The negation of an expression."""
    return Operation("not", (expression,), BOOLEAN, expression.position)


def conjunction(*expressions: Expression) -> Expression:
    """All of the expressions; TRUE for none."""
    return _joined("and", expressions, TRUE)


def is_conjunction(expression: Expression) -> TypeGuard[Operation]:
    """Whether it is ``&`` of booleans, not of words."""
    return isinstance(expression, Operation) and expression.operator == "and" and expression.type == BOOLEAN


def disjunction(*expressions: Expression) -> Expression:
    """One of the expressions or more; FALSE for none."""
    return _joined("or", expressions, FALSE)


def implication(premise: Expression, conclusion: Expression) -> Expression:
    """The second if the first."""
    return Operation("implies", (premise, conclusion), BOOLEAN, premise.position)


def equal(left: Expression, right: Expression) -> Expression:
    """Left if and only if right."""
    return Operation("iff", (left, right), BOOLEAN, left.position)


def not_all_often(conditions: Iterable[Expression]) -> Expression:
    """LTL: no run meets each condition infinitely often, ``!((G F a) & (G F b))``."""
    often = (Operation("G", (Operation("F", (item,), BOOLEAN, 0),), BOOLEAN, 0) for item in conditions)
    return negation(conjunction(*often))


def _joined(operator: str, expressions: tuple[Expression, ...], neutral: Expression) -> Expression:
    if len(expressions) < 2:
        return expressions[0] if expressions else neutral
    return Operation(operator, expressions, BOOLEAN, expressions[0].position)
