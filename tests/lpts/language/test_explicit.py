"""PRISM's explicit files, read and written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from symag.core.errors import InputError
from symag.lpts.convert.conversion import labels_text, transitions_text
from symag.lpts.language.explicit import read_explicit
from symag.lpts.lpts import Lpts
from symag.lpts.state_values import NamedStates, StateValues
from tests.lpts.strategies import systems


def written(folder: Path, text: str, labels: str | None = None) -> str:
    (folder / "model.tra").write_text(text)
    (folder / "model.lab").unlink(missing_ok=True)
    if labels is not None:
        (folder / "model.lab").write_text(labels)
    return str(folder / "model.tra")


@settings(deadline=None)
@given(systems(states=5, silent=True))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, lpts: Lpts) -> None:
    folder = tmp_path_factory.mktemp("explicit")
    plain = NamedStates(lpts, StateValues.numbered(lpts.name, lpts.states), (), 1, ())
    found, warnings = read_explicit(written(folder, transitions_text(plain), labels_text(plain)))
    assert found.broken_law() is None
    assert not warnings

    def named(system: Lpts) -> list[object]:
        return sorted((s, system.alphabet[a], sorted(mu.items())) for s, a, mu in system.triples())

    assert (named(found), found.states) == (named(lpts), lpts.states)


def test_equal_choices_are_kept_apart(tmp_path: Path) -> None:
    found, _ = read_explicit(written(tmp_path, "2 2 2\n0 0 1 1 a\n0 1 1 1.0 a\n"))
    assert found.triples() == [(0, 1, {1: Fraction(1)})] * 2


def test_rounded_thirds_are_thirds_and_it_is_said(tmp_path: Path) -> None:
    third = "0.3333333333333333"
    found, warnings = read_explicit(written(tmp_path, f"3 1 3\n0 0 0 {third}\n0 0 1 {third}\n0 0 2 {third}\n"))
    assert found.distribution(0) == dict.fromkeys(range(3), Fraction(1, 3))
    assert len(warnings) == 1


def test_a_chain_has_no_choices(tmp_path: Path) -> None:
    found, _ = read_explicit(written(tmp_path, "2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n"))
    assert found.triples() == [(0, 0, {0: Fraction(1, 2), 1: Fraction(1, 2)}), (1, 0, {1: Fraction(1)})]


def test_the_initial_state_becomes_state_0(tmp_path: Path) -> None:
    path = written(tmp_path, "2 1 1\n1 0 0 1 a\n", '0="init" 1="deadlock"\n1: 0\n0: 1\n')
    assert read_explicit(path)[0].triples() == [(0, 1, {1: Fraction(1)})]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected the numbers of states"),
        ("2 1 1\n", "1:1: the first line promises 1 transitions, found 0"),
        ("1 1 1\n0 0 1 1\n", "2:1: the state 1 is not below 1"),
        ("1 1 1\n0 0 0 0.5\n", "2:1: the probabilities of this choice sum to 1/2, expected exactly 1"),
        ("1 1 1\n0 0 0 x\n", "2:1: expected a probability, found 'x'"),
        ("2 1 2\n0 0 0 0.5\n0 0 0 0.5\n", "this target is there twice"),
        ("2 1 2\n0 0 0 0.5 a\n0 0 1 0.5 b\n", "3:1: this choice has two different actions"),
        ("1 1 1\n0 0 0\n", "2:1: expected source, choice, target, probability and perhaps an action"),
        ("1 1 1\n0 0 0 1.5\n", "2:1: the probability is 1.5, expected more than 0 and at most 1"),
    ],
)
def test_errors_say_where_and_what(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_explicit(written(tmp_path, text))
    assert message in str(error.value)
