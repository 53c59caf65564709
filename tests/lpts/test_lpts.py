"""The value: what its constructor accepts, and what it refuses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from symag.core.values import replace
from symag.lpts.lpts import Lpts

HALF = Fraction(1, 2)
COIN = ((1, 2, {0: Fraction(1)}), (0, 1, {1: HALF, 0: HALF}), (0, 1, {0: Fraction(1), 1: Fraction(0)}))


def coin() -> Lpts:
    return Lpts.of("coin", ("", "flip", "again"), 2, COIN)


def test_transitions_are_sorted_and_counted_once() -> None:
    system = Lpts.of("coin", ("", "flip", "again"), 2, COIN * 2)
    assert system.source.tolist() == [0, 0, 1]
    assert system.action.tolist() == [1, 1, 2]
    assert system.offsets().tolist() == [0, 2, 3]
    assert system.distribution(0) == {0: HALF, 1: HALF}
    assert system.distribution(1) == {0: 1}
    assert (system.transitions, system.entries, system.denominator()) == (3, 4, 2)
    assert not system.is_reactive()
    assert Lpts.of("coin", system.alphabet, 2, system.triples()).triples() == system.triples()


def test_kinds() -> None:
    one = Lpts.of("one", ("", "a", "b"), 1, [(0, 1, {0: Fraction(1)}), (0, 2, {0: Fraction(1)})])
    assert one.is_reactive()
    assert not one.is_fully_probabilistic()
    assert Lpts("nothing").broken_law() is None


@pytest.mark.parametrize(
    ("alphabet", "states", "transition"),
    [
        (("a",), 1, (0, 0, {0: Fraction(1)})),
        (("", "a", "a"), 1, (0, 1, {0: Fraction(1)})),
        (("", "a"), 1, (0, 2, {0: Fraction(1)})),
        (("", "a"), 1, (1, 1, {0: Fraction(1)})),
        (("", "a"), 1, (0, 1, {1: Fraction(1)})),
        (("", "a"), 2, (0, 1, {0: HALF, 1: Fraction(1, 3)})),
        (("", "a"), 2, (0, 1, {0: Fraction(3, 2), 1: Fraction(-1, 2)})),
        (("", "a"), 1, (0, 1, {})),
        (("", "a"), 2, (0, 1, {0: 1 - Fraction(1, 10**30), 1: Fraction(1, 10**31)})),
    ],
)
def test_what_is_no_system(
    alphabet: tuple[str, ...], states: int, transition: tuple[int, int, dict[int, Fraction]]
) -> None:
    with pytest.raises(ValueError, match=r"."):
        Lpts.of("wrong", alphabet, states, [transition])


def test_broken_arrays_are_noticed() -> None:
    system = coin()
    assert system.broken_law() is None
    assert replace(system, source=system.source[::-1].copy()).broken_law() == "the transitions are not sorted"
    assert "ascending" in str(replace(system, target=np.array([1, 0, 0, 0])).broken_law())
    assert "twice" in str(replace(system, probabilities=(HALF, HALF)).broken_law())
