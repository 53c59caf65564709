"""The flat system: one module without hierarchy, processes or arrays, independent of BDDs."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from symag.core.source import SourceText
from symag.smv.model.typed import Expression
from symag.smv.model.types import EnumerationType, SetType, VariableType

PropertyKind = Literal["INVARSPEC", "CTL", "LTL", "PSL", "COMPUTE"]


#: A notebook lists this many properties.
_SHOWN = 20


class VariableKind(enum.Enum):
    """State variables change, frozen ones keep their initial value, inputs label transitions."""

    STATE = "VAR"
    INPUT = "IVAR"
    FROZEN = "FROZENVAR"


class Variable(Struct, frozen=True, eq=False):
    """A declared variable with its full name, such as ``p.cell[2].busy``."""

    name: str
    type: VariableType
    kind: VariableKind
    position: int


class Assignment(Struct, frozen=True, eq=False):
    """``init(variable) := value``, ``next(variable) := value`` or ``variable := value``.

    The variable takes one of the values that ``value`` denotes. A next assignment inside a process is
    already folded into ``case running : value; TRUE : variable; esac``.
    """

    variable: str
    time: Literal["init", "next", "current"]
    value: Expression
    position: int


class Constraint(Struct, frozen=True, eq=False):
    """A boolean expression that every initial state, state or transition satisfies."""

    expression: Expression
    position: int


class Property(Struct, frozen=True, eq=False):
    """A specification; ``index`` is NuSMV's (CTL, COMPUTE, LTL, PSL, INVARSPEC, each as written).

    ``text`` is the property as NuSMV prints it. The ``expression`` of a PSL property is the LTL or CTL formula that it
    means. It is None if the property has ``sequences``, which is LTL with operators on sequences (see
    ``symag.smv.model.sequences``), and if symag does not support it; then ``unsupported`` says why.
    """

    index: int
    kind: PropertyKind
    name: str | None
    text: str
    line: int
    expression: Expression | None
    unsupported: str | None = None
    sequences: Expression | None = None

    @property
    def target(self) -> None:
        """None: a model is one system; only labelled models have several composites."""
        return None


class FlatSystem(Struct, frozen=True, eq=False, dict=True):
    """A whole model, flat.

    Runs: sequences of states with inputs between them; the first satisfies ``init`` and the init and
    current assignments, each satisfies ``invar`` and the current assignments, each step satisfies
    ``trans`` and the next assignments; frozen variables keep their values.
    ``defines`` maps full names to expressions and is acyclic. ``assignments`` has at most one init and
    one next, or one current assignment, per variable. ``selector`` names the input variable that
    chooses the running process, if the model has processes. ``declared`` gives for every DEFINE of the text, in the
    order of the text, its instance (a full name, empty for main), its position, and the position of its DEFINE section.
    ``words`` are, by name, words whose bits are boolean variables of one kind, the lowest first. Only reports of traces
    and parts depend on them. ``inverted`` are the variables whose values an AIGER model's file has negated.
    """

    source: SourceText
    variables: tuple[Variable, ...]
    defines: Mapping[str, Expression]
    assignments: tuple[Assignment, ...]
    init: tuple[Constraint, ...]
    invar: tuple[Constraint, ...]
    trans: tuple[Constraint, ...]
    justice: tuple[Constraint, ...]
    compassion: tuple[tuple[Constraint, Constraint], ...]
    properties: tuple[Property, ...]
    selector: str | None = None
    warnings: tuple[str, ...] = ()
    declared: Mapping[str, tuple[str, int, int]] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inverted: frozenset[str] = frozenset()

    @cached_property
    def by_name(self) -> Mapping[str, Variable]:
        """The variables by their names."""
        return {variable.name: variable for variable in self.variables}

    @cached_property
    def inputs(self) -> frozenset[str]:
        """The names of the input variables."""
        return frozenset(variable.name for variable in self.variables if variable.kind is VariableKind.INPUT)

    @cached_property
    def frozen(self) -> frozenset[str]:
        """The names of the frozen variables."""
        return frozenset(variable.name for variable in self.variables if variable.kind is VariableKind.FROZEN)

    @cached_property
    def processes(self) -> frozenset[str]:
        """The names of the processes, main among them; they are constants. None in a system without processes."""
        values = None if self.selector is None else self.by_name[self.selector].type
        return frozenset(map(str, values.constants)) if isinstance(values, EnumerationType) else frozenset()

    @cached_property
    def assigned(self) -> Mapping[tuple[str, str], Assignment]:
        """The assignments by variable and time."""
        return {(assignment.variable, assignment.time): assignment for assignment in self.assignments}

    def is_defined(self, variable: str, time: Literal["next", "current"] = "current") -> bool:
        """Whether an assignment for this time gives the variable one value: no set of values, no condition on it."""
        assignment = self.assigned.get((variable, time))
        if assignment is None or isinstance(assignment.value.type, SetType):
            return False
        return time == "current" or variable not in self.circular

    @cached_property
    def circular(self) -> frozenset[str]:
        """The variables whose assigned next value depends on itself, and is a condition on the step therefore."""
        single = [assignment for assignment in self.assignments if not isinstance(assignment.value.type, SetType)]
        always, moves = (
            {assignment.variable: assignment.value for assignment in single if assignment.time == time}
            for time in ("current", "next")
        )
        if not always or not moves:
            return frozenset()
        # For start-up: few models assign variables in every state.
        from symag.smv.model.circles import circular_variables

        return circular_variables(self.defines, always, moves)

    @property
    def fairness(self) -> list[Expression]:
        """The conditions of JUSTICE, then both of every COMPASSION."""
        sides = (side for pair in self.compassion for side in pair)
        return [constraint.expression for constraint in (*self.justice, *sides)]

    def __repr__(self) -> str:
        return f"{self.source.path}: {len(self.variables)} variables, {len(self.properties)} properties"

    def _repr_html_(self) -> str:
        """For a notebook: the size and the first properties."""
        # For start-up: only notebooks show HTML.
        from html import escape

        shown = [
            f"<li><code>{escape(property_.name or property_.text)}</code> ({property_.kind})</li>"
            for property_ in self.properties
        ]
        more = f"<li>and {len(shown) - _SHOWN} more</li>" if len(shown) > _SHOWN else ""
        return f"<p>{escape(repr(self))}</p><ul>{''.join(shown[:_SHOWN])}{more}</ul>"


def kind_word(kind: str) -> str:
    """NuSMV's word for a property of this kind, such as ``INVARSPEC``."""
    return {"INVARSPEC": "invariant", "COMPUTE": "the result of"}.get(kind, "specification")
