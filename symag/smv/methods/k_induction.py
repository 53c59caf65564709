"""k-induction (Sheeran, Singh, Stalmarck, FMCAD 2000). States are required to differ only where a path repeats one
(Een, Sorensson, "Temporal induction by incremental SAT solving", BMC 2003).

For k = 0, 1, ..: the base (``bmc``) says that no violation is within k steps from the start; the step, that none comes
after k + 1 consecutive states without one, which may begin anywhere. The base is some steps ahead: it costs less, and
finds what is violated near the start without the step's work. Proved lemmas confine both. Where only infinite
runs refute the property, the paths are those of a search for lassos; then PDR finds clauses that prove the same, for
which there is a certificate. All invariants of the system are tried together first, for a time (``simultaneous``).

The choice of the solver for the step: CPU seconds of k = 1 .. 6, none inductive, 22 Nov 2026, 2 busy cores, single runs
(the base is ``bmc``):

======================  ==========  ==========  ========  =========  ==========
AIGER suite             cadical153  cadical195  glucose4  minisat22  minisat-gh
======================  ==========  ==========  ========  =========  ==========
139454p1                      1.15        1.09      0.85       0.83        1.02
139452p6                      0.56        0.69      0.56       0.50        0.50
zip_afifo, property 27        0.15        0.16      0.16       0.14        0.15
am2901                        0.14        0.14      0.13       0.12        0.12
eijkbs1512                    0.11        0.12      0.12       0.12        0.07
avr_vis_arrays_buf_bug        0.07        0.04      0.02       0.03        0.04
======================  ==========  ==========  ========  =========  ==========

They are alike: most of the time goes into making the steps.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.smv.certificates.invariants import Induction
from symag.smv.circuits.clauses import SatSolver
from symag.smv.circuits.steps_as_clauses import is_satisfiable, steps_as_clauses
from symag.smv.circuits.transitions import AtStep
from symag.smv.methods import bmc
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.answers import holds, unknown, violated
from symag.smv.methods.sat.lemmas import lemmas_for
from symag.smv.methods.sat.posing import harder
from symag.smv.methods.sat.problem import ReachabilityProblem, SharedCircuit, problem_of
from symag.smv.methods.sat.simultaneous import SimultaneousInduction
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.typed import Expression

#: The solver of the step, the same as that of the base: see the table above.
SOLVER = bmc.SOLVER

#: The base is up to this many steps ahead of the step, as long as it took at most these CPU seconds, or those that
#: making the circuit took. (Steps of parity and sorting circuits take three to eight times as long as the ones before.)
LEAD, LEAD_SECONDS = 4, 0.01

#: For ``brief``: the first steps of the search; the CPU seconds that they may take, and how many times those that
#: making the circuit took come on top. There are more steps as long as everything takes at most the last two: these
#: seconds, or that many times what making the circuit took. sw_ball2004_2 is proved by 7 steps in 0.02 s; of the
#: properties of tcas, whose circuits take 0.15 s, 13 steps decide five of six. With 0.12 instead of 0.08 s they find
#: the violation of zip_afifo.btor2 (``auto`` 2.6 to 0.4 s); of 254 other files, single runs, hs20 surely loses: 0.3 s.
BRIEF_STEPS, BRIEF_SECONDS, BRIEF_FACTOR, BRIEF_MORE, BRIEF_MORE_FACTOR = 5, 0.12, 2.5, 0.03, 4.0


#: The CPU seconds that the simultaneous induction of all invariants may take for each property, and what a brief call
#: of ``search_for_all`` takes in vain.
TOGETHER_SECONDS, TOGETHER_SECONDS_IF_BRIEF = 1.0, 0.12


def decide(
    system: FlatSystem,
    property: Property,
    options: SmvOptions,
    progress: Progress,
    lemmas: Sequence[Expression] = (),
) -> PropertyResult:
    """Decide an invariant, ``AG p`` or ``G p`` by induction over at most ``options.bound`` steps.

    ``lemmas`` are conditions on states that are known to be inductive together; ``options.facts`` adds those that
    ``symag.smv.facts`` finds. All become part of the certificate. ``holds`` comes with an induction, or with clauses of
    a search for lassos, ``violated`` with a shortest trace; without an answer the verdict is ``unknown`` with the
    reason ``bound``. ``options.brief`` makes it a search that ends soon. Raises InputError, and UnsupportedError for
    other properties.
    """
    shared = SharedCircuit(system)
    return _decide(system, property, options, progress, lemmas, shared, _simultaneous(system, options, shared))


def session(
    system: FlatSystem, options: SmvOptions, answers: Sequence[tuple[Property, PropertyResult]] = ()
) -> Callable[[Property, Progress], PropertyResult]:
    """``decide`` for the properties of a system one by one; the circuit is made once. ``answers`` are those of an
    earlier session to other properties: what they prove together is not searched for again.
    """
    shared = SharedCircuit(system)
    together = _simultaneous(system, options, shared, answers)
    return lambda property, progress: _decide(system, property, options, progress, (), shared, together)


def search_for_all(
    system: FlatSystem, options: SmvOptions, answers: Sequence[tuple[Property, PropertyResult]] = ()
) -> Callable[[bool, Progress], PropertyResult]:
    """The simultaneous induction of all invariants of a system, for a process that outlives the races for them.

    A call searches until it has news, and soon ends without if it is brief. Its result is ``unknown``, with what is
    proved and violated in ``others``, and in its statistics how many invariants are ``open``: with none of them, or at
    the bound, no call has news any more. ``answers`` are as in ``session``. A call raises InputError where evaluation
    of the system can fail.
    """
    together = SimultaneousInduction(
        system, SharedCircuit(system), options.bound, options.cone_of_influence, 2, options.to_decide, answers=answers
    )

    def search(is_brief: bool, progress: Progress) -> PropertyResult:
        news = together.news(TOGETHER_SECONDS_IF_BRIEF if is_brief else math.inf)
        figures = {"steps": together.steps, "open": 0 if news is None else together.open}
        reason = f"bound: {together.open} invariants are not inductive together over {together.steps} steps"
        progress(ProgressFigures(reason, figures))
        return PropertyResult(Verdict.UNKNOWN, "k-induction", reason=reason, statistics=figures, others=news or {})

    return search


def _simultaneous(
    system: FlatSystem,
    options: SmvOptions,
    shared: SharedCircuit,
    answers: Sequence[tuple[Property, PropertyResult]] = (),
) -> SimultaneousInduction | None:
    """None where the property is to be decided alone."""
    if options.brief or options.is_alone:
        return None
    # A process that is stopped at the limit has told nothing of what it has proved.
    longest = math.inf if options.seconds is None else options.seconds / 2
    return SimultaneousInduction(
        system, shared, options.bound, options.cone_of_influence, longest=longest, answers=answers
    )


def _decide(
    system: FlatSystem,
    property: Property,
    options: SmvOptions,
    progress: Progress,
    lemmas: Sequence[Expression],
    shared: SharedCircuit,
    simultaneous: SimultaneousInduction | None,
) -> PropertyResult:
    started, made = time.process_time(), shared.cpu_seconds
    lemmas = (*lemmas, *lemmas_for(property, system, options, progress))
    problem = problem_of(system, property, lemmas, options.cone_of_influence, shared).over_whole_variables()
    # What it would have taken without a shared circuit.
    prepared = time.process_time() - started + made
    result = _with_others(problem, simultaneous, TOGETHER_SECONDS, started)
    if result is None:
        result = _by_itself(problem, lemmas, options, progress, started, prepared, simultaneous)
    others = simultaneous.new_proofs() if simultaneous is not None and options.to_decide > 1 else {}
    return replace(result, others=others) if others else result


def _by_itself(
    problem: ReachabilityProblem,
    lemmas: Sequence[Expression],
    options: SmvOptions,
    progress: Progress,
    started: float,
    prepared: float,
    simultaneous: SimultaneousInduction | None = None,
) -> PropertyResult:
    """The result of the search for this property alone, or of ``simultaneous``, if that is not None: it goes on
    whenever it has had less time. ``prepared`` are the CPU seconds of what came before.
    """
    own = time.process_time() - prepared
    base, step = bmc.BmcSearch(problem), InductionStep(problem)
    end = own + BRIEF_FACTOR * prepared + BRIEF_SECONDS

    def figures() -> dict[str, float]:
        return {"steps": base.safe_steps, "lemmas": len(lemmas), "cpu_seconds": round(time.process_time() - started, 3)}

    states, of_base, now, bound = 0, 0.0, time.process_time(), options.bound
    while bound is None or states <= bound:
        before, now = now, time.process_time()
        if options.brief and states >= BRIEF_STEPS:
            end = own + max(BRIEF_MORE, BRIEF_MORE_FACTOR * prepared)
        if options.brief and now + (now - before) > end:
            break  # the next step takes as long as this one, or longer
        if simultaneous is not None and simultaneous.cpu_seconds < now - own:
            proved = _with_others(problem, simultaneous, TOGETHER_SECONDS, started)
            if proved is not None:
                return proved
        leads = of_base <= max(LEAD_SECONDS, prepared) and not base.exhausted
        if base.safe_steps < states or (leads and base.safe_steps < _end_of_lead(states, bound)):
            run = base.next_step()
            of_base += time.process_time() - now
            if run is not None:
                if (result := violated(problem, "k-induction", run, figures())) is not None:
                    return result
                if options.brief:
                    break  # the search in the whole system, or for lassos, is longer
                progress("the run is not a counterexample for the whole system yet: searching on")
                problem = harder(problem)
                base, step, states = bmc.BmcSearch(problem), InductionStep(problem), 0
            continue
        states += 1
        if step.holds_after(states):
            if problem.lasso is not None:
                progress("no lasso violates the property: searching for clauses that prove it")
                # For start-up: most properties are invariants, and numpy comes with it.
                from symag.smv.methods.pdr.decision import solve

                proof = solve(problem, (), progress, started)
                return replace(proof, method="k-induction", statistics={**figures(), **proof.statistics})
            texts = tuple(flat_expression_text(lemma) for lemma in lemmas)
            return holds(problem, "k-induction", Induction(states, (), texts, step.distinct), figures())
        progress(ProgressFigures(f"no violation within {base.safe_steps} steps, not inductive", figures()))
        if base.exhausted and states > base.safe_steps:
            break
    reason = f"bound: no violation within {base.safe_steps} steps, and not inductive over {states}"
    return unknown(problem, "k-induction", reason, figures())


def _with_others(
    problem: ReachabilityProblem, simultaneous: SimultaneousInduction | None, seconds: float, started: float
) -> PropertyResult | None:
    """The result if the property is inductive with other invariants of the system; None if there is no such proof."""
    proof = None if simultaneous is None else simultaneous.proof(problem.target, seconds)
    if proof is None:
        return None
    cpu_seconds = round(time.process_time() - started, 3)
    figures = {"steps": proof.steps, "lemmas": len(proof.lemmas), "cpu_seconds": cpu_seconds}
    return holds(problem, "k-induction", proof, figures)


def _end_of_lead(states: int, bound: int | None) -> int:
    return states + LEAD if bound is None else min(states + LEAD, bound)


class InductionStep:
    """The induction step. States are compared over whole variables, as the re-check does.

    ``distinct``: some states of the path were required to differ.
    """

    def __init__(self, problem: ReachabilityProblem, solver: str = SOLVER) -> None:
        self._problem = problem
        self._solver = SatSolver(solver)
        roots = (problem.bad, *problem.lemmas)
        self._steps = steps_as_clauses(problem.circuit, roots, self._solver.add, from_start=False)
        self._latches = [2 * latch.node for latch in problem.circuit.latches]
        self._required = 0
        self._needed: list[AtStep] = []
        self.distinct = False

    def holds_after(self, states: int) -> bool:
        """Whether no violation follows on this many states without one."""
        circuit, bad = self._problem.circuit, self._problem.bad
        while self._required < states:
            step = self._required
            self._require((*circuit.invariants, *self._problem.lemmas, bad ^ 1), step)
            self._require(circuit.steps, step)
            self._required += 1
        self._require((*circuit.invariants, *self._problem.lemmas), states)
        violation = self._steps.literal(bad, states)
        while is_satisfiable(self._solver, self._steps, [*self._needed, (bad, states)], [violation]):
            pairs = self._repeated(states)
            if not pairs:
                return False
            self.distinct = True
            for one, other in pairs:
                self._steps.require_difference(self._latches, one, other)
                self._needed += [(latch, step) for latch in self._latches for step in (one, other)]
        return True

    def _require(self, literals: Sequence[int], step: int) -> None:
        for literal in literals:
            self._needed.append((literal, step))
            self._solver.add([self._steps.literal(literal, step)])

    def _repeated(self, states: int) -> list[tuple[int, int]]:
        """Pairs of equal states among the first ``states`` of the model's path."""
        model = self._solver.model()
        first: dict[tuple[bool, ...], int] = {}
        pairs = []
        for index in range(states):
            values = []
            for literal in self._latches:
                signal = self._steps.literal(literal, index)
                values.append(abs(signal) <= len(model) and (model[abs(signal) - 1] > 0) == (signal > 0))
            earlier = first.setdefault(tuple(values), index)
            if earlier != index:
                pairs.append((earlier, index))
        return pairs
