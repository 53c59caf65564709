"""auto: the monolithic method, and reduce beside it where only safety is asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from symag import check, read
from symag.core.errors import UnsupportedError
from symag.core.limits import Progress, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.lts.checking.check import select
from symag.lts.methods import safety_contest
from symag.lts.methods.contest import CompositeContest
from symag.lts.methods.fault_search import FaultSearch
from symag.lts.methods.safety_contest import decided, shares_evenly
from symag.process.race import Runner, RunnerResult, race

#: 2 to the power of 40 states, of which the property needs two.
MANY = """
WORKER = (begin -> end -> WORKER).
property TURNS = (w[1].begin -> w[1].end -> TURNS).
||SYS = (w[1..40]:WORKER || TURNS).
"""


def _model(folder: Path, text: str) -> Path:
    path = folder / "m.lts"
    path.write_text(text)
    return path


def test_a_system_that_cannot_be_explored_is_decided_by_reduce(tmp_path: Path) -> None:
    (answer,) = check(read(_model(tmp_path, MANY)), properties=["safety"], timeout=120)
    assert (answer.verdict, answer.certified, answer.result.method) == (Verdict.HOLDS, True, "reduce")
    assert [entry.method for entry in answer.result.race] == ["monolithic", "reduce"]
    assert answer.result.race[0].outcome == "overtaken"


def test_where_more_is_asked_all_is_explored(tmp_path: Path) -> None:
    answers = check(read(_model(tmp_path, MANY.replace("40", "2"))), properties=["deadlock", "safety"])
    assert [(answer.result.method, len(answer.result.race)) for answer in answers] == [("monolithic", 1)] * 2


def test_a_search_that_is_interrupted_finds_the_same(tmp_path: Path) -> None:
    system = read(_model(tmp_path, MANY.replace("40", "14"))).composite("SYS")
    whole, parts = (FaultSearch(system, ("deadlock", "safety"), no_progress) for _ in range(2))
    whole.run()
    pauses = 0
    while not parts.run(0.0):
        pauses += 1
    assert pauses > 0
    assert (parts.states, parts.transitions) == (whole.states, whole.transitions)
    assert parts.complete
    assert parts.trace("safety") is whole.trace("safety") is None


#: One of the workers may end a turn that it has not begun.
WRONG = MANY.replace("40", "14").replace("w[1].begin -> w[1].end", "w[1].begin -> w[14].end -> w[1].end")


def _contest(folder: Path, text: str, *works: Callable[[Progress], PropertyResult]) -> CompositeContest:
    model = read(_model(folder, text))
    (question,) = select(model, (), ("safety",))

    def answered(work: Callable[[Progress], PropertyResult], progress: Progress) -> list[PropertyResult]:
        return [work(progress)]

    rivals = tuple((name, partial(answered, work)) for name, work in zip(("rival", "last"), works, strict=False))
    return CompositeContest(model.composite("SYS"), [question], rivals)


def _endless(_: Progress) -> PropertyResult:
    while True:
        pass


def _deciding(_: Progress) -> PropertyResult:
    return PropertyResult(Verdict.HOLDS, "last")


def test_the_last_method_decides_where_neither_of_the_others_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safety_contest, "LAST", 0.3)
    (answer,), entries = decided(_contest(tmp_path, MANY, _endless, _deciding), no_progress, 0.0)
    assert (answer.verdict, answer.method) == (Verdict.HOLDS, "last")
    assert {(entry.method, entry.outcome) for entry in entries} >= {("rival", "overtaken"), ("last", "decided")}


#: Cells hand values on, each to the next; of the values 0 to 2 the last one is not sent.
PIPELINE = """
CELL = (in[v:0..2] -> out[v] -> CELL).
SOURCE = (send[0..1] -> SOURCE) + {send[2]}.
property NOT = (c[Cells].out[0..1] -> NOT) + {c[Cells].out[2]}.
||SYS = (c[1..Cells]:CELL || SOURCE || NOT)
  / {forall [i:1..Cells-1] {link[i]/{c[i].out, c[i+1].in}}, c[1].in/send}.
