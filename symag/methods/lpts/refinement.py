"""Is a tree of the abstraction one of the concrete system? (agar-lpts-2012, Section 4, analyzeAndRefine)

The coarsest strong simulation between the tree and the concrete system, within the execution mapping, is
computed from the leaves up. It either relates the roots, or shows which classes are too coarse.
"""

from __future__ import annotations

from dataclasses import dataclass

from symag.methods.lpts.concrete import Concrete
from symag.methods.lpts.projection import Projection


@dataclass(frozen=True, slots=True)
class Real:
    """The tree is simulated: ``related[d]`` are the states that node d is related to, None for its whole class."""

    related: tuple[frozenset[int] | None, ...]


@dataclass(frozen=True, slots=True)
class Spurious:
    """It is not (within the execution mapping): ``parts`` are states, by class, to be split off (Lemma 6)."""

    parts: dict[int, frozenset[int]]


def analysed(view: Projection, concrete: Concrete) -> Real | Spurious:
    """The verdict on a projection; at most (moves of the tree) x (transitions of the system) steps.

    Case 2 of the paper asks for state 0 at every node that maps to the initial class; it is needed at the root
    alone, where the simulation has to relate it, so it is asked there only.
    """
    related: list[frozenset[int] | None] = [None] * len(view.classes)
    for node in range(len(view.classes) - 1, -1, -1):
        place = view.classes[node]
        for move in view.moves[node]:
            before = related[node]
            states = sorted(before) if before is not None else concrete.members(place)
            kept = concrete.answers(states, move, related)
            if not kept:
                return Spurious(_too_coarse(concrete, place, before, move.children, related))
            if node == 0 and 0 in states and 0 not in kept:
                return Spurious({place: frozenset(states) - frozenset(kept)})
            if len(kept) < len(states):
                related[node] = frozenset(kept)
    return Real(tuple(related))


def _too_coarse(
    concrete: Concrete,
    place: int,
    before: frozenset[int] | None,
    children: dict[int, int],
    related: list[frozenset[int] | None],
) -> dict[int, frozenset[int]]:
    """Case 1: no state is left. The node's class is split by what was left before, the children's by theirs."""
    parts: dict[int, frozenset[int]] = {}
    for each, states in [(place, before), *((its_class, related[child]) for its_class, child in children.items())]:
        if states is not None and each not in parts:
            parts[each] = states
    assert parts, "some child is related to less than its class: Lemma 6"
    return parts
