"""The parallel composition of labelled transition systems, reachable states only, on arrays.

A label in several alphabets happens in all of them at once. States are found breadth first, a whole level
at a time, and are numbered in that order; the successors of a state are ordered by the numbers of their
actions, tau first, so the first deadlock or error in this order has a shortest trace.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import ERROR, TAU, Lts, Numbers, matches
from symag.lts.state_table import StateTable

_CHUNK = 1 << 15


@dataclass(frozen=True, slots=True)
class Priority:
    """``>> {..}``: the labels have low priority; ``<< {..}``: high (``low`` is False)."""

    labels: frozenset[str]
    low: bool


@dataclass(frozen=True, slots=True, eq=False)
class Composition:
    """``lts`` numbers states breadth first. ``deadlocks`` are its states without a successor in which not
    everything has ended; ``violations`` are the transitions (by index) to ERROR, and ``culprits`` the first
    component that is in error after each. ``local_states[s]`` are the states of the components in state s.
    """

    lts: Lts
    components: tuple[Lts, ...]
    deadlocks: Numbers
    violations: Numbers
    culprits: Numbers
    local_states: NDArray[np.int32]


def composed(components: Sequence[Lts], name: str, priority: Priority | None = None) -> Composition:
    """Raises MemoryError. Costs time and memory in proportion to the transitions of the result."""
    return _Composing(components, priority).result(name)


class _Component:
    """A component over the actions of the composition.

    ``count[s, a]`` targets begin at ``begin[s, a]`` in ``targets``, for the component's own actions (``own``) and
    tau. ``enabled[s]`` are bits, one an action, with a one for every action that the component allows in s:
    also for those that are not its own.
    """

    def __init__(self, lts: Lts, number: dict[str, int]) -> None:
        actions = np.array([number[label] for label in lts.alphabet], dtype=np.int64)
        shape = (lts.states, len(number))
        self.own = np.zeros(len(number), dtype=bool)
        self.own[actions[1:]] = True
        self.count = np.zeros(shape, dtype=np.int32)
        self.begin = np.zeros(shape, dtype=np.int32)
        order = np.lexsort((actions[lts.action], lts.source))
        source, action = lts.source[order], actions[lts.action][order]
        np.add.at(self.count, (source, action), 1)
        self.targets = lts.target[order].astype(np.int32)
        first = np.flatnonzero(np.diff(source * len(number) + action, prepend=-1))
        self.begin[source[first], action[first]] = first
        self.is_deterministic = bool((self.count[:, 1:] <= 1).all())
        allowed = (self.count > 0) | ~self.own
        allowed[:, TAU] = False
        self.enabled = _packed(allowed)
        self.silent = self.count[:, TAU]


def _packed(table: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of truth values as rows of words with one bit each."""
    width = -(-table.shape[1] // 64) * 64
    padded = np.zeros((table.shape[0], width), dtype=bool)
    padded[:, : table.shape[1]] = table
    return np.packbits(padded, axis=1).view(np.uint64)


class _Composing:
    def __init__(self, components: Sequence[Lts], priority: Priority | None) -> None:
        self.components = tuple(components)
        number: dict[str, int] = {"tau": TAU}
        for lts in components:
            for label in lts.alphabet[1:]:
                number.setdefault(label, len(number))
        self.alphabet = tuple(number)
        self.parts = [_Component(lts, number) for lts in components]
        self.high: NDArray[np.uint64] | None = None
        self.urgent_tau = False
        if priority is not None:
            named = [matches(label, priority.labels) for label in self.alphabet]
            self.high = _packed(np.array([[False, *(each != priority.low for each in named[1:])]]))[0]
            self.urgent_tau = priority.low

    def result(self, name: str) -> Composition:
        sizes = [lts.states for lts in self.components]
        table = StateTable(sizes)
        table.add(np.zeros((1, len(sizes)), dtype=np.int32))
        begin = 0
        sources, actions, targets, culprits = [], [], [], []
        while begin < len(table):
            frontier = table.rows(begin, min(len(table), begin + _CHUNK))
            place, action, following = self._successors(frontier)
            wrong = following < 0
            fails = wrong.any(axis=1)
            target = np.full(len(place), ERROR, dtype=np.int64)
            target[~fails] = table.add(following[~fails])
            sources.append(place + begin)
            actions.append(action)
            targets.append(target)
            culprits.append(np.argmax(wrong[fails], axis=1))
            begin += len(frontier)
        source, action, target = (np.concatenate(each) for each in (sources, actions, targets))
        stuck = np.ones(len(table), dtype=bool)
        stuck[source] = False
        states = table.rows(0, len(table))
        ended = self._ended(states) & stuck
        lts = Lts(name, self.alphabet, len(table), source, action, target)
        violations = np.flatnonzero(target == ERROR)
        deadlocks = np.flatnonzero(stuck & ~ended)
        found = Composition(lts, self.components, deadlocks, violations, np.concatenate(culprits), states)
        return _with_one_end(found, np.flatnonzero(ended))

    def _successors(self, states: NDArray[np.int32]) -> tuple[Numbers, Numbers, NDArray[np.int32]]:
        """Place in ``states``, action and local states afterwards (ERROR where a component fails), in order."""
        enabled = self.parts[0].enabled[states[:, 0]]
        taus = self.parts[0].silent[states[:, 0]] > 0
        for place, part in enumerate(self.parts[1:], start=1):
            enabled &= part.enabled[states[:, place]]
            taus |= part.silent[states[:, place]] > 0
        if self.high is not None:
            urgent = (enabled & self.high).any(axis=1)
            if self.urgent_tau:
                urgent |= taus
            else:
                taus &= ~urgent
            enabled[urgent] &= self.high
        found: Numbers
        found, action = np.nonzero(np.unpackbits(enabled.view(np.uint8), axis=1, count=len(self.alphabet)))
        visible = self._visible(states, found, action)
        if not taus.any():
            return visible
        parts = [self._silent(states, taus), visible]
        places, actions, following = (np.concatenate(each) for each in zip(*parts, strict=True))
        order = np.argsort(places, kind="stable")
        return places[order], actions[order], following[order]

    def _visible(
        self, states: NDArray[np.int32], place: Numbers, action: Numbers
    ) -> tuple[Numbers, Numbers, NDArray[np.int32]]:
        choices = np.ones(len(place), dtype=np.int64)
        for k, part in enumerate(self.parts):
            if not part.is_deterministic:
                mine = np.flatnonzero(part.own[action])
                choices[mine] *= part.count[states[place[mine], k], action[mine]]
        rank = _ranks(choices)
        if len(rank) > len(place):
            place, action = np.repeat(place, choices), np.repeat(action, choices)
        following = states[place]
        for k, part in enumerate(self.parts):
            mine = np.flatnonzero(part.own[action])
            local, acting = following[mine, k], action[mine]
            first = part.begin[local, acting]
            if not part.is_deterministic:
                count = part.count[local, acting]
                first = first + rank[mine] % count
                rank[mine] //= count
            following[mine, k] = part.targets[first]
        return place, action, following

    def _silent(
        self, states: NDArray[np.int32], allowed: NDArray[np.bool_]
    ) -> tuple[Numbers, Numbers, NDArray[np.int32]]:
        places, rows = [], []
        for k, part in reversed(list(enumerate(self.parts))):
            count = np.where(allowed, part.silent[states[:, k]], 0)
            place = np.repeat(np.arange(len(states)), count)
            following = states[place].copy()
            following[:, k] = part.targets[part.begin[states[place, k], TAU] + _ranks(count)]
            places.append(place)
            rows.append(following)
        place = np.concatenate(places)
        return place, np.zeros(len(place), dtype=np.int64), np.concatenate(rows)

    def _ended(self, states: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Where all components that can end have ended, if the others cannot do anything without them."""
        ending = [lts for lts in self.components if lts.end is not None and lts.end > 0]
        others = [lts for lts in self.components if lts.end is None or lts.end == 0]
        labels = {label for lts in ending for label in lts.alphabet}
        if not all(label in labels for lts in others for label in lts.alphabet):
            return np.zeros(len(states), dtype=bool)
        found = np.ones(len(states), dtype=bool)
        for place, lts in enumerate(self.components):
            if lts.end is not None:
                found &= states[:, place] == lts.end
        return found


def _ranks(counts: Numbers) -> Numbers:
    """0 .. count - 1 for each count, one after the other."""
    total = int(counts.sum())
    return np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)


def _with_one_end(found: Composition, ends: Numbers) -> Composition:
    """All states in which everything has ended are one state."""
    if not len(ends):
        return found
    lts = found.lts
    number = np.arange(lts.states)
    number[ends] = ends[0]
    kept = np.ones(lts.states, dtype=bool)
    kept[ends[1:]] = False
    position = np.cumsum(kept) - 1
    target = np.where(lts.target == ERROR, ERROR, position[number[lts.target]])
    merged = Lts(
        lts.name, lts.alphabet, int(kept.sum()), position[lts.source], lts.action, target, int(position[ends[0]])
    )
    states = found.local_states[kept]
    return Composition(merged, found.components, position[found.deadlocks], found.violations, found.culprits, states)


def labels_of(components: Collection[Lts]) -> tuple[str, ...]:
    """All labels of the components without tau, each once, in their order."""
    return tuple(dict.fromkeys(label for lts in components for label in lts.alphabet[1:]))
