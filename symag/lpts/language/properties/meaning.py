"""From the syntax tree of a property to what it asks of one model: names resolved, bounds computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np
from msgspec import Struct

from symag.core.errors import InputError, UnsupportedError
from symag.lpts.language.prism.flat import Typed
from symag.lpts.language.prism.syntax import (
    ConnectiveText,
    Expression,
    ExpressionText,
    FormulaText,
    LabelText,
    MeasureText,
    Name,
    PathText,
    UnsupportedText,
)
from symag.lpts.language.prism.values import Irrational
from symag.lpts.language.properties.names import Names
from symag.lpts.problems import Atom, Boolean, Comparison, Mask, Measure, Query, Relation, StateFormula

Optimum = Literal["max", "min"]
_FLIPPED: Mapping[Relation, Relation] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MOST_STEPS = 10_000_000


class Vocabulary(Struct, frozen=True, eq=False):
    """The atoms that a formula can read of a model, each with the states where it is true."""

    names: Names
    deterministic: bool
    labels: Mapping[str, Callable[[], Mask]]
    actions: Mapping[str, Callable[[], Mask]]
    where: Callable[[Typed], Mask]


def meaning(
    formula: FormulaText, vocabulary: Vocabulary
) -> tuple[StateFormula | Query, tuple[Mask, ...], tuple[int, ...]]:
    """The formula, its conditions on states, and the numbers of the reward structures that it reads.

    Raises InputError with the position of the error, and UnsupportedError if all names in the formula are known.
    """
    resolving = _Resolving(vocabulary)
    try:
        if isinstance(formula, ExpressionText) and resolving.is_number(formula.expression):
            raise UnsupportedError("a property that is a number without P or R")
        if isinstance(formula, MeasureText) and formula.relation == "=?":
            resolved: StateFormula | Query = resolving.query(formula)
        else:
            resolved = resolving.state(formula)
    except UnsupportedError:
        vocabulary.names.check(formula)
        raise
    return resolved, tuple(resolving.conditions), tuple(resolving.rewards)


@dataclass(slots=True)
class _Resolving:
    vocabulary: Vocabulary
    conditions: list[Mask] = field(default_factory=list)
    rewards: list[int] = field(default_factory=list)
    _known: dict[bytes, int] = field(default_factory=dict)

    def _error(self, message: str, position: int) -> InputError:
        return self.vocabulary.names.scope.source.error(message, position)

    def is_number(self, expression: Expression) -> bool:
        """Whether an expression is neither true nor false."""
        names = self.vocabulary.names
        if isinstance(expression, Name) and not names.is_defined(expression.text):
            return False  # an action, or wrong
        return names.scope.typed(expression).kind != "bool"

    # -------------------------------------------------------------------------------- of states

    def state(self, formula: FormulaText) -> StateFormula:
        """A formula about states."""
        match formula:
            case LabelText(name, _):
                self.vocabulary.names.check(formula)
                if name not in self.vocabulary.labels:
                    raise UnsupportedError(f'a reference to another property, "{name}"')
                return self._atom(self.vocabulary.labels[name]())
            case ExpressionText(expression, position):
                return self._expression(expression, position)
            case ConnectiveText(operator, operands, _):
                return self._connective(operator, [self.state(operand) for operand in operands])
            case MeasureText():
                if formula.relation == "=?":
                    message = f"{formula.letter}=? asks for a number, expected a bound such as {formula.letter}<=1"
                    raise self._error(f"{message} where true or false is needed", formula.position)
                return self._comparison(formula)
            case UnsupportedText(why, _, _):
                raise UnsupportedError(why)

    def _expression(self, expression: Expression, position: int) -> StateFormula:
        names = self.vocabulary.names
        if isinstance(expression, Name):
            name = expression.text
            defined = names.is_defined(name)
            if name in self.vocabulary.actions:
                if defined:
                    message = f"{name} is an action and a variable, constant or formula; write {name}=true for these"
                    raise self._error(message, position)
                return self._atom(self.vocabulary.actions[name]())
            if not defined:
                raise names.undefined(name, position)
        return self._atom(self.vocabulary.where(names.scope.of_kind(expression, "bool", "the condition")))

    def _connective(self, operator: str, operands: list[StateFormula]) -> StateFormula:
        if operator in ("&", "|"):
            return Boolean("and" if operator == "&" else "or", tuple(operands))
        if operator == "!":
            return Boolean("not", tuple(operands))
        left, right = operands
        one = Boolean("or", (Boolean("not", (left,)), right))
        if operator == "=>":
            return one
        return Boolean("and", (one, Boolean("or", (left, Boolean("not", (right,))))))

    def _atom(self, states: Mask) -> StateFormula:
        if states.all() or not states.any():
            return Boolean("and" if states.all() else "or", ())
        key = np.packbits(states).tobytes()
        if key not in self._known:
            self._known[key] = len(self.conditions)
            self.conditions.append(np.ascontiguousarray(states))
        return Atom(self._known[key])

    # ---------------------------------------------------------------------------------- measures

    def query(self, formula: MeasureText) -> Query:
        """The query of a formula with ``=?``."""
        if formula.optimum is None and not self.vocabulary.deterministic:
            letter = formula.letter
            message = f"{letter}=? has no value where schedulers choose, expected {letter}max=? or {letter}min=?"
            raise self._error(message, formula.position)
        measure, complement = self._measure(formula, formula.optimum or "max")
        return Query(measure, complement)

    def _comparison(self, formula: MeasureText) -> Comparison:
        relation: Relation = formula.relation  # type: ignore[assignment]  # the parser knows no other
        assert formula.bound is not None
        bound = self._number(formula.bound, "the bound")
        if formula.letter == "P" and not 0 <= bound <= 1:
            raise self._error(f"the bound is {bound}, expected a probability from 0 to 1", formula.position)
        if bound < 0:
            raise self._error(f"the bound is {bound}, expected 0 or more", formula.position)
        measure, complement = self._measure(formula, "max" if relation in ("<", "<=") else "min")
        return (
            Comparison(measure, _FLIPPED[relation], 1 - bound) if complement else Comparison(measure, relation, bound)
        )

    def _measure(self, formula: MeasureText, optimum: Optimum) -> tuple[Measure, bool]:
        """The measure, and whether the formula's value is 1 minus that of the measure."""
        path = formula.path
        steps = self._steps(path)
        if formula.letter == "R":
            rewards = self._rewards(formula)
            operands = tuple(self.state(operand) for operand in path.operands)
            kinds: Mapping[str, Literal["reach", "cumulative", "instantaneous"]]
            kinds = {"F": "reach", "C": "cumulative", "I": "instantaneous"}
            return Measure(kinds[path.operator], optimum, operands, steps, rewards), False
        operands = tuple(self.state(operand) for operand in path.operands)
        opposite: Optimum = "min" if optimum == "max" else "max"
        true = Boolean("and", ())
        match path.operator:
            case "X":
                return Measure("next", optimum, operands), False
            case "F":
                return Measure("until", optimum, (true, *operands), steps), False
            case "U":
                return Measure("until", optimum, operands, steps), False
            case "G":
                return Measure("until", opposite, (true, _not(operands[0])), steps), True
            case "W":  # its negation: the second is false until both are false
                left, right = operands
                neither = Boolean("and", (_not(left), _not(right)))
                return Measure("until", opposite, (_not(right), neither), steps), True
            case _:  # R; its negation: the first is false until the second is false
                left, right = operands
                return Measure("until", opposite, (_not(left), _not(right)), steps), True

    def _steps(self, path: PathText) -> int | None:
        if path.steps is None:
            return None
        number = self._number(path.steps, "the number of steps") - path.strict
        if number.denominator != 1 or number < 0:
            raise self._error(f"the number of steps is {number}, expected a whole number of 0 or more", path.position)
        if number > _MOST_STEPS:
            raise UnsupportedError(f"more than {_MOST_STEPS} steps")
        return int(number)

    def _number(self, expression: Expression, what: str) -> Fraction:
        value = self.vocabulary.names.scope.value(expression, "double", what)
        if isinstance(value, Irrational):
            raise UnsupportedError(f"{what} is irrational")
        return Fraction(value)

    def _rewards(self, formula: MeasureText) -> int:
        index = self.vocabulary.names.reward_structure(formula)
        if index not in self.rewards:
            self.rewards.append(index)
        return self.rewards.index(index)


def _not(formula: StateFormula) -> StateFormula:
    return Boolean("not", (formula,))
