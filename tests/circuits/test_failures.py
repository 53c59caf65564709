"""Errors of evaluation in circuits are those that enumeration of all valuations finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.smv import read_text
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.failures import refuse_failures
from symag.smv.reduction.evaluation_errors import refuse_errors_of_evaluation
from tests.brute_force import find_error

#: One relation of a model with x : 0..2 and e : {a, b, 3}; y is the variable that the assignments may miss.
_VALUES = ("x", "x + 1", "x - 1", "3 / x", "x mod 2", "{x, x + 1}", "3..4", "case x < 2 : x; e = a : 1; esac", "-x")
_CONDITIONS = ("y = x", "3 / x > 0", "x = 0 | 3 / x > 0", "case e = a : TRUE; e = b : x = 1; e = 3 : TRUE; esac")
_STEPS = ("next(y) = x", "3 / next(x) > 0", "case next(e) = a : TRUE; next(e) = b : TRUE; next(e) = 3 : x = 0; esac")


@st.composite
def relations(draw: st.DrawFn) -> str:
    """A relation that may fail to evaluate."""
    low, high = draw(st.sampled_from([(0, 1), (0, 2), (0, 3), (-2, 2)]))
    kind = draw(st.sampled_from(["", "init", "next", "INVAR", "INIT", "JUSTICE", "TRANS"]))
    if kind == "TRANS":
        rule = f"TRANS {draw(st.sampled_from(_STEPS))}"
    elif kind.isupper():
        rule = f"{kind} {draw(st.sampled_from(_CONDITIONS))}"
    else:
        target = f"{kind}(y)" if kind else "y"
        rule = f"ASSIGN {target} := {draw(st.sampled_from(_VALUES))};"
    return f"MODULE main\nVAR x : 0..2; e : {{a, b, 3}}; y : {low}..{high};\n{rule}\n"


@settings(max_examples=60, deadline=None)
@given(relations(), st.sampled_from(_CONDITIONS[1:]))
def test_a_model_is_refused_where_enumeration_finds_an_error(text: str, claim: str) -> None:
    system = read_text(f"{text}INVARSPEC {claim}\n")
    expected = find_error(system)
    if expected is None:
        refuse_errors_of_evaluation(system, system.properties)
        return
    with pytest.raises(InputError):
        refuse_errors_of_evaluation(system, system.properties)


@pytest.mark.parametrize(
    ("declared", "rule", "message"),
    [
        # The bits of y are those of x, or a sum: they say nothing about which values of x there are.
        ("x : 0..3; y : 0..2;", "y := x;", "3:13: cannot assign value 3 to variable y"),
        ("x : 0..2; y : 0..2;", "y := x + 1;", "3:15: cannot assign value 3 to variable y"),
        ("x : 0..2; y : 0..2;", "next(y) := x - 2;", "3:21: cannot assign value -1 to variable y"),
        ("x : 0..2; y : 0..2;", "y := {x, x + 1, 5..7};", "3:13: cannot assign value 3 to variable y"),
        ("x : {a, b, c}; y : {a, b, d};", "y := x;", "3:13: cannot assign value c to variable y"),
    ],
)
def test_the_first_value_outside_the_type_is_named(declared: str, rule: str, message: str) -> None:
    system = read_text(f"MODULE main\nVAR {declared}\nASSIGN {rule}\n", "m.smv")
    with pytest.raises(InputError, match=message):
        refuse_failures(Blasting(system))


def test_only_values_of_the_type_are_next() -> None:
    rule = "TRANS case next(y) = a : TRUE; next(y) = b : TRUE; next(y) = c : y != c; esac"
    refuse_failures(Blasting(read_text(f"MODULE main\nVAR y : {{a, b, c}};\n{rule}\n")))
