"""The possible moves of all parts composed, and the states from which the goal is certain to be reachable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from symag.lts.certificates import RecurrenceMonitor
from symag.lts.composition import composed
from symag.lts.lts import ERROR, Lts, Numbers
from symag.lts.methods.liveness.modal_part import ModalPart, Truths


class Goal(Struct, frozen=True):
    """Actions that reach the goal, or the monitor's accepting moves; with ``condition`` also that none of its actions
    can happen any more.
    """

    actions: frozenset[str] = frozenset()
    monitor: RecurrenceMonitor | None = None
    condition: frozenset[str] | None = None

    def is_reached_by(self, state: int, label: str) -> bool:
        """Whether an action reaches it; ``state`` is the monitor's."""
        if self.monitor is None:
            return label in self.actions
        return bool(self.monitor.accepting[state][column(self.monitor, label)])

    def is_reached_in(self, state: int, can_move: bool) -> bool:
        """Whether a state of the monitor in which nothing, or something, can happen reaches it."""
        if self.monitor is None or not self.monitor.ends[state]:
            return False
        return not can_move or all(self.monitor.accepting[state])


def column(monitor: RecurrenceMonitor, label: str) -> int:
    """The entry for an action in the monitor's rows."""
    return monitor.labels.index(label) if label in monitor.labels else len(monitor.labels)


def monitor_lts(monitor: RecurrenceMonitor, labels: Sequence[str]) -> Lts:
    """The monitor as a component; over all of the labels if it does not ignore others."""
    names = monitor.labels if monitor.ignores_others else tuple(labels)
    triples = [
        (state, action, targets[column(monitor, label)])
        for state, targets in enumerate(monitor.moves)
        for action, label in enumerate(names, start=1)
    ]
    return Lts.of("monitor", ("tau", *names), len(monitor.moves), triples)


