"""The refinement of M's abstraction that gives bounds for the labels of N's states, step by step.

It begins with two classes, the initial state of M and all others, and splits one class in each step: ``TURN``
steps by the forward labels, then as many by the backward ones, and so on, until the bounds coincide in both
directions. It can be stopped after any step: the quotient of N by ``classes`` always has the same verdict as N.

Reference: the paper's section 6. What differs, and why:

- In the refined relation a pair is separated if the two existence tests are NOT equal (a slip in the paper).
- The distance of a row is the number of must-edges by which it got its first label; the parts of a split class
  inherit it. (A row may keep its label although no must-edge of the current abstraction leads there: its bound was
  found before a split of its predecessor.)
- Rows that M || P alone cannot reach are left out, as in the definitions of sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import Numbers
from symag.lts.methods.quotient.flows import ERROR_ROW, Backward, Flow, Forward, Labels, Step, extend
from symag.lts.methods.quotient.modal_abstraction import (
    ModalAbstraction,
    TransitionArrays,
    TwoProcesses,
    modal_abstraction,
    split,
)

#: The number of steps in one direction before the other has its turn.
TURN = 10


@dataclass(slots=True, eq=False)
class _Bounds:
    """Lower bounds of the labels in one direction; ``unchecked`` rows may have may-steps that enlarge them."""

    lower: Labels
    depth: dict[int, int]
    unchecked: set[int]

    @classmethod
    def initial(cls, seeds: Labels) -> _Bounds:
        return cls(seeds, dict.fromkeys(seeds, 0), set(seeds))

    def next_step(self, flow: Flow, until: float | None) -> tuple[int, Step] | None:
        """The nearest row with a may-step, not a must-step, that would enlarge a lower bound, and the step."""
        self.unchecked |= extend(flow, self.lower, sorted(self.unchecked), self.depth, until)
        for row in sorted(self.unchecked & self.lower.keys(), key=lambda row: (self.depth[row], row)):
            for step in flow.steps(row):
                action, after, must = step
                if must:
                    continue
                image = flow.image(action, self.lower[row])
                label = self.lower.get(after)
                if (image if label is None else image & ~label).any():
                    return row, step
            self.unchecked.discard(row)
        return None

    def split(self, old: int, new: int, properties: int, affected: Iterable[int]) -> None:
        """Class ``new`` was part of class ``old`` until now; steps of the classes ``affected`` have changed."""
        for p in range(properties):
            if old * properties + p in self.lower:
                self.lower[new * properties + p] = self.lower[old * properties + p]
                self.depth[new * properties + p] = self.depth[old * properties + p]
        self.unchecked.update(v * properties + p for v in affected for p in range(properties))


class EnvironmentRefinement:
    """The refinement loop. A step costs one pass over M's transitions, and the changes of the labels."""

    def __init__(self, processes: TwoProcesses, abstract: bool = True) -> None:
        """Without ``abstract`` every state of M is a class from the start: sections 3 and 4, without refinement."""
        self._processes = processes
        self._properties = len(processes.step)
        block = np.minimum(np.arange(processes.m.states), 1) if abstract else np.arange(processes.m.states)
        self._modal = modal_abstraction(processes.m, block)
        self._quotient = processes.n
        self._merged: Numbers = np.arange(processes.n.states)
        self._forward = _Bounds.initial(Forward(processes, self._modal, processes.n).seeds())
        self._backward = _Bounds.initial(Backward(processes, self._modal, processes.n).seeds())
        self._is_forward = True
        self._forward_is_exact = False
        self._is_least = processes.n.states == 1
        self.steps = 0

    @property
    def modal(self) -> ModalAbstraction:
        """The current abstraction of M."""
        return self._modal

    def lower_forward(self, until: float | None = None) -> Labels:
        """Lower bounds of the forward labels, over the states of N. Raises TimeoutError."""
        lower = dict(self._forward.lower)
        flow = Forward(self._processes, self._modal, self._processes.n)
        extend(flow, lower, sorted(lower), dict(self._forward.depth), until)
        return lower

    def step(self, until: float | None = None) -> bool:
        """Split one class; False at the end: the bounds coincide in both directions, or N is one class.

        Raises TimeoutError when ``time.monotonic()`` passes ``until``. Then no further step is possible, but all bounds
        and the classes are still right.
        """
        split_ = None if self._is_least or self._is_finest() else self._next(until)
        if split_ is None:
            return False
        row, (action, after, _) = split_
        self._split(after // self._properties, self._chosen(row, action))
        self._forward_is_exact = False
        self.steps += 1
        self._is_least = not self._is_forward and self._may_be_one_class() and int(self.classes(until).max()) == 0
        if self.steps % TURN == 0:
            self._turn(until)
        return True

    def _next(self, until: float | None) -> tuple[int, Step] | None:
        while True:
            if self._is_forward:
                step = self._forward.next_step(Forward(self._processes, self._modal, self._processes.n), until)
                self._forward_is_exact = step is None
            else:
                step = self._backward.next_step(Backward(self._processes, self._modal, self._quotient), until)
                if step is None and self._forward_is_exact:
                    return None
            if step is not None:
                return step
            self._turn(until)

    def _is_finest(self) -> bool:
        return self._modal.classes == self._processes.m.states

    def _may_be_one_class(self) -> bool:
        """Whether no lower bound of a backward label separates two states."""
        return all(label.all() for label in self._backward.lower.values())

    def _turn(self, until: float | None) -> None:
        self._is_forward = not self._is_forward
        if not self._is_forward:
            self._merged, self._quotient, self._backward = self._behind_forward(until)

    def _behind_forward(self, until: float | None) -> tuple[Numbers, TransitionArrays, _Bounds]:
        """N's classes by the forward bounds, the quotient, and the backward bounds as bounds for it.

        The classes only grow during the refinement, and a coarser quotient only has more runs: so rows that must lead
        to an error in a finer quotient must do so in this one.
        """
        n = self._processes.n
        lower = self.lower_forward(until)
        upper = lower if self._is_finest() else _upper(Forward(self._processes, self._modal, n), until)
        merged = equivalence_classes(lower, upper, n.states)
        coarser = np.zeros(self._quotient.states, dtype=np.int64)
        coarser[self._merged] = merged
        bounds = joined(self._backward.lower, coarser)
        return merged, n.quotient(merged), _Bounds(bounds, dict(self._backward.depth), set(bounds))

    def _chosen(self, row: int, action: int) -> NDArray[np.bool_]:
        """The states of M on the other side of a step from a row."""
        m, block = self._processes.m, self._modal.block
        near, far = (m.source, m.target) if self._is_forward else (m.target, m.source)
        moves = m.action == action
        if row != ERROR_ROW:
            moves &= block[near] == row // self._properties
        reached = np.zeros(m.states, dtype=bool)
        reached[far[moves]] = True
        return reached

    def _split(self, divided: int, chosen: NDArray[np.bool_]) -> None:
        block = self._modal.block.copy()
        new = self._modal.classes
        block[(block == divided) & ~chosen] = new
        self._modal = split(self._processes.m, self._modal, block, divided)
        around = {divided, new}
        before = around.union(*(self._modal.backward.others(v) for v in around))
        behind = around.union(*(self._modal.forward.others(v) for v in around))
        self._forward.split(divided, new, self._properties, before)
        self._backward.split(divided, new, self._properties, behind)
        self._backward.unchecked.add(ERROR_ROW)

    def classes(self, until: float | None = None) -> Numbers:
        """The class of each state of N, numbered from 0 (which has the initial state) without gaps.

        M || N satisfies P iff M || N/classes does. Further steps are not affected. Costs the labels along all
        may-edges. Raises TimeoutError, as ``step`` does.
        """
        merged, quotient, bounds = self._behind_forward(until)
        flow = Backward(self._processes, self._modal, quotient)
        extend(flow, bounds.lower, sorted(bounds.lower), bounds.depth, until)
        upper = bounds.lower if self._is_finest() else _upper(flow, until)
        return equivalence_classes(bounds.lower, upper, quotient.states)[merged]


def _upper(flow: Flow, until: float | None) -> Labels:
    """Upper bounds of the labels: along all may-edges."""
    labels = flow.seeds()
    extend(flow, labels, list(labels), until=until)
    return labels


def equivalence_classes(lower: Labels, upper: Labels, states: int) -> Numbers:
    """The class of each state, numbered from 0 in the order of their first members.

    Two states may be merged if, for every label, both are in its lower bound or both are outside its upper bound (the
    paper's section 5). A state in an upper bound but not in the lower bound of the same label is not merged.

    Every row of ``lower`` is also in ``upper``, where its label contains the lower one.
    """
    undecided = np.zeros(states, dtype=bool)
    rows = []
    for row in sorted(upper):
        if row == ERROR_ROW:
            continue
        label = lower.get(row)
        if label is None:
            undecided |= upper[row]
        else:
            undecided |= upper[row] & ~label
            rows.append(label)
    packed = np.packbits(np.array(rows, dtype=bool).reshape(len(rows), states), axis=0).T
    number: dict[bytes | int, int] = {}
    return np.array(
        [
            number.setdefault(state if undecided[state] else packed[state].tobytes(), len(number))
            for state in range(states)
        ],
        dtype=np.int64,
    )


def joined(labels: Labels, block: Numbers) -> Labels:
    """The labels over classes instead of states: a class is in a label if one of its members is."""
    merged: Labels = {}
    for row, label in labels.items():
        merged[row] = np.zeros(int(block.max()) + 1, dtype=bool)
        merged[row][block[label]] = True
    return merged
