"""Deep systems: a space that is small as a whole is searched without levels, with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.lpts import search
from symag.lpts.composition import Composition, composed
from symag.lpts.language.reading import read_specification
from symag.lpts.lpts import Lpts
from tests.lpts.strategies import systems


def composed_with(levels: int, components: list[Lpts]) -> Composition:
    """The composition when after so many levels the space is looked at as a whole."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_FEW_LEVELS", levels)
        return composed(components, "L")


def named(found: Composition) -> list[object]:
    """The transitions, states called by those of the components."""
    lpts, names = found.lpts, [tuple(row) for row in found.local.tolist()]
    return sorted(
        (names[s], lpts.alphabet[a], sorted((names[t], p) for t, p in mu.items()), tuple(factors))
        for (s, a, mu), factors in zip(lpts.triples(), found.moves.tolist(), strict=True)
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(systems(states=5, moves=8, actions="abc", silent=True), min_size=1, max_size=3), st.integers(0, 3))
def test_both_searches_find_the_same_system(components: list[Lpts], levels: int) -> None:
    plain, other = composed_with(1000, components), composed_with(levels, components)
    assert other.lpts.broken_law() is None
    assert other.lpts.states == plain.lpts.states
    assert named(other) == named(plain)
    assert other.local[0].tolist() == [0] * len(components)


def model(folder: Path, moves: str) -> str:
    path = folder / "deep.nm"
    path.write_text(f"mdp\nmodule deep\n x : [0..5000];\n y : [0..1];\n{moves}\nendmodule\n")
    return str(path)


@pytest.mark.long
def test_a_state_that_is_not_reached_may_make_no_sense(tmp_path: Path) -> None:
    found = read_specification(model(tmp_path, "[a] y=0 & x<5000 -> (x'=x+1);\n[a] y=1 -> (x'=x+1);"))
    assert (found.states, found.transitions) == (5001, 5000)


@pytest.mark.long
def test_a_state_that_is_reached_may_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"x gets the value 5001 in a reachable state"):
        read_specification(model(tmp_path, "[a] true -> (x'=x+1);"))


def test_a_deep_system_takes_no_step_for_each_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = model(tmp_path, "[a] x<5000 -> 1/2 : (x'=x+1) + 1/2 : true;")
    called = 0
    numbered = search._numbered

    def counted(*arguments: object) -> object:
        nonlocal called
        called += 1
        return numbered(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "_numbered", counted)
    assert read_specification(path).states == 5001
    assert called < 1000
