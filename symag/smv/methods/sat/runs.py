"""Runs that a SAT engine finds, evaluated in the whole system, and as traces of it."""

from __future__ import annotations

import numpy as np

from symag.core.trace import Step, Trace, Value
from symag.core.values import replace
from symag.smv.circuits.clauses import SatSolver
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.steps_as_clauses import is_satisfiable, steps_as_clauses
from symag.smv.methods.sat.partial_run import Run, run_of_model
from symag.smv.methods.sat.problem import ReachabilityProblem
from symag.smv.model.flat import VariableKind
from symag.smv.model.types import value_of

_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

#: How often a loop is repeated at most, until the latches outside the cone of influence come back too.
_ROUNDS = 64

#: The conflicts after which the search for values outside the cone that close a loop at once gives up.
_CONFLICTS = 1_000


def as_trace(problem: ReachabilityProblem, run: Run) -> Trace | None:
    """The run of the cone as a finite trace of the whole system; None if the system has no run that agrees with it.

    Costs an evaluation of the whole circuit for every step, and one SAT query if the missing values matter.
    """
    values = evaluated(problem, run)
    return None if values is None else values.trace()


def as_lasso(problem: ReachabilityProblem, run: Run) -> Trace | None:
    """The run to a state that was saved before, as a lasso of the whole system; None if no lasso agrees with it.

    The loop is repeated until also the latches without a value in the run come back. What the values of automata alone
    made longer is left out.
    """
    lasso = problem.lasso
    assert lasso is not None
    repeated = lasso.repeated
    start = next(step for step, inputs in enumerate(run.inputs) if inputs.get(lasso.save, False))
    run = run.of(repeated)
    steps = run.inputs[:-1]
    loop = steps[start:]
    problem = replace(problem, whole=repeated)
    values = evaluated(problem, Run(run.first, (*steps, loop[0])), back_to=start)
    if values is not None:
        return _lasso(values, len(steps), start)
    for rounds in (4, _ROUNDS):
        values = evaluated(problem, Run(run.first, (*steps[:start], *(loop * rounds), loop[0])))
        if values is None:
            return None
        last = start + rounds * len(loop)
        for back in range(last - len(loop), start - 1, -len(loop)):
            if values.ends_as(back):
                return _lasso(values, last, back)
    return None


def _lasso(values: EvaluatedRun, length: int, back: int) -> Trace:
    return Trace("lasso", tuple(values.step(number, leaves=True) for number in range(length)), back).shortened()


def evaluated(problem: ReachabilityProblem, run: Run, back_to: int | None = None) -> EvaluatedRun | None:
    """A run of the whole system that agrees with this one, with a value for every node; None if there is none.

    ``back_to`` is a step whose latches all have the same values at the end of the run; None too if that seems hard.
    """
    plain = EvaluatedRun(problem, run)
    if plain.is_run() and (back_to is None or plain.ends_as(back_to)):
        return plain
    completed = _completed(problem, run, back_to)
    if completed is None:
        return None
    plain = EvaluatedRun(problem, completed)
    if not plain.is_run():
        raise AssertionError("a completed run is a run")
    return plain


class EvaluatedRun:
    """The whole circuit, evaluated along a run."""

    def __init__(self, problem: ReachabilityProblem, run: Run) -> None:
        circuit = problem.whole
        self._problem = problem
        self._length = len(run.inputs)
        roots = [latch.next for latch in circuit.latches]
        roots += [*circuit.initial, *circuit.invariants, *circuit.steps, problem.bad]
        roots += [bit for bits in circuit.values.values() for bit in bits]
        evaluation = Evaluation(circuit.graph, roots)
        values = evaluation.values
        for latch in circuit.latches:
            first = run.first.get(latch.node, False) if latch.reset is None else latch.reset
            values[latch.node] = _ALL if first else 0
        self._rows = []
        nodes = np.array([latch.node for latch in circuit.latches], dtype=np.int64)
        following = np.array([latch.next for latch in circuit.latches], dtype=np.int64)
        negated = np.where(following & 1, _ALL, np.uint64(0))[:, None]
        for inputs in run.inputs:
            for node in circuit.inputs:
                values[node] = _ALL if inputs.get(node, False) else 0
            evaluation.run()
            self._rows.append((values[:, 0] & np.uint64(1)).astype(bool))
            values[nodes] = values[following >> 1] ^ negated

    def trace(self) -> Trace:
        """The run as a finite trace."""
        last = self._length - 1
        return Trace("finite", tuple(self.step(number, leaves=number < last) for number in range(last + 1)))

    def ends_as(self, step: int) -> bool:
        """Whether all latches have the same values at the end as at a step."""
        nodes = [latch.node for latch in self._problem.whole.latches]
        return bool((self._rows[step][nodes] == self._rows[self._length - 1][nodes]).all())

    def is_run(self) -> bool:
        """Whether all constraints of the whole system hold."""
        circuit = self._problem.whole
        last = self._length - 1
        return (
            all(self._is_true(literal, 0) for literal in circuit.initial)
            and all(self._is_true(literal, step) for literal in circuit.invariants for step in range(last + 1))
            and all(self._is_true(literal, step) for literal in circuit.steps for step in range(last))
        )

    def _is_true(self, literal: int, step: int) -> bool:
        return bool(self._rows[step][literal >> 1]) != bool(literal & 1)

    def step(self, number: int, *, leaves: bool) -> Step:
        """The values at a step, with those of inputs if a step leaves the state."""
        system, values = self._problem.system, self._problem.whole.values
        state: dict[str, Value] = {}
        inputs: dict[str, Value] = {}
        for variable in system.variables:
            is_input = variable.kind is VariableKind.INPUT
            if not is_input or leaves:
                index = sum(self._is_true(bit, number) << k for k, bit in enumerate(values[variable.name]))
                (inputs if is_input else state)[variable.name] = value_of(variable.type, index)
        return Step(state, inputs)


def _completed(problem: ReachabilityProblem, run: Run, back_to: int | None) -> Run | None:
    """The run with values for the rest of the whole system that satisfy all constraints; None if there are none.

    ``back_to`` is as in ``evaluated``.
    """
    circuit = problem.whole
    solver = SatSolver("cadical153" if back_to is None else "minisat22")
    roots = {2 * node for fixed in (run.first, *run.inputs) for node in fixed}
    steps = steps_as_clauses(circuit, sorted(roots), solver.add, from_start=True)
    last = len(run.inputs) - 1
    needed = []
    for step in range(last + 1):
        literals = list(circuit.invariants)
        literals += circuit.initial if step == 0 else ()
        literals += circuit.steps if step < last else ()
        fixed = {**run.inputs[step], **(run.first if step == 0 else {})}
        literals += [2 * node + (not value) for node, value in fixed.items()]
        for literal in literals:
            solver.add([steps.literal(literal, step)])
            needed.append((literal, step))
    if back_to is not None:
        for literal in (2 * latch.node for latch in circuit.latches):
            first, again = steps.literal(literal, back_to), steps.literal(literal, last)
            solver.add([first, -again])
            solver.add([-first, again])
            needed += [(literal, back_to), (literal, last)]
    completed = None
    if (
        is_satisfiable(solver, steps, needed, ())
        if back_to is None
        else all(solver.solve_within((), _CONFLICTS) for _ in steps.loads(needed))
    ):
        completed = run_of_model(circuit, steps, solver.model(), last + 1)
    solver.close()
    return completed
