"""The search for a deadlock and for ERROR: breadth first, without keeping transitions.

Of each state its packed form and the state before it are kept: 12 bytes and the slots of a hash table, for states of
at most 64 bits; past a limit of memory they are in files. The actions of a trace are found again at its end. States and
moves are visited in the order of ``symag.lts.composition``, so traces are the same shortest ones.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from symag.core.limits import Progress, ProgressFigures
from symag.core.state_table import Words
from symag.core.trace import Step, Trace
from symag.lts.composition import CHUNK, Composing, Fault
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, Numbers
from symag.lts.methods.states_in_memory import PIECE, StatesInMemory
from symag.lts.methods.states_on_disk import StatesOnDisk
from symag.lts.words import local_names
from symag.process.memory import free_memory

SAFETY_FIRST = "unsupported: ERROR can be reached, so check safety first"
#: Seconds between two lines of progress.
_PAUSE = 1.0
#: A search seems to be about to end if it has grown less than this: on the papers' models the rest is then at most
#: three times what is done.
_ALMOST = 1 / 3
#: The fewest states that are looked at together, and bytes for each of their moves besides twice its words.
_LEAST_CHUNK, _MOVE = 64, 128
#: Bytes of memory for each move that waits for others.
_WAITING = 256


class FaultSearch:
    """``states`` and ``transitions`` are how many there are, or were found before it stopped (not ``complete``).

    All states in which everything has ended count as one. ``run`` starts the search, which ends when it has found one
    of each fault of ``enough``. ``room``: bytes of memory to use; without it, what the process may allocate. Where
    states would take more than half of that, they go to files.
    """

    def __init__(self, system: System, enough: Collection[Fault], progress: Progress, room: int | None = None) -> None:
        self._composing = Composing(system.components, system.priority)
        self._components = system.components
        self.room = free_memory() if room is None else room
        self._states: StatesInMemory | StatesOnDisk = StatesInMemory(self._composing.packing)
        self._fan_out = 1.0  # moves of a state, the largest of all chunks
        self._progress = progress
        self._deadlock: int | None = None
        self._error: tuple[int, int] | None = None  # the state before it, and the action
        self._ended = 0
        self.transitions = 0
        self.complete = False
        self._enough = frozenset(enough)
        self._begin = 0
        first = np.zeros((1, len(self._components)), dtype=np.int64)
        self._states.add(self._composing.packing.packed(first), np.zeros(1, dtype=np.int64))

    @property
    def states(self) -> int:
        """How many, those in which everything has ended counted once."""
        return len(self._states) - max(0, self._ended - 1)

    @property
    def bytes_on_disk(self) -> int:
        """The size of the files that the states are in; 0 if they fit into memory."""
        return self._states.bytes_on_disk

    @property
    def growth(self) -> float:
        """States that have not been looked at, for each that has: above 1 while levels double, near 0 at the end."""
        return (len(self._states) - self._begin) / max(1, self._begin)

    @property
    def seems_to_end(self) -> bool:
        """Whether most of its states have been looked at. In a pipeline that seems so for ever."""
        return self.growth < _ALMOST

    def run(self, seconds: float = math.inf) -> bool:
        """Search, or go on; False if it is not at its end after so much CPU time. Raises MemoryError, DiskExhausted."""
        looked_at, most = self._begin, CHUNK
        started, began = time.process_time(), time.monotonic()
        reported = began
        while self._is_unfinished():
            if not self._open_faults():
                self._states.settle()
                return True
            frontier = self._states.words(self._begin, min(len(self._states), self._begin + min(self._chunk(), most)))
            self._expand(self._begin, frontier)
            self._begin += len(frontier)
            now, used = time.monotonic(), time.process_time() - started
            if now - reported > _PAUSE:
                reported = now
                self._report((self._begin - looked_at) / (now - began))
            if used > seconds:
                break
            if used > 0:
                # A chunk of states with many moves takes half a second.
                most = max(_LEAST_CHUNK, int(min(CHUNK, (self._begin - looked_at) / used * (seconds - used))))
        self.complete = not self._is_unfinished()
        return self.complete

    def _is_unfinished(self) -> bool:
        """Whether there is a state that has not been looked at."""
        if self._begin == len(self._states):
            self._states.settle()
        return self._begin < len(self._states)

    def _report(self, rate: float) -> None:
        """A line of progress; ``rate``: states looked at in a second."""
        states, disk = len(self._states), self.bytes_on_disk >> 20
        line = f"{states} states, {self._begin} of them looked at, {rate:.0f} a second"
        self._progress(ProgressFigures(f"{line}, {disk} MiB on disk" if disk else line, {"states": states}))

    def _chunk(self) -> int:
        """How many states are looked at together: their moves have a quarter of the memory."""
        move = _MOVE + 16 * self._composing.packing.width
        return min(CHUNK, max(_LEAST_CHUNK, int(self.room / (4 * move * self._fan_out))))

    def discard(self) -> None:
        """Free its states; it cannot go on."""
        self._states = StatesInMemory(self._composing.packing)

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
        self._fan_out = max(self._fan_out, len(row) / len(frontier))
        proper = culprit < 0
        if not proper.all():
            if self._error is None:
                first = int(np.flatnonzero(~proper)[0])
                self._error = begin + int(row[first]), int(action[first])
            self._add(following[proper], row[proper] + begin)
        else:
            self._add(following, row + begin)
        stuck = np.ones(len(frontier), dtype=bool)
        stuck[row] = False
        places = np.flatnonzero(stuck)
        if len(places):
            ended = self._composing.ended(frontier[places])
            self._ended += int(ended.sum())
            if self._deadlock is None and not ended.all():
                self._deadlock = begin + int(places[~ended][0])

    def _add(self, words: Words, sources: Numbers) -> None:
        states = self._states
        if isinstance(states, StatesInMemory) and states.bytes_to_add(len(words)) > self.room // 2:
            files = StatesOnDisk(self._composing.packing.width, self.room)
            for part in states.parts():
                files.store(*part)
            # The table's memory is free before others need it.
            self._states = files
            del states
            files.sort()
        self._states.add(words, sources)

    def trace(self, fault: Fault) -> Trace | None:
        """A shortest run to the fault, None if there is none."""
        if fault == "deadlock":
            return None if self._deadlock is None else self._run_to(self._deadlock, None)
        return None if self._error is None else self._run_to(*self._error)

    def moves(self) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
        """Sources, actions and targets of all moves but those to ERROR, after a complete search.

        States are given by their places, from 0 to before ``places``. Each source is in one piece only. As much work as
        the search. Raises MemoryError, DiskExhausted.
        """
        sources: list[Numbers] = []
        actions: list[Numbers] = []
        targets: list[Words] = []
        most = min(self._states.most_together, max(_LEAST_CHUNK, self.room // _WAITING))
        waiting = 0
        for begin, words in self._states.placed(PIECE):
            done = 0
            while done < len(words):
                batch = words[done : done + self._chunk()]
                row, action, following, culprit = self._composing.successors(batch)
                proper = culprit < 0
                sources.append(row[proper] + (begin + done))
                actions.append(action[proper])
                targets.append(following[proper])
                waiting += len(row)
                done += len(batch)
                if waiting >= most:
                    yield self._joined(sources, actions, targets)
                    waiting = 0
        if sources:
            yield self._joined(sources, actions, targets)

    def _joined(
        self, sources: list[Numbers], actions: list[Numbers], targets: list[Words]
    ) -> tuple[Numbers, Numbers, Numbers]:
        """One piece of moves; empties the lists."""
        result = np.concatenate(sources), np.concatenate(actions), self._states.places(np.concatenate(targets))
        for columns in (sources, actions, targets):
            columns.clear()
        return result

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The names of actions by their numbers; tau first."""
        return self._composing.alphabet

    @property
    def places(self) -> int:
        """How many states are known, those in which everything has ended counted one by one."""
        return len(self._states)

    def places_of(self, states: Sequence[Sequence[int]]) -> Numbers:
        """The places of known states, given as the components' states."""
        return self._states.places(self._composing.packing.packed(np.array(states, dtype=np.int64)))

    def having_last(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """For each place whether the last component's state is one of those that are chosen."""
        result = np.zeros(self.places, dtype=bool)
        packing = self._composing.packing
        for begin, words in self._states.placed(PIECE):
            result[begin : begin + len(words)] = chosen[packing.column(words, len(self._components) - 1)]
        return result

    def run_to_first(self, chosen: NDArray[np.bool_]) -> Trace:
        """A shortest run to one of the states that are chosen by their places, of which there is one."""
        for begin in range(0, len(self._states), PIECE):
            words = self._states.words(begin, min(len(self._states), begin + PIECE))
            hits = np.flatnonzero(chosen[self._states.places(words)])
            if len(hits):
                return self._run_to(begin + int(hits[0]), None)
        raise AssertionError("every place is that of a state")

    def _run_to(self, state: int, failing: int | None) -> Trace:
        path = [state]
        while path[-1]:
            path.append(self._states.source(path[-1]))
        path.reverse()
        labels: list[str | None] = [self._action(source, target) for source, target in pairwise(path)]
        names = local_names(self._components)
        packed = np.concatenate([self._states.words(number, number + 1) for number in path])
        states = [dict(zip(names, local, strict=True)) for local in self._composing.packing.rows(packed).tolist()]
        if failing is not None:
            labels.append(self._composing.alphabet[failing])
            states.append({"ERROR": ERROR})
        steps = (Step(values, action=label) for values, label in zip(states, [*labels, None], strict=True))
        return Trace("finite", tuple(steps))

    def _action(self, source: int, target: int) -> str:
        """The action of the first move from one state to the other."""
        _, action, following, culprit = self._composing.successors(self._states.words(source, source + 1))
        same = (following == self._states.words(target, target + 1)).all(axis=1) & (culprit < 0)
        return self._composing.alphabet[int(action[np.flatnonzero(same)[0]])]


def figures_of(search: FaultSearch, components: int) -> dict[str, float]:
    """What a search has seen."""
    return {"states": search.states, "transitions": search.transitions, "components": components}


def enough_for(kinds: Collection[str]) -> tuple[Fault, ...]:
    """The faults that answer all questions of these kinds: if ERROR is reached, only deadlock is still open."""
    if "deadlock" not in kinds:
        return ("safety",)
    return ("deadlock",) if len(kinds) == 1 else ("deadlock", "safety")


def only_faults(kinds: Collection[str]) -> bool:
    """Whether questions of these kinds are all about faults, so that no transition need be kept."""
    return set(kinds) <= {"deadlock", "safety"}
