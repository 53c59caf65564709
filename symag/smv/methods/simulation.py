"""Random runs of the circuit, hundreds at a time: finds violations that many runs meet, however deep they are.

Every machine word is 64 runs (see ``symag.smv.circuits.evaluation``). Inputs are drawn anew at every step, with other
probabilities in each round: with fair coins alone, a counter with a reset input never counts far.
"""

from __future__ import annotations

import time

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import PropertyResult
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.answers import unknown, violated
from symag.smv.methods.sat.partial_run import Run
from symag.smv.methods.sat.posing import posed
from symag.smv.methods.sat.problem import ReachabilityProblem, initial_state
from symag.smv.model.flat import FlatSystem, Property

#: The number of words of 64 runs in a round.
WORDS = 4

#: The steps of a run if ``options.bound`` is None, and the number of rounds; each begins in initial states.
STEPS = 1_000
ROUNDS = 8

#: For ``brief``: the seconds that the runs may take by the estimate ``RandomRuns.cost``; the factor for circuits
#: without inputs and with one initial state, which have one run only; the least number of steps that is worth it.
BRIEF_SECONDS = 0.15
DETERMINISTIC_FACTOR = 4
BRIEF_STEPS = 8

#: Seconds for a level of gates, and for a gate on one word (measured: 60 to 500 levels, 2,000 to 13,000 gates).
LEVEL_SECONDS = 12e-6
GATE_SECONDS = 20e-9

#: How often inputs are drawn for runs that violate the constraints.
ATTEMPTS = 4

#: The probabilities of a one, in eighths, that the rounds take in turn; None: a random one for each input.
SHARES: tuple[int | None, ...] = (4, None, 1, 7, None, None, 2, 6)

