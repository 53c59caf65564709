"""From a state of minimised items back to one of the components, and the actions on the way to it.

If an item that was made of several members comes to one of its states by a word over its own actions, its members come
to a state of that class by the same word, with actions of theirs between that no other item has. So these are put into
the word, one item after the other, until only components are left.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import TAU
from symag.lts.methods.reduce.items import Item
from symag.lts.methods.reduce.words import merged


def lifted(
    items: Sequence[Item], word: Sequence[str], goal: Sequence[int], without_silent: bool
) -> tuple[list[str], dict[int, int]]:
    """A word of the components, and the state of each one, by its number, after it.

    ``goal`` is the state of each item after ``word``. ``without_silent``: in these states, and in those of the
    components, no silent move is possible.
    """
    waiting = list(zip(items, goal, strict=True))
    actions = list(word)
    states: dict[int, int] = {}
    while waiting:
        item, state = waiting.pop()
        if item.origin is None:
            states[item.number] = state
            continue
        own = [label for label in actions if label in item.alphabet]
        run, locals_ = _run(item, own, state, without_silent)
        actions = merged(actions, run, item.alphabet)
        waiting += zip(item.members, locals_, strict=True)
    return actions, states


def _run(item: Item, word: Sequence[str], goal: int, without_silent: bool) -> tuple[list[str], list[int]]:
    """The visible actions of a shortest run of the members by the word to a state of class ``goal``, and their states.

    Costs the moves of the members' composition for each letter.
    """
    assert item.origin is not None
    lts = item.origin.lts
    own = [label in item.alphabet for label in lts.alphabet]
    first, action, target = (array.tolist() for array in (lts.offsets(), lts.action, lts.target))
    ends = _ends(item, own, goal, without_silent)
    #: Letters that were read, and the state; by which move it was reached from where.
    reached: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {(0, 0): None}
    waiting = [(0, 0)]
    for place in waiting:
        position, state = place
        if position == len(word) and ends[state]:
            moves = []
            while (before := reached[place]) is not None:
                place, move = before
                moves.append(action[move])
            labels = [lts.alphabet[taken] for taken in reversed(moves) if taken != TAU]
            return labels, item.origin.local_states[state].tolist()
        for move in range(first[state], first[state + 1]):
            reads = own[action[move]]
            if reads and (position == len(word) or word[position] != lts.alphabet[action[move]]):
                continue
            after = position + reads, target[move]
            if after not in reached:
                reached[after] = place, move
                waiting.append(after)
    raise AssertionError("members can do what their item can do")


def _ends(item: Item, own: Sequence[bool], goal: int, without_silent: bool) -> NDArray[np.bool_]:
    """For each state of the members' composition whether a run may end there."""
    assert item.origin is not None
    assert item.classes is not None
    lts = item.origin.lts
    ends: NDArray[np.bool_] = item.classes == goal
    if without_silent:
        silent = ~np.array(own)[lts.action]
        ends[lts.source[silent]] = False
    return ends
