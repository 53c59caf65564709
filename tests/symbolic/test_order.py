"""The static order: complete, and interleaved where numbers meet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symag.smv import read_text
from symag.smv.symbolic.order import event_order, in_order_of, side_by_side, static_order
from symag.smv.symbolic.system import encode
from tests.strategies import models


@settings(max_examples=100, deadline=None)
@given(models(properties=1, largest=24))
def test_every_bit_once(text):
    system = read_text(text)
    assert sorted(static_order(system)) == sorted(side_by_side(system, system.by_name))


COPIES = """
MODULE channel(source)
  VAR data : 0..255;
  ASSIGN next(data) := case sending : source; TRUE : data; esac;
  DEFINE sending := source > 3;
MODULE main
  VAR
    flag : boolean;
    given : 0..255;
    one : channel(given);
    alone : 0..255;
    two : channel(one.data);
    state : {a, b, c, d, e};
"""


def test_numbers_that_are_copied_are_interleaved():
    order = static_order(read_text(COPIES))
    together = ["given", "one.data", "two.data"]
    assert order[:1] == (("flag", 0),)
    assert order[1:25] == tuple((name, index) for index in range(8) for name in together)
    assert order[25:33] == tuple(("alone", index) for index in range(8))
    assert [name for name, _ in order[33:]] == ["state"] * 3


def test_an_equation_is_small_where_it_is_interleaved():
    text = "MODULE main VAR a : unsigned word[16]; b : unsigned word[16]; c : 0..65535; d : 0..65535;"
    system = encode(read_text(f"{text} INVAR a = b; INVAR c = d"))
    assert [system.context.size(conjunct.diagram) for conjunct in system.invar] == [48, 48]


@pytest.mark.parametrize(
    "relation",
    [
        "signed(a) < signed(b)",
        "a + 0ud32_4 * b = 0ud32_7",
        "-a = b",
        "(a << 2) < b",
        "a = unsigned(resize(signed(b), 32))",
    ],
)
def test_numbers_that_meet_in_an_operation_are_interleaved(relation: str) -> None:
    text = "MODULE main VAR a : unsigned word[32]; flag : boolean; b : unsigned word[32];"
    system = read_text(f"{text} INVAR {relation}")
    assert static_order(system)[:4] == (("a", 31), ("b", 31), ("a", 30), ("b", 30))
    encode(system, memory=200)


def test_wide_numbers_of_a_program_are_interleaved() -> None:
    keep = "next(n) = n & next(rest) = rest & next(more) = more"
    text = f"""MODULE main
    VAR at : 0..3; i : unsigned word[32]; n : unsigned word[32]; rest : unsigned word[32]; few : 0..7; more : 0..7;
    TRANS (at = 0 & next(at) = 1 & next(i) = i & next(few) = few & {keep})
      | (at = 1 & signed(i) < signed(n) & next(at) = 1 & next(i) = i + 0ud32_1 & next(few) = more & {keep})
      | (at = 1 & i >= n & next(at) = 2 & next(i) = i & next(few) = few & {keep})
    """
    system = read_text(text)
    names = event_order(system)
    assert names is not None
    order = [name for name, _ in static_order(system)]
    first = order.index("i" if order.index("i") < order.index("n") else "n")
    assert sorted(order[first : first + 64 : 2]) in (["i"] * 32, ["n"] * 32)
    assert sorted(static_order(system)) == sorted(side_by_side(system, names))
    for name, width in (("rest", 32), ("few", 3), ("more", 3)):
        assert order[order.index(name) :][:width] == [name] * width
    encode(system, memory=200)


def test_new_bits_follow_the_bit_that_they_follow_in_the_static_order():
    static = [("new", 0), ("a", 0), ("b", 0), ("late", 0), ("late", 1), ("c", 0)]
    earlier = [("c", 0), ("gone", 0), ("b", 0), ("a", 0)]
    assert [name for name, _ in in_order_of(earlier, static)] == ["new", "c", "b", "late", "late", "a"]
    assert in_order_of((), static) == tuple(static)


def test_initial_states_of_interleaved_numbers() -> None:
    """Where every number has an initial value, domains whose bits are interleaved are not multiplied."""
    numbers = range(60)
    copies = "".join(f"init(n{i}) := 4; next(n{i}) := n{(i + 1) % 60};" for i in numbers)
    text = f"MODULE main VAR {' '.join(f'n{i} : 0..4;' for i in numbers)} ASSIGN {copies}"
    symbolic = encode(read_text(text), memory=64)
    assert symbolic.context.size(symbolic.initial_states()) == 3 * 60 + 1  # with the constant
