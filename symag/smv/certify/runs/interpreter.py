"""Explicit evaluation of typed expressions over one state, its inputs and a successor state.

A ``Program`` is a list of expressions as a sequence of steps, each computed once from earlier ones. So deep expressions
need no recursion, and shared ones are computed once. This file and ``operators``, which judge the traces of searches,
share no code with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from symag.core.trace import Value
from symag.smv.certify.runs.operators import Denotation, Failure, Rule, members, rule
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.gates import Gates, gates_of
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference

if TYPE_CHECKING:
    from symag.smv.certify.runs.netlist import NetlistProgram


class EvaluationError(Exception):
    """The expression has no value: NuSMV's message, and the position in the source text."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.message = failure.message
        self.position = failure.position


class Program:
    """Expressions of one flat system, prepared for many evaluations.

    To build it, and each evaluation of all expressions, costs time linear in the size of the expressions and of the
    defines that they use. Raises ValueError if an expression contains a temporal operator or ``next`` under ``next``.
    """

    def __init__(self, system: FlatSystem, expressions: Sequence[Expression]) -> None:
        self._initial: list[Denotation] = []
        self._loads: list[tuple[int, str, bool, int]] = []
        self._steps: list[tuple[int, Rule, Callable[[list[Denotation]], Sequence[Denotation]]]] = []
        self._slots: dict[tuple[object, bool], int] = {}
        self._expressions = tuple(expressions)  # keeps the ids in _slots alive
        gates = gates_of(system.defines)
        self._netlist = None if gates is None else _program_of(gates)
        #: Slots that hold gates: by slot, the gate's place in what the netlist's program gives.
        self._gates: list[tuple[int, int]] = []
        self._results = tuple(self._compile(system, expression) for expression in self._expressions)
        if self._netlist is not None:
            self._netlist.lay_out()
        del self._slots

    def run(self, current: Mapping[str, Value], following: Mapping[str, Value] | None = None) -> list[Denotation]:
        """The denotation of every expression; ``current`` gives state, frozen and input variables.

        A variable without a value denotes a Failure, as every variable under ``next`` does without ``following``. A
        frozen variable has its current value under ``next`` too.
        """
        registers = self._initial.copy()
        for slot, name, primed, position in self._loads:
            valuation = following if primed else current
            if valuation is None or name not in valuation:
                time = "the next state" if primed else "this state"
                registers[slot] = Failure(f"{name} has no value in {time}", position)
            else:
                registers[slot] = valuation[name]
        if self._netlist is not None and self._gates:
            values = self._netlist.run(current, following)
            for slot, place in self._gates:
                registers[slot] = values[place]
        for slot, compute, operands in self._steps:
            registers[slot] = compute(*operands(registers))
        return [registers[slot] for slot in self._results]

    def _compile(self, system: FlatSystem, expression: Expression) -> int:
        stack: list[tuple[Expression, bool]] = [(expression, False)]
        while stack:
            node, primed = stack[-1]
            below = [child for child in self._below(system, node, primed) if _key(*child) not in self._slots]
            if below:
                stack.extend(reversed(below))
                continue
            stack.pop()
            if _key(node, primed) not in self._slots:
                self._slots[_key(node, primed)] = self._allocated(system, node, primed)
        return self._slots[_key(expression, False)]

    def _below(self, system: FlatSystem, node: Expression, primed: bool) -> list[tuple[Expression, bool]]:
        if self._netlist is not None and isinstance(node, DefineReference) and self._netlist.has(node.name):
            return []
        return _below(system, node, primed)

    def _allocated(self, system: FlatSystem, node: Expression, primed: bool) -> int:
        """The register of an expression whose operands have theirs."""
        slot = len(self._initial)
        match node:
            case Constant(value=value):
                self._initial.append(value)
            case VariableReference(name=name, position=position):
                frozen = name in system.by_name and system.by_name[name].kind is VariableKind.FROZEN
                self._loads.append((slot, name, not frozen and (primed or node.primed), position))
                self._initial.append(False)
            case DefineReference(name=name):
                gate = None if self._netlist is None else self._netlist.place(name, primed or node.primed)
                if gate is None:
                    return self._slots[_key(*_below(system, node, primed)[0])]
                self._gates.append((slot, gate))
                self._initial.append(False)
            case Operation(operands=operands):
                self._steps.append(
                    (slot, rule(node), _picked([self._slots[_key(operand, primed)] for operand in operands]))
                )
                self._initial.append(False)
        return slot


def _picked(slots: Sequence[int]) -> Callable[[list[Denotation]], Sequence[Denotation]]:
    """A function that takes the operands out of the registers, without a loop in Python."""
    # With a single index itemgetter would return the operand itself.
    return itemgetter(*slots) if len(slots) > 1 else itemgetter(slice(slots[0], slots[0] + 1))


def _below(system: FlatSystem, node: Expression, primed: bool) -> list[tuple[Expression, bool]]:
    if isinstance(node, Operation):
        return [(operand, primed) for operand in node.operands]
    if isinstance(node, DefineReference):
        return [(system.defines[node.name], primed or node.primed)]
    return []


def _key(node: Expression, primed: bool) -> tuple[object, bool]:
    if isinstance(node, VariableReference):
        if primed and node.primed:
            raise ValueError(f"next of next({node.name})")
        return ("variable", node.name), primed or node.primed
    if isinstance(node, DefineReference):
        return ("define", node.name), primed or node.primed
    return id(node), primed


def value_set(denotation: Denotation) -> frozenset[Value]:
    """The set of values denoted; raises EvaluationError for a failure."""
    if isinstance(denotation, Failure):
        raise EvaluationError(denotation)
    return members(denotation)


def evaluate(
    system: FlatSystem,
    expression: Expression,
    current: Mapping[str, Value],
    following: Mapping[str, Value] | None = None,
) -> frozenset[Value]:
    """The set of values of one expression: a singleton for all but set-valued expressions.

    Raises EvaluationError where NuSMV reports an error (a case without a true condition, division by
    zero, an array index out of bounds, a shift amount beyond the width) or a variable has no value.
    """
    return value_set(Program(system, [expression]).run(current, following)[0])


def _program_of(gates: Gates) -> NetlistProgram:
    # For start-up: it needs numpy, and few models are netlists.
    from symag.smv.certify.runs.netlist import NetlistProgram

    return NetlistProgram(gates)
