"""Is a tree of the abstraction one of the concrete system? (agar-lpts-2012, Section 4, analyzeAndRefine)

The coarsest strong simulation between the tree and the concrete system, within the execution mapping, is
computed from the leaves up. It either relates the roots, or shows which classes are too coarse. If runs from the
initial state, with private moves in between, follow the tree only up to some node, the class of this node is split
into the states that can go on and the others. On MER(4) premise 1 becomes half as large as by the paper's choice, a
class further down that no run reaches; on CSN(3) with ASym-N it becomes larger.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from symag.lpts.lpts import Numbers
from symag.lpts.methods.concrete import ConcreteSystem, PartitionedSystem
from symag.lpts.methods.projection import Projection, lifted


class RealCounterexample(Struct, frozen=True):
    """The tree is simulated: ``related[d]`` are the states that node d is related to, None for its whole class."""

    related: tuple[Numbers | None, ...]


class SpuriousCounterexample(Struct, frozen=True):
    """The tree is not simulated within the execution mapping: ``parts`` are states to split off, by class (Lemma 6)."""

    parts: dict[int, Numbers]


def analysed(view: Projection, concrete: ConcreteSystem) -> RealCounterexample | SpuriousCounterexample:
    """The verdict on a projection; at most (moves of the tree) x (transitions of the system) steps."""
    analysis = coarsest(view, concrete)
    if isinstance(analysis, SpuriousCounterexample):
        parts = _not_reached(view, concrete)
        if parts is not None:
            return SpuriousCounterexample(parts)
    return analysis


def still_there(view: Projection, concrete: ConcreteSystem, before: PartitionedSystem) -> Projection | None:
    """The projection on an earlier abstraction as a tree of the present one; None if that cannot run it any more.

    None also for trees that become too large.
    ``before`` is a snapshot of the concrete system with the earlier partition.
    """
    finer = concrete.abstraction_since(before)
    analysis = coarsest(view, finer)
    return None if isinstance(analysis, SpuriousCounterexample) else lifted(view, finer, analysis.related)


def _not_reached(view: Projection, concrete: ConcreteSystem) -> dict[int, Numbers] | None:
    """The states to split off at the first node, from the root down, where no state reached along the tree can go on.

    Between two moves of the tree the system may make private ones. None if runs follow the tree to all leaves, which
    does not make the tree real: different runs may follow different branches.
    """
    reached: list[Numbers] = [np.zeros(1, dtype=np.int64)] * len(view.classes)
    for node, class_ in enumerate(view.classes):
        if not view.moves[node]:
            continue
        states = concrete.drifting(reached[node])
        for move in view.moves[node]:
            able = concrete.able(move.transition)
            states = np.intersect1d(states, able, assume_unique=True)
            if not len(states):
                return {class_: able}
        for move in view.moves[node]:
            targets = concrete.following(states, move.transition)
            classes = concrete.classes[targets]
            for its_class, child in move.children.items():
                reached[child] = targets[classes == its_class]
    return None


def coarsest(view: Projection, concrete: PartitionedSystem) -> RealCounterexample | SpuriousCounterexample:
    """The paper's analysis, from the leaves up.

    Case 2 of the paper asks for state 0 at every node that maps to the initial class. The simulation has to relate it
    only at the root, so it is checked only there.
    """
    related: list[Numbers | None] = [None] * len(view.classes)
    for node in range(len(view.classes) - 1, -1, -1):
        class_ = view.classes[node]
        for move in view.moves[node]:
            before = related[node]
            answering = concrete.answering(move, related)
            if before is not None:
                answering = np.intersect1d(before, answering, assume_unique=True)
            if not len(answering):
                return SpuriousCounterexample(_too_coarse(class_, before, move.children, related))
            states = concrete.members(class_) if before is None else before
            if node == 0 and states[0] == 0 and answering[0] != 0:
                return SpuriousCounterexample({class_: np.setdiff1d(states, answering, assume_unique=True)})
            if len(answering) < len(states):
                related[node] = answering
    return RealCounterexample(tuple(related))


def _too_coarse(
    own_class: int, before: Numbers | None, children: dict[int, int], related: list[Numbers | None]
) -> dict[int, Numbers]:
    """Case 1: no state is left. The node's class is split by what was left before, the children's by theirs."""
    parts: dict[int, Numbers] = {}
    for class_, states in [
        (own_class, before),
        *((its_class, related[child]) for its_class, child in children.items()),
    ]:
        if states is not None and class_ not in parts:
            parts[class_] = states
    assert parts, "some child is related to less than its class: Lemma 6"
    return parts
