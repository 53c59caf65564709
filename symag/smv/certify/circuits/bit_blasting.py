"""Typed expressions as circuits: certify's own encoding, independent of the BDD side.

Laws of this file:

- Variables are encoded as ``symag.smv.certificates`` says: by the bits of the index of the value; frozen
  variables have the same bits now and next.
- An expression that denotes an error (see ``symag.smv.model.typed``) takes an ARBITRARY value there, made of fresh
  inputs. So what is proved of the circuit is true for every value that the expression might have.
- Set-valued expressions have no vector: they occur in membership tests only, which descend through
  ``union``, ``case`` and defines.

Expressions may be deep, so the methods that follow their structure are generators: they yield the tasks whose results
they need, and ``Encoder._finish`` runs all of them with a stack of its own.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Mapping
from typing import Any

from symag.core.errors import UnsupportedError
from symag.smv.certify.circuits import numbers
from symag.smv.certify.circuits.circuit import FALSE, TRUE, Circuit
from symag.smv.certify.circuits.numbers import Bits
from symag.smv.certify.circuits.scalars import Scalar, arbitrary, choice, constant, decoded, equal, operation
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.gates import Gates, gates_of
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, SetType, VariableType, bit_count

Task = Generator[Any, Any, Any]

#: From this many gates on they get their signals at once.
MANY = 50_000


class Encoder:
    """One circuit over the current and next values of a system's variables.

    ``wires`` are defines of the system that are encoded as boolean variables of their own.
    """

    def __init__(self, system: FlatSystem, circuit: Circuit, wires: Mapping[str, Expression] | None = None) -> None:
        self.system = system
        self.circuit = circuit
        self.wires = dict(wires or {})
        self._bits: dict[tuple[str, bool], Bits] = {}
        self._scalars: dict[tuple[str, bool], Scalar] = {}
        self._values: dict[tuple[int, bool], Scalar] = {}
        self._kept: list[Expression] = []  # expressions whose ids are keys of _values
        gates = gates_of(system.defines)
        self._netlist = None if gates is None else Netlist(gates, circuit, self._bit)

    def type_of(self, name: str) -> VariableType:
        """The type of a variable or wire; raises KeyError for an unknown name."""
        return BooleanType() if name in self.wires else self.system.by_name[name].type

    def bits(self, name: str, primed: bool) -> Bits:
        """The index bits of a variable now or in the next state."""
        variable = self.system.by_name.get(name)
        if variable is not None and variable.kind is VariableKind.FROZEN:
            primed = False
        key = name, primed
        if key not in self._bits:
            self._bits[key] = tuple(self.circuit.input() for _ in range(bit_count(self.type_of(name))))
        return self._bits[key]

    def next_bits(self) -> list[int]:
        """The bits of next values that have signals so far."""
        return [bit for (_, primed), bits in self._bits.items() if primed for bit in bits]

    def _bit(self, name: str, primed: bool) -> int:
        (bit,) = self.bits(name, primed)
        return bit

    def in_range(self, name: str, primed: bool) -> int:
        """Whether the variable's code stands for a value."""
        match self.type_of(name):
            case EnumerationType(constants):
                largest = len(constants) - 1
            case RangeType(low, high):
                largest = high - low
            case _:
                return TRUE
        index = (*self.bits(name, primed), FALSE)
        return -numbers.less(self.circuit, numbers.constant_number(largest), index)

    def variable(self, name: str, primed: bool) -> Scalar:
        """The value of a variable or wire."""
        key = name, primed
        if key not in self._scalars:
            self._scalars[key] = decoded(self.circuit, self.type_of(name), self.bits(name, primed))
        return self._scalars[key]

    def truth(self, expression: Expression, primed: bool = False) -> int:
        """The signal of a boolean expression, read in the next state if ``primed``."""
        signal = self._finish(self._value(expression, primed))
        assert isinstance(signal, int)
        return signal

    def value(self, expression: Expression, primed: bool = False) -> Scalar:
        """The value of a single-valued expression."""
        scalar: Scalar = self._finish(self._value(expression, primed))
        return scalar

    def contains(self, expression: Expression, value: Scalar, primed: bool = False) -> int:
        """Whether the value is one of those that the expression denotes."""
        signal: int = self._finish(self._contains(expression, value, primed))
        return signal

    def _finish(self, task: Task) -> Any:
        stack, answer = [task], None
        while stack:
            try:
                needed = stack[-1].send(answer)
            except StopIteration as finished:
                stack.pop()
                answer = finished.value
            else:
                stack.append(needed)
                answer = None
        return answer

    def _value(self, expression: Expression, primed: bool) -> Task:
        key = id(expression), primed
        if key in self._values:
            return self._values[key]
        match expression:
            case Constant(value=value, type=kind):
                scalar: Scalar = constant(value, kind)
            case VariableReference(name=name):
                scalar = self.variable(name, primed or expression.primed)
            case DefineReference(name=name):
                later = primed or expression.primed
                gate = None if self._netlist is None or name in self.wires else self._netlist.signal(name, later)
                scalar = gate if gate is not None else (yield self._value(self.system.defines[name], later))
            case Operation(operator="case" | "index"):
                scalar = yield self._case(expression, primed)
            case Operation(operator="in", operands=(left, right)):
                scalar = yield self._subset(left, right, primed)
            case Operation(operator="union"):
                raise UnsupportedError("certify: a set where a single value is needed")
            case Operation(operands=operands):
                values = []
                for operand in operands:
                    values.append((yield self._value(operand, primed)))
                scalar = operation(self.circuit, expression, values)
        self._values[key] = scalar
        self._kept.append(expression)
        return scalar

    def _case(self, expression: Operation, primed: bool) -> Task:
        result: Scalar | None = None
        for index in range(len(expression.operands) - 2, -1, -2):
            condition = yield self._value(expression.operands[index], primed)
            value = yield self._value(expression.operands[index + 1], primed)
            if result is None:
                result = arbitrary(self.circuit, value)
            result = choice(self.circuit, condition, value, result)
        return result

    def _contains(self, expression: Expression, value: Scalar, primed: bool) -> Task:
        match expression:
            case DefineReference(name=name, type=SetType()):
                signal = yield self._contains(self.system.defines[name], value, primed or expression.primed)
            case Operation(operator="union", operands=operands):
                signals = []
                for operand in operands:
                    signals.append((yield self._contains(operand, value, primed)))
                signal = self.circuit.any(signals)
            case Operation(operator="case" | "index", operands=operands, type=SetType()):
                signal = self.circuit.input()
                for index in range(len(operands) - 2, -1, -2):
                    condition = yield self._value(operands[index], primed)
                    inside = yield self._contains(operands[index + 1], value, primed)
                    signal = self.circuit.choice(condition, inside, signal)
            case _:
                signal = equal(self.circuit, value, (yield self._value(expression, primed)))
        return signal

    def _subset(self, left: Expression, right: Expression, primed: bool) -> Task:
        match left:
            case DefineReference(name=name, type=SetType()):
                definition = self.system.defines[name]
                if left.primed and not primed:  # the right side would be read in the next state too
                    raise UnsupportedError("certify: next of a set-valued define on the left of 'in'")
                signal = yield self._subset(definition, right, primed)
            case Operation(operator="union", operands=operands):
                signals = []
                for operand in operands:
                    signals.append((yield self._subset(operand, right, primed)))
                signal = self.circuit.all(signals)
            case Operation(operator="case" | "index", operands=operands, type=SetType()):
                signal = self.circuit.input()
                for index in range(len(operands) - 2, -1, -2):
                    condition = yield self._value(operands[index], primed)
                    inside = yield self._subset(operands[index + 1], right, primed)
                    signal = self.circuit.choice(condition, inside, signal)
            case _:
                signal = yield self._contains(right, (yield self._value(left, primed)), primed)
        return signal


