"""Diagrams within a bound on memory."""

from __future__ import annotations

import pytest

from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams, TooMuchMemoryError

pytest.importorskip("dd.cudd", reason="only CUDD bounds its memory")


def pairs_equal(count: int) -> tuple[DecisionDiagrams, int]:
    """Diagrams without a gate, and the signal that words of ``count`` bits are equal, which lie one after the other.

    Its diagram has more than ``2 ** count`` nodes.
    """
    circuit = Circuit()
    left, right = ([circuit.input() for _ in range(count)] for _ in range(2))
    equal = circuit.all([circuit.equal(one, other) for one, other in zip(left, right, strict=True)])
    diagrams = DecisionDiagrams(circuit)
    diagrams.declare([*left, *right])
    return diagrams, equal


def test_what_needs_more_memory_is_given_up():
    diagrams, equal = pairs_equal(40)
    with pytest.raises(TooMuchMemoryError), diagrams.within(4 << 20):
        diagrams.of(equal)


def test_the_bound_counts_from_now_on_and_ends():
    diagrams, equal = pairs_equal(14)
    held = diagrams.of(equal)
    with diagrams.within(1 << 20):
        assert diagrams.size(~held) > 1 << 14
    other, large = pairs_equal(18)
    with other.within(1 << 20):
        pass
    assert other.size(other.of(large)) > 1 << 18


def test_other_errors_stay_what_they_are():
    diagrams, _ = pairs_equal(2)
    with pytest.raises(ValueError, match="another reason"), diagrams.within(16 << 20):
        raise ValueError("another reason")
