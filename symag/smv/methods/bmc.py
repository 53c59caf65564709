"""Bounded model checking: is there a violation within k steps? (Biere, Cimatti, Clarke, Zhu, TACAS 1999.)

One incremental solver; the bound grows by one, so a counterexample is a shortest one. All steps are copied into one
graph, where gates with values that follow from the reset values fold to constants (``steps_as_clauses.Unrolling``);
of large circuits the clauses are copied (``symag.smv.circuits.cloned_steps``).

The choice of the solver: CPU seconds of the search alone up to these steps, 22 Nov 2026, 2 busy cores, single runs:

======================  =====  ==========  ==========  ========  =========  ==========
AIGER suite             steps  cadical153  cadical195  glucose4  minisat22  minisat-gh
======================  =====  ==========  ==========  ========  =========  ==========
avr_vis_arrays_buf_bug     17         1.4         1.4       7.0        7.0         6.1
eijkbs1512 (none yet)      25         2.0         1.9       2.8        2.1         2.3
avr_v_DAIO                 63         1.3         1.3       0.6        0.7         0.7
139454p1                    2         0.2         0.3       0.2        0.2         0.2
avr_usb_phy                35         0.2         0.2       0.1        0.1         0.2
139452p6                    2         0.1         0.1       0.1        0.1         0.1
zip_afifo, property 27      4         0.1         0.1       0.1        0.1         0.1
am2901 (none yet)           5         0.1         0.1       0.1        0.1         0.1
======================  =====  ==========  ==========  ========  =========  ==========

The solvers differ on long searches. There both versions of CaDiCaL gain more than they lose elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import PropertyResult
from symag.smv.circuits.clauses import SatSolver
from symag.smv.circuits.steps_as_clauses import StepsAsClauses, is_satisfiable, steps_as_clauses
from symag.smv.circuits.transitions import AtStep
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.answers import holds_without_start, unknown, violated
from symag.smv.methods.sat.partial_run import Run, run_of_model
from symag.smv.methods.sat.posing import harder, posed
from symag.smv.methods.sat.problem import ReachabilityProblem, SharedCircuit
from symag.smv.model.flat import FlatSystem, Property

#: The steps of a search that nothing else stops. NuSMV's default is 10; a bug of real hardware often needs more (of the
#: 14 that the public Verilog has and only ABC decided, up to 18), and 100 steps of it are copied in seconds.
STEPS = 100

#: The solver of the bounded search: see the table above.
SOLVER = "cadical153"


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Look for a violation of what ``posed`` accepts (maybe a lasso, see ``liveness``) within ``options.bound`` steps.

    ``violated`` comes with a shortest trace; otherwise the verdict is ``unknown`` with the reason ``bound``, or
    ``holds`` if no state is initial. A lasso is a shortest one of the cone of influence: variables outside may need
    more rounds of its loop, and so may past operators that are nested deeper than ``liveness_problem`` unrolls. Without
    a bound the search has ``STEPS`` steps if nothing else stops it. Raises InputError, and UnsupportedError for other
    properties.
    """
    return _decide(system, property, options, progress, SharedCircuit(system))


def session(
    system: FlatSystem, options: SmvOptions, answers: Sequence[tuple[Property, PropertyResult]] = ()
) -> Callable[[Property, Progress], PropertyResult]:
    """``decide`` for the properties of a system one by one; the circuit is made once. The ``answers`` of an earlier
    session are of no use to it.
    """
    shared = SharedCircuit(system)
    return lambda property, progress: _decide(system, property, options, progress, shared)


def _decide(
    system: FlatSystem, property: Property, options: SmvOptions, progress: Progress, shared: SharedCircuit
) -> PropertyResult:
    bound = STEPS if options.bound is None and not options.stoppable else options.bound
    started = time.process_time()
    problem = posed(system, property, (), options.cone_of_influence, shared, shortest=True)
    search = BmcSearch(problem)

    def figures() -> dict[str, float]:
        return {"steps": search.safe_steps, "cpu_seconds": round(time.process_time() - started, 3)}

    if not problem.has_start:
        provable = posed(system, property, (), options.cone_of_influence, shared)
        return holds_without_start(provable, "bmc", options.evidence, figures())
    while bound is None or search.safe_steps < bound:
        run = search.next_step()
        if run is not None:
            result = violated(problem, "bmc", run, figures())
            if result is not None:
                return result
            progress("the run is not a counterexample for the whole system yet: searching on")
            problem = harder(problem)
            search = BmcSearch(problem)
            continue
        progress(ProgressFigures(f"no violation within {search.safe_steps} steps", figures()))
        if search.exhausted:
            break
    return unknown(problem, "bmc", f"bound: no violation within {search.safe_steps} steps", figures())


@dataclass(slots=True)
class BmcSearch:
    """The incremental search. ``safe_steps``: no run of at most this many steps violates the property (-1: unknown).

    ``exhausted``: no run has more steps than that.
    """

    problem: ReachabilityProblem
    solver_name: str = SOLVER
    safe_steps: int = -1
    exhausted: bool = False
    solver: SatSolver = field(init=False)
    steps: StepsAsClauses = field(init=False)
    _required: list[AtStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        circuit = self.problem.circuit
        self.solver = SatSolver(self.solver_name)
        roots = (self.problem.bad, *self.problem.lemmas)
        self.steps = steps_as_clauses(circuit, roots, self.solver.add, from_start=True)
        self.require(circuit.initial, 0)

    def next_step(self) -> Run | None:
        """Ask for a violation after one more step."""
        step = self.safe_steps + 1
        circuit = self.problem.circuit
        if step > 0:
            self.require(circuit.steps, step - 1)
        self.require((*circuit.invariants, *self.problem.lemmas), step)
        bad = self.steps.literal(self.problem.bad, step)
        if is_satisfiable(self.solver, self.steps, [*self._required, (self.problem.bad, step)], [bad]):
            return run_of_model(circuit, self.steps, self.solver.model(), step + 1)
        self.solver.add([-bad])
        self.safe_steps = step
        if circuit.initial or circuit.invariants or circuit.steps:
            self.exhausted = not is_satisfiable(self.solver, self.steps, self._required, ())
        return None

    def require(self, literals: Iterable[int], step: int) -> None:
        """Only look for runs on which these literals are true at a step, which is not passed yet."""
        for literal in literals:
            self._required.append((literal, step))
            self.solver.add([self.steps.literal(literal, step)])
