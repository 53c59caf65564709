"""Typed expressions as signals (see ``SignalAlgebra``), with the conditions under which their evaluation fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from symag.core.values import replace
from symag.smv.circuits import values
from symag.smv.circuits.algebra import Signal, SignalAlgebra
from symag.smv.circuits.operators import operate
from symag.smv.circuits.values import Denotation, GuardedSet, Interval, Single, is_truth
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference, constants_only
from symag.smv.model.types import SetType

#: The operators whose operands are conditions and values in turn.
CHOICES = ("case", "index")
_BOTH = ("and", "or", "implies")


class Failure(Struct, frozen=True):
    """Evaluation fails where ``condition`` holds.

    For an assignment ``outside`` are the elements that its type lacks, each where its signal is true; in ``message``
    {value} stands for one of them.
    """

    condition: Signal
    message: str
    position: int
    outside: tuple[tuple[Signal, Single | Interval], ...] = ()


Evaluated = tuple[Denotation, tuple[Failure, ...]]


class ExpressionBlaster:
    """Evaluates the expressions of one system, each at most once in the current and once in the next state.

    ``variable(name, primed)`` gives the value of a variable; it may evaluate further expressions by this object.
    ``gate(name, primed)`` gives the signal of a DEFINE that is not to be evaluated here, else None.
    """

    def __init__(
        self,
        algebra: SignalAlgebra,
        defines: Mapping[str, Expression],
        variable: Callable[[str, bool], Denotation],
        gate: Callable[[str, bool], Signal | None] | None = None,
    ) -> None:
        self._algebra = algebra
        self._defines = defines
        self._variable = variable
        self._gate = gate
        self._memory: dict[tuple[Expression, bool], Evaluated] = {}

    def evaluate(self, root: Expression, primed: bool = False) -> Evaluated:
        """The denotation of an expression (in the next state if ``primed``), and its failures.

        The denotation has no meaning where the evaluation fails. Costs time linear in the size of the circuit;
        expressions may be nested to any depth.
        """
        memory = self._memory
        if (root, primed) in memory:
            return memory[root, primed]
        stack = [(root, primed)]
        while stack:
            key = expression, later = stack.pop()
            if key in memory:
                continue
            if isinstance(expression, Operation):
                if expression.operator == "union" and constants_only(expression):
                    items = [
                        (operand.value, operand.type)
                        for operand in expression.operands
                        if isinstance(operand, Constant)
                    ]
                    memory[key] = values.constants(self._algebra, items), ()
                else:
                    needed = [operand for operand in self._needed(expression, later) if (operand, later) not in memory]
                    if needed:
                        stack.append(key)
                        stack.extend((operand, later) for operand in needed)
                    elif expression.operator in CHOICES:
                        memory[key] = self._cases(expression, later)
                    else:
                        known = ((operand, later) for operand in expression.operands)
                        operands = [memory[one] for one in known if one in memory]
                        memory[key] = self._operation(expression, later, operands)
            elif isinstance(expression, DefineReference):
                gate = None if self._gate is None else self._gate(expression.name, later or expression.primed)
                if gate is not None:
                    memory[key] = gate, ()
                    continue
                inner = (self._defines[expression.name], later or expression.primed)
                if inner in memory:
                    memory[key] = memory[inner]
                else:
                    stack += (key, inner)
            elif isinstance(expression, VariableReference):
                memory[key] = self._variable(expression.name, later or expression.primed), ()
            else:
                memory[key] = values.constant(self._algebra, expression.value, expression.type), ()
        return memory[root, primed]

    def _needed(self, expression: Operation, primed: bool) -> Sequence[Expression]:
        """The operands that the value depends on, or some of them that are to be evaluated first."""
        return expression.operands

    def _operation(self, expression: Operation, primed: bool, operands: Sequence[Evaluated]) -> Evaluated:
        operator = expression.operator
        denotations = [value for value, _ in operands]
        failures = self._operand_failures(operator, operands)
        if operator == "union":
            return values.union(values.choices(self._algebra, value) for value in denotations), failures
        if operator == "in":
            return values.subset(self._algebra, *denotations), failures
        result, fails, message = operate(self._algebra, expression, denotations)
        if fails != self._algebra.false:
            failures = (*failures, Failure(fails, message, expression.position))
        return result, failures

    def _operand_failures(self, operator: str, operands: Sequence[Evaluated]) -> tuple[Failure, ...]:
        """Failures of the operands, except where a FALSE operand of ``and`` or a TRUE one of ``or`` absorbs them."""
        if not any(failures for _, failures in operands):
            return ()
        algebra = self._algebra
        if operator not in _BOTH or not is_truth(operands[0][0]):
            return tuple(failure for _, failures in operands for failure in failures)
        result: list[Failure] = []
        for number, (_, failures) in enumerate(operands):
            guard = algebra.true
            for index, (value, others) in enumerate(operands):
                if index != number and failures:
                    positive = operator == "and" or (operator == "implies" and index == 0)
                    neutral = value if positive else algebra.negation(value)
                    fails = algebra.any(failure.condition for failure in others)
                    guard = algebra.conjunction(guard, algebra.disjunction(neutral, fails))
            result.extend(self._guarded(guard, failures))
        return tuple(result)

    def _cases(self, expression: Operation, primed: bool) -> Evaluated:
        """The value of a choice; branches that are not evaluated are never taken."""
        algebra, memory = self._algebra, self._memory
        remaining = algebra.true
        failures: list[Failure] = []
        guards: list[Signal] = []
        branches: list[Denotation] = []
        for guard, branch in zip(expression.operands[::2], expression.operands[1::2], strict=True):
            if remaining == algebra.false:
                break
            condition, from_condition = memory[guard, primed]
            failures.extend(self._guarded(remaining, from_condition))
            if (branch, primed) not in memory:
                continue
            value, from_value = memory[branch, primed]
            guards.append(condition)
            branches.append(value)
            if from_value:
                failures.extend(self._guarded(algebra.conjunction(remaining, condition), from_value))
            remaining = algebra.conjunction(remaining, algebra.negation(condition))
        if remaining != algebra.false:
            exhaustive = expression.operator == "case"
            message = "case conditions are not exhaustive" if exhaustive else "array index out of bounds"
            failures.append(Failure(remaining, message, expression.position))
        if isinstance(expression.type, SetType) or any(isinstance(branch, GuardedSet) for branch in branches):
            return self._set_cases(guards, branches), tuple(failures)
        result = branches[-1]
        for condition, value in zip(reversed(guards[:-1]), reversed(branches[:-1]), strict=True):
            result = values.choose(algebra, condition, value, result)
        return result, tuple(failures)

    def _set_cases(self, guards: Sequence[Signal], branches: Sequence[Denotation]) -> GuardedSet:
        algebra = self._algebra
        remaining = algebra.true
        sets = []
        for condition, value in zip(guards, branches, strict=True):
            first = algebra.conjunction(remaining, condition)
            remaining = algebra.conjunction(remaining, algebra.negation(condition))
            sets.append(values.guarded(algebra, first, value))
        return values.union(sets)

    def _guarded(self, guard: Signal, failures: Sequence[Failure]) -> list[Failure]:
        guarded = [
            replace(failure, condition=self._algebra.conjunction(guard, failure.condition)) for failure in failures
        ]
        return [failure for failure in guarded if failure.condition != self._algebra.false]
