"""One step of a system as a circuit: next bits as functions of current bits, inputs and choices.

Where an assignment allows several values, fresh inputs choose among them: all of these values are possible, and no
others. Variables without an assignment are fresh inputs, confined by the constraints. An evaluation that fails may
have any value here; the re-check of the facts reports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from msgspec import Struct

from symag.core.trace import Value
from symag.smv.facts.gates import TRUE, CircuitSignal, GateCircuit
from symag.smv.language.recursion import deep_recursion
from symag.smv.model.dependencies import Supports, cone_of_influence
from symag.smv.model.flat import Assignment, FlatSystem, Variable, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import (
    BooleanType,
    EnumerationType,
    RangeType,
    SetType,
    VariableType,
    WordType,
    bit_count,
    code_of,
    values,
)
from symag.smv.symbolic.choices import Operand
from symag.smv.symbolic.encoding import BitPatterns, Encoding
from symag.smv.symbolic.expressions import ExpressionEncoder
from symag.smv.symbolic.values import Alternatives, ValueMap, ValueOperations
from symag.smv.symbolic.vectors import Vector


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


class StepCircuit(Struct, frozen=True, eq=False):
    """The circuit of one step, in literals of ``gates``.

    ``latches`` are the current bits of the state and frozen variables that are not functions of others;
    ``following`` and ``initial`` are their next and first values. The literals of ``always`` are true in every state,
    those of ``always_next`` in every next state, those of ``steps`` on every step, those of ``first`` in every
    initial state.
    """

    system: FlatSystem
    gates: GateCircuit
    bits: StepBits
    encoder: ExpressionEncoder
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
            signal: CircuitSignal = self.encoder.diagram(Operand(expression, primed))
        return signal.literal


def step_circuit(system: FlatSystem) -> StepCircuit:
    """The circuit of a system, in time linear in its size. Raises UnsupportedError and InputError as encoding does."""
    with deep_recursion():
        return _Builder(system).result()


class StepBits(BitPatterns):
    """The part of an ``Encoding`` that the encoder of expressions uses, over signals instead of diagrams."""

    def __init__(self, gates: GateCircuit, variables: Mapping[str, Variable], owner: _Builder) -> None:
        self.context = gates
        self.variables = variables
        self._owner = owner
        self._bits: dict[tuple[str, bool], tuple[CircuitSignal, ...]] = {}

    def bits(self, variable: str, primed: bool = False) -> tuple[CircuitSignal, ...]:
        """A variable's bits, now or next."""
        key = variable, primed and self.variables[variable].kind is not VariableKind.FROZEN
        if key not in self._bits:
            self._bits[key] = self._owner.make(*key)
        return self._bits[key]


