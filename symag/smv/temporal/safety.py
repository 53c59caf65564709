"""Safety properties of LTL as invariants of a system with a deterministic monitor.

``violation`` turns a formula f into a formula V with past operators only, such that a run violates f iff V is
true at some position of it: f is equivalent to G !V. It translates f under a trigger, a past formula that is
true where an obligation begins. G f obliges to f at every position from the trigger on, X f one position later,
and q V p to p as long as q (over the past) has not come since the trigger. A disjunction with one operand over
the future obliges to that operand where the others are false. With several such operands there are two cases:
they look ahead a bounded distance (X only), and V looks back as far; or the obligation begins once in a run, and
all operands have to fail. Source: Kupferman and Vardi, "Model checking of safety properties" (FMSD 2001): a run
that violates a syntactically safe formula has a prefix that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from symag.core.values import replace
from symag.smv.model.flat import Assignment, FlatSystem, Variable, VariableKind
from symag.smv.model.gates import with_others
from symag.smv.model.supports import Supports
from symag.smv.model.typed import (
    Constant,
    DefineReference,
    Expression,
    Operation,
    VariableReference,
    conjunction,
    disjunction,
    has_operator,
    negation,
)
from symag.smv.model.types import BooleanType
from symag.smv.temporal.tableau import bounds_of, is_temporal

_BOOLEAN = BooleanType()
_FUTURE = frozenset("XFGUV")


class _NotSafeError(Exception):
    """The formula is not of the form that this file translates."""


class _Trigger(Struct, frozen=True, eq=False):
    """The positions where an obligation begins; ``once``: at most one in a run. A ``formula`` of None means TRUE."""

    formula: Expression | None
    once: bool

    def and_also(self, condition: Expression) -> _Trigger:
        return _Trigger(condition if self.formula is None else conjunction(self.formula, condition), self.once)


def violation(formula: Expression) -> Expression | None:
    """The past formula that is true at some position of exactly the runs that violate the formula.

    None if the formula is not syntactically safe (in negation normal form without U and F) in the form that
    this file describes. Its size may be exponential in the number of nested ``iff`` and ``xor`` over the future.
    """
    false = Constant(False, _BOOLEAN, formula.position)
    first = Operation("Z", (false,), _BOOLEAN, formula.position)
    try:
        return _violated(formula, False, _Trigger(first, True), first)
    except _NotSafeError:
        return None


def _violated(formula: Expression, negated: bool, trigger: _Trigger, first: Expression) -> Expression:
    """The past formula for: it shows here that the formula (``negated``: its negation) fails after a trigger."""
    if not _looks_ahead(formula):
        failed = formula if negated else negation(formula)
        return trigger.and_also(failed).formula or failed
    assert isinstance(formula, Operation)
    operator, operands = formula.operator, formula.operands
    bounds = bounds_of(formula)
    if bounds is not None:
        return _violated(_unfolded(formula, *bounds), negated, trigger, first)
    if operator == "not":
        return _violated(operands[0], not negated, trigger, first)
    if operator == "implies":
        return _violated(disjunction(negation(operands[0]), operands[1]), negated, trigger, first)
    if operator in ("iff", "xnor", "xor"):
        left, right = operands
        same = conjunction(disjunction(negation(left), right), disjunction(negation(right), left))
        return _violated(same, negated != (operator == "xor"), trigger, first)
    if operator in ("and", "or"):
        if (operator == "and") != negated:
            violated = [_violated(operand, negated, trigger, first) for operand in operands]
            return _folded(disjunction, violated)
        return _all_violated(operands, negated, trigger, first)
    if operator == "X":
        return _violated(operands[0], negated, _later(trigger, formula.position), first)
    if operator == ("F" if negated else "G"):
        return _violated(operands[0], negated, _ever_since(trigger, first), first)
    if operator == ("U" if negated else "V") and not _looks_ahead(operands[0]):
        # operands[1] is obliged from the trigger on until the first operand (negated: its negation) releases it
        waiting = operands[0] if negated else negation(operands[0])
        return _violated(operands[1], negated, _while(trigger, waiting), first)
    raise _NotSafeError


def _all_violated(operands: Sequence[Expression], negated: bool, trigger: _Trigger, first: Expression) -> Expression:
    """The past formula that is true where it shows that all operands of a disjunction fail."""
    ahead = [operand for operand in operands if _looks_ahead(operand)]
    for operand in operands:
        if not _looks_ahead(operand):
            trigger = trigger.and_also(operand if negated else negation(operand))
    if len(ahead) == 1:
        return _violated(ahead[0], negated, trigger, first)
    depths = [_depth(operand) for operand in ahead]
    if None not in depths:
        depth = max(known_depth for known_depth in depths if known_depth is not None)
        values = [_seen_back(operand, depth) for operand in ahead]
        for _ in range(depth):
            trigger = _later(trigger, first.position)
        for value in values:
            trigger = trigger.and_also(value if negated else negation(value))
        assert trigger.formula is not None
        return trigger.formula
    if trigger.once:
        return _folded(conjunction, [_past("O", _violated(conjunct, negated, trigger, first)) for conjunct in ahead])
    raise _NotSafeError


def _later(trigger: _Trigger, position: int) -> _Trigger:
    return _Trigger(_past("Y", trigger.formula or Constant(True, _BOOLEAN, position)), trigger.once)


def _ever_since(trigger: _Trigger, first: Expression) -> _Trigger:
    if trigger.formula is None or trigger.formula is first:
        return _Trigger(None, False)
    return _Trigger(_past("O", trigger.formula), False)


def _while(trigger: _Trigger, waiting: Expression) -> _Trigger:
    """The positions of the trigger, and those after it as long as ``waiting`` has been true since."""
    if trigger.formula is None:
        return trigger
    since = Operation("S", (waiting, conjunction(trigger.formula, waiting)), _BOOLEAN, waiting.position)
    return _Trigger(disjunction(trigger.formula, _past("Y", since)), False)


def _past(operator: str, formula: Expression) -> Expression:
    return Operation(operator, (formula,), _BOOLEAN, formula.position)


def _looks_ahead(formula: Expression) -> bool:
    return has_operator(formula, _FUTURE)


def _unfolded(formula: Operation, low: int, high: int) -> Expression:
    """``F [a, b] g`` or ``G [a, b] g`` by X, ``O [a, b] g`` or ``H [a, b] g`` by Y."""
    inner, step = formula.operands[0], "X" if formula.operator in "FG" else "Y"
    unfolded = inner
    for count in range(high):
        unfolded = _past(step, unfolded)
        if count < high - low:
            unfolded = (disjunction if formula.operator in "FO" else conjunction)(inner, unfolded)
    return unfolded


def _depth(formula: Expression) -> int | None:
    """The number of positions that the formula looks ahead; None without a bound, or under a past operator."""
    if not _looks_ahead(formula):
        return 0
    assert isinstance(formula, Operation)
    bounds = bounds_of(formula)
    if bounds is None and formula.operator not in ("X", "not", "and", "or", "implies", "iff", "xor", "xnor"):
        return None
    depths = [_depth(operand) for operand in formula.operands[: 1 if bounds is not None else None]]
    if None in depths:
        return None
    step = bounds[1] if bounds is not None else formula.operator == "X"
    return step + max(depth for depth in depths if depth is not None)


def _seen_back(formula: Expression, distance: int) -> Expression:
    """The formula's value this many positions ago, at least as many as it looks ahead."""
    if not _looks_ahead(formula):
        for _ in range(distance):
            formula = _past("Y", formula)
        return formula
    assert isinstance(formula, Operation)
    bounds = bounds_of(formula)
    if bounds is not None:
        return _seen_back(_unfolded(formula, *bounds), distance)
    if formula.operator == "X":
        return _seen_back(formula.operands[0], distance - 1)
    return replace(formula, operands=tuple(_seen_back(operand, distance) for operand in formula.operands))


