"""auto: the monolithic method, and reduce beside it where only safety is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from symag import check, read
from symag.core.errors import UnsupportedError
from symag.core.limits import Progress, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.lts.checking.check import select
from symag.lts.methods import safety_contest
from symag.lts.methods.fault_search import FaultSearch
from symag.lts.methods.safety_contest import SafetyContest, decided

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


def _contest(folder: Path, text: str, *works: Callable[[Progress], PropertyResult]) -> SafetyContest:
    model = read(_model(folder, text))
    (question,) = select(model, (), ("safety",))
    return SafetyContest(model.composite("SYS"), question, tuple(zip(("rival", "last"), works, strict=False)))


def test_the_last_method_decides_where_neither_of_the_others_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_: Progress) -> PropertyResult:
        while True:
            pass

    def deciding(_: Progress) -> PropertyResult:
        return PropertyResult(Verdict.HOLDS, "last")

    monkeypatch.setattr(safety_contest, "LAST", 0.3)
    answer, entries = decided(_contest(tmp_path, MANY, endless, deciding), no_progress, 0.0)
    assert (answer.verdict, answer.method) == (Verdict.HOLDS, "last")
    assert {(entry.method, entry.outcome) for entry in entries} >= {("rival", "overtaken"), ("last", "decided")}


def test_the_search_goes_on_where_the_other_method_refuses(tmp_path: Path) -> None:
    def refusing(_: Progress) -> PropertyResult:
        raise UnsupportedError("not this one")

    answer, entries = decided(_contest(tmp_path, WRONG, refusing), no_progress, 0.0)
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
    answer, entries = decided(_contest(tmp_path, MANY, undecided), no_progress, 0.0)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, "memory")
    assert len(entries) == 2


@pytest.mark.parametrize("where", ["__init__", "run"])
def test_where_the_search_has_no_memory_the_other_method_decides(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object) -> bool:
        raise MemoryError

    def deciding(_: Progress) -> PropertyResult:
        return PropertyResult(Verdict.HOLDS, "rival")

    def undecided(_: Progress) -> PropertyResult:
        return PropertyResult(Verdict.UNKNOWN, "rival", reason="unsupported: not this one")

    monkeypatch.setattr(FaultSearch, where, exhausted)
    answer, entries = decided(_contest(tmp_path, MANY, deciding), no_progress)
    assert (answer.verdict, answer.method) == (Verdict.HOLDS, "rival")
    assert [(entry.method, entry.outcome) for entry in entries] == [("monolithic", "memory"), ("rival", "decided")]
    answer, _ = decided(_contest(tmp_path, MANY, undecided), no_progress)
    assert (answer.verdict, answer.reason) == (Verdict.UNKNOWN, "memory")
