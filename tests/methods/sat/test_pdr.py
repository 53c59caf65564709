"""PDR against the explicit-state judge; every proof is re-checked and every trace replayed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.replay import replay
from symag.smv.expression_reader import expression
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr.decision import decide
from tests.brute_force import Explicit
from tests.strategies import models


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(models(fairness=False), st.booleans(), st.sampled_from(["minisat-gh", "cadical153", "glucose4"]))
def test_agrees_with_the_judge(text, cone, solver):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = decide(system, checked, SmvOptions(cone_of_influence=cone), no_progress, solver=solver)
        if explicit.shortest_violation(checked) is None:
            assert result.verdict is Verdict.HOLDS
            assert check_certificate(system, checked, result.certificate)
        else:
            assert result.verdict is Verdict.VIOLATED
            replay(system, checked, result.trace)


def test_a_property_of_steps():
    text = (
        "MODULE main IVAR i : boolean; VAR x : 0..5; ASSIGN init(x) := 0;"
        "next(x) := case i & x < 4 : x + 1; TRUE : 0; esac;"
        "INVARSPEC next(x) <= x + 1 & x < 5 INVARSPEC i -> next(x) > 0"
    )
    system = read_text(text)
    kept, broken = system.properties
    result = decide(system, kept, SmvOptions(), no_progress)
    assert result.verdict is Verdict.HOLDS
    assert check_certificate(system, kept, result.certificate)
    result = decide(system, broken, SmvOptions(), no_progress)
    assert result.verdict is Verdict.VIOLATED
    replay(system, broken, result.trace)


def test_lemmas_are_part_of_the_proof():
    text = (
        "MODULE main VAR a : 0..15; b : 0..15; ASSIGN init(a) := 0; init(b) := 0;"
        "next(a) := (a + 1) mod 16; next(b) := (b + 1) mod 16; INVARSPEC (a = 15) = (b = 15)"
    )
    system = read_text(text)
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(), no_progress, lemmas=[expression(system, "a = b")])
    assert result.verdict is Verdict.HOLDS
    assert result.certificate.lemmas == ("a = b",)
    assert check_certificate(system, checked, result.certificate)


def test_a_wrong_lemma_is_not_believed():
    system = read_text("MODULE main VAR a : boolean; ASSIGN init(a) := FALSE; next(a) := !a; INVARSPEC !a")
    (checked,) = system.properties
    result = decide(system, checked, SmvOptions(), no_progress, lemmas=[expression(system, "!a")])
    assert result.verdict is Verdict.HOLDS
    with pytest.raises(CertificationError):
        check_certificate(system, checked, result.certificate)


def test_lemmas_are_pushed_into_a_new_frame_before_its_bad_states_are_blocked():
    bits = 24
    text = "MODULE main IVAR keep : boolean; VAR " + " ".join(f"b{bit} : boolean;" for bit in range(bits))
    text += " ASSIGN " + " ".join(f"init(b{bit}) := FALSE; next(b{bit}) := b{bit} & keep;" for bit in range(bits))
    system = read_text(text + " INVARSPEC " + " & ".join(f"!b{bit}" for bit in range(bits)))
    result = decide(system, system.properties[0], SmvOptions(simulation_first=False), no_progress)
    assert result.verdict is Verdict.HOLDS
    # A bit takes a bad state and a query that blocks it, once only, and one that pushes the lemma.
    assert result.statistics["queries"] <= 3 * bits + 3
