"""A flat system as a transition circuit: the encoding of the SAT engines. The re-check has an encoding of its own.

How variables become latches and inputs (bit k of a variable is bit k of the index of its value):

- A state variable that is assigned one value in every state is a function of the others.
- A state variable without an assignment, and not read under ``next``, in INIT or in an init assignment, is an input:
  it may have any value in every state.
- Every other state variable and every frozen one is a row of latches. If the next value is free or one of a set, it
  comes from inputs of its own, and a constraint on the step says which values are allowed. So does one that depends
  on itself.
- Constant first values are resets; all other conditions on first states are in ``initial``.

Evaluation that can fail is an error in the model, as with BDDs: see ``Blasting.failures``.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.smv.circuits import values, vectors
from symag.smv.circuits.expressions import ExpressionBlaster, Failure
from symag.smv.circuits.gates import gate_literals
from symag.smv.circuits.graph import FALSE, TRUE, Graph
from symag.smv.circuits.transitions import Latch, TransitionCircuit
from symag.smv.circuits.values import Denotation, GuardedSet
from symag.smv.circuits.vectors import Vector
from symag.smv.model.flat import Assignment, FlatSystem, Variable, VariableKind
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, SetType, WordType, bit_count
from symag.smv.model.types import values as values_of


class Blasting:
    """The circuit of one system, to which predicates can be added.

    ``failures`` are the evaluations that can fail, without those that the structure of the circuit excludes.
    """

    def __init__(self, system: FlatSystem) -> None:
        self.system = system
        self.graph = Graph()
        self.failures: list[Failure] = []
        gates = gate_literals(system.defines, self.graph, self._value)
        self._blaster = ExpressionBlaster(self.graph, system.defines, self._value, gates)
        self._bits: dict[tuple[str, bool], Vector] = {}
        self._denotations: dict[tuple[str, bool], Denotation] = {}
        self._inputs: list[int] = []
        self._latches: list[tuple[Variable, Vector]] = []
        self._initial: list[int] = []
        self._invariants: list[int] = []
        self._steps: list[int] = []
        self._remembered = _remembered(system)
        for variable in system.variables:
            if not self.system.is_defined(variable.name):
                self._declare(variable)
        self.circuit = self._build()

    def truth(self, expression: Expression, primed: bool = False) -> int:
        """The literal of a boolean expression, which may read inputs and, on a step, the next state."""
        value, failures = self._blaster.evaluate(expression, primed)
        self.failures.extend(failures)
        literal: int = value
        return literal

    def domain(self, variable: Variable) -> int:
        """A literal that is true iff the bits of a variable are the index of a value."""
        return in_range(self.graph, variable, self.bits(variable.name, False))

    def free_domains(self) -> list[int]:
        """For each variable and time whose bits are free, the literal that they are the index of a value.

        Bits that an assignment computes are not free: where it fails they may be the index of no value.
        """
        return [
            in_range(self.graph, self.system.by_name[name], bits)
            for (name, primed), bits in self._bits.items()
            if not self.system.is_defined(name) and not (primed and self.system.is_defined(name, "next"))
        ]

    def _declare(self, variable: Variable) -> None:
        bits = tuple(self.graph.input() for _ in range(bit_count(variable.type)))
        self._bits[variable.name, False] = bits
        if variable.kind is VariableKind.FROZEN:
            self._bits[variable.name, True] = bits
        if variable.kind is VariableKind.FROZEN or variable.name in self._remembered:
            self._latches.append((variable, bits))
        else:
            self._inputs.extend(bit >> 1 for bit in bits)

    def _value(self, name: str, primed: bool) -> Denotation:
        key = name, primed
        if key not in self._denotations:
            kind = self.system.by_name[name].type
            self._denotations[key] = values.of_bits(self.graph, kind, self.bits(name, primed))
        return self._denotations[key]

    def bits(self, name: str, primed: bool = False) -> Vector:
        """The literals of a variable's bits."""
        key = name, primed
        if key not in self._bits:
            if self.system.is_defined(name):
                self._bits[key] = self._assignment_bits(self.system.assigned[name, "current"], primed)
            elif self.system.is_defined(name, "next"):
                self._bits[key] = self._assignment_bits(self.system.assigned[name, "next"], False)
            else:
                width = bit_count(self.system.by_name[name].type)
                self._bits[key] = tuple(self.graph.input() for _ in range(width))
                self._inputs.extend(bit >> 1 for bit in self._bits[key])
        return self._bits[key]

    def _assignment_bits(self, assignment: Assignment, primed: bool) -> Vector:
        value, failures = self._blaster.evaluate(assignment.value, primed)
        assert not isinstance(value, GuardedSet)
        self.failures.extend(failures)
        kind = self.system.by_name[assignment.variable].type
        bits, missing = values.index_bits(self.graph, kind, value, bit_count(kind))
        self._assigns_outside(assignment, [] if missing == FALSE else [(missing, value)])
        return bits

    def _assigns_outside(self, assignment: Assignment, outside: Sequence[tuple[int, Denotation]]) -> None:
        if outside:
            message = f"cannot assign value {{value}} to variable {assignment.variable}"
            condition = self.graph.any(here for here, _ in outside)
            self.failures.append(Failure(condition, message, assignment.value.position, tuple(outside)))

    def _member(self, assignment: Assignment, primed: bool) -> int:
        """The condition that a variable has one of the values of its assignment."""
        value, failures = self._blaster.evaluate(assignment.value)
        self.failures.extend(failures)
        kind = self.system.by_name[assignment.variable].type
        self._assigns_outside(assignment, values.outside(self.graph, kind, value))
        literal: int = values.member(
            self.graph, self._value(assignment.variable, primed), values.choices(self.graph, value)
        )
        return literal

    def _build(self) -> TransitionCircuit:
        system, graph = self.system, self.graph
        resets: dict[int, bool] = {}
        for assignment in system.assignments:
            is_set = isinstance(assignment.value.type, SetType)
            if assignment.time == "init":
                self._first(assignment, is_set, resets)
            elif assignment.time == "current" and is_set:
                self._invariants.append(self._member(assignment, False))
            elif assignment.time == "next" and not system.is_defined(assignment.variable, "next"):
                self._steps.append(self._member(assignment, True))
        self._initial.extend(self.truth(constraint.expression) for constraint in system.init)
        self._invariants.extend(self.truth(constraint.expression) for constraint in system.invar)
        self._steps.extend(self.truth(constraint.expression) for constraint in system.trans)
        for variable in system.variables:
            inside = self.domain(variable)
            (self._steps if variable.kind is VariableKind.INPUT else self._invariants).append(inside)
        latches = tuple(
            Latch(bit >> 1, following, resets.get(bit >> 1), (variable.name, index))
            for variable, bits in self._latches
            for index, (bit, following) in enumerate(
                zip(bits, self.bits(variable.name, variable.kind is not VariableKind.FROZEN), strict=True)
            )
        )
        return TransitionCircuit(
            graph,
            latches,
            tuple(self._inputs),
            _conditions(self._initial),
            _conditions(self._invariants),
            _conditions(self._steps),
            {variable.name: self.bits(variable.name) for variable in system.variables},
        )

    def _first(self, assignment: Assignment, is_set: bool, resets: dict[int, bool]) -> None:
        if is_set:
            self._initial.append(self._member(assignment, False))
            return
        first_values = self._assignment_bits(assignment, False)
        for bit, first in zip(self.bits(assignment.variable), first_values, strict=True):
            if first <= TRUE and self.graph.is_input(bit):
                resets[bit >> 1] = first == TRUE
            else:
                self._initial.append(self.graph.equal(bit, first))


