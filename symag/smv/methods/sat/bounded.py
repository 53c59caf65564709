"""Counterexamples to LTL of an exact length: lassos of a system, and prefixes without a loop.

Bounded semantics after Biere, Cimatti, Clarke, Zhu (TACAS 1999): a path of k steps with a loop from its last state
back to step l (the two states are equal), or without a loop; then what lies beyond its end counts as FALSE. A loop need
not repeat the values of past operators at once (``lasso_truth``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from symag.core.trace import Step, Trace
from symag.smv.circuits.graph import FALSE, TRUE
from symag.smv.methods.sat.lasso_truth import truth_along
from symag.smv.methods.sat.steps import Solver, Steps
from symag.smv.model.flat import FlatSystem
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression, Operation, subexpressions
from symag.smv.temporal.tableau import bounds_of, has_past, is_temporal, product

_LOGICAL = frozenset(("not", "and", "or", "implies", "iff", "xor", "xnor"))
_DUAL = {"F": "G", "G": "F", "U": "V", "V": "U", "O": "H", "H": "O", "S": "T", "T": "S", "Y": "Z", "Z": "Y", "X": "X"}


class BoundedSearch:
    """Looks for paths of exact lengths that violate a formula. Raises InputError where evaluation can fail.

    The paths are those of the product with a tableau, which accepts the beginning of every violating run; without past
    operators a lasso of the system is one of the product too. One solver serves lassos and prefixes; ``solver``
    replaces it. Prefixes without a loop count only in systems without fairness constraints, as in NuSMV.
    """

    def __init__(self, system: FlatSystem, formula: Expression, solver: Solver | None = None) -> None:
        self._system = system
        self._formula = formula
        self._has_past = has_past(formula)
        whole = product(system, formula).system
        conditions = system.justice if self._has_past else whole.justice
        self._justice = [justice_condition.expression for justice_condition in conditions]
        self._compassion = [(p.expression, q.expression) for p, q in whole.compassion]
        atoms = list(_atoms(formula))
        expressions = [*self._justice, *(side for pair in self._compassion for side in pair), *atoms]
        self.steps = Steps(whole, expressions, solver=solver)
        self._prefixes = None
        if not (system.justice or system.compassion):
            self._prefixes = _Prefixes(self.steps, formula, frozenset(_reading_next(system, atoms)))

    def close(self) -> None:
        """Free the solver."""
        self.steps.close()

    def prefix(self, length: int) -> Trace | None:
        """A path of this many steps that violates the formula whatever follows; None if there is none.

        Lengths must not decrease from call to call, here and in ``lasso``.
        """
        if not self.steps.solve([self.prefix_literal(length)]):
            return None
        states = self._states()
        return Trace("finite", (*states[:-1], Step(states[-1].state)))

    def lasso(self, length: int, loops: range) -> Trace | None:
        """A lasso of this many steps that violates the formula and goes back to one of ``loops``; None without one."""
        if not self.steps.solve([self.lasso_literal(length, loops)]):
            return None
        for loop in loops:
            if self.steps.solve([self.lasso_literal(length, range(loop, loop + 1))]):
                return Trace("lasso", self._states()[:-1], loop)
        raise AssertionError("a lasso without a loop")

    def prefix_literal(self, length: int) -> int:
        """A literal that is true iff the path of this many steps violates the formula whatever follows."""
        self._extend(length)
        return FALSE if self._prefixes is None else self._prefixes.violation()

    def lasso_literal(self, length: int, loops: range) -> int:
        """A literal that is true iff the path of this many steps is a lasso that violates the formula."""
        self._extend(length)
        graph = self.steps.graph
        return graph.any(
            graph.conjunction(self._is_violating(loop, length), self._is_fair(loop, length)) for loop in loops
        )

    def _is_violating(self, loop: int, length: int) -> int:
        """Whether the steps from ``loop`` to ``length`` are a loop, after which the formula is false at step 0."""
        steps = self.steps
        if not self._has_past:
            return steps.same(loop, length)
        same = steps.same(loop, length, self._system.by_name)
        return steps.graph.conjunction(same, truth_along(steps, self._formula, loop, length) ^ 1)

    def _extend(self, length: int) -> None:
        while self.steps.length < length:
            self.steps.extend()

    def _states(self) -> tuple[Step, ...]:
        names = self._system.by_name
        return tuple(
            Step({name: value for name, value in step.state.items() if name in names}, step.inputs)
            for step in self.steps.states()
        )

    def has_simple_path(self, length: int) -> bool:
        """Whether some run of this many steps visits no state of the product twice; if not, longer lassos add none."""
        self._extend(length)
        steps = self.steps
        return steps.solve(steps.same(one, other) ^ 1 for one in range(length) for other in range(one + 1, length + 1))

    def _is_fair(self, loop: int, length: int) -> int:
        steps, graph = self.steps, self.steps.graph
        inside = range(loop, length)
        conditions = [
            graph.any(steps.truth(justice_condition, k) for k in inside) for justice_condition in self._justice
        ]
        for premise, conclusion in self._compassion:
            never = graph.any(steps.truth(premise, k) for k in inside) ^ 1
            conditions.append(graph.disjunction(never, graph.any(steps.truth(conclusion, k) for k in inside)))
        return graph.all(conditions)


def _reading_next(system: FlatSystem, atoms: Iterable[Expression]) -> Iterator[int]:
    """The ids of atoms that read inputs or next values: in the last state they have no value."""
    supports = Supports(system)
    for atom in atoms:
        read = supports.of(atom)
        if read.next or read.current & system.inputs:
            yield id(atom)


@dataclass(slots=True)
class _Prefixes:
    """The bounded semantics without a loop."""

    _steps: Steps
    _formula: Expression
    _reads_next: frozenset[int]
    _known: dict[tuple[int, bool, int], int] = field(default_factory=dict)

    def violation(self) -> int:
        """A literal that is true iff the path up to the last step shows a violation."""
        self._known.clear()
        return self._truth(self._formula, True, 0)

    def _truth(self, formula: Expression, negated: bool, step: int) -> int:
        """Whether the path shows the formula (or its negation) at a step, as a literal."""
        key = id(formula), negated, step
        if key not in self._known:
            self._known[key] = self._built(formula, negated, step)
        return self._known[key]

    def _built(self, formula: Expression, negated: bool, step: int) -> int:
        if not is_temporal(formula):
            if step == self._steps.length and id(formula) in self._reads_next:
                return FALSE
            return self._steps.truth(formula, step) ^ negated
        assert isinstance(formula, Operation)
        operator, operands = formula.operator, formula.operands
        if operator in _LOGICAL:
            return self._logical(operator, operands, negated, step)
        bounds = bounds_of(formula)
        if bounds is not None:
            return self._bounded(operator, operands[0], bounds, negated, step)
        return self._temporal(_DUAL[operator] if negated else operator, operands, negated, step)

    def _logical(self, operator: str, operands: tuple[Expression, ...], negated: bool, step: int) -> int:
        graph = self._steps.graph
        if operator == "not":
            return self._truth(operands[0], not negated, step)
        if operator in ("and", "or"):
            parts = [self._truth(operand, negated, step) for operand in operands]
            return graph.all(parts) if (operator == "and") != negated else graph.any(parts)
        left, right = operands
        if operator == "implies":
            parts = [self._truth(left, not negated, step), self._truth(right, negated, step)]
            return graph.all(parts) if negated else graph.any(parts)
        differ = (operator == "xor") != negated
        return graph.any(
            graph.conjunction(self._truth(left, side, step), self._truth(right, side != differ, step))
            for side in (False, True)
        )

    def _temporal(self, operator: str, operands: tuple[Expression, ...], negated: bool, step: int) -> int:
        graph, last = self._steps.graph, self._steps.length

        def at(operand: Expression, step: int) -> int:
            return self._truth(operand, negated, step)

        only = operands[-1]
        later, earlier = range(step, last + 1), range(step, -1, -1)
        match operator:
            case "X":
                return at(only, step + 1) if step < last else FALSE
            case "F":
                return graph.any(at(only, k) for k in later)
            case "G":
                return FALSE
            case "Y" | "Z":
                return at(only, step - 1) if step else TRUE if operator == "Z" else FALSE
            case "O":
                return graph.any(at(only, k) for k in earlier)
            case "H":
                return graph.all(at(only, k) for k in earlier)
        first = operands[0]
        steps = list(later if operator in "UV" else earlier)
        cases = []
        for count, decisive in enumerate(steps):
            if operator in "US":
                cases.append(graph.all([at(only, decisive), *(at(first, k) for k in steps[:count])]))
            else:
                cases.append(graph.all([at(first, decisive), *(at(only, k) for k in steps[: count + 1])]))
        if operator == "T":
            cases.append(graph.all(at(only, k) for k in steps))
        return graph.any(cases)

    def _bounded(self, operator: str, body: Expression, bounds: tuple[int, int], negated: bool, step: int) -> int:
        graph = self._steps.graph
        parts = []
        for distance in range(bounds[0], bounds[1] + 1):
            other = step + distance if operator in "FG" else step - distance
            if other < 0:
                parts.append(TRUE if negated else FALSE)
            else:
                parts.append(FALSE if other > self._steps.length else self._truth(body, negated, other))
        return graph.any(parts) if (operator in "FO") != negated else graph.all(parts)


def _atoms(formula: Expression) -> Iterator[Expression]:
    """The largest parts without temporal operators that the formula's temporal and logical operators combine."""
    if not is_temporal(formula):
        yield formula
        return
    assert isinstance(formula, Operation)
    operands = formula.operands[:1] if bounds_of(formula) is not None else formula.operands
    for operand in operands:
        yield from _atoms(operand)


