"""Bounded model checking against the explicit-state judge, and its traces against replay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.runs.replay import replay
from symag.smv.checking.check import check
from symag.smv.methods.bmc import decide
from symag.smv.methods.options import SmvOptions
from tests.brute_force import Explicit
from tests.strategies import models


@settings(max_examples=120, deadline=None)
@given(models(fairness=False), st.booleans())
def test_finds_shortest_violations_and_no_others(text, cone):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        shortest = explicit.shortest_violation(checked)
        result = decide(system, checked, SmvOptions(cone_of_influence=cone, bound=12), no_progress)
        if not explicit.initial_states():
            assert result.verdict is Verdict.HOLDS
        elif shortest is None:
            assert result.verdict is Verdict.UNKNOWN
            assert str(result.reason).startswith("bound: no violation within ")
        elif len(shortest.steps) <= 12:
            replay(system, checked, result.trace)
            assert len(result.trace.steps) == len(shortest.steps)


def test_the_bound_is_said():
    system = read_text("MODULE main VAR x : 0..9; ASSIGN init(x) := 0; next(x) := (x + 1) mod 10; INVARSPEC x < 5")
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(bound=4), no_progress)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "bound: no violation within 4 steps")
    assert result.statistics["steps"] == 4
    assert decide(system, checked, SmvOptions(bound=5), no_progress).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    "text",
    [
        "INIT x = 1 & x = 2; INVARSPEC x < 3",
        "INVAR x > 4; INIT x < 2; INVARSPEC next(x) < 3",
        "INVAR FALSE; LTLSPEC F x = 2",
        "INIT FALSE; JUSTICE x = 1; CTLSPEC AG x < 3",
        "INIT FALSE; LTLSPEC G F x = 1 & O x = 2",
    ],
)
@pytest.mark.parametrize("method", ["bmc", "simulation"])
def test_a_model_without_initial_states(text, method):
    """No larger bound would find more: every property holds."""
    system = read_text(f"MODULE main VAR x : 0..7; TRANS next(x) = (x + 1) mod 8; {text}")
    ((_, result),) = check(system, system.properties, method, SmvOptions(bound=3))
    assert (result.verdict, result.certified) == (Verdict.HOLDS, True)
    assert result.warnings == ("the set of initial states is empty: every property holds",)


def test_a_property_of_steps():
    text = "MODULE main IVAR i : boolean; VAR x : boolean; ASSIGN init(x) := FALSE; INVARSPEC i -> !next(x)"
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(bound=3), no_progress)
    assert result.verdict is Verdict.VIOLATED
    replay(system, system.properties[0], result.trace)


def test_values_outside_the_cone_satisfy_their_constraints():
    text = "MODULE main VAR x : boolean; y : 0..5; z : 0..5; INVAR y + z = 7 TRANS next(y) != y INIT z = 4 INVARSPEC x"
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(bound=3), no_progress)
    replay(system, system.properties[0], result.trace)


def test_a_violation_that_the_rest_of_the_system_excludes():
    text = (
        "MODULE main VAR x : boolean; y : boolean; ASSIGN init(x) := TRUE; next(x) := !x; TRANS FALSE & y INVARSPEC x"
    )
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(bound=5), no_progress)
    assert result.verdict is Verdict.UNKNOWN


def test_no_initial_state_is_said():
    system = read_text("MODULE main VAR x : boolean; INIT x & !x INVARSPEC x")
    result = decide(system, system.properties[0], SmvOptions(bound=2), no_progress)
    assert "the set of initial states is empty" in result.warnings[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("VAR x : 0..3; INVARSPEC 4 / x = 2", "division by zero"),
        ("VAR x : 0..3; ASSIGN next(x) := x + 1; INVARSPEC x = 2", "cannot assign"),
        ("VAR x : 0..3; INVARSPEC case x = 1 : TRUE; esac", "case conditions are not exhaustive"),
        ("VAR b : boolean; a : array 0..1 of boolean; x : 0..2; INVARSPEC a[x]", "array index out of bounds"),
    ],
)
def test_evaluation_that_can_fail_is_an_error(text, message):
    system = read_text(f"MODULE main {text}")
    with pytest.raises(InputError, match=message):
        decide(system, system.properties[0], SmvOptions(bound=2), no_progress)


def test_other_properties_are_unsupported():
    system = read_text("MODULE main VAR x : boolean; SPEC EF x")
    with pytest.raises(UnsupportedError):
        decide(system, system.properties[0], SmvOptions(bound=2), no_progress)
