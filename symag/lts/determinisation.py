"""Minimal systems, and deterministic systems with the same traces: the subset construction on arrays.

Minimal systems are quotients by strong or by weak bisimulation. As in LTSA the weakly minimal one has the transitions
of the original between its classes, without tau from a class to itself.

Reference: M. O. Rabin, D. Scott, "Finite automata and their decision problems" (1959). The key of a set of states is
the bytes of its sorted numbers, so two different sets are never taken for one. The sets that wait are processed
together.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from symag.core.ranges import ranges
from symag.lts.components import silent_closure
from symag.lts.equivalence import finer_classes, strong_classes, weak_classes
from symag.lts.lts import ERROR, TAU, Lts, Numbers, reachable


def strongly_minimised(system: Lts) -> Lts:
    """The quotient by strong bisimulation; its states are in the order of the first members of the classes."""
    return quotient(system, strong_classes(system))


def minimised(system: Lts) -> Lts:
    """The quotient by weak bisimulation, in the same order; without tau from a class to itself."""
    small = quotient(system, weak_classes(system))
    proper = (small.action != TAU) | (small.source != small.target)
    columns = small.source[proper], small.action[proper], small.target[proper]
    return Lts.of_arrays(small.name, small.alphabet, small.states, *columns, small.end, small.is_property)


def quotient(system: Lts, classes: Numbers) -> Lts:
    """One state for each class; ``classes`` holds the number of each state's class, numbered without gaps."""
    number = np.append(classes, ERROR)  # index -1 is the last entry: ERROR
    columns = number[system.source], system.action, number[system.target]
    end = None if system.end is None else int(classes[system.end])
    count = int(classes.max()) + 1
    return Lts.of_arrays(system.name, system.alphabet, count, *columns, end, system.is_property)


def without_needless_tau(system: Lts) -> Lts:
    """The system without states that only tau leaves: transitions to such a state lead to the targets of its taus.

    The initial state stays, and the remaining states are reachable. ``a -> (tau -> P | tau -> Q)`` becomes ``a -> P |
    a -> Q``, which is not weakly bisimilar; LTSA does this before it minimises a composite.
    """
    while True:
        proper = (system.action != TAU) | (system.source != system.target)
        source, action, target = system.source[proper], system.action[proper], system.target[proper]
        leaving = np.bincount(source, minlength=system.states)
        # Index -1 is the last entry: ERROR.
        passing = np.append((leaving > 0) & (np.bincount(source[action == TAU], minlength=system.states) == leaving), 0)
        passing = passing.astype(bool)
        passing[0] = False
        if not passing.any():
            return _with(system, source, action, target)
        into = passing[target] & ~passing[source]
        first = np.searchsorted(source, np.arange(system.states + 1))
        via = target[into]
        times = leaving[via]
        smaller = reachable(
            _with(
                system,
                np.concatenate([source[~into], np.repeat(source[into], times)]),
                np.concatenate([action[~into], np.repeat(action[into], times)]),
                np.concatenate([target[~into], target[ranges(first[via], first[via + 1])]]),
            )
        )
        if smaller.states == system.states:
            return smaller
        system = smaller


def _with(system: Lts, source: Numbers, action: Numbers, target: Numbers) -> Lts:
    columns = source, action, target
    return Lts.of_arrays(system.name, system.alphabet, system.states, *columns, system.end, system.is_property)


#: With at most this many members a step on arrays costs more than one without them.
_FEW = 16
#: The number of moves of members that are listed at once, approximately.
_MOST = 1 << 20
_STATE = np.dtype(np.intc)
_SIZE = _STATE.itemsize


def determinised(system: Lts) -> Lts:
    """A deterministic system without tau with the same traces; minimal unless the given one is deterministic.

    A trace that may lead to ERROR leads there. Bisimilar states are merged first. Costs time proportional to the moves
    of all members of all sets in the subset construction, and 4 bytes for each member.
    """
    if system.is_deterministic():
        return system
    return strongly_minimised(_SubsetConstruction(quotient(system, finer_classes(system))).result())


