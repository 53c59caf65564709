"""Assignments of sets of numbers to variables of many values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.smv import read_text
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.system import encode

TEXT = """
MODULE main
  VAR x : -20..99; y : 0..99;
  ASSIGN
    next(y) := y;
    next(x) := case
        y > 60 : {x, 10..20, -3, 22};
        y > 20 : y union (3..5) union case y > 40 : 0..2; TRUE : {-20, 99}; esac;
        y > 10 : {7, 8, 9};
        TRUE : -20..99;
      esac;
"""


def expected(x, y):
    if y > 60:
        return {x, *range(10, 21), -3, 22}
    if y > 20:
        return {y, 3, 4, 5} | ({0, 1, 2} if y > 40 else {-20, 99})
    return {7, 8, 9} if y > 10 else set(range(-20, 100))


@settings(max_examples=40, deadline=None)
@given(st.integers(-20, 99), st.integers(0, 99))
def test_successors(x, y):
    system = encode(read_text(TEXT))
    context, encoding = system.context, system.encoding
    successors = transition_relation(system).image(encoding.valuation({"x": x, "y": y}))
    wanted = context.disjunction(encoding.valuation({"x": value, "y": y}) for value in sorted(expected(x, y)))
    assert successors == wanted


@pytest.mark.parametrize("last", range(1, 20))
def test_valid(last):
    encoding = encode(read_text(f"MODULE main VAR x : 0..{last};")).encoding
    wanted = encoding.context.disjunction(encoding.equals("x", value) for value in range(last + 1))
    assert encoding.valid("x") == wanted


def test_value_out_of_range():
    text = "MODULE main VAR x : 0..99; y : boolean; ASSIGN next(x) := case y : {x, 0..100}; TRUE : x; esac;"
    with pytest.raises(InputError, match="cannot assign value 100 to variable x"):
        encode(read_text(text))
