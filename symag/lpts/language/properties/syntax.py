"""The syntax tree of PRISM's properties; every ``position`` is an offset in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from symag.lpts.language.prism.syntax import Constant, Expression, Formula, Label


@dataclass(frozen=True, slots=True)
class ExpressionText:
    """A condition over variables, or the name of an action, which means that it is possible."""

    expression: Expression
    position: int


@dataclass(frozen=True, slots=True)
class LabelText:
    """``"done"``: the states with this label."""

    name: str
    position: int


@dataclass(frozen=True, slots=True)
class ConnectiveText:
    """``!``, ``&``, ``|``, ``=>`` or ``<=>`` and its operands."""

    operator: str
    operands: tuple[FormulaText, ...]
    position: int


@dataclass(frozen=True, slots=True)
class PathText:
    """``X``, ``F``, ``G``, ``U``, ``W`` or ``R`` with operands; of rewards also ``C`` and ``I``.

    ``steps`` is an upper bound on the number of steps; there are fewer steps if it is ``strict``.
    """

    operator: str
    operands: tuple[FormulaText, ...]
    steps: Expression | None
    strict: bool
    position: int


@dataclass(frozen=True, slots=True)
class MeasureText:
    """``P``, ``Pmax``, ``R{"name"}min`` .. with ``=?`` or a bound.

    ``rewards`` is the name or the number (from 1) of the reward structure, None for the first one.
    ``relation`` is ``<``, ``<=``, ``>``, ``>=`` or ``=?``, which has no bound.
    """

    letter: Literal["P", "R"]
    rewards: str | int | None
    optimum: Literal["max", "min"] | None
    relation: str
    bound: Expression | None
    path: PathText
    position: int


FormulaText = ExpressionText | LabelText | ConnectiveText | MeasureText


@dataclass(frozen=True, slots=True)
class PropertyText:
    """One property: its formula, its name if it has one, and its text and line."""

    formula: FormulaText
    name: str | None
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class PropertiesText:
    """A file of properties: these, and the constants, formulas and labels that it defines for them."""

    properties: tuple[PropertyText, ...]
    constants: tuple[Constant, ...]
    formulas: tuple[Formula, ...]
    labels: tuple[Label, ...]
