"""One step of a system as a circuit: next bits as functions of current bits, inputs and choices.

Where an assignment allows several values, fresh inputs choose among them: all of these values are possible, and no
others. Variables without an assignment are fresh inputs, confined by the constraints. An evaluation that fails may
have any value here; the re-check of the facts reports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from symag.core.values import replace
from symag.smv.circuits import values
from symag.smv.circuits.blasting import in_range
from symag.smv.circuits.expressions import ExpressionBlaster
from symag.smv.circuits.gates import gate_literals
from symag.smv.circuits.graph import FALSE, INPUT, TRUE, Graph
from symag.smv.circuits.values import Denotation, Interval, Single
from symag.smv.circuits.vectors import Vector, constant
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.dependencies import cone_of_influence
from symag.smv.model.flat import Assignment, FlatSystem, Variable, VariableKind
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression
from symag.smv.model.types import RangeType, bit_count, code_of
from symag.smv.model.types import values as values_of


def reduced(system: FlatSystem, expression: Expression) -> FlatSystem:
    """The cone of influence of an invariant, with every DEFINE over the variables that are left.

    Its facts are facts of the system. Costs time linear in the system.
    """
    cone = cone_of_influence(system, expression)
    supports = Supports(system)
    defines = {
        name: body for name, body in system.defines.items() if supports.of(body).variables <= cone.by_name.keys()
    }
    return replace(cone, defines=defines)


#: A choice among more values than this is a constraint instead of a chain of gates.
_CHOICES = 64


class InputSets:
    """Which inputs literals of a graph depend on. A gate costs time once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._sets = [0]
        self._inputs = 0

    def of(self, literal: int) -> int:
        """The inputs that a literal depends on, as a bit set: bit k for the k-th input."""
        graph, sets = self._graph, self._sets
        for a, b in zip(graph.left[len(sets) :], graph.right[len(sets) :], strict=True):
            if a == INPUT:
                sets.append(1 << self._inputs)
                self._inputs += 1
            else:
                sets.append(sets[a >> 1] | sets[b >> 1])
        return sets[literal >> 1]


class StepCircuit(Struct, frozen=True, eq=False):
    """The circuit of one step, in literals of ``graph``.

    ``latches`` are the current bits of the state and frozen variables that are not functions of others;
    ``following`` and ``initial`` are their next and first values. The literals of ``always`` are true in every state,
    those of ``always_next`` in every next state, those of ``steps`` on every step, those of ``first`` in every
    initial state. ``bits`` are those of a variable, now (False) or next (True).
    """

    system: FlatSystem
    graph: Graph
    inputs: InputSets
    bits: dict[tuple[str, bool], Vector]
    expressions: ExpressionBlaster
    latches: tuple[int, ...]
    following: tuple[int, ...]
    initial: tuple[int, ...]
    always: tuple[int, ...]
    always_next: tuple[int, ...]
    steps: tuple[int, ...]
    first: tuple[int, ...]

    def literal(self, expression: Expression, primed: bool = False) -> int:
        """The literal of a boolean expression over the current (or, ``primed``, the next) state."""
        with deep_recursion():
            value, _ = self.expressions.evaluate(expression, primed)
        literal: int = value
        return literal


def step_circuit(system: FlatSystem) -> StepCircuit:
    """The circuit of a system, in time linear in its size. Raises UnsupportedError as the encoding does."""
    with deep_recursion():
        return _Builder(system).result()


