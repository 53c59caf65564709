"""The abstraction and its refinement against Definition 2 and the lemmas of agar-lts-2008, on small systems."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts.lts import Lts
from symag.lts.methods.abstraction import Abstraction, AbstractPath
from symag.lts.view import View
from tests.lts.strategies import systems


def _weak_steps(lts: Lts, letters: tuple[str, ...]) -> set[tuple[int, str, int]]:
    """(q, a, r) for all words ``t a t'`` from q to r, t and t' without letters: by their definition."""
    silent = {(s, s) for s in range(lts.states)}
    while True:
        more = silent | {
            (p, t) for p, q in silent for s, a, t in lts.triples() if s == q and lts.alphabet[a] not in letters
        }
        if more == silent:
            break
        silent = more
    return {
        (p, lts.alphabet[a], r)
        for p, q in silent
        for s, a, t in lts.triples()
        if s == q and lts.alphabet[a] in letters
        for u, r in silent
        if u == t
    }


@st.composite
def _cases(draw: st.DrawFn) -> tuple[Lts, tuple[str, ...], list[int]]:
    lts = draw(systems(errors=False, states=5))
    letters = tuple(draw(st.lists(st.sampled_from(lts.alphabet[1:]), unique=True))) if len(lts.alphabet) > 1 else ()
    return lts, letters, [draw(st.integers(0, 2)) for _ in range(lts.states)]


def _partition(view: View, classes: list[int]) -> tuple[np.ndarray, int]:
    """The classes of the view's states, numbered without gaps."""
    of_state = [0] * view.states
    for state, place in enumerate(view.state_of.tolist()):
        of_state[place] = classes[state]
    found = list(dict.fromkeys(of_state))
    return np.array([found.index(each) for each in of_state]), len(found)


@settings(max_examples=200, deadline=None)
@given(_cases())
def test_transitions_are_those_of_definition_2(case: tuple[Lts, tuple[str, ...], list[int]]) -> None:
    lts, letters, classes = case
    view = View.of(lts, letters)
    block, blocks = _partition(view, classes)
    abstraction = Abstraction.of_partition(view, block, blocks)
    of_state = block[view.state_of].tolist()
    expected = {(of_state[p], letters.index(a), of_state[r]) for p, a, r in _weak_steps(lts, letters)}
    assert set(zip(*(each.tolist() for each in abstraction.arrays()), strict=True)) == expected


def _allows(abstraction: Abstraction, word: list[int]) -> bool:
    automaton = abstraction.automaton()
    states = {0}
    for letter in word:
        states = {t for s, a, t in automaton.triples() if s in states and a - 1 == letter}
    return bool(states)


def _words(lts: Lts, letters: tuple[str, ...], length: int) -> list[list[int]]:
    found: list[tuple[list[int], int]] = [([], 0)]
    steps = sorted(_weak_steps(lts, letters))
    for word, state in found:
        if len(word) < length:
            found += [([*word, letters.index(a)], r) for p, a, r in steps if p == state]
    return [word for word, _ in found]


@settings(max_examples=150, deadline=None)
@given(_cases(), st.data())
def test_refinements_are_finer_and_still_over_approximate(
    case: tuple[Lts, tuple[str, ...], list[int]], data: st.DataObject
) -> None:
    """Proposition 1 and Lemma 1; fewer refinements than states."""
    lts, letters, _ = case
    view = View.of(lts, letters)
    words = _words(lts, letters, 3)
    abstraction = Abstraction.coarsest(view)
    refinements = 0
    for _ in range(12):
        assert all(_allows(abstraction, word) for word in words)
        path = _some_path(abstraction, data)
        gap = abstraction.first_gap(path)
        real = list(path.letters) in words
        if gap is None:
            assert real
            continue
        finer = abstraction.split(path, gap)
        refinements += 1
        assert finer.blocks == abstraction.blocks + 1
        assert len(np.unique(finer.block)) == finer.blocks
        assert len({*zip(finer.block.tolist(), abstraction.block.tolist(), strict=True)}) == finer.blocks
        # Lemma 1 says that the path is gone. Its block is; where it goes through the block several times, the same
        # letters may still lead through the new blocks, but never from one that the concrete states have reached.
        if path.states.count(path.states[gap - 1]) == 1:
            steps = zip(path.states, path.letters, path.states[1:], strict=False)
            assert not all(finer.has(*step) for step in steps)
        again = Abstraction.of_partition(view, finer.block, finer.blocks)
        assert again.transitions.tolist() == finer.transitions.tolist()
        abstraction = finer
    assert refinements < lts.states


def _some_path(abstraction: Abstraction, data: st.DataObject) -> AbstractPath:
    triples = list(zip(*(each.tolist() for each in abstraction.arrays()), strict=True))
    states, letters = [0], []
    for _ in range(data.draw(st.integers(0, 3))):
        steps = [(a, t) for s, a, t in triples if s == states[-1]]
        if not steps:
            break
        letter, target = data.draw(st.sampled_from(steps))
        letters.append(letter)
        states.append(target)
    return AbstractPath(tuple(states), tuple(letters))


def test_an_action_does_not_happen_without_happening() -> None:
    """The printed Reachable_C has "t or t a t'": silent words alone would make every path look real."""
    lts = Lts.of("M", ("tau", "a", "b"), 3, [(0, 0, 1), (1, 2, 2)])
    abstraction = Abstraction.of_partition(View.of(lts, ("a", "b")), np.array([0, 1, 1]), 2)
    assert list(zip(*abstraction.arrays(), strict=True)) == [(0, 1, 1), (1, 1, 1)]
    assert abstraction.first_gap(AbstractPath((0, 1, 1), (1, 1))) == 2