class _Builder:
    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._gates = GateCircuit()
        self._assigned: dict[tuple[str, str], Assignment] = {(a.variable, a.time): a for a in system.assignments}
        self._bits = StepBits(self._gates, system.by_name, self)
        self._encoder = ExpressionEncoder(cast(Encoding, self._bits), system.defines, system.source, trusted=True)
        self._operations = ValueOperations(self._bits)
        self._always: list[int] = []
        self._always_next: list[int] = []
        self._steps: list[int] = []
        self._first: list[int] = []
        self._large: set[str] = set()

    def result(self) -> StepCircuit:
        system = self._system
        latches, following, initial = [], [], []
        for variable in system.variables:
            if variable.kind is VariableKind.INPUT:
                self._require(self._steps, self._bits.valid(variable.name))
                continue
            now = self._bits.bits(variable.name)
            self._require(self._always, self._bits.valid(variable.name))
            then = self._bits.bits(variable.name, primed=True)
            self._require(self._always_next, self._bits.valid(variable.name, primed=True))
            if self._is_defined(variable.name):
                continue
            latches += [bit.literal for bit in now]
            following += [bit.literal for bit in then]
            initial += [bit.literal for bit in self._start(variable)]
        self._constraints()
        return StepCircuit(
            system,
            self._gates,
            self._bits,
            self._encoder,
            tuple(latches),
            tuple(following),
            tuple(initial),
            tuple(dict.fromkeys(self._always)),
            tuple(dict.fromkeys(self._always_next)),
            tuple(dict.fromkeys(self._steps)),
            tuple(dict.fromkeys(self._first)),
        )

    def _constraints(self) -> None:
        truth = self._encoder.diagram
        for constraint in self._system.init:
            self._require(self._first, truth(Operand(constraint.expression, False)))
        for constraint in self._system.invar:
            self._require(self._always, truth(Operand(constraint.expression, False)))
            self._require(self._always_next, truth(Operand(constraint.expression, True)))
        for constraint in self._system.trans:
            self._require(self._steps, truth(Operand(constraint.expression, False)))
        for assignment in self._system.assignments:
            name = assignment.variable
            if assignment.time == "init":
                self._require(self._first, self._member(name, False, assignment.value, False))
            elif assignment.time == "current" and not self._is_defined(name):
                self._require(self._always, self._member(name, False, assignment.value, False))
                self._require(self._always_next, self._member(name, True, assignment.value, True))
            elif assignment.time == "next" and name in self._large:
                self._require(self._steps, self._member(name, True, assignment.value, False))

    def _member(self, name: str, primed: bool, expression: Expression, read_primed: bool) -> CircuitSignal:
        signal: CircuitSignal = self._operations.takes(name, primed, self._denotation(expression, read_primed))[0]
        return signal

    def _require(self, group: list[int], condition: CircuitSignal) -> None:
        if condition.literal != TRUE:
            group.append(condition.literal)

    def _denotation(self, expression: Expression, primed: bool) -> Any:
        return self._encoder.denotation(Operand(expression, primed))

    def _is_defined(self, name: str) -> bool:
        assignment = self._assigned.get((name, "current"))
        return assignment is not None and not isinstance(assignment.value.type, SetType)

    def make(self, name: str, primed: bool) -> tuple[CircuitSignal, ...]:
        """The bits of a variable; the bits that they read are made too."""
        variable = self._system.by_name[name]
        assignment = self._assigned.get((name, "current"))
        if assignment is not None and (primed or self._is_defined(name)):
            return self._taken(variable, assignment.value, primed)
        if primed and (name, "next") in self._assigned:
            return self._taken(variable, self._assigned[name, "next"].value, False)
        return self._free(variable)

    def _free(self, variable: Variable) -> tuple[CircuitSignal, ...]:
        return tuple(self._gates.input() for _ in range(bit_count(variable.type)))

    def _start(self, variable: Variable) -> tuple[CircuitSignal, ...]:
        for time in ("init", "current"):
            assignment = self._assigned.get((variable.name, time))
            if assignment is not None:
                return self._taken(variable, assignment.value, False)
        return self._free(variable)

    def _taken(self, variable: Variable, expression: Expression, primed: bool) -> tuple[CircuitSignal, ...]:
        """The bits of a value of the expression; fresh inputs choose one if there are several."""
        value = self._denotation(expression, primed)
        choices = self._choices(variable.type, value, isinstance(expression.type, SetType))
        if len(choices) > _CHOICES and isinstance(expression.type, SetType):
            self._large.add(variable.name)
            return self._free(variable)
        result = choices[-1][1] if choices else tuple(self._gates.false for _ in range(bit_count(variable.type)))
        for number, (present, bits) in enumerate(choices):
            if isinstance(expression.type, SetType) and number > 0:
                present = present & (self._gates.input() | ~self._any(choices[:number]))
            if number or not isinstance(expression.type, SetType):
                result = tuple(self._gates.ite(present, one, other) for one, other in zip(bits, result, strict=True))
            else:
                result = bits
        return result

    def _any(self, choices: list[tuple[CircuitSignal, tuple[CircuitSignal, ...]]]) -> CircuitSignal:
        return self._gates.disjunction(present for present, _ in choices)

    def _choices(
        self, kind: VariableType, value: Any, is_set: bool
    ) -> list[tuple[CircuitSignal, tuple[CircuitSignal, ...]]]:
        """The bit patterns that a value can have, each with its condition."""
        match value:
            case CircuitSignal():
                return [(self._gates.true, (value,))]
            case Alternatives(choices):
                return [
                    (present & inner, bits)
                    for present, element in choices
                    for inner, bits in self._choices(kind, element, is_set)
                ]
            case Vector():
                return [(self._gates.true, self._code(kind, value))]
            case ValueMap(conditions):
                width = bit_count(kind)
                return [
                    (condition, tuple(self._gates.constant(bool(code >> index & 1)) for index in range(width)))
                    for choice, condition in conditions.items()
                    if (code := _code(kind, choice)) is not None
                ]
        raise AssertionError("not a value of a variable")

    def _code(self, kind: VariableType, value: Vector) -> tuple[CircuitSignal, ...]:
        arithmetic = self._operations.arithmetic
        width = bit_count(kind)
        match kind:
            case WordType():
                return arithmetic.widen(value, width).bits[:width]
            case RangeType(low, _):
                left, right = arithmetic.align(value, arithmetic.integer(low), extra=1)
                return arithmetic.widen(arithmetic.subtract(left, right), width).bits[:width]
            case EnumerationType(constants):
                conditions = [
                    (code, arithmetic.equal(value, arithmetic.integer(constant)))
                    for code, constant in enumerate(constants)
                    if isinstance(constant, int)
                ]
                return tuple(
                    self._gates.disjunction(condition for code, condition in conditions if code >> index & 1)
                    for index in range(width)
                )
            case BooleanType():
                return (value.bits[0],)


def _code(kind: VariableType, value: Value) -> int | None:
    if isinstance(kind, RangeType):
        return int(value) - kind.low if isinstance(value, int) and kind.low <= value <= kind.high else None
    if isinstance(kind, WordType):
        return int(value) & ((1 << kind.width) - 1)
    return code_of(kind, value) if value in values(kind) else None
