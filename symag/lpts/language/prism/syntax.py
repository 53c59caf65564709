"""The syntax tree of PRISM's language; every ``position`` is an offset in the text."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

# ------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Number:
    """``7`` (an int) or ``0.25`` (a Fraction, of type double)."""

    value: int | Fraction
    position: int


@dataclass(frozen=True, slots=True)
class Truth:
    """``true`` or ``false``."""

    value: bool
    position: int


@dataclass(frozen=True, slots=True)
class Name:
    """A constant, a variable or a formula."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Operation:
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


# ------------------------------------------------------------------------------------ declarations


@dataclass(frozen=True, slots=True)
class Constant:
    """``const int N = 3;``; ``type`` is int, double or bool; without a value it must be given from outside."""

    name: str
    type: str
    value: Expression | None
    position: int


@dataclass(frozen=True, slots=True)
class Formula:
    """``formula name = value;``"""

    name: str
    value: Expression
    position: int


@dataclass(frozen=True, slots=True)
class Label:
    """``label "name" = value;``"""

    name: str
    value: Expression
    position: int


@dataclass(frozen=True, slots=True)
class RewardItem:
    """``guard : value;`` (``action`` is None) or ``[action] guard : value;``, a reward of transitions."""

    action: str | None
    guard: Expression
    value: Expression
    position: int


@dataclass(frozen=True, slots=True)
class Rewards:
    """``rewards "name" ... endrewards``; without a name it is ""."""

    name: str
    items: tuple[RewardItem, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Variable:
    """``x : [low..high] init e;``, or ``x : bool`` with neither low nor high."""

    name: str
    low: Expression | None
    high: Expression | None
    initial: Expression | None
    position: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """``(name' = value)``"""

    name: str
    value: Expression
    position: int


@dataclass(frozen=True, slots=True)
class Update:
    """``probability : assignments``; without a probability it is 1."""

    probability: Expression | None
    assignments: tuple[Assignment, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Command:
    """``[action] guard -> updates;``, where the action is "" if there is none."""

    action: str
    guard: Expression
    updates: tuple[Update, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Module:
    """``module name ... endmodule``"""

    name: str
    variables: tuple[Variable, ...]
    commands: tuple[Command, ...]
    position: int


@dataclass(frozen=True, slots=True)
class RenamedModule:
    """``module name = base [old = new, ...] endmodule``; the position beside a pair is the old name's."""

    name: str
    base: str
    names: tuple[tuple[str, str, int], ...]
    position: int


# ------------------------------------------------------------------------------------------ system


@dataclass(frozen=True, slots=True)
class ModuleName:
    """A module in ``system ... endsystem``."""

    name: str
    position: int


@dataclass(frozen=True, slots=True)
class Parallel:
    """``left || right`` (``actions`` is None: all that both have), ``|||`` (no action) and ``|[a, b]|``."""

    left: SystemExpression
    right: SystemExpression
    actions: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class HiddenActions:
    """``system / {a, b}``: these actions no longer synchronise."""

    system: SystemExpression
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RenamedActions:
    """``system {a <- b}``: the action a is called b (pairs of old and new)."""

    system: SystemExpression
    names: tuple[tuple[str, str], ...]


SystemExpression = ModuleName | Parallel | HiddenActions | RenamedActions


@dataclass(frozen=True, slots=True)
class ModelText:
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
