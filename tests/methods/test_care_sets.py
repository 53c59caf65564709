"""Facts as care sets of searches with decision diagrams: right against the explicit-state judge, and certified."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from tests.brute_force import Explicit
from tests.strategies import models

OPTIONS = st.builds(
    SmvOptions,
    facts=st.just(True),
    direction=st.sampled_from(("forward", "backward", "both")),
    bdd=st.sampled_from(("dd", "oxidd")),
    cone_of_influence=st.booleans(),
    seed=st.integers(0, 3),
)


@settings(max_examples=40, deadline=None)
@given(models(), OPTIONS)
def test_verdicts_are_right_and_certified(text, options):
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        result = monolithic.decide(system, checked, options, no_progress)
        plain = monolithic.decide(system, checked, replace(options, facts=False), no_progress)
        assert (result.verdict is Verdict.HOLDS) == (explicit.shortest_violation(checked) is None)
        assert accept(system, checked, result, None).certified
        if result.trace is not None:
            assert len(result.trace.steps) == len(plain.trace.steps)
        # Other states may be known to have no successor, but whether the model has dead ends is the same.
        assert bool(result.warnings) == bool(plain.warnings)


#: Queues that fill and drain together: backward, almost every difference of their numbers leads to a violation.
QUEUES = """MODULE main IVAR put : boolean; get : boolean;
VAR a : 0..60; b : 0..60; c : 0..60; ASSIGN init(a) := 0; init(b) := 0; init(c) := 0;
DEFINE up := put & !get & a < 60; down := get & !put & a > 0;
ASSIGN next(a) := up ? a + 1 : down ? a - 1 : a;
next(b) := up & b < 60 ? b + 1 : down & b > 0 ? b - 1 : b;
next(c) := up & c < 60 ? c + 1 : down & c > 0 ? c - 1 : c;
INVARSPEC !(a = 60 & b = 59) & !(a = 60 & c = 59)
"""


@pytest.mark.parametrize("bdd", ["dd", "oxidd"])
def test_backward_search_stays_where_the_facts_are_true(bdd):
    system = read_text(QUEUES)
    (checked,) = system.properties
    rings = {}
    for facts in (False, True):
        options = SmvOptions(direction="backward", bdd=bdd, facts=facts)
        result = monolithic.decide(system, checked, options, no_progress)
        assert result.verdict is Verdict.HOLDS
        assert accept(system, checked, result, None).certified
        rings[facts] = result.statistics["rings_backward"]
    assert rings[True] < rings[False]
    assert result.statistics["facts"] > 0
    assert len(result.certificate.conjuncts) == 1 + result.statistics["facts"]
