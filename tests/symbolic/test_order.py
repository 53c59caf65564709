"""The static order: complete, and interleaved where numbers meet."""

from __future__ import annotations

from hypothesis import given, settings

from symag.smv import read_text
from symag.smv.symbolic.order import declaration_order, in_order_of, static_order
from symag.smv.symbolic.system import encode
from tests.strategies import models


@settings(max_examples=100, deadline=None)
@given(models(properties=1, largest=24))
def test_every_bit_once(text):
    system = read_text(text)
    assert sorted(static_order(system)) == sorted(declaration_order(system))


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


def test_new_bits_follow_the_bit_that_they_follow_in_the_static_order():
    static = [("new", 0), ("a", 0), ("b", 0), ("late", 0), ("late", 1), ("c", 0)]
    earlier = [("c", 0), ("gone", 0), ("b", 0), ("a", 0)]
    assert [name for name, _ in in_order_of(earlier, static)] == ["new", "c", "b", "late", "late", "a"]
    assert in_order_of((), static) == tuple(static)
