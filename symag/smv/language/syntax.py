"""Syntax trees of files, before names are resolved. Positions are character offsets into the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """An identifier, as written."""

    text: str
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A truth value or an integer."""

    value: bool | int
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class WordLiteral:
    """A word constant such as ``0ud8_255``; ``value`` is its number, which may be negative if it is signed."""

    value: int
    width: int
    signed: bool
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
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


@dataclass(frozen=True, slots=True, eq=False)
class BooleanSyntax:
    """``boolean``."""


@dataclass(frozen=True, slots=True, eq=False)
class EnumerationSyntax:
    """``{a, 1, TRUE}``."""

    values: tuple[Expression, ...]
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class RangeSyntax:
    """``low .. high``."""

    low: Expression
    high: Expression
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class WordSyntax:
    """``unsigned word[width]`` or ``signed word[width]``."""

    width: Expression
    signed: bool
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class ArraySyntax:
    """``array low .. high of element``; the element may be a module's instance."""

    bounds: RangeSyntax
    element: TypeSyntax
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class InstanceSyntax:
    """``module(arguments)`` or ``process module(arguments)``."""

    module: str
    arguments: tuple[Expression, ...]
    process: bool
    position: int


TypeSyntax = BooleanSyntax | EnumerationSyntax | RangeSyntax | WordSyntax | ArraySyntax | InstanceSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """One variable or instance of a VAR, IVAR or FROZENVAR section."""

    section: Literal["VAR", "IVAR", "FROZENVAR"]
    name: Expression
    type: TypeSyntax


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLiteral:
    """``[a, b, c]``, nested for more dimensions: the value of an array define."""

    elements: tuple[Expression | ArrayLiteral, ...]
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """``name := value`` of the DEFINE section whose first name stands at the position ``section``."""

    name: Expression
    value: Expression | ArrayLiteral
    section: int


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """``target := value``, ``init(target) := value`` or ``next(target) := value``."""

    time: Literal["init", "next", "current"]
    target: Expression
    value: Expression
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """An INIT, INVAR, TRANS or JUSTICE (also written FAIRNESS) section; COMPASSION has two operands."""

    section: Literal["INIT", "INVAR", "TRANS", "JUSTICE", "COMPASSION"]
    operands: tuple[Expression, ...]
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Specification:
    """A property. ``context`` is the instance after ``IN``."""

    kind: Literal["INVARSPEC", "CTL", "LTL", "PSL", "COMPUTE"]
    name: Expression | None
    expression: Expression
    context: Expression | None
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Constants:
    """``CONSTANTS a, b``."""

    names: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Isa:
    """``ISA module``: the declarations of another module are those of this one too."""

    module: str
    position: int


Item = Declaration | Definition | Assign | Condition | Specification | Constants | Isa


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """``MODULE name(parameters)`` with all its declarations in the order of the text."""

    name: str
    parameters: tuple[Name, ...]
    items: tuple[Item, ...]
    position: int