Words = NDArray[np.uint64]
_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def decide(system: FlatSystem, property: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Look for a violation of an invariant, ``AG p`` or LTL (a lasso that closes by chance) on random runs.

    ``violated`` comes with a trace; otherwise the verdict is ``unknown`` with the reason ``bound``. Runs have
    ``options.bound`` steps. Raises InputError, and UnsupportedError for other properties.
    """
    started = time.process_time()
    problem = posed(system, property, coi=options.cone_of_influence)
    steps = STEPS if options.bound is None else options.bound
    figures: dict[str, float] = {"steps": steps, "runs": 64 * WORDS * ROUNDS}
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
    runs = RandomRuns(problem, seed, 1 if is_deterministic else WORDS)
    possible = int(BRIEF_SECONDS * (DETERMINISTIC_FACTOR if is_deterministic else 1) / runs.cost)
    rounds = 1 if is_deterministic or possible < 4 * BRIEF_STEPS else 4
    steps = min(STEPS, possible // rounds)
    return None if steps < BRIEF_STEPS else _met(runs, steps, rounds, progress)


def simulated(
    problem: ReachabilityProblem, seed: int, steps: int, rounds: int, progress: Progress
) -> PropertyResult | None:
    """The result if one of ``rounds`` rounds of runs of ``steps`` steps meets a violation of the whole system."""
    return _met(RandomRuns(problem, seed), steps, rounds, progress)


def _met(runs: RandomRuns, steps: int, rounds: int, progress: Progress) -> PropertyResult | None:
    for number in range(rounds):
        violation = runs.round(steps, SHARES[number % len(SHARES)])
        progress(ProgressFigures(f"round {number + 1} of random runs", {"rounds": number + 1, "steps": steps}))
        if violation is not None:
            return violated(runs.problem, "simulation", violation, {"steps": len(violation.inputs) - 1})
    return None


class _History(Struct):
    """The words of latches at the start, and of inputs at every step; a row for each latch or input."""

    first: Words
    inputs: list[Words]


class RandomRuns:
    """Rounds of random runs of a problem's circuit, 64 in each of ``words``. The same seed gives the same runs.

    ``cost`` is an estimate of the seconds for one step of all runs.
    """

    def __init__(self, problem: ReachabilityProblem, seed: int, words: int = WORDS) -> None:
        circuit = problem.circuit
        self.problem = problem
        self._words = words
        self._random = np.random.default_rng(abs(seed))
        constraints = (*circuit.invariants, *circuit.steps)
        roots = [latch.next for latch in circuit.latches] + [*circuit.initial, *constraints, problem.bad]
        self._evaluation = Evaluation(circuit.graph, roots, words)
        values = self._evaluation.gates + 5 * len(circuit.inputs) + len(circuit.latches)
        self.cost = LEVEL_SECONDS * (self._evaluation.levels + 10) + GATE_SECONDS * values * words
        self.cost *= ATTEMPTS if constraints and circuit.inputs else 1
        self._latches = np.array([latch.node for latch in circuit.latches], dtype=np.int64)
        following = np.array([latch.next for latch in circuit.latches], dtype=np.int64)
        self._following = following >> 1
        self._negated = np.where(following & 1, _ALL, np.uint64(0))[:, None]
        self._inputs = np.array(circuit.inputs, dtype=np.int64)
        self._start: Words | None = None
        self._is_startless = False

    def round(self, steps: int, share: int | None) -> Run | None:
        """Draw runs of this many steps from initial states; return the first that meets a violation."""
        first = self._first_states()
        if first is None:
            return None
        circuit, values = self.problem.circuit, self._evaluation.values
        values[self._latches] = first
        alive = self._all_of(circuit.initial) if circuit.initial else np.full(self._words, _ALL)
        history = _History(first, [])
        shares = self._shares(share)
        for _ in range(steps + 1):
            chosen, going = self._drawn(alive, shares)
            history.inputs.append(chosen)
            wrong = self._evaluation.of(self.problem.bad) & alive & self._all_of(circuit.invariants)
            if wrong.any():
                word = int(np.flatnonzero(wrong)[0])
                return self._run(history, word, int(wrong[word]).bit_length() - 1)
            alive = going
            if not alive.any():
                return None
            values[self._latches] = values[self._following] ^ self._negated
        return None

    def _drawn(self, alive: Words, shares: Words) -> tuple[Words, Words]:
        """Draw, set and evaluate inputs for every run; return them, and which runs can go on with them.

        A run that violates the property with the inputs of an attempt keeps them.
        """
        circuit, values = self.problem.circuit, self._evaluation.values
        pending, chosen = alive, self._inputs_with(shares)
        going = np.zeros(self._words, dtype=np.uint64)
        for attempt in range(ATTEMPTS):
            if attempt:
                chosen = (chosen & ~pending) | (self._inputs_with(shares) & pending)
            values[self._inputs] = chosen
            self._evaluation.run()
            states = self._all_of(circuit.invariants)
            good = pending & states & self._all_of(circuit.steps)
            going = going | good
            pending = pending & ~good & ~(states & self._evaluation.of(self.problem.bad))
            if not pending.any() or not (circuit.invariants or circuit.steps):
                break
        return chosen, going

    def _all_of(self, literals: tuple[int, ...]) -> Words:
        """In which runs all these literals are true."""
        words = np.full(self._words, _ALL)
        for literal in literals:
            words &= self._evaluation.of(literal)
        return words

    def _shares(self, share: int | None) -> Words:
        """For every input its probability of a one, in eighths."""
        count = len(self._inputs)
        eighths = self._random.integers(0, 9, count) if share is None else np.full(count, share)
        return eighths.astype(np.uint64)

    def _inputs_with(self, shares: Words) -> Words:
        """Random words, a row for each input, of which on average this many eighths of the bits are ones."""
        shape = (len(self._inputs), self._words)
        coins = [self._random.integers(0, _ALL, shape, dtype=np.uint64, endpoint=True) for _ in range(3)]
        words = np.zeros(shape, dtype=np.uint64)
        # The three coins are a number below 8; it is compared with the share, the highest bit first.
        equal = np.full(shape, _ALL)
        for shift, coin in zip((2, 1, 0), coins, strict=True):
            bit = np.where(shares >> np.uint64(shift) & np.uint64(1), _ALL, np.uint64(0))[:, None]
            words |= equal & bit & ~coin
            equal &= ~(bit ^ coin)
        return np.where((shares >= 8)[:, None], _ALL, words)

    def _first_states(self) -> Words | None:
        """Words of the latches in initial states, a row for each latch; None if no state is initial.

        Latches without a reset are random if the circuit has no constraints; else all runs begin in one state that a
        solver finds.
        """
        circuit = self.problem.circuit
        resets = [latch.reset for latch in circuit.latches]
        shape = (len(resets), self._words)
        fixed = np.array([[0 if reset is None else reset] for reset in resets], dtype=bool).reshape(-1, 1)
        is_open = np.array([[reset is None] for reset in resets], dtype=bool).reshape(-1, 1)
        if not circuit.initial and not circuit.invariants:
            free = self._random.integers(0, _ALL, shape, dtype=np.uint64, endpoint=True)
            return np.where(is_open, free, np.where(fixed, _ALL, np.uint64(0)))
        if self._start is None and not self._is_startless:
            start = initial_state(circuit)
            self._is_startless = start is None
            if start is not None:
                self._start = np.where(np.array(start, dtype=bool)[:, None], _ALL, np.uint64(0)) * np.ones(
                    (1, self._words), dtype=np.uint64
                )
        return self._start

    def _run(self, history: _History, word: int, bit: int) -> Run:
        """The run of one bit of one word."""

        def values_at(nodes: NDArray[np.int64], words: Words) -> dict[int, bool]:
            bits = (words[:, word] >> np.uint64(bit)) & np.uint64(1)
            return {int(node): bool(value) for node, value in zip(nodes, bits, strict=True)}

        return Run(
            values_at(self._latches, history.first), tuple(values_at(self._inputs, input_) for input_ in history.inputs)
        )
