"""A flat system with constant variables replaced by their values and equal ones by one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from symag.core.values import replace
from symag.smv.model.bit_of_value import constant
from symag.smv.model.flat import Constraint, FlatSystem
from symag.smv.model.typed import BOOLEAN, Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import EnumerationType, RangeType, WordType
from symag.smv.reduction.equal_variables import Redundancy


class Substitution:
    """A system without its redundant variables and their assignments.

    ``system`` has the runs of the given system without those variables. It has no properties and no fairness. Its
    DEFINEs are rewritten when they are first used.
    """

    def __init__(self, system: FlatSystem, redundancy: Redundancy) -> None:
        """Linear in the assignments and constraints, and the DEFINEs that they read."""
        self._rewriter = _Rewriter(system, redundancy)
        gone = {*redundancy.constants, *redundancy.equal}
        self.system = replace(
            system,
            variables=tuple(variable for variable in system.variables if variable.name not in gone),
            assignments=tuple(
                replace(assignment, value=self.of(assignment.value))
                for assignment in system.assignments
                if assignment.variable not in gone
            ),
            init=self._constraints(system.init),
            invar=self._constraints(system.invar),
            trans=self._constraints(system.trans),
            defines=_Defines(system.defines, self._rewriter),
            justice=(),
            compassion=(),
            properties=(),
        )

    def of(self, expression: Expression) -> Expression:
        """An expression over the given system as one over ``system``."""
        return self._rewriter.of(expression)

    def _constraints(self, constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
        rewritten = (replace(constraint, expression=self.of(constraint.expression)) for constraint in constraints)
        return tuple(constraint for constraint in rewritten if _truth(constraint.expression) is not True)


class _Defines(Mapping[str, Expression]):
    """The DEFINEs of a system, rewritten one by one."""

    def __init__(self, defines: Mapping[str, Expression], rewriter: _Rewriter) -> None:
        self._given = defines
        self._rewriter = rewriter

    def __getitem__(self, name: str) -> Expression:
        return self._rewriter.of(self._given[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


class _Rewriter:
    def __init__(self, system: FlatSystem, redundancy: Redundancy) -> None:
        self._system = system
        self._redundancy = redundancy
        self._known: dict[Expression, Expression] = {}

    def of(self, root: Expression) -> Expression:
        """An expression rewritten, without recursion; unchanged parts stay the same objects."""
        known = self._known
        stack = [(root, False)]
        while stack:
            expression, ready = stack.pop()
            if expression in known:
                continue
            if isinstance(expression, Operation):
                if ready:
                    known[expression] = _folded(expression, tuple([known[operand] for operand in expression.operands]))
                else:
                    stack.append((expression, True))
                    stack.extend((operand, False) for operand in expression.operands)
            elif isinstance(expression, DefineReference):
                body = self._system.defines[expression.name]
                if body not in known:
                    stack.append((expression, False))
                    stack.append((body, False))
                    continue
                known[expression] = known[body] if isinstance(known[body], Constant) else expression
            elif isinstance(expression, VariableReference):
                known[expression] = self._variable(expression)
            else:
                known[expression] = expression
        return known[root]

    def _variable(self, reference: VariableReference) -> Expression:
        other = self._redundancy.equal.get(reference.name)
        if other is not None:
            return replace(reference, name=other)
        if reference.name not in self._redundancy.constants:
            return reference
        value = self._redundancy.constants[reference.name]
        kind = self._system.by_name[reference.name].type
        if isinstance(kind, RangeType | EnumerationType):
            return constant(value, kind, reference.position)
        return Constant(value, kind, reference.position)


def _truth(expression: Expression) -> bool | None:
    if isinstance(expression, Constant) and isinstance(expression.value, bool):
        return expression.value
    return None


#: The truth of these operators between a variable and itself.
_REFLEXIVE = {
    **dict.fromkeys(("=", "iff", "xnor", "implies", "<=", ">="), True),
    **dict.fromkeys(("!=", "xor", "<", ">"), False),
}


def _same_variable(left: Expression, right: Expression) -> bool:
    """Whether both read the same variable at the same time, other than a word: operators on words are bitwise."""
    if not isinstance(left, VariableReference) or not isinstance(right, VariableReference):
        return False
    same = left.name == right.name and left.primed == right.primed
    return same and not isinstance(left.type, WordType)


def _folded(expression: Operation, operands: tuple[Expression, ...]) -> Expression:
    """The operation over rewritten operands, simplified if one of them is TRUE or FALSE."""
    operator, position = expression.operator, expression.position
    truths = [_truth(operand) for operand in operands]
    if operator in _REFLEXIVE and _same_variable(*operands):
        return Constant(_REFLEXIVE[operator], BOOLEAN, position)
    if all(truth is None for truth in truths):
        return expression if operands == expression.operands else replace(expression, operands=operands)

    def result(value: bool) -> Expression:
        return Constant(value, BOOLEAN, position)

    match operator:
        case "not":
            return result(not truths[0])
        case "and" | "or":
            absorbing = operator == "or"
            if absorbing in truths:
                return result(absorbing)
            rest = tuple(operand for operand, truth in zip(operands, truths, strict=True) if truth is None)
            if len(rest) < 2:
                return rest[0] if rest else result(not absorbing)
            return replace(expression, operands=rest)
        case "implies":
            if truths[0] is False or truths[1] is True:
                return result(True)
            return operands[1] if truths[0] is True else Operation("not", operands[:1], BOOLEAN, position)
        case "xor" | "xnor" | "iff":
            if truths[0] is not None and truths[1] is not None:
                return result((truths[0] is truths[1]) is (operator != "xor"))
            value, other = (truths[0], operands[1]) if truths[0] is not None else (truths[1], operands[0])
            return other if value is (operator != "xor") else Operation("not", (other,), BOOLEAN, position)
        case "case":
            return _case(expression, operands)
    return replace(expression, operands=operands)


def _case(expression: Operation, operands: tuple[Expression, ...]) -> Expression:
    branches: list[Expression] = []
    for condition, value in zip(operands[::2], operands[1::2], strict=True):
        truth = _truth(condition)
        if truth is False:
            continue
        if truth is True and not branches:
            return value
        branches.extend((condition, value))
        if truth is True:
            break
    return replace(expression, operands=tuple(branches)) if branches else replace(expression, operands=operands)
