"""The graphs along which labels are propagated: the abstraction of M with the property, forward or backward.

A row (v, p), coded ``v * |P| + p``, stands for class v of M and state p of the property; a label is a set of
states of N, as an array of truth values. FORWARD, n is in the label of (m, p) iff (m, n, p) can be reached;
BACKWARD, iff an error can be reached from it. A label reaches the next row through an action by its image
under N's transitions. Rows that no state of M || P reaches have no label. ERROR_ROW stands for the error:
every state of N is in its backward label.

Reference: the paper's sections 3 to 5.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import ERROR, Numbers
from symag.lts.methods.quotient.modal_abstraction import ModalAbstraction, TransitionArrays, TwoProcesses

Label = NDArray[np.bool_]
Labels = dict[int, Label]
#: The action of a step, the row that it leads to, and whether it is a must-step.
Step = tuple[int, int, bool]

ERROR_ROW = -1


class Flow(Protocol):
    """One direction, for one abstraction of M and one N."""

    def steps(self, row: int) -> list[Step]:
        """The steps from a row, sorted by action."""
        ...

    def image(self, action: int, label: Label) -> Label:
        """The image of a label under N's transitions by an action."""
        ...

    def seeds(self) -> Labels:
        """The labels at the beginning."""
        ...


class _Images:
    """Images of sets of states under the transitions of a process, action by action."""

    def __init__(self, process: TransitionArrays, begin: Numbers, end: Numbers, actions: int) -> None:
        bounds = np.searchsorted(process.action, np.arange(actions + 1))
        self._ends = [(begin[low:high], end[low:high]) for low, high in itertools.pairwise(bounds.tolist())]
        self._foreign = process.foreign

    def image(self, action: int, label: Label) -> Label:
        if self._foreign[action]:
            return label
        begin, end = self._ends[action]
        reached = np.zeros(len(label), dtype=bool)
        reached[end[label[begin]]] = True
        return reached


class Forward:
    """Labels by forward reachability from the initial states. The initial state of M must be a class of its own."""

    def __init__(self, processes: TwoProcesses, modal: ModalAbstraction, n: TransitionArrays) -> None:
        self._modal = modal
        self._step = processes.step
        self._present = present_rows(processes, modal)
        self._foreign = np.flatnonzero(processes.m.foreign).tolist()
        self._images = _Images(n, n.source, n.target, processes.actions)
        self._start = int(modal.block[0]) * len(self._step)
        self._states = n.states

    def steps(self, row: int) -> list[Step]:
        origin, p = divmod(row, len(self._step))
        steps = []
        moves = [*self._modal.forward.of(origin), *((action, origin, True) for action in self._foreign)]
        for action, target, must in moves:
            after = int(self._step[p, action])
            if after != ERROR and self._present[target, after]:
                steps.append((action, target * len(self._step) + after, must))
        return steps

    def image(self, action: int, label: Label) -> Label:
        return self._images.image(action, label)

    def seeds(self) -> Labels:
        label = np.zeros(self._states, dtype=bool)
        label[0] = True
        return {self._start: label}


class Backward:
    """Labels by backward reachability from the errors."""

    def __init__(self, processes: TwoProcesses, modal: ModalAbstraction, n: TransitionArrays) -> None:
        self._modal = modal
        self._present = present_rows(processes, modal)
        self._properties = len(processes.step)
        self._before: dict[tuple[int, int], list[int]] = {}
        for (p, action), after in np.ndenumerate(processes.step):
            self._before.setdefault((action, int(after)), []).append(p)
        self._foreign = np.flatnonzero(processes.m.foreign).tolist()
        self._images = _Images(n, n.target, n.source, processes.actions)
        self._forbidden = sorted(action for action, after in self._before if after == ERROR)
        self._states = n.states

    def steps(self, row: int) -> list[Step]:
        if row == ERROR_ROW:
            return list(self._errors())
        target, p = divmod(row, self._properties)
        moves = [*self._modal.backward.of(target), *((action, target, True) for action in self._foreign)]
        return [step for action, origin, must in moves for step in self._rows(action, origin, must, p)]

    def _rows(self, action: int, origin: int, must: bool, after: int) -> Iterator[Step]:
        for p in self._before.get((action, after), ()):
            if self._present[origin, p]:
                yield action, origin * self._properties + p, must

    def _errors(self) -> Iterator[Step]:
        for action in self._forbidden:
            for origin, enabled in enumerate(self._modal.enabled):
                must = True if action in self._foreign else enabled.get(action)
                if must is not None:
                    yield from self._rows(action, origin, must, ERROR)

    def image(self, action: int, label: Label) -> Label:
        return self._images.image(action, label)

    def seeds(self) -> Labels:
        return {ERROR_ROW: np.ones(self._states, dtype=bool)}


def present_rows(processes: TwoProcesses, modal: ModalAbstraction) -> NDArray[np.bool_]:
    """``[v, p]``: whether M || P reaches the state p of the property in some state of class v."""
    present = np.zeros((modal.classes, processes.present.shape[1]), dtype=bool)
    state, p = np.nonzero(processes.present)
    present[modal.block[state], p] = True
    return present


def extend(
    flow: Flow,
    labels: Labels,
    waiting: Iterable[int],
    depth: dict[int, int] | None = None,
    until: float | None = None,
) -> set[int]:
    """Propagate the labels of the rows ``waiting`` until nothing changes; return the rows whose labels grew.

    With ``depth`` only along must-edges, and ``depth`` gets the distance of each new row; without it along all edges.
    A row is processed again whenever its label grows: on cycles it is not enough to take each edge once, as in the
    paper. Raises TimeoutError when ``time.monotonic()`` passes ``until``; the labels are then right but incomplete.
    """
    queue = deque(row for row in waiting if row in labels)
    queued = set(queue)
    grown: set[int] = set()
    while queue:
        if until is not None and time.monotonic() > until:
            raise TimeoutError
        row = queue.popleft()
        queued.discard(row)
        last, image = -1, labels[row]
        for action, after, must in flow.steps(row):
            if depth is not None and not must:
                continue
            if action != last:
                last, image = action, flow.image(action, labels[row])
            label = labels.get(after)
            if label is None:
                if not image.any():
                    continue
                labels[after] = image.copy()
                if depth is not None:
                    depth[after] = depth[row] + 1
            elif (image & ~label).any():
                labels[after] = label | image
            else:
                continue
            grown.add(after)
            if after not in queued:
                queued.add(after)
                queue.append(after)
    return grown
