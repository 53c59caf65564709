"""The abstraction and its refinement against Definition 2 and the lemmas of agar-lts-2008, on small systems."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lts.lts import Lts
from symag.lts.methods.abstraction import Abstraction, AbstractPath
from symag.lts.methods.nested_abstractions import Level
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


def _blocks(level: Level) -> dict[tuple[int, int], int]:
    """By state of the component and block of the level inside it: the block."""
    state_of, parts = level.abstraction.view.state_of.tolist(), level._parts.tolist()
    block = level.abstraction.block.tolist()
    return {(state, inner): block[state_of[k]] for k, (state, inner) in enumerate(parts)}


@settings(max_examples=150, deadline=None)
@given(_cases(), _cases(), st.booleans(), st.data())
def test_nothing_is_left_of_a_spurious_path(
    case: tuple[Lts, tuple[str, ...], list[int]],
    other: tuple[Lts, tuple[str, ...], list[int]],
    nested: bool,
    data: st.DataObject,
) -> None:
    """Neither the path nor another one by its letters through parts of its blocks; a path with words is one."""
    lts, letters, _ = case
    inner = Level(other[0], None, tuple(a for a in other[1] if a in lts.alphabet)) if nested else None
    level = Level(lts, inner, letters)
    for _ in range(6):
        blocks, before = level.abstraction.blocks, _blocks(level)
        inside = 0 if inner is None else inner.abstraction.blocks
        path = _some_path(level.abstraction, data)
        words = level.words(path)
        former = level.former_blocks(blocks)
        if words is None:
            parts = [[part for part, block in enumerate(former) if block == state] for state in path.states[1:]]
            for states in itertools.product([0], *parts):
                steps = zip(states, path.letters, states[1:], strict=False)
                assert not all(level.abstraction.has(*step) for step in steps)
        else:
            assert [a for a in words[0] if a in letters] == [letters[letter] for letter in path.letters]
        block, view = level.abstraction.block, level.abstraction.view
        again = Abstraction.of_partition(view, block, level.abstraction.blocks)
        assert again.transitions.tolist() == level.abstraction.transitions.tolist()
        of_inner = [0] if inner is None else inner.former_blocks(inside)
        for (state, part), now in _blocks(level).items():
            assert former[now] == before[state, of_inner[part] if nested else part]


@settings(max_examples=150, deadline=None)
@given(_cases())
def test_rounds_of_splits_end_with_bisimilar_states(case: tuple[Lts, tuple[str, ...], list[int]]) -> None:
    """By definition: in the end states are together iff no word of moves, silent ones too, tells them apart."""
    lts, letters, classes = case
    view = View.of(lts, letters)
    block, blocks = _partition(view, classes)
    if block[view.state_of[0]]:
        block = (block - block[view.state_of[0]]) % blocks
    abstraction = Abstraction.of_partition(view, block, blocks)
    level = Level(lts, None, letters)
    while True:
        finer, origins = abstraction.split_everywhere()
        assert finer.block[view.state_of[0]] == 0
        assert sorted(set(finer.block.tolist())) == list(range(finer.blocks))
        former = [*range(abstraction.blocks), *origins.tolist()]
        assert [former[each] for each in finer.block.tolist()] == abstraction.block.tolist()
        if finer.blocks == abstraction.blocks:
            break
        abstraction = finer
    assert dict.fromkeys(abstraction.block.tolist()).keys() == set(range(abstraction.blocks))
    moves = _moves(view)
    together = {(p, q) for p in range(view.states) for q in range(view.states) if block[p] == block[q]}
    while True:
        fewer = {
            (p, q)
            for p, q in together
            if all(any(a == b and (s, t) in together for b, t in moves[q]) for a, s in moves[p])
            and all(any(a == b and (s, t) in together for a, s in moves[p]) for b, t in moves[q])
        }
        if fewer == together:
            break
        together = fewer
    for p in range(view.states):
        for q in range(view.states):
            assert ((p, q) in together) == (abstraction.block[p] == abstraction.block[q])
    level.split_everywhere()
    assert len(level.origins) == level.abstraction.blocks == level.refinements + 1


def _moves(view: View) -> list[list[tuple[int, int]]]:
    """Letter (-1: silent) and target of each state's moves."""
    moves: list[list[tuple[int, int]]] = [[] for _ in range(view.states)]
    for joint in (view.silent, view.seen):
        for state in range(view.states):
            chosen = slice(joint.begin[state], joint.begin[state + 1])
            moves[state] += zip(joint.letter[chosen].tolist(), joint.target[chosen].tolist(), strict=True)
    return moves


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


def test_a_part_that_is_split_again_keeps_the_block_around_it() -> None:
    """The inner assumption splits its block into {0, 4}, {1, 2} and {3}, in one go, and the outer one follows."""
    chain = Lts.of("M", ("tau", "a", "b"), 5, [(0, 2, 1), (1, 1, 2), (2, 1, 3), (3, 1, 4)])
    inner = Level(chain, None, ("a", "b"))
    outer = Level(Lts.of("N", ("tau", "a", "b"), 1, [(0, 1, 0), (0, 2, 0)]), inner, ("a", "b"))
    assert outer.words(AbstractPath((0,) * 6, (1, 0, 0, 0, 0))) is None
    assert inner.origins.tolist()[:3] == [0, 0, 1]
