"""Two processes over one alphabet; modal abstractions: quotients with edges that may, and that must, be there.

There is a may-edge by a from class v to class v' if a leads from some state of v to some state of v'. It is a
must-edge forward if every state of v' has an a-predecessor in v; backward, if every state of v has an a-successor in
v'. (Section 5 of the paper; the must-edges differ by direction on purpose.) An error of the property by a needs only
that a can happen, with any target: ``enabled`` has these edges.

In the paper all processes share one alphabet without tau. Here an action that a process does not have is ``foreign``
to it and does not change its state (a self-loop that is not stored). The private actions of a process (tau, and labels
that neither the other process nor the property has) become one action, which these do not distinguish.

Reference: B. Finkbeiner, S. Schewe, M. Brill, "Automatic Synthesis of Assumptions for Compositional Model
Checking" (FORTE 2006), sections 2 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from symag.lts.composition import composed
from symag.lts.lts import ERROR, Lts, Numbers

_OWN = (0, 1)  # the private action of M, and that of N


class TransitionArrays(Struct, frozen=True, eq=False):
    """Transitions as parallel arrays, sorted by action, each once; ``foreign[a]``: the process lacks action a."""

    states: int
    source: Numbers
    action: Numbers
    target: Numbers
    foreign: NDArray[np.bool_]

    @classmethod
    def of(
        cls, states: int, source: Numbers, action: Numbers, target: Numbers, foreign: NDArray[np.bool_]
    ) -> TransitionArrays:
        """The arrays of transitions in any order; duplicates are removed."""
        order = np.lexsort((target, source, action))
        source, action, target = source[order], action[order], target[order]
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(source) != 0) | (np.diff(action) != 0) | (np.diff(target) != 0)
        return cls(states, source[new], action[new], target[new], foreign)

    def quotient(self, block: Numbers) -> TransitionArrays:
        """The process with state n replaced by ``block[n]``; the blocks are numbered from 0 without gaps."""
        return TransitionArrays.of(
            int(block.max()) + 1, block[self.source], self.action, block[self.target], self.foreign
        )


class TwoProcesses(Struct, frozen=True, eq=False):
    """M, N and the property P, all with actions 0 .. ``actions`` - 1.

    ``step[p, a]`` is the state of P after a in state p (p itself if P does not have a), or ERROR.
    ``present[m, p]``: M || P alone can reach (m, p).
    """

    actions: int
    m: TransitionArrays
    n: TransitionArrays
    step: Numbers
    present: NDArray[np.bool_]


def two_processes(m: Lts, n: Lts, prop: Lts) -> TwoProcesses:
    """The form of two processes and a deterministic property that is complete over its alphabet, with ERROR.

    Raises ValueError if m or n has transitions to ERROR. Costs the composition of m with the property.
    """
    shared = {*m.alphabet[1:]} & {*n.alphabet[1:]} | {*prop.alphabet[1:]}
    number: dict[str, int] = {}
    for label in (*m.alphabet[1:], *n.alphabet[1:], *prop.alphabet[1:]):
        if label in shared:
            number.setdefault(label, len(_OWN) + len(number))
    actions = len(_OWN) + len(number)
    first, second = (
        _process(process, [own, *(number.get(label, own) for label in process.alphabet[1:])], actions)
        for process, own in zip((m, n), _OWN, strict=True)
    )
    step = np.repeat(np.arange(prop.states)[:, None], actions, axis=1)
    acting = np.array([0, *(number[label] for label in prop.alphabet[1:])], dtype=np.int64)
    step[prop.source, acting[prop.action]] = prop.target
    together = composed((_without_end(m), _without_end(prop)), "M || P").local_states
    present = np.zeros((m.states, prop.states), dtype=bool)
    present[together[:, 0], together[:, 1]] = True
    return TwoProcesses(actions, first, second, step, present)


def _process(lts: Lts, number: Sequence[int], actions: int) -> TransitionArrays:
    if (lts.target == ERROR).any():
        raise ValueError(f"{lts.name} has transitions to ERROR")
    numbers = np.array(number, dtype=np.int64)
    foreign = np.ones(actions, dtype=bool)
    foreign[numbers] = False
    return TransitionArrays.of(lts.states, lts.source, numbers[lts.action], lts.target, foreign)


def _without_end(lts: Lts) -> Lts:
    """The system without its end state, so that composition merges no states."""
    return Lts(lts.name, lts.alphabet, lts.states, lts.source, lts.action, lts.target)


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
