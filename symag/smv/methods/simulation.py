"""Random runs of the circuit, hundreds at a time: finds violations that many runs meet, however deep they are.

Every machine word is 64 runs (see ``symag.smv.circuits.evaluation``). Inputs are drawn anew at every step, with other
probabilities in each round: with fair coins alone, a counter with a reset input never counts far.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import PropertyResult
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.random_runs import ALL, RandomRuns, Words
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.answers import holds_without_start, unknown, violated
from symag.smv.methods.sat.partial_run import Run
from symag.smv.methods.sat.posing import posed
from symag.smv.methods.sat.problem import ReachabilityProblem, initial_state
from symag.smv.model.flat import FlatSystem, Property

#: The number of words of 64 runs in a round.
WORDS = 4

#: The steps of a run if ``options.bound`` is None, and the number of rounds; each begins in initial states.
STEPS = 1_000
ROUNDS = 8

#: For ``brief``: the seconds that the runs may take by the estimate ``Simulation.cost``; the factor for circuits
#: without inputs and with one initial state, which have one run only; the least number of steps that is worth it.
BRIEF_SECONDS = 0.05
DETERMINISTIC_FACTOR = 5
BRIEF_STEPS = 8

#: Seconds for a level of gates, and for a gate on one word (measured: 9 to 420 levels, 300 to 13,000 gates). A step
#: takes as long as some more levels. With constraints, for which the states of runs are copied, it takes as long as
#: some more still, two for each constraint, and six gates for each latch.
LEVEL_SECONDS = 4e-6
GATE_SECONDS = 10e-9
MORE_LEVELS, LEVELS_FOR_COPIES = 10, 20

#: Runs end when the constraints have allowed no step to any of them so often.
MOST_STOPS = 16

#: The probabilities of a one, in eighths, that the rounds take in turn; None: a random one for each input.
SHARES: tuple[int | None, ...] = (4, None, 1, 7, None, None, 2, 6)


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Look for a violation of an invariant, ``AG p`` or LTL (a lasso that closes by chance) on random runs.

    ``violated`` comes with a trace; otherwise the verdict is ``unknown`` with the reason ``bound``, or ``holds`` if no
    state is initial. Runs have ``options.bound`` steps. Raises InputError, and UnsupportedError for other properties.
    """
    started = time.process_time()
    problem = posed(system, property, coi=options.cone_of_influence)
    steps = STEPS if options.bound is None else options.bound
    figures: dict[str, float] = {"steps": steps, "runs": 64 * WORDS * ROUNDS}
    if not problem.has_start:
        return holds_without_start(problem, "simulation", options.evidence, {"steps": steps, "runs": 0})
    result = simulated(problem, options.seed, steps, ROUNDS, progress)
    figures["cpu_seconds"] = round(time.process_time() - started, 3)
    if result is not None:
        return result
    reason = f"bound: no violation on {figures['runs']:,} random runs of {steps:,} steps"
    return unknown(problem, "simulation", reason, figures)


