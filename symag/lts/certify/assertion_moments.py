"""The moments of an assertion in memory: explored states with the truth of its atoms; see ``assertion_chain``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from symag.core.limits import Deadline
from symag.core.ranges import distinct, grouped, ranges
from symag.lts.certify.assertion_chain import Chain, MomentGraph, Outcomes, ordered_atoms
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.sorted_states import CollisionError, Integers, SortedStates, Words
from symag.lts.certify.states import ExploredStates
from symag.lts.language.fluents import FluentInstance, Temporal, mentioned


def outcomes(states: ExploredStates, formula: Temporal, deadline: Deadline, stem: Sequence[str]) -> Outcomes:
    """What fair runs, and finite ones that end, do to the formula.

    ``states`` has no move to ERROR. With a ``stem`` of actions, only runs count that begin with it and are then in
    state 0 of ``states``. Costs the number of moves times that of the fluents' values, at most doubled for each
    temporal operator. Raises OutOfTimeError, MemoryError.
    """
    for salt in itertools.count():
        try:
            return Chain(_Moments(states, formula, stem, salt).run(deadline), deadline).outcomes(formula)
        except CollisionError:
            continue
    raise AssertionError("there is always another salt")


class _Moments:
    """States with the truth of the atoms, as bits of words, found breadth first."""

    def __init__(self, states: ExploredStates, formula: Temporal, stem: Sequence[str], salt: int) -> None:
        self._found = states
        self._stem = stem
        self._atoms = ordered_atoms(formula)
        self._words = len(self._atoms) // 64 + 1
        #: Actions that no component has may happen at any time, and change no state.
        free = tuple(sorted(mentioned(formula).difference(states.labels)))
        self._labels = (*states.labels, *free)
        order, self._first = grouped(states.source, states.states)
        self._label, self._target = states.label[order], states.target[order]
        self._free = np.arange(len(states.labels), len(self._labels), dtype=np.int64)
        self._kept, self._set = self._changes(self._labels)
        self._states = SortedStates(1 + self._words, salt)

    def _changes(self, labels: Sequence[str]) -> tuple[Words, Words]:
        """For each label the bits that keep their values, and those that become true."""
        unchanged = np.zeros((len(labels), self._words), dtype=np.uint64)
        after = np.zeros((len(labels), self._words), dtype=np.uint64)
        for index, atom in enumerate(self._atoms):
            word, bit = index // 64, np.uint64(1 << (index % 64))
            for number, label in enumerate(labels):
                if label in (atom.initiating if isinstance(atom, FluentInstance) else atom.actions):
                    after[number, word] |= bit
                elif isinstance(atom, FluentInstance) and label not in atom.terminating:
                    unchanged[number, word] |= bit
        return unchanged, after

    def run(self, deadline: Deadline) -> MomentGraph:
        self._deadline = deadline
        # The moments of the stem are not in explored states: their state numbers come after all others.
        now = np.zeros((1, self._words), dtype=np.uint64)
        for index, atom in enumerate(self._atoms):
            if isinstance(atom, FluentInstance) and atom.initially:
                now[0, index // 64] |= np.uint64(1 << (index % 64))
        rows = []
        for number, label in enumerate(self._stem, self._found.states):
            rows.append(np.concatenate([[[np.uint64(number)]], now], axis=1))
            unchanged, after = self._changes([label])
            now = (now & unchanged) | after
        rows.append(np.concatenate([[[np.uint64(0)]], now], axis=1))
        for row in rows:
            self._states.numbers(row)
        sources = [np.arange(len(self._stem), dtype=np.int64)]
        targets = [np.arange(1, len(self._stem) + 1, dtype=np.int64)]
        done = len(self._stem)
        ends = []
        while done < self._states.count:
            deadline.check()
            batch = self._states.words[done : min(self._states.count, done + (1 << 16))]
            mover, following = self._moves(batch)
            sources.append(mover + done)
            targets.append(self._states.numbers(following))
            going_on = np.zeros(len(batch), dtype=bool)
            going_on[mover] = True
            ends.append(np.flatnonzero(~going_on) + done)
            done += len(batch)
        return self._graph(np.concatenate(sources), np.concatenate(targets), np.concatenate(ends))

    def _moves(self, batch: Words) -> tuple[Integers, Words]:
        state = batch[:, 0].astype(np.int64)
        first, last = self._first[state], self._first[state + 1]
        chosen = ranges(first, last)
        row = np.concatenate(
            [np.repeat(np.arange(len(batch)), last - first), np.repeat(np.arange(len(batch)), len(self._free))]
        )
        label = np.concatenate([self._label[chosen], np.tile(self._free, len(batch))])
        target = np.concatenate([self._target[chosen], np.repeat(state, len(self._free))])
        following = np.empty((len(row), 1 + self._words), dtype=np.uint64)
        following[:, 0] = target.astype(np.uint64)
        following[:, 1:] = (batch[row, 1:] & self._kept[label]) | self._set[label]
        return row, following

    def _graph(self, source: Integers, target: Integers, ends: Integers) -> MomentGraph:
        count, beyond = self._states.count, None
        true = []
        for index in range(len(self._atoms)):
            bits = self._states.words[:count, 1 + index // 64] >> np.uint64(index % 64)
            true.append((bits & np.uint64(1)).astype(bool))
        if len(ends):
            beyond = count
            source = np.concatenate([source, ends, [beyond]])
            target = np.concatenate([target, np.full(len(ends) + 1, beyond)])
            true = [np.append(column, False) for column in true]
            count += 1
        return MomentGraph(_Arrays(count, source, target, self._deadline), 0, self._atoms, tuple(true), beyond)


class _Arrays:
    """See ``ChainEdges``; all of them in memory."""

    def __init__(self, count: int, source: Integers, target: Integers, deadline: Deadline) -> None:
        self.count = count
        self._source, self._target = source, target
        self._deadline = deadline

    def leading_to(self, goal: Truths, through: Truths | None = None) -> Truths:
        inner = np.arange(len(self._source)) if through is None else np.flatnonzero(through[self._source])
        order, first = grouped(self._target[inner], self.count)
        before = self._source[inner[order]]
        reached = goal.copy()
        waiting = np.flatnonzero(goal)
        while len(waiting):
            self._deadline.check()
            predecessors = before[ranges(first[waiting], first[waiting + 1])]
            waiting = distinct(predecessors[~reached[predecessors]])
            reached[waiting] = True
        return reached

    def before(self, goal: Truths) -> Truths:
        result = np.zeros(self.count, dtype=bool)
        result[self._source[goal[self._target]]] = True
        return result

    def split(self, both: Truths, keeps: Callable[[Integers, Integers], Truths]) -> None:
        second = np.flatnonzero(both)
        number = np.full(self.count, -1, dtype=np.int64)
        number[second] = self.count + np.arange(len(second))
        source, target = self._source, self._target
        for end in (0, 1):
            ends = (source, target)[end]
            copied = np.flatnonzero(number[ends] >= 0)
            other = number[ends[copied]]
            source, target = (
                np.concatenate([source, other if end == 0 else source[copied]]),
                np.concatenate([target, other if end == 1 else target[copied]]),
            )
        self.count += len(second)
        kept = keeps(source, target)
        self._source, self._target = source[kept], target[kept]
