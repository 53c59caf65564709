"""Fair lassos: a short walk first, then a search among few states ahead, or a long walk where there are many."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.methods.monolithic import session
from symag.smv.methods.options import SmvOptions
from symag.smv.traversal import fairness
from symag.smv.traversal.lasso import LassoBuilder
from tests.ctl.formulas import ctl_models
from tests.ctl.test_verdicts import check_trace
from tests.explicit_ctl import ExplicitCtl

#: A walk stays where it may stay, and never meets both constraints.
IDLE = """
MODULE main
VAR at : {idle, busy, done}; n : 0..3;
ASSIGN
  init(at) := idle; next(at) := case at = idle : {idle, busy}; at = busy : {busy, done}; TRUE : {done, idle}; esac;
  init(n) := 0; next(n) := case at = done : {n, (n + 1) mod 4}; TRUE : n; esac;
FAIRNESS n = 3
FAIRNESS at = idle
CTLSPEC AF FALSE
"""

CHAIN = """
MODULE main
VAR n : 0..255; m : 0..255;
ASSIGN
  init(n) := 0; next(n) := case n < 200 : n + 1; TRUE : n; esac;
  next(m) := case n < 200 : (m * 3 + n) mod 256; TRUE : m; esac;
FAIRNESS n > 150
CTLSPEC AF FALSE
"""


def lasso(text, monkeypatch):
    """The lasso that refutes the only property, and the largest numbers of steps of the walks on the way."""
    walk, longest = fairness.FairRuns._by_walking, []

    def noted(self, whole, first, steps):
        longest.append(steps)
        return walk(self, whole, first, steps)

    monkeypatch.setattr(fairness.FairRuns, "_by_walking", noted)
    system = read_text(text)
    result = session(system, SmvOptions())(system.properties[0], no_progress)
    assert result.verdict is Verdict.VIOLATED
    return result.trace, longest


def test_few_states_ahead_are_searched_after_a_short_walk(monkeypatch):
    trace, walks = lasso(IDLE, monkeypatch)
    assert walks == [fairness.SHORT_WALK]
    assert any(step.state["n"] == 3 for step in trace.steps[trace.loop :])


def test_many_states_ahead_are_walked(monkeypatch):
    trace, walks = lasso(CHAIN, monkeypatch)
    assert walks == [fairness.SHORT_WALK, fairness.LONGEST_WALK]
    assert (len(trace.steps), trace.loop) == (201, 200)


#: From 0 the runs go up to 4 or to 8, and stay in a loop of six states there.
TWO_LOOPS = """
MODULE main
VAR n : 0..15;
ASSIGN init(n) := 0; next(n) := case n = 0 : {1, 2, 4, 10}; n < 4 : n + 1; n = 9 : 4; n = 15 : 10; TRUE : n + 1; esac;
FAIRNESS n in {7, 13}
CTLSPEC AG n != 3
CTLSPEC AG n != 5
CTLSPEC AG n != 11
CTLSPEC AG n != 2
"""


@pytest.mark.parametrize(("longest", "searches"), [(0, 2), (40, 1)])
def test_the_cycle_of_one_counterexample_ends_later_ones(monkeypatch, longest, searches):
    """The searches for a cycle: one in each loop if nothing walks, else for what cannot be walked."""
    build, builds = LassoBuilder.build, []

    def noted(self, start):
        builds.append(start)
        return build(self, start)

    monkeypatch.setattr(LassoBuilder, "build", noted)
    monkeypatch.setattr(fairness, "SHORT_WALK", 0)
    monkeypatch.setattr(fairness, "LONGEST_WALK", 0)
    monkeypatch.setattr(fairness, "FEW_NODES", 0)
    system = read_text(TWO_LOOPS)
    decide, judge = session(system, SmvOptions()), ExplicitCtl(system)
    for number, checked in enumerate(system.properties):
        if number:
            monkeypatch.setattr(fairness, "LONGEST_WALK", longest)
        result = decide(checked, no_progress)
        assert result.verdict is Verdict.VIOLATED
        check_trace(judge, checked.expression, result.trace)
    assert len(builds) == searches


@pytest.mark.parametrize("few_nodes", [0, 1_000])
@settings(max_examples=60, deadline=None)
@given(ctl_models())
def test_lassos_of_both_searches_are_fair(few_nodes, text):
    system = read_text(text)
    judge = ExplicitCtl(system)
    decide = session(system, SmvOptions())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairness, "SHORT_WALK", 0)
        patch.setattr(fairness, "LONGEST_WALK", 0)
        patch.setattr(fairness, "FEW_NODES", few_nodes)
        for checked in system.properties:
            result = decide(checked, no_progress)
            if result.verdict is Verdict.VIOLATED:
                check_trace(judge, checked.expression, result.trace)
