"""The explicit learner: run to convergence it accepts exactly the weakest assumption."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symag.learning.counterexample import NotACounterexample
from symag.learning.observation_table import ObservationTable
from symag.lts.lts import Lts, Numbers
from symag.lts.methods.lstar.residuals import Residuals
from symag.lts.view import View
from tests.lts.explicit_safety import violates
from tests.lts.strategies import systems


def _after(conjecture: Numbers, word: tuple[int, ...]) -> int:
    state = 0 if len(conjecture) else -1
    for letter in word:
        state = _step(conjecture, state, letter)
    return state


def _step(conjecture: Numbers, state: int, letter: int) -> int:
    return -1 if state < 0 else int(conjecture[state, letter])


def _difference(teacher: Residuals, conjecture: Numbers) -> tuple[int, ...] | None:
    """A shortest word on which the two differ."""
    start = (teacher.initial(), _after(conjecture, ()))
    seen, waiting = {start}, [((), *start)]
    for word, residual, state in waiting:
        if teacher.is_member(residual) != (state >= 0):
            return word
        for letter in range(teacher.letters):
            pair = (teacher.successor(residual, letter), _step(conjecture, state, letter))
            if pair not in seen:
                seen.add(pair)
                waiting.append(((*word, letter), *pair))
    return None


@settings(max_examples=150, deadline=None)
@given(systems(states=4))
def test_the_weakest_assumption_is_learned(lts: Lts) -> None:
    letters = lts.alphabet[1:3]
    teacher = Residuals(View.of(lts, letters))
    table = ObservationTable(teacher)
    sizes = [len(table.conjecture())]
    while (word := _difference(teacher, table.conjecture())) is not None:
        table.refine(word)
        sizes.append(len(table.conjecture()))
    learned = table.conjecture()
    assert sizes == sorted(sizes)
    for length in range(4):
        for word in _words(len(letters), length):
            allowed = [letters[letter] for letter in word]
            assert (_after(learned, word) >= 0) == (not _can_fail(lts, letters, allowed))
    with pytest.raises(NotACounterexample):
        table.refine(())


def _words(letters: int, length: int) -> list[tuple[int, ...]]:
    return [()] if not length else [(*word, a) for word in _words(letters, length - 1) for a in range(letters)]


def _can_fail(lts: Lts, letters: tuple[str, ...], word: list[str]) -> bool:
    """Whether the system comes to ERROR while the letters happen only as in the word."""
    triples = [(place, letters.index(label) + 1, place + 1) for place, label in enumerate(word)]
    limit = Lts.of("W", ("tau", *letters), len(word) + 1, triples)
    seen = [(source, action if action <= len(letters) else 0, target) for source, action, target in lts.triples()]
    silent = Lts.of("M", ("tau", *letters), lts.states, seen)
    return violates((silent, limit), word)
