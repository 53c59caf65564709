"""Typed expressions as literals of a graph, with the conditions under which their evaluation fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from symag.smv.circuits import values
from symag.smv.circuits.gates import GateBlaster
from symag.smv.circuits.graph import FALSE, TRUE, Graph
from symag.smv.circuits.operators import operate
from symag.smv.circuits.values import Denotation, GuardedSet, Interval, Single
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference, constants_only
from symag.smv.model.types import SetType

_BOTH = ("and", "or", "implies")


@dataclass(frozen=True, slots=True)
class Failure:
    """Evaluation fails where ``condition`` (a literal) holds.

    For an assignment ``outside`` are the elements that its type lacks, each where its literal is true; in ``message``
    {value} stands for one of them.
    """

    condition: int
    message: str
    position: int
    outside: tuple[tuple[int, Single | Interval], ...] = ()


_Evaluated = tuple[Denotation, tuple[Failure, ...]]


class ExpressionBlaster:
    """Evaluates the expressions of one system, each at most once in the current and once in the next state.

    ``variable(name, primed)`` gives the value of a variable; it may evaluate further expressions by this object.
    """

    def __init__(
        self, graph: Graph, defines: Mapping[str, Expression], variable: Callable[[str, bool], Denotation]
    ) -> None:
        self._graph = graph
        self._defines = defines
        self._variable = variable
        self._memory: dict[tuple[Expression, bool], _Evaluated] = {}
        gates = gates_of(defines)
        self._gates = None if gates is None else GateBlaster(gates, graph, self._boolean)

    def _boolean(self, name: str, primed: bool) -> int:
        value = self._variable(name, primed)
        assert isinstance(value, int)
        return value

    def evaluate(self, root: Expression, primed: bool = False) -> _Evaluated:
        """The denotation of an expression (in the next state if ``primed``), and its failures.

        The denotation has no meaning where the evaluation fails. Costs time linear in the size of the circuit;
        expressions may be nested to any depth.
        """
        memory = self._memory
        if (root, primed) in memory:
            return memory[root, primed]
        stack: list[tuple[Expression, bool, bool]] = [(root, primed, False)]
        while stack:
            expression, later, ready = stack.pop()
            key = (expression, later)
            if key in memory:
                continue
            if isinstance(expression, Operation):
                if expression.operator == "union" and constants_only(expression):
                    items = [
                        (operand.value, operand.type)
                        for operand in expression.operands
                        if isinstance(operand, Constant)
                    ]
                    memory[key] = values.constants(items), ()
                elif ready:
                    memory[key] = self._operation(
                        expression, [memory[operand, later] for operand in expression.operands]
                    )
                else:
                    stack.append((expression, later, True))
                    stack.extend((operand, later, False) for operand in expression.operands)
            elif isinstance(expression, DefineReference):
                gate = None if self._gates is None else self._gates.literal(expression.name, later or expression.primed)
                if gate is not None:
                    memory[key] = gate, ()
                    continue
                inner = (self._defines[expression.name], later or expression.primed)
                if inner in memory:
                    memory[key] = memory[inner]
                else:
                    stack.append((expression, later, True))
                    stack.append((*inner, False))
            elif isinstance(expression, VariableReference):
                memory[key] = self._variable(expression.name, later or expression.primed), ()
            else:
                memory[key] = values.constant(expression.value, expression.type), ()
        return memory[root, primed]

    def _operation(self, expression: Operation, operands: Sequence[_Evaluated]) -> _Evaluated:
        operator = expression.operator
        if operator in ("case", "index"):
            return self._cases(expression, operands)
        denotations = [value for value, _ in operands]
        failures = self._operand_failures(operator, operands)
        if operator == "union":
            return values.union(denotations), failures
        if operator == "in":
            return values.subset(self._graph, *denotations), failures
        result, fails, message = operate(self._graph, expression, denotations)
        if fails != FALSE:
            failures = (*failures, Failure(fails, message, expression.position))
        return result, failures

    def _operand_failures(self, operator: str, operands: Sequence[_Evaluated]) -> tuple[Failure, ...]:
        """Failures of the operands, except where a FALSE operand of ``and`` or a TRUE one of ``or`` absorbs them."""
        if not any(failures for _, failures in operands):
            return ()
        graph = self._graph
        if operator not in _BOTH or not isinstance(operands[0][0], int):
            return tuple(failure for _, failures in operands for failure in failures)
        result: list[Failure] = []
        for number, (_, failures) in enumerate(operands):
            guard = TRUE
            for index, (value, others) in enumerate(operands):
                if index != number and failures:
                    assert isinstance(value, int)
                    positive = operator == "and" or (operator == "implies" and index == 0)
                    neutral = value if positive else value ^ 1
                    fails = graph.any(failure.condition for failure in others)
                    guard = graph.conjunction(guard, graph.disjunction(neutral, fails))
            result.extend(self._guarded(guard, failures))
        return tuple(result)

    def _cases(self, expression: Operation, operands: Sequence[_Evaluated]) -> _Evaluated:
        graph = self._graph
        remaining = TRUE
        failures: list[Failure] = []
        guards = []
        for (condition, from_condition), (_, from_value) in zip(operands[::2], operands[1::2], strict=True):
            assert isinstance(condition, int)
            failures.extend(self._guarded(remaining, from_condition))
            guards.append(condition)
            if from_value:
                failures.extend(self._guarded(graph.conjunction(remaining, condition), from_value))
            remaining = graph.conjunction(remaining, condition ^ 1)
        if remaining != FALSE:
            exhaustive = expression.operator == "case"
            message = "case conditions are not exhaustive" if exhaustive else "array index out of bounds"
            failures.append(Failure(remaining, message, expression.position))
        branches = [value for value, _ in operands[1::2]]
        if isinstance(expression.type, SetType) or any(isinstance(branch, GuardedSet) for branch in branches):
            return self._set_cases(guards, branches), tuple(failures)
        result = branches[-1]
        for condition, value in zip(reversed(guards[:-1]), reversed(branches[:-1]), strict=True):
            result = values.choose(graph, condition, value, result)
        return result, tuple(failures)

    def _set_cases(self, guards: Sequence[int], branches: Sequence[Denotation]) -> GuardedSet:
        graph = self._graph
        remaining = TRUE
        elements: list[tuple[int, Single | Interval]] = []
        for condition, value in zip(guards, branches, strict=True):
            first = graph.conjunction(remaining, condition)
            remaining = graph.conjunction(remaining, condition ^ 1)
            elements.extend(
                (graph.conjunction(first, here), element) for here, element in values.choices(value).elements
            )
        return GuardedSet(tuple(elements))

    def _guarded(self, guard: int, failures: Sequence[Failure]) -> list[Failure]:
        guarded = [
            replace(failure, condition=self._graph.conjunction(guard, failure.condition)) for failure in failures
        ]
        return [failure for failure in guarded if failure.condition != FALSE]
