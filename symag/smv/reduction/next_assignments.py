"""Next assignments in place of a TRANS that says, under conditions, what next values are.

A TRANS such as ``(W -> (full -> next(x) = y) & ...) & ...`` is a conjunction of implications with ``next(x) = e``,
``next(x)`` or ``!next(x)`` at their ends. Read as one constraint it belongs to every cone of influence, and its diagram
may be too large to build. Here the conclusions about one variable become ``next(x) := case condition : e; ... esac``. A
solver proves for each variable that this allows the same transitions; otherwise its implications stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from msgspec import Struct

from symag.core.values import replace
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.model.conjuncts import conjuncts
from symag.smv.model.failures import Failures
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, VariableKind
from symag.smv.model.supports import Supports
from symag.smv.model.typed import BOOLEAN, Constant, Expression, Operation, VariableReference, conjunction, disjunction
from symag.smv.model.types import SetType

#: The solver of the proofs, which are short.
_SOLVER = "cadical153"


class _Implication(Struct, frozen=True, eq=False):
    """If all conditions hold, so does the conclusion: ``next(variable)`` is ``value``, or (None) any constraint."""

    conditions: tuple[Expression, ...]
    conclusion: Expression
    variable: str | None
    value: Expression
    position: int

    @property
    def constraint(self) -> Constraint:
        """The implication as a TRANS."""
        if not self.conditions:
            return Constraint(self.conclusion, self.position)
        operands = (conjunction(*self.conditions), self.conclusion)
        return Constraint(Operation("implies", operands, BOOLEAN, self.conclusion.position), self.position)


def with_next_assignments(system: FlatSystem) -> FlatSystem:
    """A system with the same runs, some of whose TRANS are next assignments of boolean variables.

    INIT becomes init assignments in the same way, so far as it says ``x`` or ``!x`` of them.

    The same object if there is nothing to gain: no such TRANS, processes, or expressions that may fail to evaluate.
    Costs one query to a solver for each variable that is assigned.
    """
    if not system.trans or system.selector is not None:
        return system
    failures = Failures(system)
    if any(failures.possible(origin) for origin in (*system.init, *system.invar, *system.trans)):
        return system
    implications = list(_Reader(system).implications())
    by_variable: dict[str, list[_Implication]] = {}
    for implication in implications:
        if implication.variable is not None:
            by_variable.setdefault(implication.variable, []).append(implication)
    if not by_variable:
        return system
    conditions = [implication.constraint for implication in implications if implication.variable is None]
    supports = Supports(system)
    always = [constraint.expression for constraint in conditions if not supports.of(constraint.expression).next]
    proof = _Proof(system, always)
    assignments, kept = list(system.assignments), conditions
    for variable, about in by_variable.items():
        if proof.agree(about):
            value = _case(_branches(about, variable), free=not proof.cover(about))
            assignments.append(Assignment(variable, "next", value, about[0].position))
        else:
            kept += [implication.constraint for implication in about]
    proof.close()
    if len(assignments) == len(system.assignments):
        return system
    first, init = _initial_values(system)
    return replace(system, assignments=(*assignments, *first), init=init, trans=tuple(kept))


def _initial_values(system: FlatSystem) -> tuple[list[Assignment], tuple[Constraint, ...]]:
    """INIT as init assignments of boolean variables, where it says ``x`` or ``!x``, and the conjuncts that are left."""
    assigned = {assignment.variable for assignment in system.assignments if assignment.time != "next"}
    assignments, left = [], []
    for constraint in system.init:
        for part in conjuncts(constraint.expression):
            negated = isinstance(part, Operation) and part.operator == "not"
            atom = part.operands[0] if isinstance(part, Operation) and negated else part
            if (
                isinstance(atom, VariableReference)
                and atom.name not in assigned
                and system.by_name[atom.name].kind is VariableKind.STATE
                and system.by_name[atom.name].type == BOOLEAN
            ):
                assigned.add(atom.name)
                value = Constant(not negated, BOOLEAN, part.position)
                assignments.append(Assignment(atom.name, "init", value, constraint.position))
            else:
                left.append(Constraint(part, constraint.position))
    return assignments, tuple(left)


class _Reader:
    """Takes the TRANS of a system apart."""

    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._supports = Supports(system)
        self._assigned = {assignment.variable for assignment in system.assignments if assignment.time != "init"}

    def implications(self) -> Iterator[_Implication]:
        """All implications, which together are the TRANS."""
        for constraint in self._system.trans:
            stack: list[tuple[Expression, tuple[Expression, ...]]] = [(constraint.expression, ())]
            while stack:
                expression, conditions = stack.pop()
                if isinstance(expression, Operation) and expression.type == BOOLEAN:
                    if expression.operator == "and":
                        stack += [(operand, conditions) for operand in reversed(expression.operands)]
                        continue
                    if expression.operator == "implies" and not self._supports.of(expression.operands[0]).next:
                        stack.append((expression.operands[1], (*conditions, expression.operands[0])))
                        continue
                yield self._implication(expression, conditions, constraint.position)

    def _implication(self, expression: Expression, conditions: tuple[Expression, ...], position: int) -> _Implication:
        variable, value = self._next_value(expression)
        if variable is not None and self._supports.of(value).next:
            variable = None
        return _Implication(conditions, expression, variable, value, position)

    def _next_value(self, expression: Expression) -> tuple[str | None, Expression]:
        """The boolean variable and its next value, if the expression says no more than that."""
        if self._is_next(expression):
            return expression.name, Constant(True, BOOLEAN, expression.position)
        if isinstance(expression, Operation) and expression.operator == "not":
            inner = expression.operands[0]
            if self._is_next(inner):
                return inner.name, Constant(False, BOOLEAN, expression.position)
        if isinstance(expression, Operation) and expression.operator in ("=", "iff", "xnor"):
            for one, other in (expression.operands, expression.operands[::-1]):
                if self._is_next(one) and other.type == BOOLEAN:
                    return one.name, other
        return None, expression

    def _is_next(self, expression: Expression) -> TypeGuard[VariableReference]:
        """Whether it is the next value of a boolean state variable that has no assignment."""
        if not isinstance(expression, VariableReference) or not expression.primed:
            return False
        declared = self._system.by_name[expression.name]
        return (
            declared.kind is VariableKind.STATE and declared.type == BOOLEAN and expression.name not in self._assigned
        )


class _Proof:
    """Questions about the implications for one variable, where ``always`` holds and all variables have values."""

    def __init__(self, system: FlatSystem, always: Sequence[Expression]) -> None:
        bare = replace(system, assignments=(), init=(), invar=(), trans=(), justice=(), compassion=(), properties=())
        self._blasting = Blasting(bare)
        self._solver = SatSolver(_SOLVER)
        self._clauses = GateClauses(self._blasting.graph, self._solver.add)
        domains = [self._blasting.domain(variable) for variable in system.variables]
        for literal in (*domains, *map(self._blasting.truth, always)):
            self._solver.add([self._clauses.literal(literal)])

    def agree(self, implications: Sequence[_Implication]) -> bool:
        """Whether no two demand different values at once. Costs one query."""
        graph = self._blasting.graph
        demands: dict[bool, list[int]] = {False: [], True: []}
        for implication in implications:
            value = self._blasting.truth(implication.value)
            condition = self._condition(implication)
            demands[True].append(graph.conjunction(condition, value))
            demands[False].append(graph.conjunction(condition, value ^ 1))
        return not self._possible(graph.conjunction(graph.any(demands[False]), graph.any(demands[True])))

    def cover(self, implications: Sequence[_Implication]) -> bool:
        """Whether always one of them applies. Costs one query."""
        return not self._possible(self._blasting.graph.any(map(self._condition, implications)) ^ 1)

    def _condition(self, implication: _Implication) -> int:
        return self._blasting.graph.all(self._blasting.truth(condition) for condition in implication.conditions)

    def _possible(self, literal: int) -> bool:
        return self._solver.solve([self._clauses.literal(literal)])

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()


def _branches(implications: Sequence[_Implication], variable: str) -> list[tuple[Expression, Expression]]:
    """For each value the condition under which it is demanded; that the variable keeps its value comes last."""
    conditions: dict[object, list[Expression]] = {}
    values: dict[object, Expression] = {}
    for implication in implications:
        key = _key(implication.value)
        values.setdefault(key, implication.value)
        conditions.setdefault(key, []).append(conjunction(*implication.conditions))
    keep = (variable, False)
    return [(disjunction(*conditions[key]), values[key]) for key in sorted(conditions, key=lambda value: value == keep)]


def _case(branches: Sequence[tuple[Expression, Expression]], *, free: bool) -> Expression:
    """The value of the first branch that applies; where none does, any value (``free``) or that of the last branch."""
    position = branches[0][1].position
    true, false = (Constant(value, BOOLEAN, position) for value in (True, False))
    if free:
        either = Operation("union", (false, true), SetType(BOOLEAN), position)
        branches = [*branches, (true, either)]
    elif len(branches) == 1:
        return branches[0][1]
    else:
        branches = [*branches[:-1], (true, branches[-1][1])]
    operands = tuple(part for branch in branches for part in branch)
    return Operation("case", operands, SetType(BOOLEAN) if free else BOOLEAN, position)


def _key(value: Expression) -> object:
    """Equal for equal constants and for references to one variable; other expressions are different ones."""
    match value:
        case Constant(constant):
            return constant
        case VariableReference(name, primed):
            return name, primed
    return value
