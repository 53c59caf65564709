"""The parallel composition of labelled transition systems, reachable states only, on arrays.

A label in several alphabets happens in all of them at once. States are found breadth first, a whole level
at a time, and are numbered in that order; the successors of a state are ordered by the numbers of their
actions, tau first, so the first deadlock or error in this order has a shortest trace.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.ranges import ranks
from symag.core.state_table import Packing, StateTable, Words
from symag.core.values import replace
from symag.lts.acting_component import ActingComponent, bit_rows
from symag.lts.lts import ERROR, TAU, Lts, Numbers, matches
from symag.lts.single_states import SingleStates
from symag.process.memory import free_memory

CHUNK = 1 << 15
#: The moves of up to this number of states are found one state at a time.
FEW = 16
#: So many transitions may not fit into memory, where each takes these bytes besides those that it has.
_MANY, _COPIES = 1 << 20, 48
#: Place in the frontier, action, packed states afterwards, and the first component in ERROR (-1: none).
Moves = tuple[Numbers, Numbers, Words, Numbers]


class Priority(Struct, frozen=True):
    """``>> {..}``: the labels have low priority; ``<< {..}``: high (``low`` is False)."""

    labels: frozenset[str]
    low: bool


class Composition(Struct, frozen=True, eq=False, dict=True):
    """``lts`` numbers states breadth first. ``deadlocks`` are its states without a successor in which not all
    components have ended; ``violations`` are the transitions (by index) to ERROR, and ``culprits`` the first
    component in ERROR after each. ``words[s]`` are the states of the components in state s, packed. If it is not
    ``complete``, states that were not explored have no transitions, and do not count as deadlocks.
    """

    lts: Lts
    components: tuple[Lts, ...]
    deadlocks: Numbers
    violations: Numbers
    culprits: Numbers
    packing: Packing
    words: Words
    complete: bool = True

    @cached_property
    def _into(self) -> Numbers:
        """A transition into each state: as states are numbered breadth first, the first one is on a shortest trace."""
        inner = np.flatnonzero(self.lts.target != ERROR)[::-1]
        into = np.full(self.lts.states, -1, dtype=np.int64)
        into[self.lts.target[inner]] = inner
        return into

    def culprit_of(self, transition: int) -> int:
        """The first component in ERROR after one of ``violations``."""
        return int(self.culprits[int(np.searchsorted(self.violations, transition))])

    def path_to(self, state: int) -> list[int]:
        """The transitions of a shortest trace to a state; one number for each state is kept from the first call on."""
        path = []
        while state:
            path.append(int(self._into[state]))
            state = int(self.lts.source[path[-1]])
        return path[::-1]

    @cached_property
    def local_states(self) -> NDArray[np.int32]:
        """``local_states[s]`` are the states of the components in state s; 4 bytes for each, from the first use on."""
        return self.packing.rows(self.words)


class TooManyStates(Exception):  # noqa: N818 - an answer to a question about size, not a fault
    """The composition has more states than the caller allows."""


#: The faults that a search may end with: a deadlock, a transition to ERROR.
Fault = Literal["deadlock", "safety"]


def composed(
    components: Sequence[Lts],
    name: str,
    priority: Priority | None = None,
    most: int | None = None,
    enough: Collection[Fault] = (),
) -> Composition:
    """The composition; with ``enough`` only until one fault of each of these kinds is found, breadth first.

    Raises MemoryError, and TooManyStates as soon as there are more than ``most`` states. Costs time and memory
    proportional to the transitions of the result.
    """
    return Composing(components, priority).result(name, most, frozenset(enough))


class Composing:
    def __init__(self, components: Sequence[Lts], priority: Priority | None) -> None:
        self.components = tuple(components)
        number: dict[str, int] = {"tau": TAU}
        for lts in components:
            for label in lts.alphabet[1:]:
                number.setdefault(label, len(number))
        self.alphabet = tuple(number)
        self.parts = [ActingComponent(lts, number) for lts in components]
        self.packing = Packing([lts.states for lts in components])
        self.high: NDArray[np.uint64] | None = None
        self.urgent_tau = False
        if priority is not None:
            named = [matches(label, priority.labels) for label in self.alphabet]
            high = np.flatnonzero(np.array(named) != priority.low)
            self.high = bit_rows(1, len(named), np.zeros_like(high), high)[0]
            self.urgent_tau = priority.low

    def result(self, name: str, most: int | None, enough: frozenset[Fault]) -> Composition:
        table = StateTable(self.packing)
        table.add(self.packing.packed(np.zeros((1, len(self.parts)), dtype=np.int64)))
        begin = 0
        missing = set(enough)
        moves = 0
        sources, actions, targets, culprits = [], [], [], []
        while begin < len(table) and (missing or not enough):
            frontier = table.words(begin, min(len(table), begin + CHUNK))
            row, action, following, culprit = self.successors(frontier)
            target = np.full(len(row), ERROR, dtype=np.int64)
            proper = culprit < 0
            if proper.all():
                target = table.add(following)
            else:
                target[proper] = table.add(following[proper])
                culprits.append(culprit[~proper])
                missing.discard("safety")
            if "deadlock" in missing and self._has_deadlock(frontier, row):
                missing.discard("deadlock")
            sources.append(row + begin)
            actions.append(action)
            targets.append(target)
            begin += len(frontier)
            if most is not None and len(table) > most:
                raise TooManyStates
            moves += len(row)
            if moves > _MANY and _COPIES * moves > free_memory():
                raise MemoryError
        source, action, target = (np.concatenate(arrays) for arrays in (sources, actions, targets))
        stuck = np.ones(len(table), dtype=bool)
        stuck[source] = False
        stuck[begin:] = False
        words = table.words(0, len(table))
        ended = np.zeros(len(table), dtype=bool)
        ended[stuck] = self.ended(words[stuck])
        lts = Lts(name, self.alphabet, len(table), source, action, target)
        violations = np.flatnonzero(target == ERROR)
        deadlocks = np.flatnonzero(stuck & ~ended)
        who = np.concatenate([np.zeros(0, dtype=np.int64), *culprits])
        composition = Composition(
            lts, self.components, deadlocks, violations, who, self.packing, words, begin == len(table)
        )
        return _with_one_end(composition, np.flatnonzero(ended))

    @cached_property
    def _single_states(self) -> SingleStates:
        return SingleStates(self.parts, self.packing, self.high, self.urgent_tau)

    def successors(self, states: Words) -> Moves:
        """The moves from packed states, in order."""
        if len(states) <= FEW:
            return self._one_by_one(states)
        local = [self.packing.column(states, k) for k in range(len(self.parts))]
        enabled = self.parts[0].enabled[local[0]]
        taus = self.parts[0].silent[local[0]] > 0
        for part, mine in zip(self.parts[1:], local[1:], strict=True):
            enabled &= part.enabled[mine]
            taus |= part.silent[mine] > 0
        if self.high is not None:
            urgent = (enabled & self.high).any(axis=1)
            if self.urgent_tau:
                urgent |= taus
            else:
                taus &= ~urgent
            enabled[urgent] &= self.high
        visible = self._visible(states, local, *_set_bits(enabled))
        if not taus.any():
            return visible
        moves = zip(*(self._silent(states, local, taus), visible), strict=True)
        places, actions, following, culprits = (np.concatenate(move) for move in moves)
        order = np.argsort(places, kind="stable")
        return places[order], actions[order], following[order], culprits[order]

    def _one_by_one(self, states: Words) -> Moves:
        places: list[int] = []
        moves = []
        for place, state in enumerate(states.tolist()):
            of_state = self._single_states.moves(state)
            places += [place] * len(of_state)
            moves += of_state
        actions = np.array([action for action, _, _ in moves], dtype=np.int64)
        following = np.array([after for _, after, _ in moves], dtype=np.uint64).reshape(-1, self.packing.width)
        culprits = np.array([culprit for _, _, culprit in moves], dtype=np.int64)
        return np.array(places, dtype=np.int64), actions, following, culprits

    def _visible(self, states: Words, local: Sequence[Numbers], row: Numbers, action: Numbers) -> Moves:
        choices = np.ones(len(row), dtype=np.int64)
        for part, locals_ in zip(self.parts, local, strict=True):
            if not part.is_deterministic:
                mine = np.flatnonzero(part.own[action])
                choices[mine] *= part.targets_of(locals_[row[mine]], action[mine])[1]
        rank = ranks(choices)
        if len(rank) > len(row):
            row, action = np.repeat(row, choices), np.repeat(action, choices)
        following = states[row]
        culprit = np.full(len(row), -1, dtype=np.int64)
        for k, (part, locals_) in enumerate(zip(self.parts, local, strict=True)):
            mine = np.flatnonzero(part.own[action])
            before, acting = locals_[row[mine]], action[mine]
            first, count = part.targets_of(before, acting)
            if not part.is_deterministic:
                first = first + rank[mine] % count
                rank[mine] //= count
            self._move(k, following, culprit, mine, before, part.targets[first])
        return row, action, following, culprit

    def _silent(self, states: Words, local: Sequence[Numbers], allowed: NDArray[np.bool_]) -> Moves:
        moves = []
        for k, part in reversed(list(enumerate(self.parts))):
            count = np.where(allowed, part.silent[local[k]], 0)
            row = np.repeat(np.arange(len(states)), count)
            before = local[k][row]
            following = states[row]
            culprit = np.full(len(row), -1, dtype=np.int64)
            targets = part.targets[part.first[before] + ranks(count)]
            self._move(k, following, culprit, np.arange(len(row)), before, targets)
            moves.append((row, np.zeros(len(row), dtype=np.int64), following, culprit))
        places, actions, rows, culprits = (np.concatenate(arrays) for arrays in zip(*moves, strict=True))
        return places, actions, rows, culprits

    def _move(self, k: int, following: Words, culprit: Numbers, mine: Numbers, before: Numbers, after: Numbers) -> None:
        """Move component k from ``before`` to ``after`` in the rows ``mine``; if that is ERROR, it is the culprit."""
        following[mine, self.packing.word[k]] += self.packing.difference(k, before, after)
        if self.parts[k].has_error:
            culprit[mine[(after == ERROR) & (culprit[mine] < 0)]] = k

    def _has_deadlock(self, states: Words, row: Numbers) -> bool:
        """Whether one of the states is a deadlock; ``row`` are those that have a successor."""
        stuck = np.ones(len(states), dtype=bool)
        stuck[row] = False
        return bool(stuck.any()) and not bool(self.ended(states[stuck]).all())

    def ended(self, states: Words) -> NDArray[np.bool_]:
        """The states in which all components that can end have ended, if they have all labels of the others."""
        ending = [lts for lts in self.components if lts.end is not None and lts.end > 0]
        others = [lts for lts in self.components if lts.end is None or lts.end == 0]
        labels = {label for lts in ending for label in lts.alphabet}
        if not all(label in labels for lts in others for label in lts.alphabet):
            return np.zeros(len(states), dtype=bool)
        ended = np.ones(len(states), dtype=bool)
        for index, lts in enumerate(self.components):
            if lts.end is not None:
                ended &= self.packing.column(states, index) == lts.end
        return ended


def _set_bits(rows: NDArray[np.uint64]) -> tuple[Numbers, Numbers]:
    """The row and the column of every bit that is 1, in order; most bytes are 0."""
    row, byte = np.nonzero(rows.view(np.uint8).view(np.int8))
    bits = np.unpackbits(rows.view(np.uint8)[row, byte][:, None], axis=1).view(np.bool_)
    index, bit = np.nonzero(bits)
    return row[index], byte[index] * 8 + bit


def _with_one_end(composition: Composition, ends: Numbers) -> Composition:
    """The composition with all states in which everything has ended merged into one."""
    if not len(ends):
        return composition
    lts = composition.lts
    number = np.arange(lts.states)
    number[ends] = ends[0]
    chosen = np.ones(lts.states, dtype=bool)
    chosen[ends[1:]] = False
    position = np.cumsum(chosen) - 1
    target = np.where(lts.target == ERROR, ERROR, position[number[lts.target]])
    merged = Lts(
        lts.name, lts.alphabet, int(chosen.sum()), position[lts.source], lts.action, target, int(position[ends[0]])
    )
    return replace(composition, lts=merged, deadlocks=position[composition.deadlocks], words=composition.words[chosen])


def labels_of(components: Collection[Lts]) -> tuple[str, ...]:
    """All labels of the components without tau, each once, in their order."""
    return tuple(dict.fromkeys(label for lts in components for label in lts.alphabet[1:]))
