"""The syntax trees of PRISM's language and of its properties; every ``position`` is an offset in the text."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from msgspec import Struct

# ------------------------------------------------------------------------------------- expressions


class Number(Struct, frozen=True):
    """``7`` (an int) or ``0.25`` (a Fraction, of type double)."""

    value: int | Fraction
    position: int


class Truth(Struct, frozen=True):
    """``true`` or ``false``."""

    value: bool
    position: int


class Name(Struct, frozen=True):
    """A constant, a variable or a formula."""

    text: str
    position: int


class Operation(Struct, frozen=True):
    """An operator or function and its operands: ``-`` with one operand is the sign, ``?`` has three."""

    operator: str
    operands: tuple[Expression, ...]
    position: int


Expression = Number | Truth | Name | Operation


def begin_of(expression: Expression) -> int:
    """The offset at which an expression begins: that of an operation is where its operator stands."""
    if isinstance(expression, Operation) and expression.operands and expression.operator != "!":
        return min(expression.position, begin_of(expression.operands[0]))
    return expression.position


def names_of(expression: Expression) -> Iterator[Name]:
    """Every name in an expression, from the left to the right."""
    if isinstance(expression, Name):
        yield expression
    elif isinstance(expression, Operation):
        for operand in expression.operands:
            yield from names_of(operand)


# ------------------------------------------------------------------------------------ declarations


class Constant(Struct, frozen=True):
    """``const int N = 3;``; ``type`` is int, double or bool; without a value it must be given from outside."""

    name: str
    type: str
    value: Expression | None
    position: int


class Formula(Struct, frozen=True):
    """``formula name = value;``"""

    name: str
    value: Expression
    position: int


class Label(Struct, frozen=True):
    """``label "name" = value;``"""

    name: str
    value: Expression
    position: int


class RewardItem(Struct, frozen=True):
    """``guard : value;`` (``action`` is None) or ``[action] guard : value;``, a reward of transitions."""

    action: str | None
    guard: Expression
    value: Expression
    position: int


class Rewards(Struct, frozen=True):
    """``rewards "name" ... endrewards``; without a name it is ""."""

    name: str
    items: tuple[RewardItem, ...]
    position: int


class Variable(Struct, frozen=True):
    """``x : [low..high] init e;``, or ``x : bool`` with neither low nor high."""

    name: str
    low: Expression | None
    high: Expression | None
    initial: Expression | None
    position: int


class Assignment(Struct, frozen=True):
    """``(name' = value)``"""

    name: str
    value: Expression
    position: int


class Update(Struct, frozen=True):
    """``probability : assignments``; without a probability it is 1."""

    probability: Expression | None
    assignments: tuple[Assignment, ...]
    position: int


class Command(Struct, frozen=True):
    """``[action] guard -> updates;``, where the action is "" if there is none."""

    action: str
    guard: Expression
    updates: tuple[Update, ...]
    position: int


class Module(Struct, frozen=True):
    """``module name ... endmodule``"""

    name: str
    variables: tuple[Variable, ...]
    commands: tuple[Command, ...]
    position: int


class RenamedModule(Struct, frozen=True):
    """``module name = base [old = new, ...] endmodule``; the position beside a pair is the old name's."""

    name: str
    base: str
    names: tuple[tuple[str, str, int], ...]
    position: int


# ------------------------------------------------------------------------------------------ system


class ModuleName(Struct, frozen=True):
    """A module in ``system ... endsystem``."""

    name: str
    position: int


class ActionName(Struct, frozen=True):
    """An action in ``system ... endsystem``."""

    name: str
    position: int


class Parallel(Struct, frozen=True):
    """``left || right`` (``actions`` is None: all that both have), ``|||`` (no action) and ``|[a, b]|``."""

    left: SystemExpression
    right: SystemExpression
    actions: tuple[ActionName, ...] | None


class HiddenActions(Struct, frozen=True):
    """``system / {a, b}``: these actions no longer synchronise."""

    system: SystemExpression
    actions: tuple[ActionName, ...]


class RenamedActions(Struct, frozen=True):
    """``system {a <- b}``: the action a is called b (pairs of old and new)."""

    system: SystemExpression
    names: tuple[tuple[ActionName, str], ...]


SystemExpression = ModuleName | Parallel | HiddenActions | RenamedActions


class ModelText(Struct, frozen=True):
    """All that a model's text says; ``type`` is mdp or dtmc."""

    type: str
    constants: tuple[Constant, ...]
    formulas: tuple[Formula, ...]
    labels: tuple[Label, ...]
    variables: tuple[Variable, ...]
    modules: tuple[Module | RenamedModule, ...]
    initial: Expression | None
    system: SystemExpression | None
    rewards: tuple[Rewards, ...] = ()


class ExpressionText(Struct, frozen=True):
    """A condition over variables, or the name of an action, which means that it is possible."""

    expression: Expression
    position: int


class LabelText(Struct, frozen=True):
    """``"done"``: the states with this label, or another property's name; its value if it ``is_number``."""

    name: str
    position: int
    is_number: bool = False


class ConnectiveText(Struct, frozen=True):
    """``!``, ``&``, ``|``, ``=>`` or ``<=>`` and its operands."""

    operator: str
    operands: tuple[FormulaText, ...]
    position: int


class PathText(Struct, frozen=True):
    """``X``, ``F``, ``G``, ``U``, ``W`` or ``R`` with operands; of rewards also ``C`` and ``I``.

    ``steps`` is an upper bound on the number of steps; there are fewer steps if it is ``strict``.
    """

    operator: str
    operands: tuple[FormulaText, ...]
    steps: Expression | None
    strict: bool
    position: int


class MeasureText(Struct, frozen=True):
    """``P``, ``Pmax``, ``R{"name"}min`` .. with ``=?`` or a bound.

    ``rewards`` is the name of the reward structure, an expression for its number (from 1), None for the first one.
    ``relation`` is ``<``, ``<=``, ``>``, ``>=`` or ``=?``, which has no bound.
    """

    letter: Literal["P", "R"]
    rewards: str | Expression | None
    optimum: Literal["max", "min"] | None
    relation: str
    bound: Expression | None
    path: PathText
    position: int


class UnsupportedText(Struct, frozen=True):
    """A construct that symag does not decide, with the formulas in it, whose names have to exist."""

    why: str
    operands: tuple[FormulaText, ...]
    position: int


FormulaText = ExpressionText | LabelText | ConnectiveText | MeasureText | UnsupportedText


class PropertyText(Struct, frozen=True):
    """One property: its formula, its name if it has one, and its text and line."""

    formula: FormulaText
    name: str | None
    text: str
    line: int


class PropertiesText(Struct, frozen=True):
    """A file of properties: these, and the constants, formulas and labels that it defines for them."""

    properties: tuple[PropertyText, ...]
    constants: tuple[Constant, ...]
    formulas: tuple[Formula, ...]
    labels: tuple[Label, ...]
