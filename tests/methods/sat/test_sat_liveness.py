"""LTL by liveness to safety, against the explicit-state judges; lassos are replayed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify import check_certificate
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import bmc, monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from tests.brute_force import Explicit
from tests.strategies import models

FORMULAS = ("G F x", "F G x", "G (x -> F !x)", "x U y", "G (x -> X y)", "F (x & O y)", "G F (x & y) -> F G z", "G !z")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**30), st.sampled_from(FORMULAS), st.booleans())
def test_ltl_agrees_with_bdds(seed, formula, cone):
    pick = [seed >> 3 * k & 7 for k in range(10)]
    terms = ("x", "!x", "y", "!y", "z", "TRUE", "{TRUE, FALSE}", "x xor y")
    text = (
        "MODULE main VAR x : boolean; y : boolean; z : boolean; w : 0..2; ASSIGN init(x) := FALSE; "
        f"next(x) := {terms[pick[0]]}; next(y) := {terms[pick[1]]}; "
        + ("JUSTICE y;" if pick[2] & 1 else "")
        + (" TRANS x -> next(z) != z" if pick[2] & 2 else "")
        + (" INVAR w = 0 -> x" if pick[2] & 4 else "")
        + (" COMPASSION (x, z)" if pick[3] & 1 else "")
        + f" LTLSPEC {formula}"
    )
    system = read_text(text)
    (checked,) = system.properties
    expected = monolithic.decide(system, checked, SmvOptions(), no_progress).verdict
    options = SmvOptions(cone_of_influence=cone)
    result = pdr.decide(system, checked, options, no_progress)
    assert result.verdict is expected
    bounded = bmc.decide(system, checked, SmvOptions(cone_of_influence=cone, bound=12), no_progress)
    if expected is Verdict.VIOLATED:
        replay(system, checked, result.trace)
        replay(system, checked, bounded.trace)
    else:
        assert bounded.verdict is Verdict.UNKNOWN


@settings(max_examples=60, deadline=None)
@given(models())
def test_ag_p_with_fairness_and_dead_ends(text):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind == "CTL":
            result = pdr.decide(system, checked, SmvOptions(), no_progress)
            assert (result.verdict is Verdict.HOLDS) == explicit.holds(checked, compassion=True)
            if result.trace is not None:
                replay(system, checked, result.trace)
            else:
                assert result.certificate is not None
                assert check_certificate(system, checked, result.certificate)


@pytest.mark.parametrize("method", [bmc, pdr])
def test_a_lasso_of_the_whole_system(method):
    text = (
        "MODULE main VAR x : boolean; n : 0..6; ASSIGN init(x) := FALSE; next(x) := !x; init(n) := 0;"
        "next(n) := (n + 1) mod 7; LTLSPEC F G x"
    )
    system = read_text(text)
    result = method.decide(system, system.properties[0], SmvOptions(bound=9), no_progress)
    assert result.verdict is Verdict.VIOLATED
    replay(system, system.properties[0], result.trace)
