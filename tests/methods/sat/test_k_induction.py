"""k-induction against the explicit-state judge; every proof is re-checked and every trace replayed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Limits, no_progress
from symag.core.results import Verdict
from symag.core.source import SourceText
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.aiger import parse, to_system
from symag.smv.certificates.invariants import Induction
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.replay import replay
from symag.smv.checking.check import inquiries
from symag.smv.expression_reader import expression
from symag.smv.methods import k_induction
from symag.smv.methods.k_induction import BRIEF_STEPS, InductionStep, decide
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.simultaneous import SimultaneousInduction
from tests.brute_force import Explicit
from tests.strategies import models


@settings(max_examples=100, deadline=None)
@given(models(fairness=False), st.booleans())
def test_agrees_with_the_judge(text, cone):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        shortest = explicit.shortest_violation(checked)
        result = decide(system, checked, SmvOptions(cone_of_influence=cone, bound=30), no_progress)
        if shortest is not None:
            assert result.verdict is Verdict.VIOLATED
            replay(system, checked, result.trace)
            assert len(result.trace.steps) == len(shortest.steps)
        elif result.verdict is Verdict.HOLDS:
            assert check_certificate(system, checked, result.certificate)
        else:
            assert str(result.reason).startswith("bound: no violation within")


COUNTER = (
    "MODULE main VAR x : 0..7; r : boolean; ASSIGN init(x) := 0;"
    "next(x) := case x = 3 : 0; x = 7 : 4; TRUE : x + 1; esac; INVARSPEC x < 5"
)


def test_distinct_states_complete_the_induction():
    system = read_text(COUNTER)
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert check_certificate(system, checked, result.certificate)


@pytest.mark.parametrize("change", [{"steps": 1}, {"steps": 0}, {"lemmas": ("x < 4 | r",)}, {"lemmas": ("x",)}])
def test_a_changed_certificate_is_refused(change):
    system = read_text(
        "MODULE main VAR x : 0..7; r : boolean; ASSIGN init(x) := 0;"
        "next(x) := case x = 3 : 0; x < 7 : x + 1; TRUE : 7; esac; INVARSPEC x != 6"
    )
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(), no_progress)
    assert result.certificate.steps > 1
    assert check_certificate(system, checked, result.certificate)
    with pytest.raises(CertificationError):
        check_certificate(system, checked, replace(result.certificate, **change))


def test_a_lemma_makes_it_inductive():
    text = (
        "MODULE main VAR a : 0..255; b : 0..255; ASSIGN init(a) := 0; init(b) := 0;"
        "next(a) := (a + 1) mod 256; next(b) := (b + 1) mod 256; INVARSPEC (a = 255) = (b = 255)"
    )
    system = read_text(text)
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(bound=3), no_progress, lemmas=[expression(system, "a = b")])
    assert result.verdict is Verdict.HOLDS
    assert check_certificate(system, checked, result.certificate)
    assert decide(system, checked, SmvOptions(bound=3), no_progress).verdict is Verdict.UNKNOWN


def test_states_differ_where_the_re_check_says_that_they_do() -> None:
    """Gates that fold away in the engine's circuit read latches that the model's text names all the same."""
    text = (
        "aag 26 2 4 0 20 1\n2\n4\n6 51\n8 39 1\n10 36\n12 46\n30\n14 12 9\n16 6 1\n18 10 7\n20 8 2\n22 15 14\n24 18 2\n"
        "26 20 14\n28 19 17\n30 20 10\n32 29 16\n34 24 9\n36 17 7\n38 23 8\n40 28 19\n42 31 4\n44 23 1\n46 20 11\n"
        "48 28 7\n50 41 36\n52 45 26\n"
    )
    system = to_system(parse(text.encode(), "folding.aag"), SourceText.of("folding.aag", text))
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(bound=70), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.certificate.distinct
    assert check_certificate(system, checked, result.certificate)


def test_what_an_outer_constraint_reads_differs_and_what_nothing_reads_does_not() -> None:
    # The property needs the constraint on d, which is outside its cone; e is read by nothing.
    system = read_text("""
    MODULE main
    IVAR i : boolean;
    VAR a : boolean; b : boolean; c : boolean; d : boolean; e : boolean; p : boolean;
    ASSIGN
      init(p) := FALSE; next(p) := b & !i;
      next(a) := !(!c & b); init(b) := FALSE; next(b) := c | b; next(c) := a;
      init(d) := FALSE; next(d) := c;
      init(e) := TRUE; next(e) := !(a & b);
    INVAR !d
    INVARSPEC !p
    """)
    result = decide(system, system.properties[0], SmvOptions(bound=30), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert result.certificate.distinct
    check_certificate(system, system.properties[0], result.certificate)


def test_a_violation_near_the_start_is_shown_before_the_step_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    system = read_text("MODULE main VAR x : 0..7; ASSIGN init(x) := 0; next(x) := x + (x < 7 ? 1 : 0); INVARSPEC x < 3")
    monkeypatch.setattr(InductionStep, "holds_after", None)
    result = decide(system, system.properties[0], SmvOptions(), no_progress)
    assert (result.verdict, len(result.trace.steps)) == (Verdict.VIOLATED, 4)


@pytest.mark.parametrize(
    ("last", "more", "factor", "verdict"),
    [
        (BRIEF_STEPS, 0.0, 0.0, Verdict.VIOLATED),
        (40, 0.0, 0.0, Verdict.UNKNOWN),
        (40, 60.0, 0.0, Verdict.VIOLATED),
        (40, 0.0, 1e6, Verdict.VIOLATED),
    ],
)
def test_first_steps_end_without_a_bound_but_go_on_while_they_cost_little(
    last: int, more: float, factor: float, verdict: Verdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"MODULE main VAR x : 0..63; ASSIGN init(x) := 0; next(x) := (x + 1) mod 64; INVARSPEC x < {last}"
    monkeypatch.setattr(k_induction, "BRIEF_SECONDS", 60.0)
    monkeypatch.setattr(k_induction, "BRIEF_MORE", more)
    monkeypatch.setattr(k_induction, "BRIEF_MORE_FACTOR", factor)
    system = read_text(text)
    assert decide(system, system.properties[0], SmvOptions(brief=True), no_progress).verdict is verdict


def test_first_steps_leave_runs_that_are_no_counterexamples_to_others() -> None:
    text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; FAIRNESS x = 9 - 9; SPEC AG x < 2"
    system = read_text(text)
    for brief, verdict in ((True, Verdict.UNKNOWN), (False, Verdict.VIOLATED)):
        assert decide(system, system.properties[0], SmvOptions(brief=brief), no_progress).verdict is verdict


@pytest.mark.parametrize(("seconds", "longest"), [(None, math.inf), (30.0, 15.0)])
def test_the_search_for_all_invariants_leaves_time_before_the_limit(seconds, longest, monkeypatch):
    """A process that is stopped at the limit tells nothing of what it has proved."""
    system = read_text("MODULE main VAR x : boolean; INVARSPEC x; INVARSPEC !x")
    limits = []

    class Searched(SimultaneousInduction):
        def __init__(self, *arguments, longest, **others):
            limits.append(longest)
            super().__init__(*arguments, longest=longest, **others)

    monkeypatch.setattr(k_induction, "SimultaneousInduction", Searched)
    inquiry = next(inquiries(system, system.properties, "k-induction", limits=Limits(seconds=seconds)))
    k_induction.session(system, inquiry._contest.options)
    assert (limits, inquiry._contest.options.to_decide) == ([longest], 2)


def test_the_search_for_all_invariants_goes_on_beside_that_for_one(monkeypatch):
    """Alone x = y needs a path of 256 different values of c."""
    text = "VAR x : unsigned word[8]; y : unsigned word[8]; z : unsigned word[8]; c : unsigned word[8];"
    text += "ASSIGN init(x) := 0ud8_0; init(y) := 0ud8_0; init(z) := 0ud8_0; next(c) := c + 0ud8_1;"
    for name, source in (("x", "x"), ("y", "z"), ("z", "z")):
        text += f"next({name}) := c = 0ud8_0 ? {source} + 0ud8_1 : {name};"
    system = read_text(f"MODULE main {text} INVARSPEC x = y; INVARSPEC y = z")
    proof, calls = SimultaneousInduction.proof, []

    def late(search, property, seconds):
        calls.append(seconds)
        return None if len(calls) == 1 else proof(search, property, seconds)

    monkeypatch.setattr(SimultaneousInduction, "proof", late)
    result = decide(system, system.properties[0], SmvOptions(bound=100), no_progress)
    assert result.certificate == Induction(1, (), ("y = z",))
    assert len(calls) == 2
