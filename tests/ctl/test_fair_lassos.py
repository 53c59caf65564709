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


#: From 0 the runs go up to 4 or to 10, and stay in a loop of six states there.
TWO_LOOPS = """
MODULE main
{input}VAR n : 0..15;
ASSIGN init(n) := 0; next(n) := case n = 0 : {{1, 2, 4, 10}}; n < 4 : n + 1; n = 9 : 4; n = 15 : 10; TRUE : n + 1; esac;
{fairness}
CTLSPEC AG n != 3
CTLSPEC AG n != 5
CTLSPEC AG n != 11
CTLSPEC AG n != 2
CTLSPEC AF n = 7
"""
JUSTICE = TWO_LOOPS.format(input="", fairness="FAIRNESS n in {7, 13}")
COMPASSION = TWO_LOOPS.format(input="IVAR i : boolean; ", fairness="COMPASSION (TRUE, i & n in {7, 13})")


@pytest.fixture
def searches(monkeypatch):
    """The searches for a cycle and the long walks, in their order, where a short walk finds nothing."""
    build, walk, done = LassoBuilder.build, fairness.FairRuns._by_walking, []

    def built(self, start):
        done.append("search")
        return build(self, start)

    def walked(self, whole, first, steps):
        if steps:
            done.append("walk")
        return walk(self, whole, first, steps)

    monkeypatch.setattr(LassoBuilder, "build", built)
    monkeypatch.setattr(fairness.FairRuns, "_by_walking", walked)
    monkeypatch.setattr(fairness, "SHORT_WALK", 0)
    monkeypatch.setattr(fairness, "LONGEST_WALK", 0)
    monkeypatch.setattr(fairness, "FEW_NODES", 0)
    return done


def refute(decide, system, numbers):
    """Check the traces against the properties of these numbers."""
    for number in numbers:
        checked = system.properties[number]
        result = decide(checked, no_progress)
        assert result.verdict is Verdict.VIOLATED
        check_trace(ExplicitCtl(system), checked.expression, result.trace)


@pytest.mark.parametrize("text", [JUSTICE, COMPASSION])
def test_the_cycle_of_one_counterexample_ends_later_ones(searches, text):
    """A search for each of the two loops, and one for a run that stays away from a state of the first loop."""
    system = read_text(text)
    refute(session(system, SmvOptions()), system, range(5))
    assert searches == ["search"] * 3


def test_states_that_no_run_reaches_are_not_searched_for_a_cycle(searches):
    system = read_text(JUSTICE)
    refute(session(system, SmvOptions(direction="backward")), system, range(5))
    assert searches == ["search"] * 5


def test_a_known_path_to_a_cycle_comes_before_a_long_walk(searches, monkeypatch):
    system = read_text(JUSTICE)
    decide = session(system, SmvOptions())
    refute(decide, system, (0, 1))
    monkeypatch.setattr(fairness, "LONGEST_WALK", 40)
    refute(decide, system, (1, 2))
    assert searches == ["search", "walk"]


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
