"""Typed expressions as diagrams, with the conditions under which their evaluation fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.core.source import SourceText
from symag.core.trace import Value
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference, constants_only
from symag.smv.model.types import SetType, WordType
from symag.smv.symbolic.choices import Operand
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.operators import Operators
from symag.smv.symbolic.values import Denotation, ValueMap, ValueOperations
from symag.smv.symbolic.vectors import Vector

#: The equations of a word's bits are joined up to this many nodes, and beyond if that saves nodes.
_LARGE_EQUATION = 1_000
#: The number of bits that are joined before the nodes are counted.
_BITS_JOINED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Failure:
    """Evaluation fails in the states where ``condition`` holds."""

    condition: Bdd
    message: str
    position: int


class EvaluatedExpression(Struct, frozen=True, eq=False):
    """The denotation of an expression, and the states where it fails."""

    value: Denotation
    failures: tuple[Failure, ...] = ()


class ExpressionEncoder:
    """Evaluates the expressions of one system, each at most once until :meth:`forget`.

    With ``trusted`` no error is raised for evaluation that can fail; where it fails the result is arbitrary.
    """

    def __init__(
        self, encoding: Encoding, defines: Mapping[str, Expression], source: SourceText, trusted: bool = False
    ) -> None:
        self._trusted = trusted
        self._encoding = encoding
        self._context = encoding.context
        self._operations = ValueOperations(encoding)
        self._operators = Operators(self._operations)
        self._defines = defines
        self._source = source
        self._memory: dict[tuple[Expression, bool], EvaluatedExpression] = {}
        self._variables: dict[tuple[str, bool], EvaluatedExpression] = {}
        self._comparisons: dict[tuple[object, ...], EvaluatedExpression] = {}

    def forget(self) -> None:
        """Release the diagrams of all subexpressions."""
        self._memory.clear()
        self._variables.clear()
        self._comparisons.clear()

    def boolean(self, expression: Expression) -> Bdd:
        """The valuations that satisfy a boolean expression.

        Raises InputError, with the position, if evaluation can fail under some valid valuation.
        """
        evaluated = self._evaluate(expression)
        self._check(evaluated.failures)
        return evaluated.value

    def can_fail(self, operand: Operand) -> bool:
        """Whether evaluation of a boolean expression can fail under some valuation, valid or not."""
        return bool(self._evaluate(*operand).failures)

    def diagram(self, operand: Operand) -> Bdd:
        """The valuations that satisfy a boolean expression; the result is arbitrary where its evaluation fails."""
        return self._evaluate(*operand).value

    def unchanged(self, variable: str) -> Bdd:
        """``next(variable) = variable``, and the variable has one of its values."""
        now, then = (self._encoding.bits(variable, primed) for primed in (False, True))
        return self._context.conjunction(map(self._context.xnor, now, then)) & self._encoding.valid(variable)

    def assignment_in_parts(self, variable: str, primed: bool, expression: Expression) -> Sequence[Bdd]:
        """As ``assignment``, but the equations of a word's bits are joined only if that costs few nodes.

        The equations of single bits may be small where that of the whole word is large, if they read different bits.
        """
        evaluated = self._evaluate(expression)
        if not isinstance(self._encoding.variables[variable].type, WordType) or not isinstance(evaluated.value, Vector):
            return [self.assignment(variable, primed, expression)]
        self._check(evaluated.failures)
        pairs = list(zip(self._encoding.bits(variable, primed), evaluated.value.bits, strict=True))
        size = self._context.size
        parts: list[Bdd] = []
        for start in range(0, len(pairs), _BITS_JOINED):
            equations = self._context.conjunction(self._context.xnor(*pair) for pair in pairs[start:][:_BITS_JOINED])
            joined = parts[-1] & equations if parts else equations
            if parts and size(joined) > max(_LARGE_EQUATION, size(parts[-1]) + size(equations)):
                parts.append(equations)
            else:
                parts[-1:] = [joined]
        return parts

    def assignment(self, variable: str, primed: bool, expression: Expression) -> Bdd:
        """``variable in expression``, the variable read in the next state when ``primed``.

        Raises InputError if evaluation can fail or give a value outside the variable's type.
        """
        evaluated = self._evaluate(expression)
        self._check(evaluated.failures)
        relation, wrong = self._operations.takes(variable, primed, evaluated.value)
        for value in sorted(wrong, key=str):
            message = f"cannot assign value {_text(value)} to variable {variable}"
            self._check((Failure(wrong[value], message, expression.position),))
        return relation

    def _check(self, failures: tuple[Failure, ...]) -> None:
        for failure in () if self._trusted else failures:
            now, then = self._encoding.variables_in(failure.condition)
            possible = failure.condition
            for name in sorted(now):
                possible = possible & self._encoding.valid(name)
            for name in sorted(then):
                possible = possible & self._encoding.valid(name, primed=True)
            if possible != self._context.false:
                raise self._source.error(failure.message, failure.position)

    def _evaluate(self, root: Expression, root_primed: bool = False) -> EvaluatedExpression:
        """Evaluate operands before operators, without recursion: expressions may be very deep."""
        stack: list[tuple[Expression, bool, bool]] = [(root, root_primed, False)]
        memory = self._memory
        guards: dict[tuple[Expression, bool], list[Bdd]] = {}
        while stack:
            expression, primed, ready = stack.pop()
            if (expression, primed) in memory:
                continue
            if isinstance(expression, Operation):
                if expression.operator in ("case", "index") and (not ready or (expression, primed) not in guards):
                    stack.append((expression, primed, True))
                    if ready:
                        guards[expression, primed] = self._guards(expression, primed)
                        taken = self._possible(expression, guards[expression, primed])
                        stack.extend((value, primed, False) for _, value in taken)
                    else:
                        stack.extend((condition, primed, False) for condition in expression.operands[::2])
                elif expression.operator in ("case", "index"):
                    memory[expression, primed] = self._cases(expression, primed, guards.pop((expression, primed)))
                elif ready:
                    operands = [memory[operand, primed] for operand in expression.operands]
                    key = _comparison_of_leaves(expression, primed)
                    if key is None:
                        memory[expression, primed] = self._operation(expression, operands)
                    else:
                        if key not in self._comparisons:
                            self._comparisons[key] = self._operation(expression, operands)
                        memory[expression, primed] = self._comparisons[key]
                elif expression.operator == "union" and constants_only(expression):
                    memory[expression, primed] = EvaluatedExpression(self._constants(expression))
                else:
                    stack.append((expression, primed, True))
                    stack.extend((operand, primed, False) for operand in expression.operands)
            elif isinstance(expression, DefineReference):
                inner = (self._defines[expression.name], primed or expression.primed)
                if inner in memory:
                    memory[expression, primed] = memory[inner]
                else:
                    stack.append((expression, primed, True))
                    stack.append((*inner, False))
            elif isinstance(expression, VariableReference):
                leaf = expression.name, primed or expression.primed
                if leaf not in self._variables:
                    self._variables[leaf] = EvaluatedExpression(self._operations.variable(*leaf))
                memory[expression, primed] = self._variables[leaf]
            else:
                memory[expression, primed] = EvaluatedExpression(self._constant(expression))
        return memory[root, root_primed]

    def _constant(self, expression: Constant) -> Denotation:
        kind = expression.type
        if isinstance(kind, WordType):
            return self._operations.constant(expression.value, kind.width, kind.signed)
        return self._operations.constant(expression.value, None, False)

    def _constants(self, union: Operation) -> Denotation:
        """The set of constants."""
        constants = [operand for operand in union.operands if isinstance(operand, Constant)]
        if any(isinstance(constant.type, WordType) for constant in constants):
            return self._operations.union([self._constant(constant) for constant in constants])
        return ValueMap(dict.fromkeys((constant.value for constant in constants), self._context.true))

    def _operation(self, expression: Operation, operands: list[EvaluatedExpression]) -> EvaluatedExpression:
        failures = self._failures(expression.operator, operands)
        values = [operand.value for operand in operands]
        match expression.operator:
            case "not" | "and" | "or" | "xor" | "xnor" | "implies" | "iff":
                return EvaluatedExpression(self._operators.logic(expression.operator, values), failures)
            case "=":
                return EvaluatedExpression(self._operations.equal(*values), failures)
            case "!=":
                return EvaluatedExpression(~self._operations.equal(*values), failures)
            case "<" | "<=" | ">" | ">=":
                return EvaluatedExpression(self._operators.compare(expression.operator, *values), failures)
            case "union":
                return EvaluatedExpression(self._operations.union(values), failures)
            case "in":
                return EvaluatedExpression(self._operations.contained(*values), failures)
            case "count":
                return EvaluatedExpression(self._operators.count(values), failures)
            case "/" | "mod":
                zero = Failure(self._operators.is_zero(values[1]), "division by zero", expression.position)
                return EvaluatedExpression(self._operators.compute(expression, values), (*failures, zero))
            case "<<" | ">>":
                value, outside = self._operators.shift(expression.operator, *values)
                message = "shift amount is out of range"
                return EvaluatedExpression(value, (*failures, Failure(outside, message, expression.position)))
            case "+" | "-" | "*" | "negate" | "abs" | "min" | "max":
                return EvaluatedExpression(self._operators.compute(expression, values), failures)
            case _:
                return EvaluatedExpression(self._operators.convert(expression, values), failures)

    def _failures(self, operator: str, operands: list[EvaluatedExpression]) -> tuple[Failure, ...]:
        """The operands' failures, except those that a FALSE operand of ``and`` or a TRUE one of ``or`` absorbs.

        As in NuSMV, whatever the order of the operands; ``implies`` is an ``or``.
        """
        if not any(operand.failures for operand in operands):
            return ()
        if operator not in ("and", "or", "implies") or isinstance(operands[0].value, Vector):
            return tuple(failure for operand in operands for failure in operand.failures)
        possible: list[Failure] = []
        for operand in operands:
            guard = self._context.true
            for number, other in enumerate(operands):
                if other is not operand and operand.failures:
                    positive = operator == "and" or (operator == "implies" and number == 0)
                    neutral = other.value if positive else ~other.value
                    fails = self._context.disjunction(failure.condition for failure in other.failures)
                    guard = guard & (neutral | fails)
            possible.extend(self._guarded(guard, operand.failures))
        return tuple(possible)

    def _guards(self, choice: Operation, primed: bool) -> list[Bdd]:
        """When each branch is taken: its condition holds and none before it does."""
        remaining = self._context.true
        guards: list[Bdd] = []
        for condition in choice.operands[::2]:
            value = self._memory[condition, primed].value
            guards.append(remaining & value)
            remaining = remaining & ~value
        return guards

    def _possible(self, choice: Operation, guards: list[Bdd]) -> list[tuple[Bdd, Expression]]:
        """The guards and values of the branches that can be taken; the last branch if none can.

        A value that is never taken is not encoded: it may be an array read at any index, which is large.
        """
        branches = list(zip(guards, choice.operands[1::2], strict=True))
        return [branch for branch in branches if branch[0] != self._context.false] or branches[-1:]

    def _cases(self, choice: Operation, primed: bool, guards: list[Bdd]) -> EvaluatedExpression:
        """The value of a choice whose conditions and possible values are evaluated."""
        remaining = self._context.true
        failures: list[Failure] = []
        for condition, value, guard in zip(choice.operands[::2], choice.operands[1::2], guards, strict=True):
            failures.extend(self._guarded(remaining, self._memory[condition, primed].failures))
            remaining = remaining & ~guard
            if guard != self._context.false:
                failures.extend(self._guarded(guard, self._memory[value, primed].failures))
        if remaining != self._context.false:
            message = "case conditions are not exhaustive" if choice.operator == "case" else "array index out of bounds"
            failures.append(Failure(remaining, message, choice.position))
        branches = [(guard, self._memory[value, primed].value) for guard, value in self._possible(choice, guards)]
        return EvaluatedExpression(self._operations.cases(branches, isinstance(choice.type, SetType)), tuple(failures))

    def _guarded(self, guard: Bdd, failures: tuple[Failure, ...]) -> list[Failure]:
        guarded = [Failure(guard & failure.condition, failure.message, failure.position) for failure in failures]
        return [failure for failure in guarded if failure.condition != self._context.false]


def _comparison_of_leaves(expression: Operation, primed: bool) -> tuple[object, ...] | None:
    """A key for ``x = y`` of variables and constants, which large models repeat thousands of times; else None."""
    if expression.operator != "=":
        return None
    leaves: list[object] = []
    for operand in expression.operands:
        if isinstance(operand, VariableReference):
            leaves.append((operand.name, primed or operand.primed))
        elif isinstance(operand, Constant) and not isinstance(operand.type, WordType):
            leaves.append((type(operand.value), operand.value))
        else:
            return None
    return tuple(leaves)


def _text(value: Value) -> str:
    return str(value).upper() if isinstance(value, bool) else str(value)
