"""Premises of the circular rule, checked on the fly: the product is explored breadth first until enough is known.

``M |= A > g`` (Definition 3 of the paper): no word s.a with s.a in M and s in A is outside g when s is in g; the
last action need not be allowed by A. ``G |= P`` is the case in which all parts must allow the last action too.

Reference: K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, CAV 2016, sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import Numbers
from symag.lts.state_table import StateTable
from symag.methods.lts.projected_component import REFUSED, Word

#: Numbers of states, of whatever width.
States = NDArray[np.int32] | Numbers

_UNBOUNDED = 1 << 24


class Automaton(Protocol):
    """A deterministic, prefix-closed automaton; state 0 is initial."""

    @property
    def actions(self) -> tuple[str, ...]: ...

    @property
    def is_complete(self) -> bool: ...

    @property
    def states(self) -> int: ...

    def targets(self, states: States, column: int) -> Numbers:
        """The state after that action of each, REFUSED where there is none."""
        ...

    def row(self, state: int) -> Numbers:
        """The states after each action, REFUSED where there is none."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TableAutomaton:
    """An automaton by its targets: ``table[state, column]``."""

    actions: tuple[str, ...]
    table: Numbers

    @property
    def is_complete(self) -> bool:
        return True

    @property
    def states(self) -> int:
        return len(self.table)

    def targets(self, states: States, column: int) -> Numbers:
        found: Numbers = self.table[states, column]
        return found

    def row(self, state: int) -> Numbers:
        """The states after each action, REFUSED where there is none."""
        found: Numbers = self.table[state]
        return found

    def accepts(self, word: Sequence[str]) -> bool:
        """Whether the word, over ``actions``, is in the language."""
        state = 0
        for label in word:
            state = int(self.table[state, self.actions.index(label)])
            if state == REFUSED:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Premise:
    """``strict`` parts must allow all of a word, ``guards`` all but its last action; ``goal`` must then allow it."""

    strict: tuple[Automaton, ...]
    guards: tuple[Automaton, ...]
    goal: Automaton


@dataclass(frozen=True, slots=True)
class Refutations:
    """Words that refute a premise, shortest first, and how many states and transitions were explored."""

    words: tuple[Word, ...]
    states: int
    transitions: int


@dataclass(frozen=True, slots=True)
class _Step:
    """An action: the places (in a row) and columns of the parts that have it."""

    label: str
    strict: tuple[tuple[int, int], ...]
    guards: tuple[tuple[int, int], ...]
    goal: int | None


def refutations(premise: Premise, limit: int) -> Refutations:
    """At most ``limit`` words, one for each state of the goal and each action that it should not refuse there.

    The premise holds if there is none. The product is explored no further than the level of the last word.
    """
    return _Exploration(premise, limit).result()


class _Exploration:
    def __init__(self, premise: Premise, limit: int) -> None:
        self.parts: list[Automaton] = [*premise.strict, *premise.guards, premise.goal]
        self.limit = limit
        strict = len(premise.strict)
        columns = [{label: column for column, label in enumerate(part.actions)} for part in self.parts]
        labels = dict.fromkeys(label for part in self.parts for label in part.actions)
        self.steps = [
            _Step(
                label,
                tuple((k, columns[k][label]) for k in range(strict) if label in columns[k]),
                tuple((k, columns[k][label]) for k in range(strict, len(self.parts) - 1) if label in columns[k]),
                columns[-1].get(label),
            )
            for label in labels
        ]
        sizes = [part.states if part.is_complete else _UNBOUNDED for part in self.parts]
        self.table = StateTable(sizes)
        self.table.add(np.zeros((1, len(sizes)), dtype=np.int32))
        self.came_from = [np.zeros(1, dtype=np.int64)]
        self.came_by = [np.zeros(1, dtype=np.int64)]
        self.transitions = 0
        self.found: dict[tuple[int, int], tuple[int, int]] = {}

    def result(self) -> Refutations:
        begin = 0
        while begin < len(self.table) and len(self.found) < self.limit:
            end = len(self.table)
            self._level(begin, end)
            begin = end
        before, by = np.concatenate(self.came_from), np.concatenate(self.came_by)
        words = []
        for state, action in list(self.found.values())[: self.limit]:
            labels = [self.steps[action].label]
            while state:
                labels.append(self.steps[by[state]].label)
                state = int(before[state])
            words.append(tuple(reversed(labels)))
        return Refutations(tuple(words), len(self.table), self.transitions)

    def _level(self, begin: int, end: int) -> None:
        rows = self.table.rows(begin, end)
        following, sources, actions = [], [], []
        for number, step in enumerate(self.steps):
            if not step.strict and not step.guards and step.goal is None:
                continue
            images, places = rows, np.arange(len(rows))
            changed: list[tuple[int, Numbers]] = []
            for k, column in step.strict:
                changed, images, places = self._moved(k, column, changed, images, places)
            if step.goal is not None:
                goals = self.parts[-1].targets(images[:, -1], step.goal)
                self._refused(images[goals == REFUSED, -1], places[goals == REFUSED] + begin, number)
                kept = goals != REFUSED
                images, places = images[kept], places[kept]
                changed = [(k, values[kept]) for k, values in changed]
                changed.append((len(self.parts) - 1, goals[kept]))
            for k, column in step.guards:
                changed, images, places = self._moved(k, column, changed, images, places)
            if not len(places):
                continue
            images = images.copy()
            for k, values in changed:
                images[:, k] = values
            following.append(images)
            sources.append(places + begin)
            actions.append(np.full(len(places), number))
        if not following:
            return
        rows, source, action = np.concatenate(following), np.concatenate(sources), np.concatenate(actions)
        self.transitions += len(rows)
        numbers = self.table.add(rows)
        fresh, first = np.unique(numbers, return_index=True)
        first = first[fresh >= end]
        self.came_from.append(source[first])
        self.came_by.append(action[first])

    def _moved(
        self, k: int, column: int, changed: list[tuple[int, Numbers]], images: NDArray[np.int32], places: Numbers
    ) -> tuple[list[tuple[int, Numbers]], NDArray[np.int32], Numbers]:
        targets = self.parts[k].targets(images[:, k], column)
        kept = targets != REFUSED
        if not kept.all():
            images, places, targets = images[kept], places[kept], targets[kept]
            changed = [(other, values[kept]) for other, values in changed]
        return [*changed, (k, targets)], images, places

    def _refused(self, goals: NDArray[np.int32], states: Numbers, action: int) -> None:
        if not len(goals):
            return
        for goal, first in zip(*np.unique(goals, return_index=True), strict=True):
            self.found.setdefault((int(goal), action), (int(states[first]), action))
