"""Random small models: verdicts and depths are those of brute force, and evidence is accepted."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.model.printer import flat_text
from tests.btor2.oracle import Oracle
from tests.btor2.strategies import random_model, system_of


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_bad_states_are_reached_as_brute_force_says(seed):
    text = random_model(Random(seed))
    system = system_of(text)
    for checked, depth in zip(system.properties, Oracle(text).depths(), strict=True):
        result = monolithic.decide(system, checked, SmvOptions(), no_progress)
        assert result.verdict is (Verdict.HOLDS if depth is None else Verdict.VIOLATED), text
        assert accept(system, checked, result, None).certified
        if depth is not None:
            assert len(result.trace.steps) == depth + 1


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1 << 32))
def test_justice_is_as_brute_force_says(seed):
    text = random_model(Random(seed), justice=True)
    system = system_of(text)
    for checked, violated in zip(system.properties, Oracle(text).just(), strict=False):
        assert checked.kind == "LTL"
        result = monolithic.decide(system, checked, SmvOptions(), no_progress)
        assert result.verdict is (Verdict.VIOLATED if violated else Verdict.HOLDS), text


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1 << 32))
def test_the_model_as_smv_is_the_same(seed):
    text = random_model(Random(seed))
    again = read_text(flat_text(system_of(text)))
    for checked, depth in zip(again.properties, Oracle(text).depths(), strict=True):
        result = monolithic.decide(again, checked, SmvOptions(), no_progress)
        assert result.verdict is (Verdict.HOLDS if depth is None else Verdict.VIOLATED), text
