"""Encoding, images and reachability of small systems."""

from __future__ import annotations

import pytest

from symag.core.errors import InputError
from symag.smv.model.types import EnumerationType, RangeType
from symag.smv.symbolic.counting import count
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.system import encode
from symag.smv.traversal import reachability
from symag.smv.traversal.reachability import RingSearch, backward_search, reachable
from tests.symbolic.systems import BOOLEAN, INTEGER, constant, counter, flat, operation, reference


@pytest.mark.parametrize("limit", [3, 5, 100])
def test_counter(limit):
    system = encode(counter(limit))
    relation = transition_relation(system)
    found = reachable(relation, system.initial_states())
    assert len(found.rings) == limit + 1
    assert count(system.context, found.states, system.encoding.current["x"]) == limit + 1


def test_a_backward_search_meets_the_initial_states():
    system = encode(counter(6))
    relation = transition_relation(system)
    bad = system.predicate(operation("=", reference("x", RangeType(0, 6)), constant(4)))
    search = backward_search(relation, bad)
    while search.rings[-1] & system.initial_states() == system.context.false:
        search.advance()
    assert len(search.rings) == 5


def test_a_hard_step_is_given_up_and_taken_later():
    system = encode(counter(6))
    relation = transition_relation(system)
    search = backward_search(relation, system.predicate(operation("=", reference("x", RangeType(0, 6)), constant(4))))
    start, cost = search.rings[0], search.cost
    search.advance(1)
    assert search.rings == [start]
    assert not search.complete
    assert search.cost > cost
    search.advance(100)
    assert search.rings[1] == system.encoding.equals("x", 3)


def test_small_rings_that_shrink_cause_no_sifting(monkeypatch):
    """Ring k fixes 7 - k bits."""
    context = encode(counter(127)).context
    bits = [context.bit(name) for name in context.order()][:7]
    rings = [context.conjunction([*bits[: 6 - k], ~bits[6 - k]]) for k in range(7)]
    counted: list[int] = []
    monkeypatch.setattr(context, "reorder_if_large", lambda grown, used: counted.append(grown))
    search = RingSearch(context, lambda ring, most: rings[rings.index(ring) + 1], rings[0])
    for _ in range(6):
        search.advance()
    assert search.rings == rings
    assert counted == [*map(context.size, rings[1:3]), 0, 0, 0, 0]


def test_states_that_take_more_nodes_than_a_ring_are_seldom_counted(monkeypatch):
    """A counter of 13 values has twelve rings after the first; of each ring the nodes are counted too."""

    def rings_and_counts(far):
        monkeypatch.setattr(reachability, "_FAR", far)
        system = encode(counter(12))
        search = RingSearch(system.context, transition_relation(system).image, system.initial_states())
        counted = []
        count_nodes = system.context.size
        system.context.size = lambda states: counted.append(states) or count_nodes(states)
        while not search.complete:
            search.advance()
        return len(search.rings), len(counted) - 12

    assert rings_and_counts(100) == (13, 12)
    assert rings_and_counts(0) == (13, 3)  # as if they always took many more


def test_frozen_variables_keep_their_value():
    kind = EnumerationType(("a", "b", "c"))
    system = encode(flat({"f": kind, "y": BOOLEAN}, frozen=("f",), init={"y": constant(False)}))
    start = system.encoding.valuation({"f": "b", "y": False})
    assert transition_relation(system).image(start) == system.encoding.equals("f", "b")


def test_value_out_of_range():
    kind = RangeType(0, 3)
    step = operation("+", reference("x", kind), constant(1), kind=INTEGER)
    with pytest.raises(InputError, match="cannot assign value 4 to variable x"):
        encode(flat({"x": kind}, next_={"x": step}))


def test_case_not_exhaustive():
    kind = RangeType(0, 2)
    x = reference("x", kind)

    def step(*constants):
        arms = [part for value in constants for part in (operation("=", x, constant(value)), constant(0))]
        return operation("case", *arms, kind=INTEGER)

    with pytest.raises(InputError, match="case conditions are not exhaustive"):
        encode(flat({"x": kind}, next_={"x": step(0, 1)}))
    assert encode(flat({"x": kind}, next_={"x": step(0, 1, 2)})).trans


def test_a_ring_is_all_states_so_far_where_these_take_fewer_nodes():
    system = encode(counter(7))
    found = reachable(transition_relation(system), system.initial_states())
    assert found.rings[7] == found.states == system.context.true
    assert found.rings[1] == system.encoding.equals("x", 0) | system.encoding.equals("x", 1)
    assert found.rings[2] == system.encoding.equals("x", 2)