class ModalProduct:
    """``reached`` are the states in the set R of the rule; ``rows[s]`` the classes, and the monitor's state, in s.

    ``distance[s]``: how many possible moves lead to R or reach the goal, more than all states if none do. It is at most
    1 where a run may end.
    ``reaching``: the transitions that reach the goal.
    """

    def __init__(self, parts: Sequence[ModalPart], goal: Goal) -> None:
        self._parts, self._goal = parts, goal
        systems = [part.classes_lts() for part in parts]
        if goal.monitor is not None:
            labels = dict.fromkeys(label for lts in systems for label in lts.alphabet[1:])
            systems.append(monitor_lts(goal.monitor, tuple(labels)))
        composition = composed(systems, "classes")
        self.lts, self.rows = composition.lts, composition.local_states
        self.failures: Numbers = composition.violations
        self.path_to, self.culprit_of = composition.path_to, composition.culprit_of
        self._first = self.lts.offsets()
        self._near: dict[int, dict[tuple[int, ...], int]] = {}
        self.certain, self.able = self._judged()
        self.reaching = self._reaching()
        self.reached = self._attracted()
        self.distance = self._distances()

    def letter_of(self, part: ModalPart, action: int) -> int:
        """The part's letter for an action of the product, -1 if it has none."""
        label = self.lts.alphabet[action]
        return part.letters.index(label) if label in part.letters else -1

    def after(self, state: int, row: tuple[int, ...]) -> int:
        """The successor of a state in which the classes are these."""
        if state not in self._near:
            targets = self.lts.target[self._first[state] : self._first[state + 1]]
            targets = targets[targets != ERROR]
            self._near[state] = {
                tuple(classes): target
                for classes, target in zip(self.rows[targets].tolist(), targets.tolist(), strict=True)
            }
        return self._near[state][row]

    def outgoing(self, state: int) -> range:
        """The transitions of a state."""
        return range(int(self._first[state]), int(self._first[state + 1]))

    def transitions(self, state: int, name: str) -> list[int]:
        """The transitions of a state by an action."""
        return [index for index in self.outgoing(state) if self.lts.alphabet[int(self.lts.action[index])] == name]

    def path_to_condition(self, state: int) -> list[int]:
        """The transitions of a shortest path whose last action is one of the condition; there is one."""
        happens = self._happening(self._goal.condition or frozenset())
        came: dict[int, int] = {}
        waiting = [state]
        for here in waiting:
            for index in self.outgoing(here):
                if happens[index]:
                    path = [index]
                    while here != state:
                        path.append(came[here])
                        here = int(self.lts.source[came[here]])
                    return path[::-1]
                target = int(self.lts.target[index])
                if target not in came and target not in (state, ERROR):
                    came[target] = index
                    waiting.append(target)
        raise AssertionError("the condition is possible from here on")

    def _judged(self) -> tuple[Truths, Truths]:
        lts = self.lts
        certain, able = np.ones((2, lts.transitions), dtype=bool)
        for index, part in enumerate(self._parts):
            letter = np.array([-1] + [self.letter_of(part, k) for k in range(1, len(lts.alphabet))])[lts.action]
            mine = np.flatnonzero(letter >= 0)
            before = self.rows[lts.source[mine], index].astype(np.int64)
            able[mine] &= part.tables.are_able(before, letter[mine])
            mine = mine[lts.target[mine] != ERROR]
            before, after = (self.rows[end[mine], index].astype(np.int64) for end in (lts.source, lts.target))
            certain[mine] &= part.tables.are_certain(before, letter[mine], after)
        certain[lts.target == ERROR] = False
        return certain, able

    def _distances(self) -> Numbers:
        lts = self.lts
        far = lts.states + 1
        distance = np.where(self.reached, 0, far)
        if self._goal.monitor is not None:
            # Perhaps nothing can happen in some state of these classes, and the run may end there.
            may_end = np.array(self._goal.monitor.ends, dtype=bool)[self.rows[:, -1]]
            distance[may_end] = np.minimum(distance[may_end], 1)
        near = lts.source[self.reaching]
        distance[near] = np.minimum(distance[near], 1)
        inner = lts.target != ERROR
        source, target = lts.source[inner], lts.target[inner]
        for steps in range(1, far):
            fresh = source[(distance[target] == steps - 1) & (distance[source] > steps)]
            if not len(fresh) and not (distance == steps).any():
                break
            distance[fresh] = steps
        return distance

    def _reaching(self) -> Truths:
        monitor = self._goal.monitor
        if monitor is None:
            return self._happening(self._goal.actions)
        columns = np.array([column(monitor, label) for label in self.lts.alphabet])
        accepting: Truths = np.array(monitor.accepting, dtype=bool)
        reaching: Truths = accepting[self.rows[self.lts.source, -1], columns[self.lts.action]]
        return reaching

    def _happening(self, labels: frozenset[str]) -> Truths:
        chosen: Truths = np.array([label in labels for label in self.lts.alphabet])
        return chosen[self.lts.action]

    def _attracted(self) -> Truths:
        lts = self.lts
        reached = self._goals()
        _, group = np.unique(lts.source * len(lts.alphabet) + lts.action, return_inverse=True)
        while True:
            inside = (lts.target != ERROR) & reached[lts.target]
            is_open = np.zeros(lts.transitions + 1, dtype=bool)
            is_open[group[~inside]] = True
            before = lts.source[(self.certain & inside) | (self.able & ~is_open[group])]
            if reached[before].all():
                return reached
            reached[before] = True

    def _goals(self) -> Truths:
        lts, monitor = self.lts, self._goal.monitor
        result = np.zeros(lts.states, dtype=bool)
        if monitor is not None:
            state = self.rows[:, -1]
            moving = np.zeros(lts.states, dtype=bool)
            moving[lts.source] = True
            for index, part in enumerate(self._parts):
                moving |= part.tables.has_silent[self.rows[:, index]]
            always = np.array([all(row) for row in monitor.accepting])
            result |= np.array(monitor.ends, dtype=bool)[state] & (always[state] | ~moving)
        result[lts.source[self.reaching & self.able]] = True
        if self._goal.condition is not None:
            result |= ~self._possible_later(self._happening(self._goal.condition))
        return result

    def _possible_later(self, happens: Truths) -> Truths:
        lts = self.lts
        able = np.zeros(lts.states, dtype=bool)
        able[lts.source[happens]] = True
        while True:
            before = lts.source[(lts.target != ERROR) & able[lts.target]]
            if able[before].all():
                return able
            able[before] = True