class _Builder:
    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._graph = Graph()
        gates = gate_literals(system.defines, self._graph, self._value)
        self._expressions = ExpressionBlaster(self._graph, system.defines, self._value, gates)
        self._bits: dict[tuple[str, bool], Vector] = {}
        self._large = set(system.circular)

    def result(self) -> StepCircuit:
        system = self._system
        conditions: dict[str, dict[int, None]] = {time: {} for time in ("always", "always_next", "steps", "first")}

        def require(time: str, literal: int) -> None:
            if literal != TRUE:
                conditions[time][literal] = None

        latches: list[int] = []
        following: list[int] = []
        initial: list[int] = []
        for variable in system.variables:
            name = variable.name
            now = self._bits_of(name, False)
            if variable.kind is VariableKind.INPUT:
                require("steps", in_range(self._graph, variable, now))
                continue
            then = self._bits_of(name, True)
            require("always", in_range(self._graph, variable, now))
            require("always_next", in_range(self._graph, variable, then))
            if not system.is_defined(name):
                latches += now
                following += then
                start = system.assigned.get((name, "init")) or system.assigned.get((name, "current"))
                initial += self._free(variable) if start is None else self._taken(start, False)
        for constraint in system.init:
            require("first", self._truth(constraint.expression, False))
        for constraint in system.invar:
            require("always", self._truth(constraint.expression, False))
            require("always_next", self._truth(constraint.expression, True))
        for constraint in system.trans:
            require("steps", self._truth(constraint.expression, False))
        for assignment in system.assignments:
            if assignment.time == "init":
                require("first", self._member(assignment, False, False))
            elif assignment.time == "current" and not system.is_defined(assignment.variable):
                require("always", self._member(assignment, False, False))
                require("always_next", self._member(assignment, True, True))
            elif assignment.time == "next" and assignment.variable in self._large:
                require("steps", self._member(assignment, True, False))
        return StepCircuit(
            system,
            self._graph,
            InputSets(self._graph),
            self._bits,
            self._expressions,
            tuple(latches),
            tuple(following),
            tuple(initial),
            **{time: tuple(literals) for time, literals in conditions.items()},
        )

    def _truth(self, expression: Expression, primed: bool) -> int:
        value, _ = self._expressions.evaluate(expression, primed)
        literal: int = value
        return literal

    def _member(self, assignment: Assignment, primed: bool, read_primed: bool) -> int:
        """The condition that a variable has one of the values of its assignment."""
        value, _ = self._expressions.evaluate(assignment.value, read_primed)
        whole = values.choices(self._graph, value)
        literal: int = values.member(self._graph, self._value(assignment.variable, primed), whole)
        return literal

    def _value(self, name: str, primed: bool) -> Single:
        return values.of_bits(self._graph, self._system.by_name[name].type, self._bits_of(name, primed))

    def _bits_of(self, name: str, primed: bool) -> Vector:
        """The bits of a variable; the bits that they read are made too."""
        key = name, primed
        if key not in self._bits:
            variable = self._system.by_name[name]
            current, following = (self._system.assigned.get((name, time)) for time in ("current", "next"))
            if primed and variable.kind is VariableKind.FROZEN:
                self._bits[key] = self._bits_of(name, False)
            elif current is not None and (primed or self._system.is_defined(name)):
                self._bits[key] = self._taken(current, primed)
            elif primed and following is not None and name not in self._system.circular:
                self._bits[key] = self._taken(following, False)
            else:
                self._bits[key] = self._free(variable)
        return self._bits[key]

    def _free(self, variable: Variable) -> Vector:
        return tuple(self._graph.input() for _ in range(bit_count(variable.type)))

    def _taken(self, assignment: Assignment, primed: bool) -> Vector:
        """The bits of a value of the assigned expression; fresh inputs choose one if there are several."""
        variable, graph = self._system.by_name[assignment.variable], self._graph
        value, _ = self._expressions.evaluate(assignment.value, primed)
        choices = [choice for choice in islice(self._choices(variable, value), _CHOICES + 1) if choice[0] != FALSE]
        if len(choices) > _CHOICES:
            self._large.add(variable.name)
            return self._free(variable)
        (earlier, result), *others = choices or [(FALSE, (FALSE,) * bit_count(variable.type))]
        for present, bits in others:
            chosen = graph.conjunction(present, graph.disjunction(graph.input(), earlier ^ 1))
            earlier = graph.disjunction(earlier, present)
            result = tuple(graph.choice(chosen, one, other) for one, other in zip(bits, result, strict=True))
        return result

    def _choices(self, variable: Variable, value: Denotation) -> Iterator[tuple[int, Vector]]:
        """The bit patterns that a value can have, each with its condition."""
        kind = variable.type
        width = bit_count(kind)
        for here, element in values.choices(self._graph, value).elements:
            if isinstance(element, Interval):
                low, high = element.low, element.high
                if isinstance(kind, RangeType):
                    low, high = max(low, kind.low), min(high, kind.high)
                codes = (code_of(kind, number) for number in range(low, high + 1) if number in values_of(kind))
                yield from ((here, constant(self._graph, code, width)) for code in codes)
            else:
                bits, outside = values.index_bits(self._graph, kind, element, width)
                yield self._graph.conjunction(here, outside ^ 1), bits
