"""The syntax tree of PRISM's properties; every ``position`` is an offset in the text."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from symag.lpts.language.prism.syntax import Constant, Expression, Formula, Label


class ExpressionText(Struct, frozen=True):
    """A condition over variables, or the name of an action, which means that it is possible."""

    expression: Expression
    position: int


class LabelText(Struct, frozen=True):
    """``"done"``: the states with this label."""

    name: str
    position: int


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
