"""Is a tree of the abstraction one of the concrete system? (agar-lpts-2012, Section 4, analyzeAndRefine)

The coarsest strong simulation between the tree and the concrete system, within the execution mapping, is
computed from the leaves up. It either relates the roots, or shows which classes are too coarse. (To split instead where
the tree can no longer be followed from the initial state was tried: it needs three times the classes on MER(3).)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symag.lpts.lpts import Numbers
from symag.methods.lpts.concrete import Concrete
from symag.methods.lpts.projection import Projection


@dataclass(frozen=True, slots=True)
class Real:
    """The tree is simulated: ``related[d]`` are the states that node d is related to, None for its whole class."""

    related: tuple[Numbers | None, ...]


@dataclass(frozen=True, slots=True)
class Spurious:
    """It is not (within the execution mapping): ``parts`` are states, by class, to be split off (Lemma 6)."""

    parts: dict[int, Numbers]


def analysed(view: Projection, concrete: Concrete) -> Real | Spurious:
    """The verdict on a projection; at most (moves of the tree) x (transitions of the system) steps.

    Case 2 of the paper asks for state 0 at every node that maps to the initial class; it is needed at the root
    alone, where the simulation has to relate it, so it is asked there only.
    """
    related: list[Numbers | None] = [None] * len(view.classes)
    for node in range(len(view.classes) - 1, -1, -1):
        place = view.classes[node]
        for move in view.moves[node]:
            before = related[node]
            kept = concrete.answering(move, related)
            if before is not None:
                kept = np.intersect1d(before, kept, assume_unique=True)
            if not len(kept):
                return Spurious(_too_coarse(place, before, move.children, related))
            states = concrete.members(place) if before is None else before
            if node == 0 and states[0] == 0 and kept[0] != 0:
                return Spurious({place: np.setdiff1d(states, kept, assume_unique=True)})
            if len(kept) < len(states):
                related[node] = kept
    return Real(tuple(related))


def _too_coarse(
    place: int, before: Numbers | None, children: dict[int, int], related: list[Numbers | None]
) -> dict[int, Numbers]:
    """Case 1: no state is left. The node's class is split by what was left before, the children's by theirs."""
    parts: dict[int, Numbers] = {}
    for each, states in [(place, before), *((its_class, related[child]) for its_class, child in children.items())]:
        if states is not None and each not in parts:
            parts[each] = states
    assert parts, "some child is related to less than its class: Lemma 6"
    return parts