class _SubsetConstruction:
    """Sets are closed under tau. ERROR has the number after the last state; {ERROR} replaces every set that has it."""

    def __init__(self, system: Lts) -> None:
        self._system = system
        self._error = system.states
        self._actions = len(system.alphabet)
        target = np.where(system.target == ERROR, self._error, system.target)
        silent = system.action == TAU
        begin, ends = silent_closure(system.states + 1, system.source[silent], target[silent])
        start = ends[begin[0] : begin[1]]
        self._start = start[start != self._error]
        via = target[~silent]
        owner = system.source[~silent] * self._actions + system.action[~silent]
        owner = np.repeat(owner, begin[via + 1] - begin[via])
        # The moves action tau* of each state; those of state s are first[s], .., first[s + 1] - 1.
        owner, self._target = self._distinct(owner, ends[ranges(begin[via], begin[via + 1])])
        source, self._action = np.divmod(owner, self._actions)
        self._first = np.searchsorted(source, np.arange(system.states + 2))

    def _distinct(self, owner: Numbers, state: Numbers) -> tuple[Numbers, Numbers]:
        """The pairs, sorted, each once."""
        key = owner * (self._error + 1) + state
        key.sort()
        owner, state = np.divmod(key[np.flatnonzero(np.diff(key, prepend=-1))], self._error + 1)
        return owner, state

    def result(self) -> Lts:
        """The system of the reachable sets, numbered breadth first in the order of the actions."""
        waiting = [_bytes(self._start)]
        number = {_bytes(np.array([self._error])): ERROR, waiting[0]: 0}
        triples: list[tuple[int, int, int]] = []
        most = _MOST * self._system.states // max(len(self._target), 1)
        next_set = 0
        while next_set < len(waiting):
            last, members = next_set, 0
            while last < len(waiting) and (last == next_set or members < most):
                members += len(waiting[last]) // _SIZE
                last += 1
            moves = self._moves_of_few if members <= _FEW else self._moves
            for offset, action, subset in moves(waiting[next_set:last]):
                after = number.setdefault(subset, len(waiting))
                if after == len(waiting):
                    waiting.append(subset)
                triples.append((next_set + offset, action, after))
            next_set = last
        system = self._system
        end = None if system.end is None else number.get(_bytes(np.array([system.end])))
        return Lts.of(system.name, system.alphabet, len(waiting), triples, end, system.is_property)

    def _moves(self, sets: list[bytes]) -> Iterable[tuple[int, int, bytes]]:
        """(index into ``sets``, action, set that it leads to), sorted by index and action."""
        members = np.frombuffer(b"".join(sets), dtype=_STATE)
        owner = np.repeat(np.arange(len(sets)), [len(set_) // _SIZE for set_ in sets])
        rows = ranges(self._first[members], self._first[members + 1])
        owner = np.repeat(owner, self._first[members + 1] - self._first[members])
        owner, target = self._distinct(owner * self._actions + self._action[rows], self._target[rows])
        begin = np.flatnonzero(np.diff(owner, prepend=-1))
        end = np.append(begin[1:], len(owner))[: len(begin)]
        row, action = np.divmod(owner[begin], self._actions)
        begin = np.where(target[end - 1] == self._error, end - 1, begin)
        data = _bytes(target)
        cuts = zip((begin * _SIZE).tolist(), (end * _SIZE).tolist(), strict=True)
        return zip(row.tolist(), action.tolist(), (data[one:other] for one, other in cuts), strict=True)

    def _moves_of_few(self, sets: list[bytes]) -> Iterable[tuple[int, int, bytes]]:
        """The same one state at a time: a long chain needs a step for each of its states."""
        first, action, target = (buffer.data for buffer in (self._first, self._action, self._target))
        for index, set_ in enumerate(sets):
            targets: dict[int, set[int]] = {}
            for state in memoryview(set_).cast("i"):
                for row in range(first[state], first[state + 1]):
                    targets.setdefault(action[row], set()).add(target[row])
            for letter, ends in sorted(targets.items()):
                states = (self._error,) if self._error in ends else sorted(ends)
                yield index, letter, array("i", states).tobytes()


def _bytes(states: Numbers) -> bytes:
    return states.astype(_STATE).tobytes()