class Netlist:
    """Signals of gates now and in the next state; ``bit`` is the signal of a boolean variable."""

    def __init__(self, gates: Gates, circuit: Circuit, bit: Callable[[str, bool], int]) -> None:
        self._gates = gates
        self._circuit = circuit
        self._bit = bit
        #: By time: which nodes are encoded, and the signal of every node.
        self._known: dict[bool, tuple[bytearray, array[int]]] = {}

    def signal(self, name: str, primed: bool) -> int | None:
        """The signal of the gate with a name; None if no gate has it. Linear in what was not encoded before."""
        gates = self._gates
        root = gates.node(name)
        if root is None:
            return None
        if primed not in self._known:
            marks = gates.fresh_marks()
            self._known[primed] = marks, array("i", bytes(4 * len(marks)))
            self._known[primed][1][0] = FALSE
        marks, signals = self._known[primed]
        new = gates.new_nodes([root], marks)
        border = 1 + len(gates.variables)
        for node, variable in zip(new, gates.variable_names(new), strict=False):
            signals[node] = self._bit(variable, primed)
        if len(new) >= MANY:
            self._add_many(new, signals, border)
            return signals[root]
        first, second, conjunction = gates.first, gates.second, self._circuit.conjunction
        for node in new:
            if node >= border:
                a, b = first[node - border], second[node - border]
                x, y = signals[a >> 1], signals[b >> 1]
                signals[node] = conjunction(-x if a & 1 else x, -y if b & 1 else y)
        return signals[root]

    def _add_many(self, new: list[int], signals: array[int], border: int) -> None:
        """Gates, operands first, at once: neither simplified nor shared, each is one signal."""
        # Small models need no numpy.
        import numpy as np

        nodes = np.array(new, dtype=np.int32)
        nodes = nodes[nodes >= border]
        table, values = self._circuit.gates, np.frombuffer(signals, dtype=np.int32)
        values[nodes] = np.arange(len(table), len(table) + len(nodes), dtype=np.int32)
        columns = []
        for literals in (self._gates.first, self._gates.second):
            some = np.frombuffer(literals, dtype=np.int32)[nodes - border]
            columns.append(array("i", (values[some >> 1] * (1 - 2 * (some & 1))).astype(np.int32).tobytes()))
        table.append_conjunctions(*columns)
