"""FSP as it is written: the syntax tree of a specification.

Positions are character offsets into the text, from 0. The name of a set or range stays a name: whether a name in
upper case is a constant, range, set or process is decided when the tree is evaluated.

Reference: J. Magee and J. Kramer, "Concurrency: State Models and Java Programs", appendix B.
"""

from __future__ import annotations

from msgspec import Struct


class Number(Struct, frozen=True):
    """An integer."""

    value: int
    position: int


class Name(Struct, frozen=True):
    """A variable (lower case), or a constant or parameter (upper case)."""

    text: str
    position: int


class Unary(Struct, frozen=True):
    """``+ - !`` of an operand."""

    operator: str
    operand: Expression
    position: int


class Binary(Struct, frozen=True):
    """An operator of C with two operands."""

    operator: str
    left: Expression
    right: Expression
    position: int


class LabelConstant(Struct, frozen=True):
    """``'a.b``: a label as a value."""

    label: Label
    position: int


class SetSize(Struct, frozen=True):
    """``#S``: the number of labels of a set."""

    label: Label
    position: int


class SetElement(Struct, frozen=True):
    """``@(S, i)``: label number i of a set, from 0."""

    label: Label
    index: Expression
    position: int


Expression = Number | Name | Unary | Binary | LabelConstant | SetSize | SetElement


class LabelText(Struct, frozen=True):
    """A name in lower case."""

    text: str
    position: int


class LabelSet(Struct, frozen=True):
    """``{a, b.c}`` or the name of a set; ``without`` is the set after a backslash."""

    elements: tuple[Label, ...] | str
    without: LabelSet | None
    position: int


class LabelIndex(Struct, frozen=True):
    """``[e]``, where e may also name a range or a set."""

    value: Expression
    position: int


class LabelRange(Struct, frozen=True):
    """``[low..high]`` or ``[i:low..high]``."""

    variable: str | None
    low: Expression
    high: Expression
    position: int


class LabelChoice(Struct, frozen=True):
    """``[{a,b}]``, ``[i:{a,b}]`` or ``[i:R]`` with the name of a range or a set."""

    variable: str | None
    choices: LabelSet | Name
    position: int


LabelPart = LabelText | LabelSet | LabelIndex | LabelRange | LabelChoice
#: The parts between the dots; it may mean several labels.
Label = tuple[LabelPart, ...]


class Sequence(Struct, frozen=True):
    """A process that runs to its END first, in ``P(3);Q``."""

    process: str
    arguments: tuple[Expression, ...] | None
    position: int


class Reference(Struct, frozen=True):
    """A local process, perhaps indexed, or STOP, ERROR or END; ``before`` runs first."""

    name: str
    indices: tuple[Expression, ...]
    before: tuple[Sequence, ...]
    position: int


class Conditional(Struct, frozen=True):
    """``if c then P else Q``; no else part means STOP."""

    condition: Expression
    then: Body
    otherwise: Body
    position: int


class Prefix(Struct, frozen=True):
    """``when g a -> P``."""

    guard: Expression | None
    action: Label
    body: Body
    position: int


class Choice(Struct, frozen=True):
    """``(a -> P | b -> Q)``."""

    alternatives: tuple[Prefix, ...]
    position: int


Body = Reference | Conditional | Choice


class LocalProcess(Struct, frozen=True):
    """``P = ...`` or ``P[i:R] = ...`` within a process definition."""

    name: str
    indices: Label
    body: Body
    position: int


class Relabelling(Struct, frozen=True):
    """``new/old``; under ``forall`` several of them, once for every value of ``ranges``."""

    ranges: Label
    new: Label
    old: Label
    inner: tuple[Relabelling, ...]
    position: int


class Visibility(Struct, frozen=True):
    """``\\{...}`` hides labels, ``@{...}`` all others."""

    expose: bool
    labels: LabelSet


class Parameter(Struct, frozen=True):
    """A parameter with its default."""

    name: str
    value: Expression
    position: int


class Process(Struct, frozen=True):
    """A primitive process; the first local process has its name."""

    name: str
    parameters: tuple[Parameter, ...]
    locals: tuple[LocalProcess, ...]
    extension: LabelSet | None
    relabellings: tuple[Relabelling, ...]
    visibility: Visibility | None
    kinds: frozenset[str]
    position: int


class Component(Struct, frozen=True):
    """One operand of a composition: ``share :: prefix : (P || Q) / {...}``, ``if`` or ``forall``.

    Exactly one of ``process`` (with ``arguments``), ``components``, ``condition`` and ``ranges`` is given; ``then`` is
    also the body of a ``forall``.
    """

    share: Label
    prefix: Label
    process: str | None
    arguments: tuple[Expression, ...] | None
    components: tuple[Component, ...]
    condition: Expression | None
    ranges: Label
    then: Component | None
    otherwise: Component | None
    relabellings: tuple[Relabelling, ...]
    position: int


class Composite(Struct, frozen=True):
    """``||C(N=2) = (...) >> {...} \\ {...}``; ``low`` says that the priority actions are the low ones."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Component
    priority: LabelSet | None
    low: bool
    visibility: Visibility | None
    kinds: frozenset[str]
    position: int


class Progress(Struct, frozen=True):
    """``progress P[i:R] = {...}`` or ``progress P = if {...} then {...}``."""

    name: str
    ranges: Label
    condition: Label | None
    actions: Label
    position: int


class Fluent(Struct, frozen=True):
    """``fluent F[i:R] = <{on}, {off}> initially v``."""

    name: str
    ranges: Label
    initiating: Label
    terminating: Label
    initially: Expression | None
    position: int


class Formula(Struct, frozen=True):
    """A formula of fluent linear temporal logic.

    ``operator`` is one of ``! X [] <> && || -> <-> U W forall exists``, or ``atom``: then the atom is ``name`` (a
    fluent, or another assertion with ``arguments`` as indices or parameters), ``actions`` or ``condition``.
    """

    operator: str
    operands: tuple[Formula, ...]
    name: str | None
    indices: Label
    arguments: tuple[Expression, ...]
    actions: Label
    condition: Expression | None
    position: int


class Assertion(Struct, frozen=True):
    """``assert A(N=1) = formula + {actions}``, or the same after ``constraint``."""

    name: str
    parameters: tuple[Parameter, ...]
    formula: Formula
    further: LabelSet | None
    position: int


class Specification(Struct, frozen=True):
    """A whole file; every group in the order of the text. ``sets`` and ``ranges`` keep their expressions."""

    constants: tuple[Parameter, ...]
    ranges: tuple[tuple[str, Expression, Expression], ...]
    sets: tuple[tuple[str, LabelSet], ...]
    processes: tuple[Process, ...]
    composites: tuple[Composite, ...]
    progress: tuple[Progress, ...]
    fluents: tuple[Fluent, ...]
    assertions: tuple[Assertion, ...]
    constraints: tuple[Assertion, ...]
