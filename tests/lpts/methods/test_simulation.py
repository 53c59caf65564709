"""The engines against the definition, on thousands of small systems."""

from __future__ import annotations

import importlib.util
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lpts.lpts import Lpts
from symag.lpts.methods.simulation import smt, textbook, worklist
from symag.lpts.methods.simulation.question import RefutedPairs, SimulationRelation
from symag.lpts.methods.simulation.sides import sides
from tests.conftest import examples
from tests.lpts.strategies import ONE, by_label, coarsest_simulation, from_moves, systems

ENGINES = {"worklist": worklist.decide, "textbook": textbook.decide}
if importlib.util.find_spec("z3") is not None:
    ENGINES["smt"] = smt.decide
HALF = Fraction(1, 2)


def pairs() -> st.SearchStrategy[tuple[Lpts, Lpts]]:
    apart = st.tuples(systems(silent=True), systems(silent=True, moves=9))
    return apart | st.tuples(systems(actions="a"), systems(actions="a", moves=9))


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES)
def test_engines_decide_the_definition(engine: str) -> None:
    @settings(max_examples=examples(300 if engine == "smt" else 1000), deadline=None)
    @given(pairs())
    def on_random_systems(pair: tuple[Lpts, Lpts]) -> None:
        decides_the_definition(engine, pair)

    on_random_systems()


def decides_the_definition(engine: str, pair: tuple[Lpts, Lpts]) -> None:
    expected = coarsest_simulation(*pair)
    given_sides = sides(*pair)
    found = ENGINES[engine](given_sides)
    if isinstance(found, RefutedPairs):
        assert (0, 0) not in expected
        assert not expected & found.removed.keys()
        assert len(set(found.removed.values())) == len(found.removed)
    else:
        assert set(found.pairs) <= expected
        assert is_simulation(found, pair[0], given_sides.specification)
        if engine == "textbook":
            assert set(found.pairs) == expected


def is_simulation(found: SimulationRelation, left: Lpts, right: Lpts) -> bool:
    """By substitution of the weight functions, and nothing else."""
    relation = set(found.pairs)
    known = set()
    for weights in found.weights:
        assert {pair for pair, _ in weights} <= relation
        mu: dict[int, Fraction] = {}
        nu: dict[int, Fraction] = {}
        for (s, t), mass in weights:
            mu[s] = mu.get(s, Fraction(0)) + Fraction(mass, found.total)
            nu[t] = nu.get(t, Fraction(0)) + Fraction(mass, found.total)
        known.add((tuple(sorted(mu.items())), tuple(sorted(nu.items()))))

    def is_below(mu: dict[int, Fraction], nu: dict[int, Fraction]) -> bool:
        if min(len(mu), len(nu)) == 1:
            return all((s, t) in relation for s in mu for t in nu)
        return (tuple(sorted(mu.items())), tuple(sorted(nu.items()))) in known

    mine, theirs = by_label(left), by_label(right)
    return (0, 0) in relation and all(
        any(b == a and is_below(mu, nu) for b, nu in theirs[t]) for s, t in relation for a, mu in mine[s]
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_silent_moves(engine: str) -> None:
    """A specification without moves labelled "" lets them pass; one that has some means them."""
    silent = from_moves({0: [("", {1: ONE})], 1: [("a", {0: ONE})]})
    free = from_moves({0: [("a", {0: ONE})]})
    strict = from_moves({0: [("a", {1: ONE})], 1: [("", {0: ONE})]})
    assert isinstance(ENGINES[engine](sides(silent, free)), SimulationRelation)
    assert isinstance(ENGINES[engine](sides(silent, strict)), RefutedPairs)
    assert isinstance(ENGINES[engine](sides(silent, silent)), SimulationRelation)


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_rounded(engine: str) -> None:
    """Probabilities that no double distinguishes."""
    tiny = Fraction(1, 10**40)
    exact = from_moves({0: [("a", {1: HALF, 2: HALF})], 1: [("b", {1: ONE})]}, states=3)
    more = from_moves({0: [("a", {1: HALF + tiny, 2: HALF - tiny})], 1: [("b", {1: ONE})]}, states=3)
    assert isinstance(ENGINES[engine](sides(exact, more)), SimulationRelation)
    assert isinstance(ENGINES[engine](sides(more, exact)), RefutedPairs)