"""
#: The server shares actions with all clients.
STAR = """
SERVER = (c[i:1..12].ask -> c[i].done -> SERVER).
CLIENT = (ask -> done -> CLIENT).
||SYS = (c[1..12]:CLIENT || SERVER).
"""


@pytest.mark.parametrize(
    ("text", "even"),
    [
        (f"const Cells = 10\n{PIPELINE}", True),
        (f"const Cells = 9\n{PIPELINE}", False),  # eleven components are few
        (STAR, False),
        (MANY, False),  # only the first worker shares an action, with the property
    ],
)
def test_sharing_is_even_among_many_that_share_with_few(text: str, even: bool, tmp_path: Path) -> None:
    assert shares_evenly(read(_model(tmp_path, text)).composite("SYS").components) is even


def test_where_sharing_is_even_the_last_method_comes_first(tmp_path: Path) -> None:
    contest = _contest(tmp_path, f"const Cells = 10\n{PIPELINE}", _endless, _deciding)
    (answer,), entries = decided(contest, no_progress, 0.0)
    assert (answer.verdict, answer.method) == (Verdict.HOLDS, "last")
    assert [(entry.method, entry.outcome) for entry in entries] == [("monolithic", "overtaken"), ("last", "decided")]


@pytest.mark.parametrize(
    ("growth", "delay", "lead"),
    [(0.2, safety_contest.TURN, safety_contest.LEAD_TO_THE_END), (0.5, 1.5 * safety_contest.LEAD, 0.0)],
)
def test_a_search_that_seems_to_end_leads_after_a_turn_of_the_other(
    growth: float, delay: float, lead: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[tuple[str, float, float]] = []

    def seen(runners: Sequence[Runner], *rest: Any) -> list[RunnerResult]:
        order.extend((runner.name, runner.delay, runner.lead) for runner in runners)
        return race(runners, *rest)

    monkeypatch.setattr(FaultSearch, "growth", growth)
    monkeypatch.setattr(safety_contest, "race", seen)
    (answer,), _ = decided(_contest(tmp_path, MANY, _deciding), no_progress, 0.0)
    assert order == [("rival", 0.0, 0.0), ("monolithic", delay, lead)]
    assert answer.verdict is Verdict.HOLDS


def test_where_sharing_is_even_no_search_seems_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leads: list[float] = []

    def seen(runners: Sequence[Runner], *rest: Any) -> list[RunnerResult]:
        leads.extend(runner.lead for runner in runners)
        return race(runners, *rest)

    monkeypatch.setattr(FaultSearch, "growth", 0.0)
    monkeypatch.setattr(safety_contest, "race", seen)
    decided(_contest(tmp_path, f"const Cells = 10\n{PIPELINE}", _endless, _deciding), no_progress, 0.0)
    assert leads == [0.0] * 3


def test_a_pipeline_is_decided_by_agar(tmp_path: Path) -> None:
    model = read(_model(tmp_path, f"const Cells = 24\n{PIPELINE}"))
    (answer,) = check(model, properties=["safety"], timeout=120)
    assert (answer.verdict, answer.certified, answer.result.method) == (Verdict.HOLDS, True, "agar")


def test_the_search_goes_on_where_the_other_method_refuses(tmp_path: Path) -> None:
    def refusing(_: Progress) -> PropertyResult:
        raise UnsupportedError("not this one")

    (answer,), entries = decided(_contest(tmp_path, WRONG, refusing), no_progress, 0.0)
    assert (answer.verdict, answer.method) == (Verdict.VIOLATED, "monolithic")
    assert [(entry.method, entry.outcome) for entry in entries] == [
        ("rival", "unsupported: not this one"),
        ("monolithic", "decided"),
    ]


def test_where_neither_decides_the_reason_is_that_of_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undecided(_: Progress) -> PropertyResult:
        return PropertyResult(Verdict.UNKNOWN, "rival", reason="unsupported: not this one")

    run = FaultSearch.run

    def exhausted(search: FaultSearch, seconds: float = math.inf) -> bool:
        if seconds == math.inf:
            raise MemoryError
        return run(search, seconds)

    monkeypatch.setattr(FaultSearch, "run", exhausted)
    (answer,), entries = decided(_contest(tmp_path, MANY, undecided), no_progress, 0.0)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, "memory")
    assert len(entries) == 2


@pytest.mark.parametrize("where", ["__init__", "run"])
def test_where_the_search_has_no_memory_the_other_method_decides(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object, **__: object) -> bool:
        raise MemoryError

    def deciding(_: Progress) -> PropertyResult:
        return PropertyResult(Verdict.HOLDS, "rival")

    def undecided(_: Progress) -> PropertyResult:
        return PropertyResult(Verdict.UNKNOWN, "rival", reason="unsupported: not this one")

    monkeypatch.setattr(FaultSearch, where, exhausted)
    (answer,), entries = decided(_contest(tmp_path, MANY, deciding), no_progress)
    assert (answer.verdict, answer.method) == (Verdict.HOLDS, "rival")
    assert [(entry.method, entry.outcome) for entry in entries] == [("monolithic", "memory"), ("rival", "decided")]
    (answer,), _ = decided(_contest(tmp_path, MANY, undecided), no_progress)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, "memory")
