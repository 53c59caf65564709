"""Smaller views with the same words: states that only a silent move leaves are skipped, bisimilar states are merged.

Each of three steps preserves the language of the remaining states (also words that lead to ERROR). States that silent
moves lead to each other are merged (by ``View.of``). A state whose only move is silent is replaced by its target.
Strongly bisimilar states are merged (P. C. Kanellakis and S. A. Smolka, 1983: blocks are split by the sets of their
moves until nothing changes).
"""

from __future__ import annotations

import numpy as np

from symag.core.ranges import distinct
from symag.core.values import replace
from symag.lts.lts import ERROR, Numbers
from symag.lts.view import JointMoves, View


def reduced(view: View) -> View:
    """A reduced view; its ``state_of`` maps the states of the system to its states, and its moves have no labels.

    Costs sorting the moves, once for every round of the refinement.
    """
    while True:
        smaller = _bisimilar(_without_passing(view))
        if smaller.states == view.states:
            return smaller
        view = smaller


def _without_passing(view: View) -> View:
    """The view without states whose only move is silent; silent moves form no cycle, so each chain of them ends."""
    silent = np.diff(view.silent.begin)
    passing = (silent == 1) & (np.diff(view.seen.begin) == 0)
    passing[passing] = view.silent.target[view.silent.begin[:-1][passing]] != ERROR
    if not passing.any():
        return view
    goal = np.arange(view.states)
    goal[passing] = view.silent.target[view.silent.begin[:-1][passing]]
    while True:
        further = goal[goal]
        if (further == goal).all():
            break
        goal = further
    return _merged(view, goal)


def split_by_moves(view: View, block: Numbers) -> Numbers:
    """New blocks, numbered without gaps: states stay together if they were and have the same moves to blocks.

    A silent move is one like any other.
    """
    source, letter, target = _moves(view)
    return _split(block, source, letter, np.where(target == ERROR, view.states, block[target]), view.states)


def _bisimilar(view: View) -> View:
    block = np.zeros(view.states, dtype=np.int64)
    count = 1
    while True:
        following = split_by_moves(view, block)
        blocks = int(following.max()) + 1
        if blocks == count:
            break
        block, count = following, blocks
    first = np.full(count, view.states, dtype=np.int64)
    np.minimum.at(first, block, np.arange(view.states))
    return _merged(view, first[block])


def _split(block: Numbers, source: Numbers, letter: Numbers, after: Numbers, states: int) -> Numbers:
    """New numbers of blocks: states stay together if they were and have the same set of (letter, block) moves."""
    codes = distinct(source * (int(letter.max(initial=0)) + 1) * (states + 1) + letter * (states + 1) + after)
    width = (int(letter.max(initial=0)) + 1) * (states + 1)
    owner, move = np.divmod(codes, width)
    begin = np.searchsorted(owner, np.arange(states + 1))
    degree = np.diff(begin)
    refined = block.copy()
    number = _ranked(move)
    # Moves are added to the number one by one; states have different numbers of moves, so degrees are compared first.
    refined = _ranked(refined * (int(degree.max(initial=0)) + 1) + degree)
    for index in range(int(degree.max(initial=0))):
        has = np.flatnonzero(degree > index)
        joined = refined * (len(codes) + 1)
        joined[has] += number[begin[has] + index] + 1
        refined = _ranked(joined)
    return refined


def _ranked(values: Numbers) -> Numbers:
    ranks: Numbers = np.unique(values, return_inverse=True)[1]
    return ranks


def _moves(view: View) -> tuple[Numbers, Numbers, Numbers]:
    """Source, letter + 1 (0 for silent), target of all moves."""
    silent = np.repeat(np.arange(view.states), np.diff(view.silent.begin))
    seen = np.repeat(np.arange(view.states), np.diff(view.seen.begin))
    letter = np.concatenate((np.zeros(len(silent), dtype=np.int64), view.seen.letter + 1))
    return np.concatenate((silent, seen)), letter, np.concatenate((view.silent.target, view.seen.target))


def _merged(view: View, goal: Numbers) -> View:
    """The view with every state s replaced by ``goal[s]``, with the moves of that. The initial state stays state 0."""
    representatives: Numbers = distinct(goal)
    initial = goal[view.state_of[0]]
    representatives = np.concatenate(([initial], representatives[representatives != initial]))
    rank = np.zeros(view.states, dtype=np.int64)
    rank[representatives] = np.arange(len(representatives))
    state_of = rank[goal]
    parts = []
    for moves in (view.silent, view.seen):
        row, move = moves.of_states(representatives)
        target = np.where(moves.target[move] == ERROR, ERROR, state_of[moves.target[move]])
        proper = (moves.letter[move] >= 0) | (target != row)
        parts.append(_sorted(row[proper], moves.letter[move[proper]], target[proper], len(representatives)))
    return replace(view, states=len(representatives), silent=parts[0], seen=parts[1], state_of=state_of[view.state_of])


def _sorted(source: Numbers, letter: Numbers, target: Numbers, states: int) -> JointMoves:
    letters = int(letter.max(initial=0)) + 2
    key = distinct((source * letters + letter + 1) * (states + 1) + target + 1)
    pair, target = np.divmod(key, states + 1)
    source, letter = np.divmod(pair, letters)
    begin = np.searchsorted(source, np.arange(states + 1))
    return JointMoves(begin, letter - 1, np.zeros(len(key), dtype=np.int64), target - 1)
