"""A PRISM model without names: typed expressions of numbered variables, commands, which modules move together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from symag.core.source import SourceText
from symag.lpts.language.prism.values import NoValueError, Value, apply


class Literal(Struct, frozen=True):
    """A value that does not depend on the state; the kind is bool, int or double."""

    value: Value
    kind: str


class VariableValue(Struct, frozen=True):
    """The value of a variable."""

    variable: int
    kind: str


class Application(Struct, frozen=True):
    """An operator or function of the syntax tree; ``position`` is where it stands in the text."""

    operator: str
    operands: tuple[Typed, ...]
    kind: str
    position: int


Typed = Literal | VariableValue | Application

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


class FlatVariable(Struct, frozen=True):
    """Values from ``low`` to ``high`` (0 and 1 for bool); ``module`` is None for a global variable."""

    name: str
    is_bool: bool
    low: int
    high: int
    initial: int
    module: int | None


class FlatUpdate(Struct, frozen=True):
    """With this probability, each variable gets its value, all at once."""

    probability: Typed
    assignments: tuple[tuple[int, Typed, int], ...]  # variable, value, position in the text


class FlatCommand(Struct, frozen=True):
    """Where the guard holds, one of the updates happens. Constant probabilities are > 0 and sum to 1."""

    action: str
    guard: Typed
    updates: tuple[FlatUpdate, ...]
    position: int

    def constant_probabilities(self) -> tuple[Fraction, ...] | None:
        """The probability of each update, None if one of them depends on the state."""
        values = [getattr(update.probability, "value", None) for update in self.updates]
        if any(value is None for value in values):
            return None
        return tuple(Fraction(value) for value in values)  # type: ignore[arg-type]  # none is None here


class FlatModule(Struct, frozen=True):
    """``alphabet`` holds every action that a command names, whether or not it can ever happen."""

    name: str
    commands: tuple[FlatCommand, ...]
    alphabet: tuple[str, ...]


class JointMove(Struct, frozen=True):
    """A move under ``action``: each of these modules makes a move of its own under the action beside it."""

    action: str
    parts: tuple[tuple[int, str], ...]


class FlatReward(Struct, frozen=True):
    """Where the guard holds, a state (``action`` is None) or a transition with this action earns the value."""

    action: str | None
    guard: Typed
    value: Typed
    position: int


class FlatRewards(Struct, frozen=True):
    """A reward structure; ``name`` is "" if it has none."""

    name: str
    items: tuple[FlatReward, ...]


class FlatModel(Struct, frozen=True, eq=False):
    """``type`` is mdp or dtmc; ``alphabet[0]`` is "". ``initial`` is the condition of init ... endinit."""

    source: SourceText
    type: str
    variables: tuple[FlatVariable, ...]
    modules: tuple[FlatModule, ...]
    alphabet: tuple[str, ...]
    moves: tuple[JointMove, ...]
    labels: tuple[tuple[str, Typed], ...]
    initial: Typed | None
    rewards: tuple[FlatRewards, ...] = ()


#: PRISM accepts sums of probabilities that differ from 1 by at most this.
_ROUNDED = Fraction(1, 100_000)


def wrong_sum(total: Fraction, where: str = "") -> str:
    """The error that the probabilities of updates do not sum to 1; a sum of rounded ones is shown by its distance."""
    far = abs(total - 1)
    if far > _ROUNDED or total.denominator <= 1 / _ROUNDED:
        return f"the probabilities of the updates sum to {total}{where}, expected exactly 1"
    shown = f"1 {'+' if total > 1 else '-'} {float(far):.2g}{where}, which PRISM accepts"
    return f"the probabilities of the updates sum to {shown}; expected exactly 1: write one as 1 minus the others"
