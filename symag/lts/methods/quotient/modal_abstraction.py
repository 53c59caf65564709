"""The modal abstraction of a process: its quotient with edges that may, and edges that must, be there.

There is a may-edge by a from class v to class v' if a leads from some state of v to some state of v'. It is a
must-edge forward if every state of v' has an a-predecessor in v; backward, if every state of v has an a-successor in
v'. (Section 5 of the paper; the must-edges differ by direction on purpose.) An error of the property by a needs only
that a can happen, with any target: ``enabled`` has these edges.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from symag.lts.lts import Numbers
from symag.lts.methods.quotient.two_processes import TransitionArrays

#: The may-edges as (action, class at the other end), with whether they are must-edges.
_Ends = dict[tuple[int, int], bool]


class Edges(Struct, frozen=True, eq=False):
    """The edges of each class, either by their source or by their target."""

    ends: list[_Ends]
    _sorted: dict[int, list[tuple[int, int, bool]]] = field(default_factory=dict)

    def of(self, origin: int) -> list[tuple[int, int, bool]]:
        """(action, other end, whether it is a must-edge) for each edge of one class, sorted."""
        if origin not in self._sorted:
            self._sorted[origin] = sorted((*end, must) for end, must in self.ends[origin].items())
        return self._sorted[origin]

    def others(self, origin: int) -> list[int]:
        """The classes at the other ends of one class's edges."""
        return sorted({other for _, other in self.ends[origin]})

    def count(self) -> tuple[int, int]:
        """The numbers of may-edges and of must-edges."""
        return sum(map(len, self.ends)), sum(sum(ends.values()) for ends in self.ends)


class ModalAbstraction(Struct, frozen=True, eq=False):
    """``forward``: by source class; ``backward``: by target class, the other end is the source;
    ``enabled[v]``: the actions that may happen in class v, and whether they must (in each of its states).
    """

    block: Numbers
    forward: Edges
    backward: Edges
    enabled: list[dict[int, bool]]

    @property
    def classes(self) -> int:
        return len(self.enabled)


def modal_abstraction(process: TransitionArrays, block: Numbers) -> ModalAbstraction:
    """The abstraction by ``block``: the class of each state, numbered from 0 without gaps. Sorts the transitions."""
    classes = int(block.max()) + 1
    forward: list[_Ends] = [{} for _ in range(classes)]
    backward: list[_Ends] = [{} for _ in range(classes)]
    enabled: list[dict[int, bool]] = [{} for _ in range(classes)]
    everything = np.ones(len(process.source), dtype=bool)
    _enter(process, block, classes, everything, forward, backward)
    _enable(process, block, classes, everything, enabled)
    return ModalAbstraction(block, Edges(forward), Edges(backward), enabled)


def split(process: TransitionArrays, coarse: ModalAbstraction, block: Numbers, divided: int) -> ModalAbstraction:
    """The abstraction by ``block``, in which a new last class has some states of the former class ``divided``.

    Costs one pass over the transitions, and sorting those from and to the two classes.
    """
    classes = coarse.classes + 1
    parts = [divided, classes - 1]
    forward = [*coarse.forward.ends, {}]
    backward = [*coarse.backward.ends, {}]
    for v in {divided, *coarse.backward.others(divided)}:
        forward[v] = {} if v == divided else _without(forward[v], divided)
    for v in {divided, *coarse.forward.others(divided)}:
        backward[v] = {} if v == divided else _without(backward[v], divided)
    leaving, entering = np.isin(block[process.source], parts), np.isin(block[process.target], parts)
    _enter(process, block, classes, leaving | entering, forward, backward)
    enabled = [*coarse.enabled, {}]
    enabled[divided] = {}
    _enable(process, block, classes, leaving, enabled)
    return ModalAbstraction(block, Edges(forward), Edges(backward), enabled)


def _without(ends: _Ends, gone: int) -> _Ends:
    return {end: must for end, must in ends.items() if end[1] != gone}


def _enter(
    process: TransitionArrays,
    block: Numbers,
    classes: int,
    chosen: NDArray[np.bool_],
    forward: list[_Ends],
    backward: list[_Ends],
) -> None:
    """Add the edges of the chosen transitions; all transitions of an edge must be chosen together."""
    size = np.bincount(block, minlength=classes)
    source, action, target = process.source[chosen], process.action[chosen], process.target[chosen]
    keys = (action * classes + block[source]) * classes + block[target]
    edges, reached = _counted(keys, target)
    _, reaching = _counted(keys, source)
    labels, origins, ends = edges // classes**2, edges // classes % classes, edges % classes
    columns = (labels, origins, ends, reached == size[ends], reaching == size[origins])
    for label, origin, end, is_reached, reaches in zip(*(column.tolist() for column in columns), strict=True):
        forward[origin][label, end] = is_reached
        backward[end][label, origin] = reaches


def _enable(
    process: TransitionArrays, block: Numbers, classes: int, chosen: NDArray[np.bool_], enabled: list[dict[int, bool]]
) -> None:
    """Add the actions of the chosen transitions; all transitions of a class must be chosen together."""
    size = np.bincount(block, minlength=classes)
    source = process.source[chosen]
    able, acting = _counted(process.action[chosen] * classes + block[source], source)
    origins = able % classes
    columns = (able // classes, origins, acting == size[origins])
    for label, origin, must in zip(*(column.tolist() for column in columns), strict=True):
        enabled[origin][label] = must


def _counted(keys: Numbers, state: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct keys, sorted, each with the number of distinct states that it occurs with."""
    order = np.lexsort((state, keys))
    keys, state = keys[order], state[order]
    new_key = np.ones(len(keys), dtype=bool)
    new_key[1:] = keys[1:] != keys[:-1]
    new_state = new_key.copy()
    new_state[1:] |= state[1:] != state[:-1]
    first = np.flatnonzero(new_key)
    return keys[first], np.add.reduceat(new_state, first, dtype=np.int64) if len(first) else first
