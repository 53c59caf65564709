"""Syntax trees of files, before names are resolved. Positions are character offsets into the text."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

#: The types of nuXmv with infinitely many values.
INFINITE_TYPES = ("integer", "real", "continuous", "clock")


def not_finite(name: str) -> str:
    """The message that refuses variables of an infinite type."""
    return f"'{name}' variables are not supported: symag supports finite types only"


class Name(Struct, frozen=True, eq=False):
    """An identifier, as written."""

    text: str
    position: int


class Number(Struct, frozen=True, eq=False):
    """A truth value or an integer."""

    value: bool | int
    position: int


class WordLiteral(Struct, frozen=True, eq=False):
    """A word constant such as ``0ud8_255``; ``value`` is its number, which may be negative if it is signed."""

    value: int
    width: int
    signed: bool
    position: int


class Operation(Struct, frozen=True, eq=False):
    """An operator with operands, spelled as in the language.

    Beyond the infix and temporal operators and the functions: ``.`` (base, Name), ``[]`` (base, index),
    ``[:]`` (base, high, low), ``{}`` (a set), ``..`` (low, high), ``case`` (condition, value, ...),
    ``?:`` (condition, then, else), ``self`` (none), ``AU EU ABU EBU`` (with bounds after the operands)
    and ``MIN MAX`` (start, final). A chain of an infix operator that associates to the left is one
    operation with all operands.
    """

    operator: str
    operands: tuple[Expression, ...]
    position: int


Expression = Name | Number | WordLiteral | Operation


class BooleanSyntax(Struct, frozen=True, eq=False):
    """``boolean``."""


class EnumerationSyntax(Struct, frozen=True, eq=False):
    """``{a, 1, TRUE}``."""

    values: tuple[Expression, ...]
    position: int


class RangeSyntax(Struct, frozen=True, eq=False):
    """``low .. high``."""

    low: Expression
    high: Expression
    position: int


class WordSyntax(Struct, frozen=True, eq=False):
    """``unsigned word[width]`` or ``signed word[width]``."""

    width: Expression
    signed: bool
    position: int


class ArraySyntax(Struct, frozen=True, eq=False):
    """``array low .. high of element``; the element may be a module's instance."""

    bounds: RangeSyntax
    element: TypeSyntax
    position: int


class WordArraySyntax(Struct, frozen=True, eq=False):
    """``array word[width] of element``: one element for each value of the words that index it."""

    width: Expression
    element: TypeSyntax
    position: int


class InstanceSyntax(Struct, frozen=True, eq=False):
    """``module(arguments)`` or ``process module(arguments)``."""

    module: str
    arguments: tuple[Expression, ...]
    process: bool
    position: int


TypeSyntax = (
    BooleanSyntax | EnumerationSyntax | RangeSyntax | WordSyntax | ArraySyntax | WordArraySyntax | InstanceSyntax
)


class Declaration(Struct, frozen=True, eq=False):
    """One variable or instance of a VAR, IVAR or FROZENVAR section."""

    section: Literal["VAR", "IVAR", "FROZENVAR"]
    name: Expression
    type: TypeSyntax


class ArrayLiteral(Struct, frozen=True, eq=False):
    """``[a, b, c]``, nested for more dimensions: the value of an array define."""

    elements: tuple[Expression | ArrayLiteral, ...]
    position: int


class Definition(Struct, frozen=True, eq=False):
    """``name := value`` of the DEFINE section whose first name stands at the position ``section``."""

    name: Expression
    value: Expression | ArrayLiteral
    section: int


class Assign(Struct, frozen=True, eq=False):
    """``target := value``, ``init(target) := value`` or ``next(target) := value``."""

    time: Literal["init", "next", "current"]
    target: Expression
    value: Expression
    position: int


class Condition(Struct, frozen=True, eq=False):
    """An INIT, INVAR, TRANS or JUSTICE (also written FAIRNESS) section; COMPASSION has two operands."""

    section: Literal["INIT", "INVAR", "TRANS", "JUSTICE", "COMPASSION"]
    operands: tuple[Expression, ...]
    position: int


class Specification(Struct, frozen=True, eq=False):
    """A property. ``context`` is the instance after ``IN``."""

    kind: Literal["INVARSPEC", "CTL", "LTL", "PSL", "COMPUTE"]
    name: Expression | None
    expression: Expression
    context: Expression | None
    position: int


class Constants(Struct, frozen=True, eq=False):
    """``CONSTANTS a, b``."""

    names: tuple[Expression, ...]


class Isa(Struct, frozen=True, eq=False):
    """``ISA module``: the declarations of another module are those of this one too."""

    module: str
    position: int


Item = Declaration | Definition | Assign | Condition | Specification | Constants | Isa


class Module(Struct, frozen=True, eq=False):
    """``MODULE name(parameters)`` with all its declarations in the order of the text."""

    name: str
    parameters: tuple[Name, ...]
    items: tuple[Item, ...]
    position: int
