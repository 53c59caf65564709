"""Which assignments and constraints may fail to evaluate, by their form."""

from __future__ import annotations

from collections.abc import Mapping

from symag.smv.model.flat import Assignment, Constraint, FlatSystem
from symag.smv.model.gates import gates_of
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType, EnumerationType, RangeType, VariableType, WordType


class Failures:
    """Tests the form of expressions; each expression of the system is looked at once.

    An expression passes if every ``case`` ends with TRUE, divisors, shift amounts and indices are constants, and
    assigned values are by their form values of the variable. Then it cannot fail; others may fail or not.
    """

    def __init__(self, system: FlatSystem) -> None:
        self._types = {variable.name: variable.type for variable in system.variables}
        self._defines: Mapping[str, Expression] = system.defines
        self._gates = gates_of(system.defines)
        self._safe: set[Expression] = set()

    def possible(self, origin: Assignment | Constraint) -> bool:
        """Whether an assignment or a constraint may fail."""
        if isinstance(origin, Constraint):
            return self.in_expression(origin.expression)
        return self.in_expression(origin.value) or not self._fits(self._types[origin.variable], origin.value)

    def in_expression(self, root: Expression) -> bool:
        """Whether the evaluation of an expression may fail."""
        stack = [root]
        seen: list[Expression] = []
        while stack:
            expression = stack.pop()
            if expression in self._safe:
                continue
            self._safe.add(expression)
            seen.append(expression)
            if isinstance(expression, DefineReference):
                if self._gates is None or self._gates.node(expression.name) is None:  # gates never fail
                    stack.append(self._defines[expression.name])
            elif isinstance(expression, Operation):
                if _is_partial(expression):
                    self._safe.difference_update(seen)
                    return True
                stack.extend(expression.operands)
        return False

    def _fits(self, kind: VariableType, root: Expression) -> bool:
        """Whether the form of an expression shows that it denotes only values of the type."""
        if isinstance(kind, BooleanType | WordType):
            return True
        stack = [root]
        while stack:
            expression = stack.pop()
            match expression:
                case Constant(value):
                    if not _has(kind, value):
                        return False
                case VariableReference(name):
                    if not _contains(kind, self._types[name]):
                        return False
                case DefineReference(name):
                    stack.append(self._defines[name])
                case Operation("union", operands):
                    stack.extend(operands)
                case Operation("case" | "index", operands):
                    stack.extend(operands[1::2])
                case _:
                    return False
        return True


def _is_partial(operation: Operation) -> bool:
    match operation.operator:
        case "case" | "index":
            last = operation.operands[-2]
            return not (isinstance(last, Constant) and last.value is True)
        case "/" | "mod":
            divisor = operation.operands[1]
            return not (isinstance(divisor, Constant) and divisor.value != 0)
        case "<<" | ">>":
            word, amount = operation.operands
            wide = word.type.width if isinstance(word.type, WordType) else 0
            return not (isinstance(amount, Constant) and isinstance(amount.value, int) and 0 <= amount.value <= wide)
    return False


def _has(kind: RangeType | EnumerationType, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(kind, RangeType):
        return isinstance(value, int) and kind.low <= value <= kind.high
    return value in kind.constants


def _contains(kind: RangeType | EnumerationType, other: VariableType) -> bool:
    if isinstance(other, RangeType):
        return isinstance(kind, RangeType) and kind.low <= other.low and other.high <= kind.high
    return isinstance(other, EnumerationType) and all(_has(kind, value) for value in other.constants)