def _conditions(literals: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(literal for literal in literals if literal != TRUE))


def in_range(graph: Graph, variable: Variable, bits: Vector) -> int:
    """A literal that is true iff bits are the index of a value of a variable."""
    if isinstance(variable.type, BooleanType | WordType):
        return TRUE
    last = len(values_of(variable.type)) - 1
    if last + 1 == 1 << len(bits):
        return TRUE
    above: int = vectors.less(graph, vectors.constant(graph, last), (*bits, graph.false))
    return above ^ 1


def _remembered(system: FlatSystem) -> set[str]:
    """The state variables with an assignment for the first or the next state, or read there. Costs linear time."""
    starts = [constraint.expression for constraint in system.init]
    starts += [assignment.value for assignment in system.assignments if assignment.time == "init"]
    others = [constraint.expression for constraint in (*system.trans, *system.invar)]
    others += [assignment.value for assignment in system.assignments if assignment.time != "init"]
    others += [property_.expression for property_ in system.properties if property_.expression is not None]
    always = {
        assignment.variable: assignment.value for assignment in system.assignments if assignment.time == "current"
    }
    names = {assignment.variable for assignment in system.assignments if assignment.time != "current"}
    seen: set[tuple[Expression, bool]] = set()
    gates = gates_of(system.defines)
    marks = bytearray() if gates is None else gates.fresh_marks()
    # All variables read by expressions about the first state, and those read under next, with all that they read.
    stack = [*((start, True) for start in starts), *((other, False) for other in others)]
    while stack:
        expression, counts = stack.pop()
        if (expression, counts) in seen or isinstance(expression, Constant):
            continue
        seen.add((expression, counts))
        if isinstance(expression, Operation):
            stack.extend((operand, counts) for operand in expression.operands)
        elif isinstance(expression, DefineReference):
            node = None if gates is None else gates.node(expression.name)
            if gates is not None and node is not None:
                # A gate reads nothing under next of its own.
                read = gates.new_nodes([node], marks) if counts or expression.primed else ()
                stack.extend(
                    (VariableReference(name, True, BooleanType(), 0), True) for name in gates.variable_names(read)
                )
                continue
            stack.append((system.defines[expression.name], counts or expression.primed))
        elif counts or expression.primed:
            names.add(expression.name)
            if expression.name in always:
                stack.append((always[expression.name], True))
    return names - system.inputs - system.frozen
