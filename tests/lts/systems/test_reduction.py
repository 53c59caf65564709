"""Reduced views have the words of the original, and lead to ERROR by the same ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts.lts import ERROR, Lts
from symag.lts.reduction import reduced
from symag.lts.view import View
from tests.lts.strategies import systems


def _words(view: View, length: int) -> set[tuple[tuple[int, ...], bool]]:
    """Words up to a length, each with whether it can lead to ERROR."""
    found: set[tuple[tuple[int, ...], bool]] = set()
    level = [((), (int(view.state_of[0]),))]
    for _ in range(length + 1):
        following: dict[tuple[int, ...], set[int]] = {}
        for word, states in level:
            closed = view.closure(np.array(states, dtype=np.int64)).tolist()
            found.add((word, ERROR in closed))
            for state in closed:
                if state != ERROR:
                    for move in range(int(view.seen.begin[state]), int(view.seen.begin[state + 1])):
                        target = int(view.seen.target[move])
                        following.setdefault((*word, int(view.seen.letter[move])), set()).add(target)
        level = [(word, tuple(sorted(states))) for word, states in following.items()]
    return found


@settings(max_examples=300, deadline=None)
@given(systems(states=6), st.data())
def test_a_reduced_view_has_the_same_words(lts: Lts, data: st.DataObject) -> None:
    letters = tuple(data.draw(st.lists(st.sampled_from(lts.alphabet[1:]), unique=True))) if lts.alphabet[1:] else ()
    view = View.of(lts, letters)
    smaller = reduced(view)
    assert smaller.states <= view.states
    assert smaller.state_of[0] == 0
    assert _words(smaller, 3) == _words(view, 3)


def test_a_chain_of_silent_moves_and_equal_branches() -> None:
    triples = [(0, 0, 1), (1, 0, 2), (2, 1, 3), (2, 1, 4), (3, 2, 0), (4, 2, 5), (5, 0, 2)]
    lts = Lts.of("M", ("tau", "a", "b"), 6, triples)
    assert reduced(View.of(lts, ("a", "b"))).states == 2
