"""The monolithic method against the explicit-state judge, and its evidence against certify."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read, read_text
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import ctl, invariants, ltl
from symag.smv.methods.monolithic import decide
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.state_spaces import StateSpaces
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of
from tests.brute_force import Explicit
from tests.strategies import models

DIRECTIONS = ("forward", "backward", "both")


def check_evidence(system: FlatSystem, checked: Property, options: SmvOptions) -> Verdict:
    result = decide(system, checked, options, no_progress)
    if result.verdict is Verdict.VIOLATED:
        replay(system, checked, result.trace)
    elif result.certificate is not None:
        check_certificate(system, checked, result.certificate)
    return result.verdict


#: The nodes from which on both directions take turns, and those that make a step backward hard: none in a small model.
LIMITS = ((invariants.TINY, invariants.EASY_STEP), (0, invariants.EASY_STEP), (0, 3))


@contextlib.contextmanager
def limits(tiny: int, easy_step: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invariants, "TINY", tiny)
        patch.setattr(invariants, "EASY_STEP", easy_step)
        yield


@settings(max_examples=120, deadline=None)
@given(models(), st.sampled_from(DIRECTIONS), st.booleans(), st.booleans(), st.sampled_from(LIMITS))
def test_agrees_with_the_judge(text, direction, cone, reordering, nodes):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        expected = explicit.holds(checked, compassion=True)
        options = SmvOptions(direction=direction, cone_of_influence=cone, reordering=reordering)
        with limits(*nodes):
            assert (check_evidence(system, checked, options) is Verdict.HOLDS) == expected


@settings(max_examples=60, deadline=None)
@given(models(fairness=False), st.sampled_from(DIRECTIONS), st.sampled_from(LIMITS))
def test_invariant_traces_are_shortest(text, direction, nodes):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        shortest = explicit.shortest_violation(checked)
        if checked.kind == "INVARSPEC" and shortest is not None:
            options = SmvOptions(direction=direction, cone_of_influence=False)
            with limits(*nodes):
                result = decide(system, checked, options, no_progress)
            assert len(result.trace.steps) == len(shortest.steps)


def test_empty_initial_states_are_said():
    system = read_text("MODULE main VAR x : boolean; INIT x & !x INVARSPEC x")
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert "initial states is empty" in result.warnings[0]


def test_dead_ends_are_named():
    system = read_text("MODULE main VAR x : boolean; INIT x TRANS x -> (next(x) & !next(x)) INVARSPEC x")
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert "no successor: x = TRUE" in result.warnings[0]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("property", ["SPEC AG x < 3", "LTLSPEC G x < 3"])
def test_a_run_walks_on_from_a_bad_state(monkeypatch, direction, property):
    """Fix-points over fair states, which cost more, are not needed."""
    for module in (ctl, ltl):
        monkeypatch.setattr(module, "decide", None)
    system = read_text(f"MODULE main VAR x : 0..4; INIT x = 0 TRANS next(x) = x + 1 | x = 4 {property}")
    result = decide(system, system.properties[0], SmvOptions(direction=direction), no_progress)
    replay(system, system.properties[0], result.trace)
    assert result.trace.loop is not None
    assert result.method.startswith("monolithic (")
    assert result.warnings == ()


@pytest.mark.parametrize("property", ["SPEC AG !x", "SPEC AG FALSE", "LTLSPEC G !x"])
def test_a_run_goes_on_where_trans_only_assigns(property):
    """The searched system has an assignment instead of TRANS; the evidence is about the system that was given."""
    system = read_text(f"MODULE main VAR x : boolean; y : 0..3; TRANS next(x) = (y = 2) {property}")
    assert check_evidence(system, system.properties[0], SmvOptions()) is Verdict.VIOLATED


@pytest.mark.parametrize("property", ["SPEC AG !x", "SPEC AG FALSE", "LTLSPEC G !x", "LTLSPEC G FALSE"])
def test_no_run_walks_on_where_only_fair_ones_count(monkeypatch, property):
    monkeypatch.setattr(StateSpaces, "walked_on", None)
    system = read_text(f"MODULE main VAR x : boolean; y : 0..3; TRANS next(x) = (y = 2) FAIRNESS y = 1 {property}")
    assert check_evidence(system, system.properties[0], SmvOptions()) is Verdict.VIOLATED


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_bad_state_without_an_infinite_run_does_not_count(direction):
    """x = 1 has no successor; the only infinite run is 0, 2, 3, 3 and so on."""
    text = (
        "MODULE main VAR x : 0..3; INIT x = 0 TRANS x != 1 & next(x) > x & !(x = 2 & next(x) < 3) | x = 3 & next(x) = 3"
    )
    expected = {
        "SPEC AG x != 1": True,
        "LTLSPEC G x != 1": True,
        "SPEC AG x in {0, 2}": False,
        "INVARSPEC x != 1": False,
    }
    for property, holds in expected.items():
        system = read_text(f"{text} {property}")
        assert (check_evidence(system, system.properties[0], SmvOptions(direction=direction)) is Verdict.HOLDS) == holds


def test_no_fair_path_means_that_every_path_is_fine():
    text = "MODULE main VAR x : boolean; INIT x TRANS next(x) = x FAIRNESS !x SPEC AG !x INVARSPEC !x"
    system = read_text(text)
    always, invariant = (decide(system, checked, SmvOptions(), no_progress) for checked in system.properties)
    assert always.verdict is Verdict.HOLDS
    assert any("fair states is empty" in warning for warning in always.warnings)
    assert invariant.verdict is Verdict.VIOLATED


def test_a_counterexample_of_the_cone_may_be_none_of_the_whole():
    """y has no run of more than one state, so x never leaves its first value."""
    text = "MODULE main VAR x : 0..3; y : boolean; ASSIGN init(x) := 0; next(x) := 1; TRANS y & !y INVARSPEC x = 0"
    system = read_text(text)
    assert check_evidence(system, system.properties[0], SmvOptions()) is Verdict.HOLDS


def test_a_counterexample_of_the_cone_is_extended_past_dead_ends():
    """Outside the cone only the initial value 2 of y lives long enough; picking the first one does not."""
    text = """MODULE main VAR x : 0..3; y : 0..7;
        ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : 3;
        INIT y <= 2
        TRANS (y = 0 & next(y) = 3) | (y = 2 & next(y) = 4) | (y = 4 & next(y) = 5) | (y = 5 & next(y) = 5)
        INVARSPEC x < 3"""
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    replay(system, system.properties[0], result.trace)
    assert [step.state["y"] for step in result.trace.steps] == [2, 4, 5, 5]


def test_a_frozen_variable_outside_the_cone_keeps_the_value_that_lets_the_run_go_on():
    text = "MODULE main VAR x : boolean; y : boolean; FROZENVAR f : boolean; INIT x TRANS f INVARSPEC x"
    system = read_text(text)
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    replay(system, system.properties[0], result.trace)
    assert [(step.state["x"], step.state["f"]) for step in result.trace.steps] == [(True, True), (False, True)]


SMALL = (
    "brp/brp.smv",
    "example_cmu/counter.smv",
    "example_cmu/dme1.smv",
    "example_cmu/gigamax.smv",
    "example_cmu/periodic.smv",
    "example_cmu/syncarb5.smv",
    "msi/msi_wtrans.smv",
    "smv-dist/syncarb10.smv",
)


@pytest.mark.parametrize("name", SMALL)
def test_public_models(suites, name):
    system = read(suites / "smv" / "nusmv" / name)
    known = json.loads((suites / "smv" / "nusmv-verdicts.json").read_text())[name]
    by_text = {text.replace(" ", ""): verdict == "true" for _, text, verdict in known["verdicts"]}
    formulas = {each["idx"]: each["formula"].replace(" ", "") for each in known["properties"]}
    decided = 0
    for checked in system.properties:
        if invariant_of(system, checked) is not None and formulas.get(checked.index) in by_text:
            holds = check_evidence(system, checked, replace(SmvOptions(), memory=2000)) is Verdict.HOLDS
            assert holds == by_text[formulas[checked.index]]
            decided += 1
    assert decided