def brief(problem: ReachabilityProblem, seed: int, progress: Progress) -> PropertyResult | None:
    """The result if random runs of some tenths of a second meet a violation, else None."""
    circuit = problem.circuit
    is_deterministic = not (circuit.inputs or circuit.initial or any(latch.reset is None for latch in circuit.latches))
    simulation = Simulation(problem, seed, 1 if is_deterministic else WORDS)
    possible = int(BRIEF_SECONDS * (DETERMINISTIC_FACTOR if is_deterministic else 1) / simulation.cost)
    rounds = 1 if is_deterministic or possible < 4 * BRIEF_STEPS else 4
    steps = min(STEPS, possible // rounds)
    return None if steps < BRIEF_STEPS else _met(simulation, steps, rounds, progress)


def simulated(
    problem: ReachabilityProblem, seed: int, steps: int, rounds: int, progress: Progress
) -> PropertyResult | None:
    """The result if one of ``rounds`` rounds of runs of ``steps`` steps meets a violation of the whole system."""
    return _met(Simulation(problem, seed), steps, rounds, progress)


def _met(simulation: Simulation, steps: int, rounds: int, progress: Progress) -> PropertyResult | None:
    for number in range(rounds):
        violation = simulation.round(steps, SHARES[number % len(SHARES)])
        progress(ProgressFigures(f"round {number + 1} of random runs", {"rounds": number + 1, "steps": steps}))
        if violation is not None:
            return violated(simulation.problem, "simulation", violation, {"steps": len(violation.inputs) - 1})
    return None


class Simulation:
    """Rounds of random runs of a problem's circuit, 64 in each of ``words``. The same seed gives the same runs.

    ``cost`` is an estimate of the seconds for one step of all runs.
    """

    def __init__(self, problem: ReachabilityProblem, seed: int, words: int = WORDS) -> None:
        circuit = problem.circuit
        self.problem = problem
        self._words = words
        constraints = (*circuit.invariants, *circuit.steps)
        roots = [latch.next for latch in circuit.latches] + [*circuit.initial, *constraints, problem.bad]
        self._evaluation = Evaluation(circuit.graph, roots, words)
        levels = self._evaluation.levels + MORE_LEVELS
        values = self._evaluation.gates + 5 * len(circuit.inputs) + len(circuit.latches)
        if constraints:
            levels += LEVELS_FOR_COPIES + 2 * len(constraints)
            values += 6 * len(circuit.latches)
        self.cost = LEVEL_SECONDS * levels + GATE_SECONDS * values * words
        self._runs = RandomRuns(circuit, self._evaluation, circuit.inputs, seed, self._drawn)
        self._latches = np.array([latch.node for latch in circuit.latches], dtype=np.int64)
        self._inputs = np.array(circuit.inputs, dtype=np.int64)
        self._shares = np.zeros(len(circuit.inputs), dtype=np.uint64)
        self._start: Words | None = None
        self._is_startless = False

    def round(self, steps: int, share: int | None) -> Run | None:
        """Draw runs of this many steps from initial states; return the first that meets a violation.

        ``share`` is the probability of ones among the inputs, in eighths; None for another one for each input.
        """
        circuit, first = self.problem.circuit, None
        if circuit.initial or circuit.invariants:
            first = self._initial_states()
            if first is None:
                return None
        count = len(self._inputs)
        eighths = self._runs.random.integers(0, 9, count) if share is None else np.full(count, share)
        self._shares = eighths.astype(np.uint64)
        runs = self._runs
        history: list[tuple[Words, Any]] = []
        stops = 0
        for step in range(steps + 1):
            allowed = runs.step() if step else runs.start(first)
            if first is None:
                first = self._evaluation.values[self._latches]
            sources = runs.sources
            if runs.has_stopped:
                # Other inputs in the same states.
                stops += 1
                sources = history.pop()[1]
            history.append((self._evaluation.values[self._inputs], sources))
            wrong = np.flatnonzero(np.unpackbits((allowed & runs.where((self.problem.bad,))).view(np.uint8)))
            if len(wrong):
                return self._traced(first, history, int(wrong[0]))
            if stops > MOST_STOPS:
                return None
        return None

    def _drawn(self) -> Words:
        """Random words, a row for each input, of which on average its share of the bits are ones."""
        count, shares = len(self._inputs), self._shares
        words = np.zeros((count, self._words), dtype=np.uint64)
        # Three coins are a number below 8; it is compared with the share, the highest bit first.
        equal = np.full(words.shape, ALL)
        for shift in (2, 1, 0):
            bit = np.where(shares >> np.uint64(shift) & np.uint64(1), ALL, np.uint64(0))[:, None]
            coin = self._runs.words(count)
            words |= equal & bit & ~coin
            equal &= ~(bit ^ coin)
        return np.where((shares >= 8)[:, None], ALL, words)

    def _initial_states(self) -> Words | None:
        """One initial state for all runs, which a solver finds, a row for each latch; None if there is none."""
        if self._start is None and not self._is_startless:
            state = initial_state(self.problem.circuit)
            self._is_startless = state is None
            if state is not None:
                self._start = np.where(np.array(state, dtype=bool)[:, None], ALL, np.zeros(self._words, np.uint64))
        return self._start

    def _traced(self, first: Words, history: Sequence[tuple[Words, Any]], number: int) -> Run:
        """The run that has this number at the end, by the steps of those that it is a copy of."""

        def values_at(nodes: NDArray[np.int64], words: Words) -> dict[int, bool]:
            bits = np.unpackbits(words.view(np.uint8), axis=1)[:, number]
            return {int(node): bool(value) for node, value in zip(nodes, bits, strict=True)}

        inputs = []
        for words, sources in reversed(history):
            inputs.append(values_at(self._inputs, words))
            if sources is not None:
                number = int(sources[number])
        return Run(values_at(self._latches, first), tuple(reversed(inputs)))