def _folded(operation: Callable[[Expression, Expression], Expression], operands: Sequence[Expression]) -> Expression:
    folded = operands[0]
    for operand in operands[1:]:
        folded = operation(folded, operand)
    return folded


class MonitoredSystem(Struct, frozen=True, eq=False):
    """A system with a monitor: it violates a safety property iff a fair run of it violates ``invariant``."""

    system: FlatSystem
    invariant: Expression


def monitored(system: FlatSystem, formula: Expression) -> MonitoredSystem | None:
    """The system with history variables ``LTL.past.n`` for the violation of the formula.

    None if ``violation`` gives none. Each variable has an init and a next assignment, which read inputs and
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
    return MonitoredSystem(extended, negation(bad))


@dataclass(slots=True)
class _Monitor:
    system: FlatSystem
    variables: list[Variable] = field(default_factory=list)
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
        if bounds := bounds_of(formula):
            return self.truth(_unfolded(formula, *bounds))
        name = f"LTL.past.{len(self.variables)}"
        self.variables.append(Variable(name, _BOOLEAN, VariableKind.STATE, formula.position))
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
        before = Constant(operator in "ZHT", _BOOLEAN, formula.position)
        self.assignments.append(Assignment(name, "init", before, formula.position))
        self.assignments.append(Assignment(name, "next", now, formula.position))
        return variable if operator in "YZ" else now
