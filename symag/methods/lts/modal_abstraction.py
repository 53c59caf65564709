"""The modal abstraction of a process: its quotient with edges that may, and edges that must, be there.

Between the classes v and v' the action a MAY lead if it leads from some state of v to some state of v'. It
MUST, for reasoning forward, if every state of v' has an a-predecessor in v; for reasoning backward, if every
state of v has an a-successor in v'. (Section 5 of the paper; the must-edges differ by direction on purpose.)
An error that the property sees in a needs only that a can happen: ``enabling`` has these edges, whose target
is any state at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import Numbers
from symag.methods.lts.two_processes import Process


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges sorted by ``origin``; those of class v are ``begin[v]`` .. ``begin[v + 1]`` - 1. All may be there."""

    begin: Numbers
    action: Numbers
    other: Numbers
    must: NDArray[np.bool_]

    def of(self, origin: int) -> list[tuple[int, int, bool]]:
        """(action, other end, whether it must be there) of one class, in this order."""
        place = slice(int(self.begin[origin]), int(self.begin[origin + 1]))
        return list(
            zip(self.action[place].tolist(), self.other[place].tolist(), self.must[place].tolist(), strict=True)
        )

    def others(self, origin: int) -> list[int]:
        """The classes at the other ends of one class's edges."""
        found: list[int] = np.unique(self.other[self.begin[origin] : self.begin[origin + 1]]).tolist()
        return found


@dataclass(frozen=True, slots=True, eq=False)
class ModalAbstraction:
    """``forward``: by source class; ``backward``: by target class, the other end is the source;
    ``enabling[a]``: (class, must) of the classes in which a may happen.
    """

    block: Numbers
    classes: int
    forward: Edges
    backward: Edges
    enabling: dict[int, list[tuple[int, bool]]]


def modal_abstraction(process: Process, block: Numbers) -> ModalAbstraction:
    """State m of the process belongs to class ``block[m]``; classes are numbered from 0 without a gap.

    Cost: sorting the transitions.
    """
    classes = int(block.max()) + 1
    size = np.bincount(block, minlength=classes)
    source, action, target = process.source, process.action, process.target
    begin, end = block[source], block[target]
    may, reached = _counted(np.stack((begin, action, end), axis=1), target)
    again, reaching = _counted(np.stack((end, action, begin), axis=1), source)
    able, acting = _counted(np.stack((action, begin), axis=1), source)
    enabling: dict[int, list[tuple[int, bool]]] = {}
    for (label, origin), must in zip(able.tolist(), (acting == size[able[:, 1]]).tolist(), strict=True):
        enabling.setdefault(label, []).append((origin, must))
    return ModalAbstraction(
        block,
        classes,
        _edges(may, reached == size[may[:, 2]], classes),
        _edges(again, reaching == size[again[:, 2]], classes),
        enabling,
    )


def _edges(rows: Numbers, must: NDArray[np.bool_], classes: int) -> Edges:
    return Edges(np.searchsorted(rows[:, 0], np.arange(classes + 1)), rows[:, 1], rows[:, 2], must)


def _counted(rows: Numbers, state: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct rows, sorted, each with the number of distinct states that stand beside it."""
    order = np.lexsort((state, *(rows[:, k] for k in reversed(range(rows.shape[1])))))
    rows, state = rows[order], state[order]
    new_row = np.ones(len(rows), dtype=bool)
    new_row[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    new_state = new_row.copy()
    new_state[1:] |= state[1:] != state[:-1]
    first = np.flatnonzero(new_row)
    return rows[first], np.add.reduceat(new_state, first, dtype=np.int64) if len(first) else first
