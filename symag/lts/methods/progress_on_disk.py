"""Progress where the transitions do not fit into memory: they are in files, and there are no components of a graph.

Under fair choice a run reaches, from each state that it visits for ever, all states that can be reached from there. So
progress of P is violated exactly if some reachable state cannot reach an action of P; with a condition C, if besides an
action of C stays possible in all that can be reached from that state. Both follow from searches backward over the
transitions, which are sorted by their targets. Of each state a few bytes are in memory.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from symag.core.limits import DiskExhausted, Progress
from symag.core.ranges import distinct
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.trace import Step, Trace
from symag.lts.certificates import ExplorationClaim
from symag.lts.certify.product_on_demand import ProductOnDemand
from symag.lts.language.systems import System
from symag.lts.lts import Numbers
from symag.lts.methods.fault_search import SAFETY_FIRST, FaultSearch, figures_of
from symag.lts.methods.options import MONOLITHIC
from symag.lts.methods.sorted_runs import SortedRuns
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names
from symag.process.array_file import ArrayFile, Words

#: For each state, by its place.
Truths = NDArray[np.bool_]
#: A transition is one word, its target before its source; so are an action and a state that can do it.
_HALF = np.uint64(32)
_LOWER = np.uint64((1 << 32) - 1)
#: Bytes of memory for each word of a run in memory, and for each that is looked at together; how many these are.
_FOR_RUN, _FOR_PIECE, _FEWEST, _MOST = 64, 512, 1 << 10, 1 << 18


class TransitionsOnDisk:
    """All transitions that a complete search has seen, none to ERROR; ``states`` is how many places states have.

    Methods raise MemoryError, DiskExhausted.
    """

    def __init__(self, search: FaultSearch, progress: Progress) -> None:
        progress(f"the transitions of {search.states} states go to disk")
        self.states = search.places
        if self.states > _LOWER:
            raise MemoryError
        self._together = min(_MOST, max(_FEWEST, search.room // _FOR_PIECE))
        self._runs = SortedRuns(1, max(_FEWEST, search.room // _FOR_RUN))
        self._acting = ArrayFile(1)
        for source, action, target in search.moves():
            self._runs.insert(distinct(_pairs(target, source))[:, None])
            self._acting.append(distinct(_pairs(action, source))[:, None])

    @property
    def bytes_on_disk(self) -> int:
        """The size of its files."""
        return self._runs.bytes_on_disk + 8 * len(self._acting)

    def able(self, actions: Collection[int]) -> Truths:
        """The states from which one of the actions can happen, now or later."""
        return self.leading_to(self.acting(actions))

    def acting(self, actions: Collection[int]) -> Truths:
        """The states in which one of the actions can happen."""
        now = np.zeros(self.states, dtype=bool)
        for begin in range(0, len(self._acting), self._together):
            pairs = self._acting.read(begin, min(len(self._acting), begin + self._together))[:, 0]
            chosen = np.isin(pairs >> _HALF, np.array([*actions], dtype=np.uint64))
            now[(pairs[chosen] & _LOWER).astype(np.int64)] = True
        return now

    def leading_to(self, goal: Truths, distances: NDArray[np.uint32] | None = None) -> Truths:
        """The states in ``goal``, and those from which one of them can be reached.

        ``distances`` gets the fewest moves from each of the latter.
        """
        reached = goal.copy()
        steps = 0
        is_next = np.zeros(self.states, dtype=bool)
        frontier = np.flatnonzero(goal).astype(np.uint64)
        while len(frontier):
            sources = []
            for begin in range(0, len(frontier), self._together):
                targets = frontier[begin : begin + self._together]
                is_next[targets] = True
                for rows in self._runs.between(targets << _HALF, (targets + np.uint64(1)) << _HALF):
                    source = rows[is_next[rows[:, 0] >> _HALF], 0] & _LOWER
                    fresh = distinct(source[~reached[source]])
                    reached[fresh] = True
                    sources.append(fresh)
                is_next[targets] = False
            frontier = np.sort(np.concatenate([frontier[:0], *sources]))
            steps += 1
            if distances is not None:
                distances[frontier] = steps
        return reached


def _pairs(upper: Numbers, lower: Numbers) -> Words:
    return (upper.astype(np.uint64) << _HALF) | lower.astype(np.uint64)


def progress_answers(
    system: System, search: FaultSearch, questions: Sequence[CompositeQuestion], progress: Progress, started: float
) -> Iterator[PropertyResult]:
    """The answers after a search for ERROR; ``started`` is the process's CPU time when it began.

    A trace is a shortest one to a state from which on the question is violated, and goes round there somehow.
    """
    figures = figures_of(search, len(system.components))
    if not search.complete or search.trace("safety") is not None:
        for _ in questions:
            yield PropertyResult(Verdict.UNKNOWN, MONOLITHIC, reason=SAFETY_FIRST, statistics=figures)
        return
    answered = 0
    try:
        transitions = TransitionsOnDisk(search, progress)
        figures["disk_mib"] = round((search.bytes_on_disk + transitions.bytes_on_disk) / 2**20, 1)
        for question in questions:
            lost = stuck(transitions, question, search.alphabet)
            trace = going_round(system, search.run_to_first(lost)) if lost.any() else None
            verdict = Verdict.HOLDS if trace is None else Verdict.VIOLATED
            certificate = ExplorationClaim() if trace is None else None
            figures["cpu_seconds"] = round(time.process_time() - started, 3)
            yield PropertyResult(verdict, MONOLITHIC, trace=trace, certificate=certificate, statistics={**figures})
            answered += 1
    except (MemoryError, DiskExhausted) as error:
        reason = Reason.DISK.text(str(error)) if isinstance(error, DiskExhausted) else Reason.MEMORY.text()
        for _ in questions[answered:]:
            yield PropertyResult(Verdict.UNKNOWN, MONOLITHIC, reason=reason, statistics=figures)


def stuck(transitions: TransitionsOnDisk, question: CompositeQuestion, alphabet: tuple[str, ...]) -> Truths:
    """The states from which on the question is violated; ``alphabet`` has tau first. Costs one to three searches.

    Where every action is asked for, one or more searches until an action is missing somewhere.
    """

    def numbers(labels: Collection[str]) -> list[int]:
        return [number for number, label in enumerate(alphabet) if label in labels]

    lost = np.zeros(transitions.states, dtype=bool)
    goals = [(label,) for label in alphabet[1:]] if question.actions is None else [question.actions]
    for goal in goals:
        lost = ~transitions.able(numbers(goal))
        if question.condition is not None and lost.any():
            silent = lost & ~transitions.able(numbers(question.condition))
            lost &= ~transitions.leading_to(silent)
        if lost.any():
            break
    return lost


def going_round(
    system: System, trace: Trace, chosen: Callable[[Sequence[tuple[str, tuple[int, ...]]]], int] | None = None
) -> Trace:
    """The trace with moves from its end on until a state comes again, or nothing is possible.

    Takes the first move of each state unless ``chosen`` gives the number of another; ERROR cannot be reached.
    """
    product, names = ProductOnDemand(system), local_names(system.components)
    state = tuple(int(str(local)) for local in trace.steps[-1].state.values())
    begin = len(trace.steps) - 1
    steps = list(trace.steps[:-1])
    places: dict[tuple[int, ...], int] = {}
    for place in itertools.count(begin):
        values = dict(zip(names, state, strict=True))
        if state in places:
            return Trace("lasso", tuple(steps), places[state])
        moves = sorted(product.moves(state))
        if not moves:
            return Trace("finite", (*steps, Step(values)))
        places[state] = place
        label, after = moves[0 if chosen is None else chosen(moves)]
        steps.append(Step(values, action=label))
        state = after
    raise AssertionError("there are finitely many states")
