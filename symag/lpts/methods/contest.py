"""The monolithic check with abstraction refinement beside it: what ``auto`` is for problems of simulation and safety.

The components are composed until the composition has as many states as the first of ``TURNS`` says. Most problems are
smaller, and the monolithic check decides them alone. Otherwise the composition waits while ``agar`` tries: it may
compose as many transitions as the turn says, in all rounds together. If that is too few, the next turn begins. After
the last one the composition goes on until it is ``FACTOR`` times as large, ``agar`` goes on until it has half as many
transitions as these are states, and so on. If the memory for the whole is used up, ``agar`` goes on alone. Everything
is counted and not timed: the same problem is decided by the same method on every machine.

A transition of ``agar`` takes some five times as long as one of the composition, as the simulation is checked in every
round. The first turn takes 0.1 to 0.5 seconds at most, the second 1 to 2.5; each later one, a small share of the time
for the composition.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from symag.core.limits import MemoryExhausted, Progress, no_progress
from symag.core.results import RaceEntry, Reason
from symag.lpts.composition import Composer
from symag.lpts.methods import monolithic
from symag.lpts.methods.componentwise import AssumptionRefinement
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.simulation.question import SimulationOutcome
from symag.lpts.problems import SimulationProblem

#: States of the composition, and the transitions that ``agar`` may compose before there are more.
TURNS = ((1 << 15, 1 << 16), (1 << 17, 1 << 19))
FACTOR = 8


class ContestOutcome(Struct, frozen=True):
    """The outcome, the name of the method that decided, and an entry for each method if both ran."""

    outcome: SimulationOutcome
    method: str
    race: tuple[RaceEntry, ...] = ()


def decided(
    problem: SimulationProblem,
    rival: str,
    refinement: Callable[[], AssumptionRefinement],
    options: LptsOptions,
    progress: Progress = no_progress,
    turns: Sequence[tuple[int, int]] = TURNS,
) -> ContestOutcome:
    """The outcome by the monolithic method, or by ``refinement`` under the name ``rival``.

    The states of ``turns`` grow, and are at least 1. Raises MemoryError and MemoryExhausted if both need more memory
    than there is.
    """
    return _Contest(problem, rival, refinement, options, progress).run(turns)


class _Contest:
    def __init__(
        self,
        problem: SimulationProblem,
        rival: str,
        refinement: Callable[[], AssumptionRefinement],
        options: LptsOptions,
        progress: Progress,
    ) -> None:
        self._problem = problem
        self._rival = rival
        self._make_refinement = refinement
        self._options = options
        self._progress = progress
        self._refinement: AssumptionRefinement | None = None
        self._composer: Composer | None = None
        self._both_possible = len(problem.components) > 1
        self._spent = {monolithic.METHOD: _Cost(), rival: _Cost()}

    def run(self, turns: Sequence[tuple[int, int]]) -> ContestOutcome:
        following = _continued(turns)
        states, transitions = next(following)
        try:
            self._composer = Composer(self._problem.components, self._progress)
            while not self._composed(states if self._both_possible else None):
                outcome = self._attempted(transitions)
                if outcome is not None:
                    return self._outcome(outcome, self._rival, Reason.OVERTAKEN)
                states, transitions = next(following)
            with self._spent[monolithic.METHOD]:
                whole = self._composer.result("L")
                outcome = monolithic.decide_composed(self._problem, whole, self._options, self._progress)
            return self._outcome(outcome, monolithic.METHOD, Reason.OVERTAKEN)
        except (MemoryError, MemoryExhausted):
            if not self._both_possible:
                raise
        # Behind the handler: the exception does not keep the composition alive.
        self._composer = None
        with self._spent[self._rival]:
            outcome = self._refining().run()
        assert outcome is not None, "without a bound it ends"
        return self._outcome(outcome, self._rival, Reason.MEMORY)

    def _composed(self, most_states: int | None) -> bool:
        assert self._composer is not None
        with self._spent[monolithic.METHOD]:
            return self._composer.run(most_states)

    def _attempted(self, most_transitions: int) -> SimulationOutcome | None:
        """The rival's outcome; None if it needs more transitions, or more memory than is left."""
        try:
            with self._spent[self._rival]:
                return self._refining().run(most_transitions)
        except (MemoryError, MemoryExhausted):
            self._both_possible = False
        self._refinement = None
        return None

    def _refining(self) -> AssumptionRefinement:
        if self._refinement is None:
            self._refinement = self._make_refinement()
        return self._refinement

    def _outcome(self, outcome: SimulationOutcome, method: str, loss: Reason) -> ContestOutcome:
        if not self._spent[self._rival].used:
            return ContestOutcome(outcome, method)
        loser = monolithic.METHOD if method == self._rival else self._rival
        if loser == self._rival and not self._both_possible:
            loss = Reason.MEMORY
        return ContestOutcome(
            outcome,
            method,
            (self._spent[loser].entry(loser, loss.text()), self._spent[method].entry(method, "decided")),
        )


def _continued(turns: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    yield from turns
    states, transitions = turns[-1]
    while True:
        states *= FACTOR
        yield states, max(transitions, states // 2)


class _Cost:
    """Wall-clock and CPU seconds, summed over the blocks that it is the context of."""

    def __init__(self) -> None:
        self.used = False
        self._seconds = self._cpu_seconds = 0.0

    def __enter__(self) -> None:
        self.used = True
        self._seconds -= time.monotonic()
        self._cpu_seconds -= time.process_time()

    def __exit__(self, *_: object) -> None:
        self._seconds += time.monotonic()
        self._cpu_seconds += time.process_time()

    def entry(self, method: str, outcome: str) -> RaceEntry:
        """The entry of a method that cost this."""
        return RaceEntry(method, outcome, self._seconds, self._cpu_seconds)
