"""Past formulas as history variables: a deterministic monitor, added to a flat system."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from msgspec import Struct

from symag.smv.model.dependencies import Supports
from symag.smv.model.flat import Assignment, FlatSystem, Variable, VariableKind
from symag.smv.model.formulas import conjunction, disjunction, negation
from symag.smv.model.gates import with_others
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import BooleanType
from symag.smv.temporal.safety import violation
from symag.smv.temporal.tableau import is_temporal

_BOOLEAN = BooleanType()


class MonitoredSystem(Struct, frozen=True, eq=False):
    """A system with a monitor: it violates a safety property iff a fair run of it violates ``invariant``.

    ``meanings`` pairs each added variable with the past formula whose value it has.
    """

    system: FlatSystem
    invariant: Expression
    meanings: tuple[tuple[str, Expression], ...]


def monitored(system: FlatSystem, formula: Expression) -> MonitoredSystem | None:
    """The system with history variables ``LTL.past.n`` for the violation of the formula.

    None if ``safety.violation`` gives none. Each variable has an init and a next assignment, which read inputs and
    next values where the formula does; the invariant reads states only.
    """
    violated = violation(formula)
    if violated is None:
        return None
    monitor = _Monitor(system)
    bad = monitor.truth(violated)
    extended = monitor.added()
    read = Supports(extended).of(bad)
    if read.next or read.current & extended.inputs:
        # The violation shows one state later, which every infinite run has.
        bad = monitor.truth(Operation("Y", (violated,), _BOOLEAN, violated.position))
        extended = monitor.added()
    return MonitoredSystem(extended, negation(bad), tuple(monitor.meanings))


@dataclass(slots=True)
class _Monitor:
    system: FlatSystem
    variables: list[Variable] = field(default_factory=list)
    meanings: list[tuple[str, Expression]] = field(default_factory=list)
    defines: dict[str, Expression] = field(default_factory=dict)
    assignments: list[Assignment] = field(default_factory=list)
    known: dict[Expression, Expression] = field(default_factory=dict)

    def added(self) -> FlatSystem:
        """The system with all additions so far."""
        system = self.system
        return replace(
            system,
            variables=(*system.variables, *self.variables),
            defines=with_others(system.defines, self.defines),
            assignments=(*system.assignments, *self.assignments),
            properties=(),
        )

    def truth(self, formula: Expression) -> Expression:
        """An expression for a past formula in the current state; each formula object has one variable."""
        if not is_temporal(formula):
            return formula
        if formula not in self.known:
            assert isinstance(formula, Operation)
            operands = tuple(self.truth(operand) for operand in formula.operands[:2])
            self.known[formula] = self._operation(formula, operands)
        return self.known[formula]

    def _operation(self, formula: Operation, operands: tuple[Expression, ...]) -> Expression:
        operator, last = formula.operator, operands[-1]
        if operator not in "YZOHST":
            return replace(formula, operands=tuple(self.truth(operand) for operand in formula.operands))
        if len(formula.operands) == 3:
            return self.truth(_unfolded(formula))
        step = operator if operator in "YZ" else "Z" if operator in "HT" else "Y"
        meaning = formula if operator in "YZ" else Operation(step, (formula,), _BOOLEAN, formula.position)
        name = f"LTL.past.{len(self.variables)}"
        self.variables.append(Variable(name, _BOOLEAN, VariableKind.STATE, formula.position))
        self.meanings.append((name, meaning))
        variable = VariableReference(name, False, _BOOLEAN, formula.position)
        match operator:
            case "Y" | "Z":
                goal = last
            case "O":
                goal = disjunction(last, variable)
            case "H":
                goal = conjunction(last, variable)
            case "S":
                goal = disjunction(last, conjunction(operands[0], variable))
            case _:
                goal = conjunction(last, disjunction(operands[0], variable))
        self.defines[f"{name}.goal"] = goal
        now = DefineReference(f"{name}.goal", False, _BOOLEAN, formula.position)
        before = Constant(step == "Z", _BOOLEAN, formula.position)
        self.assignments.append(Assignment(name, "init", before, formula.position))
        self.assignments.append(Assignment(name, "next", now, formula.position))
        return variable if operator in "YZ" else now


def _unfolded(formula: Operation) -> Expression:
    """``O [a, b] g`` and ``H [a, b] g`` by Y, as in ``tableau``."""
    inner, low, high = formula.operands
    assert isinstance(low, Constant)
    assert isinstance(high, Constant)
    unfolded = inner
    for count in range(int(high.value)):
        unfolded = Operation("Y", (unfolded,), _BOOLEAN, formula.position)
        if count < int(high.value) - int(low.value):
            unfolded = (disjunction if formula.operator == "O" else conjunction)(inner, unfolded)
    return unfolded
