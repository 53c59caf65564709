"""The search for a deadlock and for ERROR: breadth first, without keeping transitions.

Of each state its packed form and the state before it are kept: 12 bytes and the slots of a hash table, for states of
at most 64 bits. The actions of a trace are found again at its end. States and moves are visited in the order of
``symag.lts.composition``, so traces are the same shortest ones.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from symag.core.limits import Progress, ProgressFigures
from symag.core.state_table import StateTable, Words
from symag.core.trace import Step, Trace
from symag.lts.composition import CHUNK, Composing, Fault
from symag.lts.language.composites import System
from symag.lts.lts import ERROR, Numbers
from symag.lts.words import local_names

#: Seconds between two lines of progress.
_PAUSE = 1.0
#: A search seems to be about to end if it has grown less than this: on the papers' models the rest is then at most
#: three times what is done. It has this many times its seconds.
_ALMOST, _MORE_TIME = 1 / 3, 16


class FaultSearch:
    """``states`` and ``transitions`` are how many there are, or were found before it stopped (not ``complete``).

    All states in which everything has ended count as one. ``run`` starts the search, which ends when it has found one
    of each fault of ``enough``.
    """

    def __init__(self, system: System, enough: Collection[Fault], progress: Progress) -> None:
        self._composing = Composing(system.components, system.priority)
        self._components = system.components
        self._table = StateTable(self._composing.packing)
        self._parents: list[NDArray[np.int32]] = [np.zeros(1, dtype=np.int32)]
        self._progress = progress
        self._deadlock: int | None = None
        self._error: tuple[int, int] | None = None  # the state before it, and the action
        self._ended = 0
        self.transitions = 0
        self.complete = False
        self._enough = frozenset(enough)
        self._begin = 0
        self._table.add(self._composing.packing.packed(np.zeros((1, len(self._components)), dtype=np.int64)))

    @property
    def states(self) -> int:
        """How many, those in which everything has ended counted once."""
        return len(self._table) - max(0, self._ended - 1)

    @property
    def growth(self) -> float:
        """States that have not been looked at, for each that has: above 1 while levels double, near 0 at the end."""
        return (len(self._table) - self._begin) / max(1, self._begin)

    def run(self, seconds: float = math.inf) -> bool:
        """Search, or go on with it; False if it is not at its end after so much CPU time. Raises MemoryError.

        A search that seems to be about to end has 16 times as much.
        """
        table, looked_at = self._table, self._begin
        started, began = time.process_time(), time.monotonic()
        reported = began
        while self._begin < len(table):
            if not self._open_faults():
                return True
            frontier = table.words(self._begin, min(len(table), self._begin + CHUNK))
            self._expand(self._begin, frontier)
            self._begin += len(frontier)
            now, used = time.monotonic(), time.process_time() - started
            if now - reported > _PAUSE:
                reported, states, begin = now, len(table), self._begin
                line = f"{states} states, {begin} of them looked at, {(begin - looked_at) / (now - began):.0f} a second"
                self._progress(ProgressFigures(line, {"states": states}))
            if used > (_MORE_TIME * seconds if self.growth < _ALMOST else seconds):
                break
        self.complete = self._begin == len(table)
        return self.complete

    def discard(self) -> None:
        """Free its states; it cannot go on."""
        self._table, self._parents = StateTable(self._composing.packing), []

    def _open_faults(self) -> set[Fault]:
        """The faults of ``enough`` that have not been met."""
        open_faults: set[Fault] = set(self._enough)
        if self._error is not None:
            open_faults.discard("safety")
        if self._deadlock is not None:
            open_faults.discard("deadlock")
        return open_faults

    def _expand(self, begin: int, frontier: Words) -> None:
        row, action, following, culprit = self._composing.successors(frontier)
        self.transitions += len(row)
        proper = culprit < 0
        if not proper.all():
            if self._error is None:
                first = int(np.flatnonzero(~proper)[0])
                self._error = begin + int(row[first]), int(action[first])
            following = following[proper]
        before = len(self._table)
        self._keep_parents(before, self._table.add(following), row[proper] + begin)
        stuck = np.ones(len(frontier), dtype=bool)
        stuck[row] = False
        places = np.flatnonzero(stuck)
        if len(places):
            ended = self._composing.ended(frontier[places])
            self._ended += int(ended.sum())
            if self._deadlock is None and not ended.all():
                self._deadlock = begin + int(places[~ended][0])

    def _keep_parents(self, before: int, target: Numbers, source: Numbers) -> None:
        """New states are numbered in the order of their first moves; those are the ones on shortest traces."""
        fresh = np.flatnonzero(target >= before)
        largest = np.maximum.accumulate(target[fresh])
        first = fresh[np.diff(largest, prepend=before - 1) > 0]
        self._parents.append(source[first].astype(np.int32))

    def trace(self, fault: Fault) -> Trace | None:
        """A shortest run to the fault, None if there is none."""
        if fault == "deadlock":
            return None if self._deadlock is None else self._run_to(self._deadlock, None)
        return None if self._error is None else self._run_to(*self._error)

    def _run_to(self, state: int, failing: int | None) -> Trace:
        parents = np.concatenate(self._parents)
        path = [state]
        while path[-1]:
            path.append(int(parents[path[-1]]))
        path.reverse()
        labels: list[str | None] = [self._action(source, target) for source, target in pairwise(path)]
        names = local_names(self._components)
        packed = np.concatenate([self._table.words(number, number + 1) for number in path])
        states = [dict(zip(names, local, strict=True)) for local in self._composing.packing.rows(packed).tolist()]
        if failing is not None:
            labels.append(self._composing.alphabet[failing])
            states.append({"ERROR": ERROR})
        steps = (Step(values, action=label) for values, label in zip(states, [*labels, None], strict=True))
        return Trace("finite", tuple(steps))

    def _action(self, source: int, target: int) -> str:
        """The action of the first move from one state to the other."""
        _, action, following, culprit = self._composing.successors(self._table.words(source, source + 1))
        same = (following == self._table.words(target, target + 1)).all(axis=1) & (culprit < 0)
        return self._composing.alphabet[int(action[np.flatnonzero(same)[0]])]


def only_faults(kinds: Sequence[str]) -> bool:
    """Whether questions of these kinds are all about faults, so that no transition need be kept."""
    return set(kinds) <= {"deadlock", "safety"}
