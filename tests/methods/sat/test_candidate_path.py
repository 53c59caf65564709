"""The largest set of candidates, for more of them than one query is about, whatever the number in a query is."""

from __future__ import annotations

import pytest

from symag.smv import read_text
from symag.smv.circuits.blasting import Blasting
from symag.smv.methods.reuse.together import inductive_subset
from symag.smv.methods.sat.candidate_path import CandidatePath

#: More than the 64 that ``inductive_subset`` asks about at once.
BITS = 70


def chain(free, loops):
    """Bits that are false at first and take the value of the next bit; ``free`` ones take any, ``loops`` keep theirs.

    Returns the circuit and the literals of "the bit is false".
    """
    following = "".join(
        f"next(b{bit}) := {'{FALSE, TRUE}' if bit in free else f'b{bit}' if bit in loops else f'b{bit + 1}'};"
        for bit in range(BITS)
    )
    variables = "".join(f"b{bit} : boolean;" for bit in range(BITS))
    starts = "".join(f"init(b{bit}) := FALSE;" for bit in range(BITS))
    system = read_text(f"MODULE main VAR {variables} ASSIGN {starts} {following}")
    blasting = Blasting(system)
    circuit = blasting.circuit
    latches = {latch.bit[0]: latch.node for latch in circuit.latches if latch.bit is not None}
    return circuit, {bit: 2 * latches[f"b{bit}"] + 1 for bit in range(BITS)}


def always_false(free, loops):
    """The bits that no path makes true: those from which the chain leads to a loop before a free bit."""
    result, is_false = set(), False
    for bit in reversed(range(BITS)):
        is_false = bit in loops or (is_false and bit not in free)
        if is_false:
            result.add(bit)
    return result


FREE_AND_LOOPS = [({69}, {5}), ({2, 66}, {67, 69}), ({40}, {0, 69}), (set(range(70)), set()), (set(), {69})]


@pytest.mark.parametrize(("free", "loops"), FREE_AND_LOOPS)
def test_the_inductive_subset_of_more_candidates_than_a_query(free, loops):
    circuit, literals = chain(free, loops)
    expected = {literals[bit] for bit in always_false(free, loops)}
    assert inductive_subset(circuit, list(literals.values())).keys() == expected


@pytest.mark.parametrize(("free", "loops"), FREE_AND_LOOPS)
@pytest.mark.parametrize("at_once", [None, 1, 7, 64, 200])
def test_any_number_of_candidates_in_a_query(free, loops, at_once):
    circuit, literals = chain(free, loops)
    path = CandidatePath(circuit, literals, from_start=False)
    path.extend()
    path.extend()
    before = {bit: path.signal(bit, 0) for bit in literals}
    left = list(literals)
    while (kept := path.true_together(left, 1, {bit: before[bit] for bit in left}, (), at_once)) != left:
        left = kept
    assert set(left) == always_false(free, loops)


def test_candidates_that_are_dropped_are_assumed_no_longer():
    circuit, literals = chain({69}, {5})
    path = CandidatePath(circuit, literals, from_start=False)
    path.extend()
    path.extend()
    before = {bit: path.signal(bit, 0) for bit in literals}
    # One call drops the whole chain, whose end is free, for each bit follows from the next one only.
    assert path.true_together(list(literals), 1, before) == [*range(6)]
    # What is known stays: no bit but the free one can become true.
    assert path.true_together(list(literals), 1, {}, [before[bit] for bit in literals]) == [*range(69)]


def test_no_candidates():
    circuit, _ = chain({69}, {5})
    path = CandidatePath(circuit, {}, from_start=True)
    path.extend()
    assert path.true_together([], 0, {}) == []
    assert inductive_subset(circuit, []) == {}
