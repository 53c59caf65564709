"""Existential abstraction over a subset of the actions, and its refinement by splitting (agar-lts-2008, Section 4.1).

Block q has a transition by letter a to block r iff some concrete state of q reaches one of r by a word t a t' with
silent t and t'. (The paper's Reachable_C prints "t or t a t'"; the first alternative would count an action that did
not happen, so spurious paths would seem real.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from msgspec import Struct

from symag.core.ranges import distinct, grouped
from symag.core.values import replace
from symag.lts.lts import Lts, Numbers
from symag.lts.reduction import split_by_moves
from symag.lts.view import JointMoves, View


class AbstractPath(Struct, frozen=True):
    """``states[0] -letters[0]-> states[1] ..``; one state more than letters."""

    states: tuple[int, ...]
    letters: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Abstraction:
    """``block[s]`` is the abstract state of the concrete state s of ``view`` (alpha); there are ``blocks`` of them. The
    initial state is in block 0.

    Transitions are sorted codes ``(source * letters + letter) * 2**31 + target``.
    """

    view: View
    backwards: View
    block: Numbers
    blocks: int
    transitions: Numbers

    @classmethod
    def coarsest(cls, view: View) -> Abstraction:
        """The abstraction with one block; its letters are those that some state of the view can do."""
        return cls.of_partition(view, np.zeros(view.states, dtype=np.int64), 1)

    @classmethod
    def of_partition(cls, view: View, block: Numbers, blocks: int) -> Abstraction:
        """The abstraction that a partition defines (Definition 2). Block 0 has the initial state."""
        states: Numbers = np.arange(view.states)
        width = max(1, len(view.letters))
        pieces = [_NONE]
        # Several blocks are searched together, as many as there is room for marks of reached states.
        step = max(1, _MARKS // (width * view.states))
        for first in range(0, blocks, step):
            last = min(first + step, blocks)
            mine = states[(block >= first) & (block < last)]
            key, target = _steps(view, block[mine] - first, mine, last - first)
            pieces.append(distinct(((key + first * width) << _SHIFT) + block[target]))
        return cls(view, _reversed(view), block, blocks, distinct(np.concatenate(pieces)))

    def members(self, block: int) -> Numbers:
        """The concrete states of a block (gamma)."""
        return np.flatnonzero(self.block == block)

    def has(self, source: int, letter: int, target: int) -> bool:
        """Whether the abstraction has this transition."""
        code = ((source * len(self.view.letters) + letter) << _SHIFT) + target
        index = int(np.searchsorted(self.transitions, code))
        return index < len(self.transitions) and int(self.transitions[index]) == code

    def automaton(self) -> Lts:
        """The abstraction as an assumption; its states are the blocks."""
        source, letter, target = self.arrays()
        return Lts("A", ("tau", *self.view.letters), self.blocks, source, letter + 1, target)

    def arrays(self) -> tuple[Numbers, Numbers, Numbers]:
        """Source, letter and target of the abstract transitions."""
        key, target = self.transitions >> _SHIFT, self.transitions & _MASK
        source, letter = np.divmod(key, max(1, len(self.view.letters)))
        return source, letter, target

    def first_gap(self, path: AbstractPath) -> int | None:
        """Play an abstract path (lines 1 to 6 of Algorithm 1): the least i with S_i empty, None if it is real."""
        states = np.array([self.view.state_of[0]])
        for index, (letter, target) in enumerate(zip(path.letters, path.states[1:], strict=True), start=1):
            states = reached(self.view, states, letter)
            states = states[self.block[states] == target]
            if not len(states):
                return index
        return None

    def split(self, path: AbstractPath, gap: int) -> Abstraction:
        """Lines 8 to 10: split the block before the gap into the states that can take the step (x), and the others (z).

        The states that the path reaches are in z. x keeps the number of the block; but the part with the initial state
        keeps number 0. Only the transitions of the split block are computed again.
        """
        broken, letter, target = path.states[gap - 1], path.letters[gap - 1], path.states[gap]
        leaves = self.block == broken
        leaves[reached(self.backwards, self.members(target), letter)] = False
        if leaves[self.view.state_of[0]]:
            leaves = (self.block == broken) & ~leaves
        block = np.where(leaves, self.blocks, self.block)
        finer = replace(self, block=block, blocks=self.blocks + 1)
        source, _, old_target = self.arrays()
        unchanged = self.transitions[(source != broken) & (old_target != broken)]
        pieces = [unchanged]
        for part in (broken, self.blocks):
            pieces += [finer._leaving(part), finer._entering(part)]
        return replace(finer, transitions=distinct(np.concatenate(pieces)))

    def split_everywhere(self) -> tuple[Abstraction, Numbers]:
        """Split every block by the moves of its states, silent ones too, into other blocks: a round of bisimulation.

        Also returns the block that each new block was split from. One part of a block keeps its number, in block 0 that
        with the initial state. No block is split if bisimilar states are together.
        """
        parts = split_by_moves(self.view, self.block)
        count = int(parts.max()) + 1
        first = np.full(count, self.view.states, dtype=np.int64)
        # The initial state comes first of all, so that its part is the first one of block 0.
        place = np.arange(1, self.view.states + 1)
        place[self.view.state_of[0]] = 0
        np.minimum.at(first, parts, place)
        origin = np.zeros(count, dtype=np.int64)
        origin[parts] = self.block
        order = np.lexsort((first, origin))
        keeps = np.diff(origin[order], prepend=-1) > 0
        number = np.empty(count, dtype=np.int64)
        number[order[keeps]] = origin[order[keeps]]
        fresh = order[~keeps]
        number[fresh] = np.arange(self.blocks, self.blocks + len(fresh))
        finer = Abstraction.of_partition(self.view, number[parts], self.blocks + len(fresh))
        return finer, origin[fresh]

    def _leaving(self, block: int) -> Numbers:
        members = self.members(block)
        letter, target = _steps(self.view, np.zeros_like(members), members, 1)
        return distinct(((block * len(self.view.letters) + letter) << _SHIFT) + self.block[target])

    def _entering(self, block: int) -> Numbers:
        members = self.members(block)
        letter, source = _steps(self.backwards, np.zeros_like(members), members, 1)
        return distinct(((self.block[source] * len(self.view.letters) + letter) << _SHIFT) + block)


def reached(view: View, states: Numbers, letter: int) -> Numbers:
    """Reachable_C of a set: the states that ``t letter t'`` with silent t and t' leads to, sorted."""
    _, move = view.seen.of_states(view.closure(states))
    return view.closure(view.seen.target[move[view.seen.letter[move] == letter]])


def _steps(view: View, owner: Numbers, states: Numbers, owners: int) -> tuple[Numbers, Numbers]:
    """The steps ``t letter t'`` from several sets of states, in one search.

    ``states[k]`` belongs to set ``owner[k]`` of 0 .. owners - 1. Returns parallel arrays: set * letters + letter, and
    the state that is reached.
    """
    owner, states = _silently(view, owner, states, owners)
    row, move = view.seen.of_states(states)
    key = owner[row] * len(view.letters) + view.seen.letter[move]
    return _silently(view, key, view.seen.target[move], owners * len(view.letters))


def _silently(view: View, owner: Numbers, states: Numbers, owners: int) -> tuple[Numbers, Numbers]:
    """Pairs of owner and state, and of the owner and all states that silent moves lead to; each once, sorted."""
    codes = distinct(owner * view.states + states)
    if len(view.silent.target) and len(codes):
        marked = np.zeros(owners * view.states, dtype=bool)
        marked[codes] = True
        frontier = codes
        while len(frontier):
            owner, states = np.divmod(frontier, view.states)
            row, silent = view.silent.of_states(states)
            code = owner[row] * view.states + view.silent.target[silent]
            frontier = distinct(code[~marked[code]])
            marked[frontier] = True
        codes = np.flatnonzero(marked)
    owner, states = np.divmod(codes, view.states)
    return owner, states


def _reversed(view: View) -> View:
    return replace(view, silent=_backwards(view.silent, view.states), seen=_backwards(view.seen, view.states))


def _backwards(moves: JointMoves, states: int) -> JointMoves:
    source = np.repeat(np.arange(states), np.diff(moves.begin))
    order, begin = grouped(moves.target, states)
    return JointMoves(begin, moves.letter[order], moves.label[order], source[order])


_SHIFT = 31
_MASK = (1 << _SHIFT) - 1
_NONE = np.zeros(0, dtype=np.int64)
_MARKS = 1 << 25
