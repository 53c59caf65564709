"""The static order of systems of events."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings

from symag.smv import read_text
from symag.smv.symbolic.order import event_order, static_order
from tests.symbolic.test_events import event_systems


def chain(order: list[int]) -> str:
    """Variables that meet in pairs along a chain, declared in any order."""
    names = [f"x{number}" for number in range(len(order))]
    events = []
    for left, right in itertools.pairwise(names):
        kept = " & ".join(f"next({name}) = {name}" for name in names if name not in (left, right))
        events.append(f"({left} & next({right}) & !next({left}) & {kept})")
    declared = " ".join(f"x{number} : boolean;" for number in order)
    return f"MODULE main VAR {declared} TRANS {' | '.join(events)}"


def test_neighbours_come_together():
    system = read_text(chain([2, 0, 4, 1, 6, 3, 5, 7]))
    order = event_order(system)
    place = {name: number for number, name in enumerate(order)}
    declared = {variable.name: number for number, variable in enumerate(system.variables)}

    def span(where):
        return sum(abs(where[f"x{number}"] - where[f"x{number + 1}"]) for number in range(7))

    assert span(place) < span(declared) / 2


@settings(max_examples=40, deadline=None)
@given(event_systems())
def test_every_bit_has_its_place(text):
    system = read_text(text)
    bits = static_order(system)
    assert len(bits) == len(set(bits)) == 7
    assert set(event_order(system)) == set(system.by_name)


@pytest.mark.parametrize("trans", ["next(x) = x", "next(x) = x | y", "(next(x) = x & y) | next(y) = x", "x -> next(y)"])
def test_no_events_no_order(trans):
    assert event_order(read_text(f"MODULE main VAR x : boolean; y : boolean; TRANS {trans}")) is None
