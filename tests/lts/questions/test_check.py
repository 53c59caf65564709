"""Deadlock, safety and progress: LTSA's answers on its examples, and random systems against the re-check."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.lts import Lts, System, read_text
from symag.lts.certify.properties import check_violation
from symag.lts.certify.states import Faults, reachable_faults
from symag.lts.composition import Fault, Priority, composed
from symag.lts.methods import explored_composition
from symag.lts.methods.monolithic import decide
from symag.lts.questions import CompositeQuestion, questions
from tests.lts.answering import explored_states, refuses_absence
from tests.lts.ltsa_examples import examples
from tests.lts.strategies import systems


def _length(result: PropertyResult) -> int | None:
    """How many actions the trace has."""
    return None if result.trace is None else len(result.trace.steps) - 1


def _first_error(deadlock: int | None, error: int | None) -> tuple[str, int]:
    """What a breadth-first search meets first; on a tie either."""
    if deadlock is None and error is None:
        return "ok", 0
    if error is None or (deadlock is not None and deadlock < error):
        return "deadlock", deadlock or 0
    return "violation", error


@pytest.mark.long
def test_answers_are_those_of_ltsa(suites: Path) -> None:
    compared = 0
    for name, model, known in examples(suites):
        for target in known["targets"]:
            if "product" not in target:
                continue
            asked = questions(model, target["name"], default_progress=True)
            asked = tuple(each for each in asked if each.kind != "assert")
            deadlock, safety, *progress = decide(model.composite(target["name"]), asked, no_progress)
            first = _first_error(_length(deadlock), _length(safety))
            if first[0] != target["verdict"]:
                # An error one step after the level of the deadlock: LTSA meets the one that is queued first.
                assert {_length(deadlock), (_length(safety) or 0) - 1} == {
                    len(target["trace"]) - (target["verdict"] == "violation")
                }
            else:
                assert first == (target["verdict"], len(target["trace"])), (name, target["name"])
            violated = {each.name for each, result in zip(asked[2:], progress, strict=True) if result.trace is not None}
            unknown = any(result.verdict is Verdict.UNKNOWN for result in progress)
            found = "safety-violation" if unknown else "progress-violation" if violated else "ok"
            compared += 1
            if not target["product"]["has_error"] and target["progress"] == "safety-violation":
                continue  # the file contradicts itself here: no error in the product, no violated property
            assert found == target["progress"], (name, target["name"])
            if target["progress"] == "progress-violation":
                assert violated.issuperset(" ".join(target["progress_violated"]).split()), (name, target["name"])
    assert compared == 167


@st.composite
def asked_systems(draw: st.DrawFn) -> tuple[System, CompositeQuestion]:
    components = draw(st.lists(systems(states=3), min_size=1, max_size=3))
    labels = st.frozensets(st.sampled_from(("a", "b", "c")), min_size=1)
    priority = draw(st.none() | st.builds(Priority, labels, st.booleans()))
    system = System("S", tuple(components), priority, None, False, frozenset())
    kind = draw(st.sampled_from(("deadlock", "safety", "progress")))
    some = st.sampled_from((("a",), ("b", "c"), ("b.x",)))
    actions = draw(st.none() | some)
    condition = None if actions is None else draw(st.none() | some)
    return system, CompositeQuestion(0, kind, None, "", None, "S", actions, condition)


@settings(max_examples=400, deadline=None)
@given(asked_systems())
def test_answers_are_what_the_re_check_finds(asked: tuple[System, CompositeQuestion]) -> None:
    system, question = asked
    (result,) = decide(system, [question], no_progress)
    if result.verdict is Verdict.UNKNOWN:
        assert refuses_absence(system, replace(question, kind="safety"))
        return
    assert (result.verdict is Verdict.VIOLATED) == refuses_absence(system, question)
    if result.trace is not None:
        check_violation(system, question, result.trace, Deadline(None))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(asked_systems(), st.data())
def test_a_trace_of_something_else_is_refused(asked: tuple[System, CompositeQuestion], data: st.DataObject) -> None:
    system, question = asked
    (result,) = decide(system, [question], no_progress)
    assume(result.trace is not None and len(result.trace.steps) >= 2)
    place = data.draw(st.integers(0, len(result.trace.steps) - 2))
    steps = list(result.trace.steps)
    steps[place] = replace(steps[place], action="z")
    with pytest.raises(CertificationError, match=f"step {place + 1}, z, is not possible"):
        check_violation(system, question, replace(result.trace, steps=tuple(steps)), Deadline(None))


def test_a_trace_must_reach_its_goal() -> None:
    lts = Lts.of("P", ("tau", "a", "b"), 2, [(0, 1, 1), (1, 2, 0)])
    system = System("S", (lts,), None, None, False, frozenset())
    progress = CompositeQuestion(0, "progress", None, "", None, "S", ("a",))
    stuck = replace(system, components=(Lts.of("P", ("tau", "a", "b"), 2, [(0, 1, 1), (1, 2, 1)]),))
    (violated,) = decide(stuck, [progress], no_progress)
    assert violated.trace is not None
    check_violation(stuck, progress, violated.trace, Deadline(None))
    for question, message in (
        (replace(progress, actions=("b",)), "there is progress"),
        (replace(progress, condition=("a",)), "the condition can become impossible"),
        (replace(progress, kind="deadlock"), "does not lead to a deadlock"),
        (replace(progress, kind="safety"), "does not lead to ERROR"),
    ):
        with pytest.raises(CertificationError, match=message):
            check_violation(stuck, question, violated.trace, Deadline(None))


@settings(max_examples=300, deadline=None)
@given(asked_systems(), st.sampled_from((("deadlock",), ("safety",), ("deadlock", "safety"))))
def test_a_search_that_ends_early_finds_the_same_faults(
    asked: tuple[System, CompositeQuestion], enough: tuple[Fault, ...]
) -> None:
    """In pieces of one state, so that it does end early."""
    system, _ = asked
    whole = system.product()
    with mock.patch("symag.lts.composition.CHUNK", 1):
        some = composed(system.components, system.name, system.priority, enough=enough)
    if some.complete:
        assert some.lts.triples() == whole.lts.triples()
    faults = {"deadlock": (some.deadlocks, whole.deadlocks), "safety": (some.violations, whole.violations)}
    for kind in enough:
        found, expected = faults[kind]
        assert (len(found) == 0) == (len(expected) == 0)
        if len(found):
            assert found[0] == expected[0]
    if all(len(faults[kind][1]) for kind in enough):
        last = max(
            int(whole.deadlocks[0]) if kind == "deadlock" else int(whole.lts.source[whole.violations[0]])
            for kind in enough
        )
        assert some.lts.triples() == whole.lts.triples()[: some.lts.transitions]
        assert set(some.lts.source.tolist()) <= set(range(last + 1))


@settings(max_examples=200, deadline=None)
@given(asked_systems(), st.sampled_from((1, 2, 1 << 15)))
def test_a_search_that_keeps_no_transitions_gives_the_same_answers(
    asked: tuple[System, CompositeQuestion], piece: int
) -> None:
    """Both routes of the method, and both of the re-check."""
    system, _ = asked
    deadlock, safety = (
        CompositeQuestion(k, kind, None, "", None, "S") for k, kind in enumerate(("deadlock", "safety"))
    )
    progress = CompositeQuestion(2, "progress", None, "", None, "S", ("a",))
    with (
        mock.patch("symag.lts.composition.CHUNK", piece),
        mock.patch("symag.lts.methods.fault_search.CHUNK", piece),
    ):
        light = list(decide(system, [deadlock, safety], no_progress))
        *heavy, _ = decide(system, [deadlock, safety, progress], no_progress)
    for one, other in zip(light, heavy, strict=True):
        assert (one.verdict, one.trace, one.certificate) == (other.verdict, other.trace, other.certificate)
        assert {**one.statistics, "cpu_seconds": 0} == {**other.statistics, "cpu_seconds": 0}
    whole = explored_states(system)
    going_on = whole.ended.copy()
    going_on[whole.source] = True
    faults = Faults(bool((whole.target < 0).any()), not going_on.all())
    assert reachable_faults(system, Deadline(None)) == faults
    assert (faults.deadlock, faults.error) == tuple(result.trace is not None for result in light)


def test_an_error_near_the_beginning_of_a_huge_system() -> None:
    system = read_text(
        "P = P[0], P[i:0..99] = (a -> P[(i*7+1)%100] | b -> P[(i+3)%100])."
        "property Q = ([1].a -> [2].b -> Q). ||S = ([1..12]:P || Q)."
    ).composite("S")
    (result,) = decide(system, [CompositeQuestion(0, "safety", None, "", None, "S")], no_progress)
    assert _length(result) == 1
    assert result.statistics["stopped_early"] == 1


def test_the_time_of_an_answer_counts_its_own_search(monkeypatch: pytest.MonkeyPatch) -> None:
    components = explored_composition.strongly_connected

    def slowly(*given: Any) -> Any:
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        return components(*given)

    monkeypatch.setattr(explored_composition, "strongly_connected", slowly)
    model = read_text("A = (a -> A).\n||S = (A).\nprogress P = {a}\n")
    asked = questions(model, "S", False)
    answers = list(decide(model.composite("S"), asked, no_progress))
    seconds = {question.kind: answer.statistics["cpu_seconds"] for question, answer in zip(asked, answers, strict=True)}
    assert seconds["safety"] < 0.2 <= seconds["progress"]
