"""Traces of labelled transition systems survive their files, and walks are runs."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError
from symag.core.limits import Deadline, no_progress
from symag.core.walks import WalkPlan
from symag.lts import Lts, System
from symag.lts.certify.properties import check_run, check_violation
from symag.lts.certify.traces import runs
from symag.lts.checking.simulation import walk
from symag.lts.composition import composed
from symag.lts.methods.monolithic import decide
from symag.lts.questions import CompositeQuestion
from symag.traces import actions
from tests.lts.strategies import systems


@st.composite
def composites(draw: st.DrawFn) -> System:
    components = draw(st.lists(systems(states=3), min_size=1, max_size=3))
    return System("S", tuple(components), None, None, False, frozenset())


QUESTIONS = (
    CompositeQuestion(0, "deadlock", None, "no deadlock", None, "S"),
    CompositeQuestion(1, "safety", None, "ERROR is not reached", None, "S"),
    CompositeQuestion(2, "progress", "A", "progress A = {a}", None, "S", ("a",)),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(composites(), st.sampled_from(QUESTIONS))
def test_the_text_of_a_counterexample_is_enough_to_replay_it(system: System, asked: CompositeQuestion) -> None:
    (result,) = decide(system, [asked], no_progress)
    assume(result.trace is not None)
    told = actions.parsed(actions.text_of("S", asked.text, asked.kind, result.trace), "t.txt")
    assert (told.target, told.text, told.kind, told.loop) == ("S", asked.text, asked.kind, result.trace.loop)
    accepted = 0
    for trace in runs(system, told.actions, told.loop):
        try:
            check_violation(system, asked, trace, Deadline(None))
            accepted += 1
        except CertificationError:
            check_run(system, trace)
    assert accepted


@settings(max_examples=300, deadline=None)
@given(composites(), st.integers(0, 5), st.integers(0, 12))
def test_a_walk_is_a_run_and_says_how_it_ends(system: System, seed: int, steps: int) -> None:
    done = walk(system, WalkPlan(steps, seed))
    assert done == walk(system, WalkPlan(steps, seed))
    assert done.trace is not None
    check_run(system, done.trace)
    taken = len(done.trace.steps) - 1
    assert (done.ending is None) <= (taken == steps)
    composition = composed(system.components, "S")
    rows = {tuple(row): number for number, row in enumerate(composition.local_states.tolist())}
    last = tuple(done.trace.steps[-1].state.values())
    match done.ending:
        case None:
            return
        case "ERROR is reached":
            assert last == (-1,)
        case "a deadlock":
            assert rows[last] in composition.deadlocks
        case _:
            assert done.ending == "everything has ended"
            assert last in rows or composition.lts.end is not None


def test_a_guide_is_followed_and_every_move_is_drawn() -> None:
    lts = Lts.of("P", ("tau", "a", "b"), 3, [(0, 1, 1), (0, 1, 2), (1, 2, 0), (2, 1, 0)])
    system = System("S", (lts,), None, None, False, frozenset())
    assert walk(system, WalkPlan(3, 0, ("a", "c"))).ending == "the guide's action c is not possible"
    ends = {tuple(walk(system, WalkPlan(1, seed)).trace.steps[-1].state.values()) for seed in range(20)}
    assert ends == {(1,), (2,)}


LTSA_TEXT = """Composing...
Trace to property violation in ONCE:
	toss		HEADS
	heads
Analysed in: 3ms
"""


def test_the_text_that_ltsa_prints() -> None:
    told = actions.parsed(LTSA_TEXT, "t.txt")
    assert told == actions.ActionTrace(("toss", "heads"), None, "safety", None, None, "ONCE")
    for text, line in (("nothing\n", 1), (LTSA_TEXT.replace("Analysed", "Trace to"), 5)):
        with pytest.raises(InputError) as caught:
            actions.parsed(text, "t.txt")
        assert (caught.value.file, caught.value.line) == ("t.txt", line)
