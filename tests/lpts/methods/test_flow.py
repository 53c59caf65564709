"""Weight functions exist exactly where Lemma 1 says, also after a relation has shrunk bit by bit."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.lpts.methods.simulation.flow import WeightNetwork
from tests.lpts.strategies import SPLITS, lifted

PLACES = range(3)
PAIRS = [(i, j) for i in PLACES for j in PLACES]


def check(network: WeightNetwork, first: list[int], second: list[int], relation: set[tuple[int, int]]) -> None:
    mu = {i: Fraction(mass) for i, mass in enumerate(first)}
    nu = {j: Fraction(mass) for j, mass in enumerate(second)}
    expected = lifted(mu, nu, relation)
    assert network.maximise() == network.saturated == expected
    assert {(i, j) for i, row in enumerate(network.flow) for j in row} <= relation
    if expected:
        assert [sum(row.values()) for row in network.flow] == first
        assert [sum(row.get(j, 0) for row in network.flow) for j in range(len(second))] == second
    else:
        chosen = network.witness()
        images = {j for i, j in relation if i in chosen}
        assert sum(first[i] for i in chosen) > sum(second[j] for j in images)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(SPLITS), st.sampled_from(SPLITS), st.permutations(PAIRS), st.integers(0, 9))
def test_flow_is_the_definition_while_pairs_go(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], order: list[tuple[int, int]], absent: int
) -> None:
    masses = [int(p * 12) for p in first], [int(p * 12) for p in second]
    relation = {(i, j) for i, j in order[absent:] if i < len(first) and j < len(second)}
    network = WeightNetwork(*masses, [{j for k, j in relation if k == i} for i in range(len(first))])
    check(network, *masses, relation)
    for pair in [each for each in order if each in relation]:
        relation.discard(pair)
        network.remove(*pair)
        check(network, *masses, relation)


def test_the_slip_of_algorithm_1() -> None:
    """As printed, line 4 loses the state it began with and never ends."""
    network = WeightNetwork([1, 1], [1, 1], [{0}, {0}])
    assert not network.maximise()
    assert network.witness() == {0, 1}
