"""The static order of searches for invariants."""

from __future__ import annotations

from hypothesis import given, settings

from symag.core.limits import no_progress
from symag.smv import read_text
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_spaces import StateSpaces
from symag.smv.symbolic.order import side_by_side
from symag.smv.symbolic.search_order import search_order
from tests.strategies import models


def pairs(number: int) -> str:
    """Variables that are always equal in pairs, each of which is declared as far apart as can be."""
    names = range(number)
    variables = "".join(f"  {side}{index} : boolean;\n" for side in "ab" for index in names)
    assignments = "".join(
        f"  init(b{index}) := a{index};\n  next(a{index}) := b{index};\n  next(b{index}) := a{index};\n"
        for index in names
    )
    return f"MODULE main\nVAR\n{variables}ASSIGN\n{assignments}INVARSPEC a0 = b0\n"


def test_variables_of_an_assignment_are_near_each_other():
    """As declared, the initial states of these have 2^16 nodes."""
    spaces = StateSpaces(read_text(pairs(16)), SmvOptions(), only_searches=True)
    symbolic = spaces.symbolic(no_progress)
    assert symbolic.context.size(symbolic.initial_states()) <= 3 * 16 + 1


def test_declarations_that_are_about_as_good_stay():
    near = "MODULE main\nVAR a : boolean; b : boolean; c : boolean;\nASSIGN\n next(b) := a;\n next(c) := b;\n"
    assert search_order(read_text(near)) is None


def test_numbers_stay_interleaved():
    text = pairs(16).replace("VAR\n", "VAR\n  n : 0..7;\n  m : 0..7;\n", 1)
    assert search_order(read_text(text)) is None


def test_a_number_beside_many_bits_keeps_nobody_apart():
    """Three of 51 bits."""
    order = search_order(read_text(pairs(24).replace("VAR\n", "VAR\n  n : 0..7;\n", 1)))
    assert order is not None
    names = [name for name, _ in order]
    assert all(abs(names.index(f"a{number}") - names.index(f"b{number}")) == 1 for number in range(24))


@settings(max_examples=40, deadline=None)
@given(models())
def test_it_has_every_bit_once(text):
    flat = read_text(text)
    order = search_order(flat)
    assert order is None or sorted(order) == sorted(side_by_side(flat, flat.by_name))


def test_every_bit_of_a_larger_system_is_in_it_once():
    flat = read_text(pairs(16).replace("b3 : boolean", "b3 : {x, y, z}").replace("a3 : boolean", "a3 : {x, y, z}"))
    order = search_order(flat)
    assert order is not None
    assert sorted(order) == sorted(side_by_side(flat, flat.by_name))


def test_data_is_below_the_control_that_it_reads():
    """``c``, ``d``, ``e`` and ``z`` read each other; ``x`` and ``y`` follow them; ``i`` is free."""
    text = """MODULE main
        VAR i : boolean; c : boolean; x : boolean; d : boolean; y : boolean; e : boolean; z : boolean;
        ASSIGN next(c) := d xor z; next(d) := e & i; next(e) := c; next(z) := d & e; next(x) := c ? i : x;
          next(y) := d ? x : y;
    """
    order = search_order(read_text(text))
    assert order is not None
    assert [name for name, _ in order] == ["i", "c", "d", "e", "z", "x", "y"]


def test_a_small_cycle_is_no_control():
    text = """MODULE main
        VAR x : boolean; c : boolean; y : boolean; d : boolean; z : boolean;
        ASSIGN next(c) := d; next(d) := !c; next(x) := c; next(y) := x; next(z) := y;
    """
    assert search_order(read_text(text)) is None
