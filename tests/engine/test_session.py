"""Several properties of one model in one child: the same answers as one by one, and fewer processes."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings

import symag
from symag.core.limits import Limits, no_progress
from symag.core.results import PropertyResult, RaceEntry, Verdict
from symag.core.values import replace
from symag.process.race import Runner, race
from symag.process.session import Session
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.checking.check import check
from symag.smv.checking.methods import METHODS
from symag.smv.checking.portfolio.contest import Contest
from symag.smv.circuits.blasting import Blasting
from symag.smv.methods import bmc, k_induction, monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.methods.sat import problem
from symag.smv.model.flat import FlatSystem
from tests.strategies import models

TEXT = """MODULE main
VAR x : 0..7; y : boolean;
ASSIGN init(x) := 0; next(x) := case x = 7 : 0; TRUE : x + 1; esac; init(y) := FALSE; next(y) := y xor x = 6;
INVARSPEC x != 5
INVARSPEC x != 2
INVARSPEC !y
INVARSPEC x <= 7
SPEC AG x != 7
LTLSPEC G x = 1
INVARSPEC x != 0
"""


@pytest.mark.long
@pytest.mark.parametrize("direction", ["forward", "backward", "both"])
def test_a_session_answers_as_single_decisions_do(direction: str) -> None:
    system = read_text(TEXT)
    options = SmvOptions(direction=direction)
    decided = check(system, system.properties, "monolithic", options)
    alone = [pair for item in system.properties for pair in check(system, [item], "monolithic", options)]
    for (item, together), (_, single) in zip(decided, alone, strict=True):
        assert together.verdict is single.verdict, item.text
        assert together.reason == single.reason
        assert together.certified == single.certified
        if single.trace is not None and together.trace is not None:
            assert len(together.trace.steps) == len(single.trace.steps)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(fairness=False, properties=3))
def test_proofs_of_pdr_that_start_from_earlier_ones(text: str) -> None:
    system = read_text(text)
    decider = pdr.session(system, SmvOptions())
    for item in (*system.properties, *reversed(system.properties)):
        if item.kind == "INVARSPEC":
            together = decider(item, no_progress)
            assert together.verdict is pdr.decide(system, item, SmvOptions(), no_progress).verdict
            assert accept(system, item, together, None).certified


@pytest.mark.parametrize("method", [bmc, k_induction])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(fairness=False, properties=3))
def test_properties_that_share_a_circuit(method: ModuleType, text: str) -> None:
    system = read_text(text)
    options = SmvOptions(bound=20)
    decider = method.session(system, options)
    for item in (*system.properties, *reversed(system.properties)):
        if item.kind == "INVARSPEC":
            together = decider(item, no_progress)
            alone = method.decide(system, item, options, no_progress)
            assert (together.verdict, together.reason) == (alone.verdict, alone.reason)
            assert together.verdict is Verdict.UNKNOWN or accept(system, item, together, None).certified


@pytest.mark.parametrize("method", [bmc, k_induction, pdr])
def test_a_session_makes_the_circuit_once(method: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[FlatSystem] = []

    def blasting(system: FlatSystem) -> Blasting:
        made.append(system)
        return Blasting(system)

    monkeypatch.setattr(problem, "Blasting", blasting)
    system = read_text(COUNTERS)
    decider = method.session(system, SmvOptions(bound=20))
    for item in system.properties:
        decider(item, no_progress)
    assert made == [system]


COUNTERS = (
    "MODULE main VAR x : 0..15; y : 0..15; ASSIGN init(x) := 0; next(x) := x = 9 ? 0 : (x + 1) mod 16;"
    "init(y) := 0; next(y) := y = 9 ? 0 : (y + 1) mod 16; INVARSPEC x < 13; INVARSPEC x < 12"
)


@pytest.mark.parametrize("killed", [False, True])
def test_pdr_remembers_what_it_proved(killed: bool) -> None:
    system = read_text(COUNTERS)
    first, second = system.properties
    decider = pdr.session(system, SmvOptions())
    answer = decider(first, no_progress)
    assert answer.verdict is Verdict.HOLDS
    if killed:
        decider = pdr.session(system, SmvOptions(), [(first, answer)])
    again = decider(second, no_progress)
    alone = pdr.decide(system, second, SmvOptions(), no_progress)
    assert again.statistics["queries"] < alone.statistics["queries"]
    assert accept(system, second, again, None).certified


def test_what_a_search_for_one_property_proves_of_others_needs_no_race() -> None:
    text = "VAR a : boolean; b : boolean; c : boolean; ASSIGN init(a) := FALSE; init(b) := FALSE;"
    system = read_text(f"MODULE main {text} next(a) := b; next(b) := a; INVARSPEC c; INVARSPEC !a; INVARSPEC !b")
    results = [result for _, result in check(system, system.properties, "k-induction")]
    assert [result.verdict for result in results] == [Verdict.VIOLATED, Verdict.HOLDS, Verdict.HOLDS]
    assert [len(result.race) for result in results] == [1, 0, 0]
    assert results[2].method == "k-induction"
    assert all(result.certified for result in results[1:])


def test_a_race_that_another_method_wins_does_not_cost_what_pdr_proved() -> None:
    system = read_text(COUNTERS)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    queries = []
    for answer in (pdr.decide(system, system.properties[0], SmvOptions(), no_progress), None):
        (runner,) = [runner for runner in contest.runners(1) if runner.name == "pdr"]
        (finish,) = race([replace(runner, delay=0.0)], lambda _: True, None, no_progress)
        queries.append(finish.outcome.value.statistics["queries"])
        contest.close()
        if answer is not None:
            contest.remember(0, replace(answer, race=(RaceEntry("pdr", "decided", 1.0, 0.1),)))
    assert queries[1] < queries[0]


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(models(properties=3, largest=64))
def test_sessions_of_random_models(text: str) -> None:
    system = read_text(text)
    decider = monolithic.session(system, SmvOptions())
    for item in (*system.properties, *reversed(system.properties)):
        together = decider(item, no_progress)
        single = monolithic.decide(system, item, SmvOptions(), no_progress)
        assert together.verdict is single.verdict
        if item.kind == "INVARSPEC" and together.trace is not None and single.trace is not None:
            assert len(together.trace.steps) == len(single.trace.steps)
        assert accept(system, item, together, None).verdict is single.verdict


def test_one_child_serves_until_it_is_killed() -> None:
    session = Session(lambda request, progress: request * 2, None)
    for request in (1, 2, 3):
        runner = Runner("double", partial(session.start, request), kept=True)
        (finish,) = race([runner], lambda _: True, None, no_progress)
        assert finish.outcome.value == request * 2
        assert session.reused == (request > 1)
    session.close()
    session.start(4)
    assert not session.reused
    session.close()


def test_a_property_that_times_out_does_not_cost_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "m.smv"
    path.write_text(
        "MODULE main\nVAR a : unsigned word[24]; b : unsigned word[24]; x : boolean;\n"
        "ASSIGN next(a) := a * b; next(b) := a + b; init(x) := TRUE; next(x) := x;\n"
        "INVARSPEC x\nINVARSPEC a != 0ud24_8765431\nINVARSPEC x | x\n"
    )
    system = symag.read(path)
    decided = check(system, system.properties, "monolithic", SmvOptions(), Limits(seconds=2), certify=False)
    assert decided[1][1].verdict is Verdict.UNKNOWN


def test_memory_that_others_filled_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    system = read_text(TEXT)

    def session(*_: object) -> object:
        asked: list[object] = []

        def decide(item: object, progress: object) -> PropertyResult:
            asked.append(item)
            if len(asked) > 1:
                raise MemoryError
            return PropertyResult(Verdict.HOLDS, "monolithic")

        return decide

    monkeypatch.setattr(monolithic, "session", session)
    decided = check(system, system.properties[:3], "monolithic", certify=False)
    assert [replace(result, statistics={}, race=()) for _, result in decided] == [
        PropertyResult(Verdict.HOLDS, "monolithic")
    ] * 3