def reads_only_states(system: FlatSystem, expression: Expression) -> bool:
    """Whether an expression reads neither inputs nor next values nor the past or future."""
    read = Supports(system).of(expression)
    temporal = any(isinstance(part, Operation) and part.operator in _DUAL for part in subexpressions(expression))
    return not read.next and not temporal and not read.current & system.inputs


class InvariantSteps:
    """The two queries of induction for an invariant: a violation, and a step that fails.

    One that reads inputs or next values is about the last step of a path, whose ``shortest`` length is then 1.
    Raises InputError where evaluation can fail.
    """

    def __init__(self, system: FlatSystem, invariant: Expression) -> None:
        self.shortest = 0 if reads_only_states(system, invariant) else 1
        self._invariant = invariant
        self._base = Steps(system, [invariant])
        self._step = Steps(system, [invariant], from_start=False)

    def close(self) -> None:
        """Free the solvers."""
        self._base.close()
        self._step.close()

    def violation(self, length: int) -> Trace | None:
        """A run of this many steps from an initial state whose end violates the invariant; None if there is none."""
        return self._violating_path(self._base, length, [])

    def failed_step(self, length: int, simple: bool) -> Trace | None:
        """A path of this many steps from any state that violates the invariant at its end only, or None.

        ``simple``: no state before the end occurs twice.
        """
        steps = self._step
        while steps.length < length:
            steps.extend()
        before = range(length - self.shortest)
        literals = [steps.truth(self._invariant, k) for k in before]
        if simple:
            literals += [steps.same(one, other) ^ 1 for one in before for other in before[one + 1 :]]
        return self._violating_path(steps, length, literals)

    def _violating_path(self, steps: Steps, length: int, literals: list[int]) -> Trace | None:
        while steps.length < length:
            steps.extend()
        if not steps.solve([*literals, steps.truth(self._invariant, length - self.shortest) ^ 1]):
            return None
        states = steps.states()[: length + 1]
        return Trace("finite", (*states[:-1], Step(states[-1].state)))
