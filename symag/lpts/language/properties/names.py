"""The names that a formula can use."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from symag.core.errors import InputError
from symag.lpts.language.prism.scope import Scope
from symag.lpts.language.prism.syntax import (
    ConnectiveText,
    Expression,
    ExpressionText,
    FormulaText,
    LabelText,
    MeasureText,
    UnsupportedText,
    names_of,
)
from symag.lpts.state_values import listed


class Names(Struct, frozen=True, eq=False):
    """The names of a model and of the properties beside a formula.

    ``scope`` has variables, constants and formulas, and the formula's text for messages. ``rewards`` are the reward
    structures in their order. All functions raise InputError, with the position, for a name that is none of these.
    """

    scope: Scope
    labels: Collection[str]
    actions: Collection[str]
    rewards: tuple[str, ...]
    properties: frozenset[str] = frozenset()

    def is_defined(self, name: str) -> bool:
        """Whether it is a variable, a constant or a formula."""
        return name in self.scope.variables or name in self.scope.constants or name in self.scope.formulas

    def check(self, formula: FormulaText) -> None:
        """Accept a formula all of whose names are known, in what is not supported, too."""
        match formula:
            case LabelText(name, position, True) if name in self.labels:
                message = f'the label "{name}" is true or false, expected a number here'
                raise self.scope.source.error(message, position)
            case LabelText(name, position, _):
                if name not in self.labels and name not in self.properties:
                    known = listed(f'"{label}"' for label in self.labels)
                    raise self.scope.source.error(f'there is no label "{name}", expected {known}', position)
            case ExpressionText(expression, _):
                self._check_expression(expression)
            case ConnectiveText(_, operands, _) | UnsupportedText(_, operands, _):
                for operand in operands:
                    self.check(operand)
            case MeasureText(letter, _, _, _, bound, path, _):
                if letter == "R":
                    self.reward_structure(formula)
                for number in (bound, path.steps):
                    if number is not None:
                        self._check_expression(number)
                for operand in path.operands:
                    self.check(operand)

    def _check_expression(self, expression: Expression) -> None:
        for name in names_of(expression):
            is_made_up = name.text.startswith("#")  # it stands for a formula that is checked by itself
            if not (is_made_up or self.is_defined(name.text) or name.text in self.actions):
                raise self.undefined(name.text, name.position)

    def undefined(self, name: str, position: int) -> InputError:
        """The error that there is no such name."""
        hint = f'; the label is written "{name}"' if name in self.labels else ""
        variables, actions = listed(self.scope.variables), listed(self.actions)
        labels = listed(f'"{label}"' for label in self.labels)
        known = f"a variable ({variables}), an action ({actions}) or a label ({labels})"
        return self.scope.source.error(f"there is no {name}, expected {known}{hint}", position)

    def reward_structure(self, formula: MeasureText) -> int:
        """The place of the reward structure that a formula names, the first one if it names none."""
        error, known = self.scope.source.error, self.rewards
        if not known:
            raise error("the model has no reward structures, expected one for R", formula.position)
        given = formula.rewards
        if given is None:
            return 0
        if not isinstance(given, str):
            number = self.scope.value(given, "int", "the number of the reward structure")
            if isinstance(number, int) and 1 <= number <= len(known):
                return number - 1
            raise error(f"there is no reward structure {number}, expected numbers up to {len(known)}", formula.position)
        if given and given in known:
            return known.index(given)
        named = [name for name in known if name]
        expected = listed(f'"{name}"' for name in named) if named else f"numbers up to {len(known)}"
        raise error(f"there is no reward structure {given}, expected {expected}", formula.position)
