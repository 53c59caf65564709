"""The part of a product of listed states in which a scheduler can be fair, found again from its transitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from symag.lpts.certify.exact_sums import Mask
from symag.lpts.lpts import Numbers


class JointTransitions(Struct, frozen=True, eq=False):
    """Transitions with the same action: the place of the source of each; of each branch its transition and target.

    ``free`` are those that cost nothing that has to stay finite; ``systems`` are the numbers of those that move.
    """

    source: Numbers
    owner: Numbers
    target: Numbers
    free: Mask
    systems: tuple[int, ...]


def fair_part(states: int, groups: Sequence[JointTransitions], components: int) -> tuple[Mask, list[Mask]]:
    """The states where a fair scheduler can stay without costs, and the transitions of each group that it may take.

    It may take those after which it can surely reach these states without others. Under a fair scheduler that takes
    costly transitions finitely often, surely the states and transitions that it takes infinitely often are a set that
    it does not leave, without costs, in which every component moves: these are in the first part. Cost: linear for
    each round and for each length of a path.
    """
    counts = [len(group.source) for group in groups]
    offsets = np.cumsum([0, *counts])
    empty = np.zeros(0, dtype=np.int64)
    source = np.concatenate([empty, *(group.source for group in groups)])
    owner = np.concatenate([empty, *(group.owner + first for group, first in zip(groups, offsets, strict=False))])
    target = np.concatenate([empty, *(group.target for group in groups)])
    free = np.concatenate([np.zeros(0, dtype=bool), *(group.free for group in groups)])
    goals = [
        np.repeat(np.array([component in group.systems for group in groups], dtype=bool), counts)
        for component in range(components)
    ]
    staying = _kept(states, source, owner, target, free, goals)
    inside = _kept(states, source, owner, target, np.ones(len(source), dtype=bool), [staying])
    here = np.zeros(states, dtype=bool)
    here[source[staying]] = True
    return here, np.split(inside, offsets[1:-1]) if groups else []


def _kept(states: int, source: Numbers, owner: Numbers, target: Numbers, kept: Mask, goals: Sequence[Mask]) -> Mask:
    """The most of these transitions that lead only to states from which they lead to one of each goal."""
    while True:
        good = np.ones(states, dtype=bool)
        for goal in goals:
            reaching = np.zeros(states, dtype=bool)
            reaching[source[kept & goal]] = True
            live = kept[owner]
            before, after = source[owner[live]], target[live]
            while True:
                more = before[reaching[after] & ~reaching[before]]
                if not len(more):
                    break
                reaching[more] = True
            good &= reaching
        fewer = kept & good[source]
        fewer[owner[~good[target]]] = False
        if (fewer == kept).all():
            return kept
        kept = fewer
