"""auto where progress, assertions, deadlock or all of them are asked: methods by parts beside the monolithic one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag import check, read
from symag.core.limits import Progress, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.lts.checking.by_parts import decide_by_reduction
from symag.lts.checking.check import select
from symag.lts.language.systems import System
from symag.lts.methods import liveness_contest, safety_contest
from symag.lts.methods.contest import CompositeContest
from symag.lts.methods.liveness_contest import decided
from symag.lts.questions import CompositeQuestion
from tests.lts.explicit_liveness import progresses
from tests.lts.strategies import LABELS, safety_systems

#: 3 to the power of Count states; each worker depends on nobody.
WORKERS = """
const Count = 30
WORKER = (begin -> work -> end -> WORKER).
||SYS = (w[1..Count]:WORKER).
progress ENDS = {w[1].end}
progress WORKS = {w[2].work}
fluent BUSY = <w[1].begin, w[1].end>
assert AGAIN = [](BUSY -> <>!BUSY)
"""

_ACTIONS = st.lists(st.sampled_from(LABELS), min_size=1, max_size=2, unique=True).map(tuple)


@settings(max_examples=20, deadline=None)
@given(safety_systems(most=3, states=3), _ACTIONS, st.none() | _ACTIONS)
def test_progress_is_what_brute_force_says(
    system: System, actions: tuple[str, ...], condition: tuple[str, ...] | None
) -> None:
    question = CompositeQuestion(2, "progress", "P", "progress P", None, "S", actions, condition)

    def reduce(progress: Progress) -> Sequence[PropertyResult]:
        return [decide_by_reduction(system, question, progress)]

    contest = CompositeContest(system, (question,), (("reduce", reduce),))
    ((answer,), entries) = decided(contest, no_progress, 0)
    expected = progresses(system.components, question)
    verdicts = {True: Verdict.HOLDS, False: Verdict.VIOLATED, None: Verdict.UNKNOWN}
    assert answer.verdict is verdicts[expected]
    assert entries[0].method in ("monolithic", "reduce")


@pytest.mark.parametrize(
    ("kind", "count", "methods"),
    [("deadlock", 1, {"reduce"}), ("progress", 2, {"reduce", "agar"}), ("assert", 1, {"reduce", "agar"})],
)
def test_what_cannot_be_explored_is_decided_by_parts(kind: str, count: int, methods: set[str], tmp_path: Path) -> None:
    path = tmp_path / "m.lts"
    path.write_text(WORKERS)
    answers = check(read(path), properties=[kind], timeout=120)
    assert [(answer.verdict, answer.certified) for answer in answers] == [(Verdict.HOLDS, True)] * count
    assert {answer.result.method for answer in answers} <= methods
    assert "monolithic" in [entry.method for entry in answers[0].result.race]


def test_all_questions_are_decided_by_parts(tmp_path: Path) -> None:
    path = tmp_path / "m.lts"
    path.write_text(WORKERS)
    answers = check(read(path), timeout=120)
    assert len(answers) == 5
    assert all(answer.verdict is Verdict.HOLDS and answer.certified for answer in answers)
    assert {answer.result.method for answer in answers} <= {"reduce", "agar"}


def test_what_is_decided_when_the_time_is_over_is_kept(tmp_path: Path) -> None:
    def answered(_: Progress) -> Sequence[PropertyResult]:
        reason = "unsupported: not this one"
        return [PropertyResult(Verdict.HOLDS, "one"), PropertyResult(Verdict.UNKNOWN, "one", reason=reason)]

    def endless(_: Progress) -> Sequence[PropertyResult]:
        while True:
            pass

    path = tmp_path / "m.lts"
    path.write_text(WORKERS)
    model = read(path)
    system = model.composite("SYS")
    faults, lasting = (select(model, (), ("deadlock", name)) for name in ("safety", "ENDS"))
    rivals = (("one", answered), ("other", endless))
    for answers, _ in (
        decided(CompositeContest(system, lasting, rivals, 4.0), no_progress, 0),
        safety_contest.decided(CompositeContest(system, faults, rivals, 4.0), no_progress, 0),
    ):
        assert [(answer.verdict, answer.reason) for answer in answers] == [
            (Verdict.HOLDS, None),
            (Verdict.UNKNOWN, "timeout"),
        ]


def _contest(folder: Path, *works: tuple[str, list[Verdict]]) -> CompositeContest:
    """About two progress properties; the verdicts are what each method answers."""
    path = folder / "m.lts"
    path.write_text(WORKERS.replace("30", "2"))
    model = read(path)
    questions = [question for question in select(model, (), ("progress",)) if question.kind == "progress"]

    def answered(name: str, verdicts: list[Verdict], _: Progress) -> Sequence[PropertyResult]:
        reasons = ["unsupported: not this one" if verdict is Verdict.UNKNOWN else None for verdict in verdicts]
        return [PropertyResult(*pair) for pair in zip(verdicts, (name, name), reasons, strict=True)]

    rivals = tuple((name, partial(answered, name, verdicts)) for name, verdicts in works)
    return CompositeContest(model.composite("SYS"), questions, rivals)


def test_a_small_system_is_explored_alone(tmp_path: Path) -> None:
    answers, entries = decided(_contest(tmp_path, ("rival", [Verdict.HOLDS] * 2)), no_progress)
    assert ([answer.method for answer in answers], entries) == (["monolithic"] * 2, ())


def test_each_question_has_the_answer_of_a_method_that_decides_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(_: object, questions: Sequence[CompositeQuestion], __: Progress, most: int | None = None) -> None:
        if most is None:
            raise MemoryError
        raise liveness_contest.TooManyStates

    monkeypatch.setattr(liveness_contest, "decide", exhausted)
    holds, unknown = Verdict.HOLDS, Verdict.UNKNOWN
    contest = _contest(tmp_path, ("first", [holds, unknown]), ("second", [unknown, unknown]))
    answers, entries = decided(contest, no_progress)
    assert [(answer.verdict, answer.method, answer.reason) for answer in answers] == [
        (holds, "first", None),
        (unknown, "monolithic", "memory"),
    ]
    assert {entry.method: entry.outcome for entry in entries} == {
        "monolithic": "memory",
        "first": "unsupported: not this one",
        "second": "unsupported: not this one",
    }
