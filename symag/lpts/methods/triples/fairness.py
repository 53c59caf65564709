"""Where fair schedulers go: under them surely every component takes part in infinitely many transitions.

A scheduler that keeps some costs finite takes costly transitions finitely often, so surely it ends in an end component
without them in which every component moves (L. de Alfaro: Formal verification of probabilistic systems, 1997, Theorem
3.2). All these are in the largest set of states that some transitions do not leave and in which from every state each
component's transitions can be reached; in that set all of its transitions, taken with equal probabilities, are fair.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symag.core.ranges import distinct, grouped
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts

Mask = NDArray[np.bool_]


def closed_part(lpts: Lpts, allowed: Mask, goals: Sequence[Mask]) -> Mask:
    """The most transitions that lead only to states with such transitions, from each of which each goal can be reached.

    A goal is a set of transitions. Linear for each round, of which there are at most as many as states.
    """
    inside = allowed
    while True:
        staying = np.ones(lpts.states, dtype=bool)
        for goal in goals:
            staying &= leading(lpts, inside, goal)
        leaving = np.logical_or.reduceat(~staying[lpts.target], lpts.begin[:-1]) if len(inside) else inside
        fewer = inside & staying[lpts.source] & ~leaving
        if (fewer == inside).all():
            return inside
        inside = fewer


def leading(lpts: Lpts, kept: Mask, goal: Mask) -> Mask:
    """The states from which kept transitions may lead to one of the goal that is kept."""
    owner = np.repeat(np.arange(lpts.transitions), np.diff(lpts.begin))
    order, begin = grouped(lpts.target, lpts.states)
    into = owner[order]
    reaching = np.zeros(lpts.states, dtype=bool)
    frontier = distinct(lpts.source[kept & goal])
    reaching[frontier] = True
    while len(frontier):
        places, _ = entries_of(begin, frontier)
        moves = into[places]
        sources = distinct(lpts.source[moves[kept[moves]]])
        frontier = sources[~reaching[sources]]
        reaching[frontier] = True
    return reaching
