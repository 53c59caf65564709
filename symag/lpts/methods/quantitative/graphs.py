"""What is certain before any number is computed: where a goal may, must or cannot be reached, and end components.

All searches run backwards, a level of states at a time, on arrays; each costs time linear in the entries, and
``may_surely`` and ``end_components`` repeat that until nothing changes (de Alfaro: Formal verification of
probabilistic systems, 1997, Sections 3.2 and 3.3).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.ranges import distinct, grouped, ranges
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Mdp(Struct, frozen=True, eq=False):
    """Transition k goes from ``source[k]``; its entries are ``begin[k]`` to ``begin[k + 1]`` - 1.

    ``first`` says where each state's transitions begin, ``transition`` of which transition each entry is,
    ``chance`` its probability. The entries into state s are ``into[into_begin[s]]`` to ``into[into_begin[s + 1] - 1]``.
    """

    states: int
    source: Numbers
    first: Numbers
    begin: Numbers
    target: Numbers
    transition: Numbers
    chance: Floats
    into: Numbers
    into_begin: Numbers

    @classmethod
    def of(cls, lpts: Lpts) -> Mdp:
        """Linear; every state of the system has a transition."""
        into, into_begin = grouped(lpts.target, lpts.states)
        chances = np.array([float(p) for p in lpts.probabilities])
        return cls(
            lpts.states,
            lpts.source,
            lpts.offsets(),
            lpts.begin,
            lpts.target,
            np.repeat(np.arange(lpts.transitions), np.diff(lpts.begin)),
            chances[lpts.weight],
            into,
            into_begin,
        )

    def transitions_into(self, states: Numbers) -> Numbers:
        """The transitions with an entry into one of these states; a transition may occur several times."""
        places, _ = entries_of(self.into_begin, states)
        transitions: Numbers = self.transition[self.into[places]]
        return transitions

    def all_targets(self, inside: Mask) -> Mask:
        """For each transition, whether all its targets are inside."""
        return np.logical_and.reduceat(inside[self.target], self.begin[:-1])


class Reaching(Struct, frozen=True, eq=False):
    """``ranks``: the least number of steps to the goal, -1 if it is not reached; ``choices``: the first step, or -1."""

    ranks: Numbers
    choices: Numbers

    @property
    def states(self) -> Mask:
        """The states that reach the goal, with the goal itself."""
        return self.ranks >= 0


def may_reach(mdp: Mdp, goal: Mask, through: Mask, allowed: Mask) -> Reaching:
    """The states from which allowed transitions may lead to the goal, through states in ``through``."""
    ranks = np.where(goal, 0, -1)
    choices = np.full(mdp.states, -1)
    frontier = np.flatnonzero(goal)
    level = 0
    while len(frontier):
        level += 1
        moves = mdp.transitions_into(frontier)
        moves = moves[allowed[moves]]
        states = mdp.source[moves]
        new = (ranks[states] < 0) & through[states]
        choices[states[new]] = moves[new]
        frontier = distinct(states[new])
        ranks[frontier] = level
    return Reaching(ranks, choices)


def must_near(mdp: Mdp, goal: Mask, through: Mask) -> Numbers:
    """Ranks of the states in ``through`` of which every transition may lead to a smaller rank; 0 for the goal.

    These are the states from which every scheduler reaches the goal with positive probability; others have -1.
    """
    ranks = np.where(goal, 0, -1)
    missing = np.diff(mdp.first)
    seen = np.zeros(len(mdp.source), dtype=bool)
    frontier = np.flatnonzero(goal)
    level = 0
    while len(frontier):
        level += 1
        moves = distinct(mdp.transitions_into(frontier))
        moves = moves[~seen[moves]]
        seen[moves] = True
        states, counts = np.unique(mdp.source[moves], return_counts=True)
        missing[states] -= counts
        frontier = states[(missing[states] == 0) & (ranks[states] < 0) & through[states]]
        ranks[frontier] = level
    return ranks


class SurelyReaching(Reaching, frozen=True, eq=False):
    """``levels``: 0 where some scheduler reaches the goal with probability 1, else the round that refuted this.

    Each transition from level k > 0 has a target of a smaller level above 0, or only targets of level k.
    """

    levels: Numbers


def may_surely(mdp: Mdp, goal: Mask, through: Mask) -> SurelyReaching:
    """The states from which some scheduler reaches the goal with probability 1, through states in ``through``."""
    inside = goal | through
    levels = np.where(inside, 0, 1)
    rounds = 1
    while True:
        reaching = may_reach(mdp, goal, through & inside, mdp.all_targets(inside))
        if (reaching.states == inside).all():
            return SurelyReaching(reaching.ranks, reaching.choices, levels)
        levels[inside & ~reaching.states] = rounds
        rounds += 1
        inside = reaching.states


def end_components(mdp: Mdp, inside: Mask, allowed: Mask) -> tuple[Numbers, Mask]:
    """The maximal end components of the states ``inside`` under the allowed transitions.

    Returns the number of each state's component, -1 for none, and the transitions that stay in a component.
    """
    moves = np.flatnonzero(allowed & inside[mdp.source] & mdp.all_targets(inside))
    labels: Numbers = np.full(mdp.states, -1)
    while True:
        before = len(moves)
        moves = _with_moving_targets(mdp, moves)
        if not len(moves):
            break
        labels = _strong_components(mdp, moves)
        moves = moves[_kept(mdp, moves, labels)]
        if len(moves) == before:
            break
    members = np.zeros(mdp.states, dtype=bool)
    members[mdp.source[moves]] = True
    numbers = np.full(mdp.states, -1)
    numbers[members] = np.unique(labels[members], return_inverse=True)[1]
    staying = np.zeros(len(mdp.source), dtype=bool)
    staying[moves] = True
    return numbers, staying


def _entries(mdp: Mdp, moves: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Source and target of the entries of some transitions, and where each transition's begin among them."""
    size = mdp.begin[moves + 1] - mdp.begin[moves]
    begin = np.concatenate(([0], np.cumsum(size)))
    entries = ranges(mdp.begin[moves], mdp.begin[moves + 1])
    return np.repeat(mdp.source[moves], size), mdp.target[entries], begin


def _with_moving_targets(mdp: Mdp, moves: Numbers) -> Numbers:
    """The largest subset of the transitions all of whose targets are sources in the subset."""
    while len(moves):
        moving = np.zeros(mdp.states, dtype=bool)
        moving[mdp.source[moves]] = True
        _, targets, begin = _entries(mdp, moves)
        kept = np.logical_and.reduceat(moving[targets], begin[:-1])
        if kept.all():
            break
        moves = moves[kept]
    return moves


def _strong_components(mdp: Mdp, moves: Numbers) -> Numbers:
    sources, targets, _ = _entries(mdp, moves)
    ones = np.ones(len(sources), dtype=bool)
    graph = scipy.sparse.coo_array((ones, (sources, targets)), shape=(mdp.states, mdp.states)).tocsr()
    _, labels = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
    components: Numbers = labels.astype(np.int64)
    return components


def _kept(mdp: Mdp, moves: Numbers, labels: Numbers) -> Mask:
    sources, targets, begin = _entries(mdp, moves)
    return np.logical_and.reduceat(labels[sources] == labels[targets], begin[:-1])
