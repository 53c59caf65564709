"""Typed expressions over numbered variables, and their exact values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec import Struct

from symag.lpts.language.prism.values import NoValueError, Value, apply


class Literal(Struct, frozen=True):
    """A value that does not depend on the state; the kind is bool, int or double."""

    value: Value
    kind: str


@dataclass(frozen=True, slots=True)
class VariableValue:
    """The value of a variable."""

    variable: int
    kind: str


@dataclass(frozen=True, slots=True)
class Application:
    """An operator or function of the syntax tree; ``position`` is where it stands in the text."""

    operator: str
    operands: tuple[Typed, ...]
    kind: str
    position: int


Typed = Literal | VariableValue | Application

TRUE = Literal(True, "bool")
FALSE = Literal(False, "bool")


class EvaluationError(Exception):
    """An expression has no value; ``position`` is where the operator stands."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def evaluate(expression: Typed, state: Sequence[int]) -> Value:
    """The value where variable k has the value ``state[k]``; and, or, implication and choice are lazy.

    Raises EvaluationError.
    """
    match expression:
        case Literal(value, _):
            return value
        case VariableValue(variable, kind):
            return bool(state[variable]) if kind == "bool" else int(state[variable])
        case Application(operator, operands, kind, position):
            if operator in ("&", "|"):
                decisive = operator == "|"
                return decisive if any(evaluate(operand, state) is decisive for operand in operands) else not decisive
            first = evaluate(operands[0], state)
            if operator == "?":
                return _as_kind(evaluate(operands[1 if first else 2], state), kind)
            if operator == "=>" and not first:
                return True
            values = [first, *(evaluate(operand, state) for operand in operands[1:])]
            try:
                return _as_kind(apply(operator, values), kind)
            except NoValueError as error:
                raise EvaluationError(str(error), position) from None


def _as_kind(value: Value, kind: str) -> Value:
    return Fraction(value) if kind == "double" and isinstance(value, int) else value


def folded(operator: str, operands: tuple[Typed, ...], kind: str, position: int) -> Typed:
    """The operation, or its value if that needs no state. An operation without a value is left as it is."""
    application = Application(operator, operands, kind, position)
    if operator in ("&", "|"):
        neutral = operator == "&"
        relevant = [operand for operand in operands if not (isinstance(operand, Literal) and operand.value is neutral)]
        if any(isinstance(operand, Literal) for operand in relevant[:1]) or not relevant:
            return Literal(not neutral if relevant else neutral, "bool")
        if len(relevant) == 1:
            return relevant[0]
        return Application(operator, tuple(relevant), kind, position)
    if all(isinstance(operand, Literal) for operand in operands):
        try:
            return Literal(evaluate(application, ()), kind)
        except EvaluationError:
            return application
    if operator == "?" and isinstance(operands[0], Literal):
        return operands[1] if operands[0].value else operands[2]
    return application


def variables_of(expression: Typed) -> frozenset[int]:
    """The variables that the expression reads."""
    match expression:
        case VariableValue(variable, _):
            return frozenset((variable,))
        case Application(_, operands, _, _):
            return frozenset().union(*(variables_of(operand) for operand in operands))
        case _:
            return frozenset()


def conjuncts(expression: Typed) -> list[Typed]:
    """The parts of a conjunction, from left to right."""
    if isinstance(expression, Application) and expression.operator == "&":
        return [part for operand in expression.operands for part in conjuncts(operand)]
    return [expression]
