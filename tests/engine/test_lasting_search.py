"""A search that outlives the races that others win: its process, and the simultaneous induction of ``auto``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from symag.core.limits import Limits, Progress, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.process.child import Child, ChildOutcome
from symag.process.race import Runner, RunnerResult, once, race
from symag.process.session import Session
from symag.smv import read_text
from symag.smv.certificates.invariants import Induction
from symag.smv.checking.check import check
from symag.smv.checking.methods import METHODS
from symag.smv.checking.portfolio.contest import Contest
from symag.smv.checking.portfolio.invariants_together import InvariantsTogether
from symag.smv.methods import k_induction
from symag.smv.methods.options import SmvOptions
from tests.engine.fakes import HOLDS, judges

_NAME = "k-induction (all invariants)"


def _burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class _Long:
    """A session whose answer to any request is ``seconds`` of work away, and its runner."""

    def __init__(self, seconds: float) -> None:
        self.requests: list[int] = []
        self.children: list[Child] = []
        self.session = Session(partial(self._answer, seconds), None)

    def _answer(self, seconds: float, request: int, progress: Progress) -> int:
        _burn(seconds)
        return request

    def _start(self, request: int) -> Child:
        self.children.append(self.session.go_on(request))
        return self.children[-1]

    def runner(self, request: int) -> Runner:
        return Runner("long", partial(self._start, request), kept=True, lasting=True)


@pytest.fixture
def long() -> Iterator[_Long]:
    long = _Long(0.6)
    yield long
    long.session.close()


def test_a_lasting_computation_goes_on_in_the_next_race_with_its_first_request(long: _Long) -> None:
    results = []
    for request in (1, 2, 3):
        others = [once("short", lambda progress: _burn(0.05), None, delay=0.2)] if request < 3 else []
        finishes = race([long.runner(request), *others], lambda finish: True, None, no_progress)
        results.append({finish.name: finish.outcome for finish in finishes})
    assert [sorted(result) for result in results] == [["long", "short"], ["long", "short"], ["long"]]
    assert [result["long"].reason for result in results] == ["overtaken", "overtaken", None]
    assert results[2]["long"].value == 1
    assert len({child.pid for child in long.children}) == 1
    costs = [result["long"].cpu_seconds for result in results]
    assert 0.55 < sum(costs) < 0.75
    assert min(costs[:2]) >= 0.15
    # Its request is answered: the next one is read.
    (finish,) = race([long.runner(4)], lambda finish: True, None, no_progress)
    assert (finish.outcome.value, len({child.pid for child in long.children})) == (4, 1)
    assert finish.outcome.cpu_seconds > 0.55


def test_a_lasting_computation_does_not_run_between_the_races(long: _Long) -> None:
    race([long.runner(1), once("short", lambda progress: _burn(0.1), None)], lambda finish: True, None, no_progress)
    (child,) = long.children
    before = child.cpu_seconds()
    time.sleep(0.3)
    assert child.cpu_seconds() == before
    assert child.is_at_work


def test_what_it_cost_before_it_was_set_aside_counts_once() -> None:
    child = Child(lambda request, progress: _burn(request))
    child.ask(60.0)
    while (child.cpu_seconds() or 0.0) < 0.2:
        time.sleep(0.01)
    first = child.set_aside("overtaken")
    time.sleep(0.2)
    assert (child.cpu_seconds() or 0.0) < 0.05
    last = child.finish("timeout")
    assert (first.reason, last.reason) == ("overtaken", "timeout")
    assert 0.2 <= first.cpu_seconds < 0.5
    assert last.cpu_seconds < 0.1


def test_a_lasting_computation_outlives_a_deadline_and_ends_with_its_session(long: _Long) -> None:
    (finish,) = race([long.runner(1)], lambda finish: True, time.monotonic() + 0.1, no_progress)
    assert finish.outcome.reason == "timeout"
    (child,) = long.children
    assert not child.closed
    long.session.close()
    assert child.closed
    (finish,) = race([long.runner(2)], lambda finish: True, None, no_progress)
    assert finish.outcome.value == 2


@pytest.mark.parametrize(("delay", "starts"), [(0.3, True), (5.0, False)])
def test_what_comes_after_an_answer_is_part_of_the_same_result(delay: float, starts: bool) -> None:
    """Three answers, of which the last decides; another computation starts when its delay is over."""
    answers: list[int] = []
    session = Session(lambda request, progress: (_burn(0.2), request)[1], None)

    def then(outcome: ChildOutcome) -> Runner | None:
        answers.append(outcome.value)
        return None if outcome.value == 3 else runner(outcome.value + 1)

    def runner(request: int) -> Runner:
        return Runner("several", partial(session.go_on, request), kept=True, then=then)

    def decisive(finish: RunnerResult) -> bool:
        return finish.outcome.value == 3

    try:
        finishes = race([runner(1), once("other", lambda progress: 0, None, delay)], decisive, None, no_progress)
    finally:
        session.close()
    assert answers == [1, 2]
    assert [finish.name for finish in finishes] == [*(["other"] if starts else []), "several"]
    assert finishes[-1].outcome.value == 3
    assert 0.55 < finishes[-1].outcome.cpu_seconds < 0.9


#: Five invariants: the first four are inductive together only, the last one needs 16000 states.
_MODEL = """MODULE main VAR a : boolean; b : boolean; c : boolean; d : boolean; x : unsigned word[14];
ASSIGN init(a) := FALSE; init(b) := FALSE; init(c) := FALSE; init(d) := FALSE; init(x) := 0ud14_0;
next(a) := b; next(b) := c; next(c) := d; next(d) := a; next(x) := x < 0ud14_9 ? 0ud14_0 : x + 0ud14_1;
INVARSPEC !a; INVARSPEC !b; INVARSPEC !c; INVARSPEC !d; INVARSPEC x != 0ud14_16383;
"""


def _news(text: str, others: dict[int, Induction | None], left: int) -> RunnerResult:
    value = PropertyResult(Verdict.UNKNOWN, "k-induction", reason=text, others=others, statistics={"open": left})
    return RunnerResult(_NAME, ChildOutcome(value, cpu_seconds=0.25))


def _together(noted: list[PropertyResult]) -> InvariantsTogether:
    return InvariantsTogether(_NAME, lambda: None, lambda: lambda brief, progress: HOLDS, None, noted.append)


def test_news_about_another_property_is_followed_by_the_search_at_once() -> None:
    noted: list[PropertyResult] = []
    together = _together(noted)
    runner = together.runner(Runner(_NAME, lambda: pytest.fail("it has a start of its own"), 0.4, brief=2.0), 0, 3.5)
    assert (runner.delay, runner.brief, runner.lasting, runner.kept) == (0.4, 2.0, True, True)
    finish = _news("bound", {1: Induction(1, (), ()), 2: None}, 4)
    assert together.answering(finish, 0) is finish
    assert runner.then is not None
    following = runner.then(finish.outcome)
    assert following is not None
    assert (following.delay, following.brief) == (0.0, 2.0)
    assert noted == [finish.outcome.value]
    later = runner.then(_news("bound", {}, 4).outcome)
    assert later is not None
    assert (later.delay, later.brief) == (3.5, 0.0)


def test_the_search_is_brief_until_it_has_no_news() -> None:
    """Modules are imported before each start. The first request is brief, the one after an answer in vain is not."""
    prepared: list[int] = []

    def search(is_brief: bool, progress: Progress) -> PropertyResult:
        figures = {"open": 4, "is_brief": int(is_brief)}
        return PropertyResult(Verdict.UNKNOWN, "k-induction", reason="bound", statistics=figures)

    together = InvariantsTogether(_NAME, lambda: prepared.append(1), lambda: search, None, lambda result: None)
    started: Runner | None = together.runner(Runner(_NAME, lambda: pytest.fail("it has a start of its own")), 0, 0.0)
    requests = []
    try:
        for _ in range(2):
            assert started is not None
            (finish,) = race([replace(started, then=None)], lambda finish: True, None, no_progress)
            requests.append(finish.outcome.value.statistics["is_brief"])
            assert started.then is not None
            started = started.then(finish.outcome)
    finally:
        together.close()
    assert (requests, len(prepared)) == ([1, 0], 2)


def test_news_about_the_property_is_its_answer() -> None:
    proof = Induction(2, (), ("!b",))
    finish = _together([]).answering(_news("bound", {0: proof, 1: proof}, 4), 0)
    assert finish.outcome.value.verdict is Verdict.HOLDS
    assert finish.outcome.value.certificate == proof
    assert finish.outcome.value.reason is None


@pytest.mark.parametrize(("others", "left"), [({0: None}, 4), ({}, 0), ({1: None}, 0)])
def test_nothing_follows_where_the_property_cannot_be_proved_any_more(others: dict[int, None], left: int) -> None:
    together = _together([])
    runner = together.runner(Runner(_NAME, lambda: pytest.fail("it has a start of its own")), 0, 3.5)
    assert together.may_prove(0)
    assert runner.then is not None
    assert runner.then(_news("bound", dict(others), left).outcome) is None
    assert not together.may_prove(0)
    assert together.may_prove(1) is (left > 0)


def test_a_process_that_died_is_followed_by_nothing_in_the_same_race() -> None:
    together = _together([])
    runner = together.runner(Runner(_NAME, lambda: pytest.fail("it has a start of its own")), 0, 3.5)
    assert runner.then is not None
    assert runner.then(ChildOutcome(reason="crashed: signal 9 (SIGKILL)")) is None
    assert together.may_prove(0)


def test_what_another_search_knows_to_be_violated_is_no_answer() -> None:
    """It has no trace: another method has to find one."""
    system = read_text(_MODEL)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    contest.note([_news("bound", {0: None, 1: Induction(1, (), ())}, 3)])
    known = [contest.known(position) for position in (0, 1)]
    assert [None if result is None else result.verdict for result in known] == [None, Verdict.HOLDS]


def test_all_invariants_have_one_search_and_the_others_none_besides() -> None:
    for text, count in ((_MODEL, 1), (_MODEL.replace("INVARSPEC !a; INVARSPEC !b;", ""), 0)):
        system = read_text(text)
        contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
        names = [runner.name for runner in contest.runners(0)]
        assert names.count(_NAME) == count
        options = {entrant.name: entrant.options.is_alone for entrant in contest._entrants}
        assert options["k-induction"] is (count == 1)
        if count:
            assert names.index(_NAME) < names.index("k-induction (first steps)")


def test_without_news_it_goes_on_as_late_as_the_search_for_one() -> None:
    system = read_text(_MODEL)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    runners = {runner.name: runner for runner in contest.runners(0)}
    assert runners[_NAME].then is not None
    later = runners[_NAME].then(_news("bound", {}, 4).outcome)
    assert later is not None
    assert later.delay == runners["k-induction"].delay > runners[_NAME].delay


def test_functions_in_a_table_of_methods_have_no_search_for_all() -> None:
    system = read_text(_MODEL)
    methods = judges(lambda *_: HOLDS, k_induction=lambda *_: HOLDS).methods
    contest = Contest(system, system.properties, "auto", SmvOptions(), methods, None, slowness=1.0)
    assert _NAME not in [runner.name for runner in contest.runners(0)]


def test_a_search_that_another_method_overtakes_proves_later_properties() -> None:
    """It works on x when the race for the first property ends, and goes on, in the same process, in the others."""
    system = read_text(_MODEL)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    numbers = []
    try:
        for _ in range(2):
            (runner,) = [replace(item, delay=0.0) for item in contest.runners(4) if item.name == _NAME]
            start = runner.start
            runner = replace(runner, start=lambda start=start: (numbers.append((child := start()).pid), child)[1])
            other = once("other", lambda progress: _burn(0.6), None, delay=0.1)
            finishes = race([runner, other], lambda finish: finish.name == "other", None, no_progress)
            assert finishes[-1].name == "other"
        assert len(set(numbers)) == 1
        assert {contest.known(position).verdict for position in range(4)} == {Verdict.HOLDS}  # type: ignore[union-attr]
        assert contest.known(4) is None
        contest.close("timeout")
        (runner,) = [item for item in contest.runners(4) if item.name == _NAME]
        assert runner.start().pid == numbers[0]
        contest.close("memory")
        (runner,) = [item for item in contest.runners(4) if item.name == _NAME]
        assert runner.start().pid != numbers[0]
    finally:
        contest.close()


def test_the_answers_are_those_of_single_checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text = _MODEL.replace("INVARSPEC !d;", "INVARSPEC !d; INVARSPEC x < 0ud14_1; INVARSPEC x = 0ud14_0 | d;")
    system = read_text(text)
    results = check(system, system.properties, "auto", SmvOptions(), Limits(seconds=60))
    single = [check(system, [item], "monolithic", SmvOptions())[0][1] for item in system.properties]
    assert [result.verdict for _, result in results] == [result.verdict for result in single]
    assert all(result.certified for _, result in results)


def test_its_search_is_that_of_k_induction() -> None:
    assert METHODS.of_module("k-induction", "search_for_all") is k_induction.search_for_all
