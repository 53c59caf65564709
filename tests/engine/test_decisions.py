"""The loop that all families share, asked by a family that is none of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import pytest

from symag.core.errors import CertificationError, UsageError
from symag.core.evidence.refusals import Refusal
from symag.core.limits import Limits, Progress, ProgressFigures, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.tables import Methods, Race, SameAs
from symag.core.trace import Trace
from symag.engine.families import FAMILIES
from symag.process.child import Child
from symag.process.decisions import AnsweredInquiry, Inquiry, Judgement, decisions
from symag.process.race import Runner, once

HOLDS = PropertyResult(Verdict.HOLDS, "count", statistics={"states": 3})


class Sums(Inquiry[str]):
    """Questions about sums; ``value`` is what the search gives, ``verdict`` what the re-check says."""

    method = "count"

    def __init__(
        self,
        search: Callable[[Progress], object],
        verdict: Callable[[Progress], object] = lambda _: Judgement.ACCEPTED,
        questions: Sequence[str] = ("1 + 1 = 2",),
    ) -> None:
        self.questions = questions
        self._search = search
        self._verdict = verdict

    def runners(self) -> Sequence[Runner]:
        return (once("count", self._search, None),)

    def results(self, value: PropertyResult) -> Sequence[PropertyResult]:
        return [value] * len(self.questions)

    def judge(self, index: int, seconds: float | None) -> Runner | None:
        return once("certify", self._verdict, None)

    def refusal(self, index: int, result: PropertyResult, why: str, details: str) -> Refusal:
        return Refusal("sums", index, self.questions[index], why, None, details)


def answered(*inquiries: Inquiry[str], certify: bool = True, seconds: float | None = None) -> list[PropertyResult]:
    def asked() -> Generator[Inquiry[str], None, None]:
        yield from inquiries

    return [result for _, result in decisions(asked(), Limits(seconds), certify, no_progress)]


def raising(error: Exception) -> Callable[[Progress], object]:
    def search(_: Progress) -> object:
        raise error

    return search


def test_an_answer_has_its_costs_and_what_ran() -> None:
    first, second = answered(Sums(lambda _: HOLDS, questions=("1 + 1 = 2", "2 + 2 = 4")))
    for result in (first, second):
        assert (result.verdict, result.certified) == (Verdict.HOLDS, True)
        assert result.statistics["states"] == 3
        assert {"seconds", "cpu_seconds", "memory_mib", "certify_seconds"} <= result.statistics.keys()
        assert [(entry.method, entry.outcome) for entry in result.race] == [("count", "decided")]


def test_without_a_recheck_nothing_is_certified() -> None:
    (result,) = answered(Sums(lambda _: HOLDS), certify=False)
    assert (result.verdict, result.certified) == (Verdict.HOLDS, False)


def test_a_search_that_fails_is_an_unknown_answer_with_its_figures() -> None:
    def dies(progress: Progress) -> object:
        progress(ProgressFigures("sum 7", {"sums": 7}))
        os._exit(3)

    unknown, after = answered(Sums(dies), Sums(lambda _: HOLDS))
    assert (unknown.verdict, unknown.reason) == (Verdict.UNKNOWN, "crashed: exit status 3")
    assert unknown.statistics["sums"] == 7
    assert after.certified
    (internal,) = answered(Sums(raising(TypeError("no sum"))))
    assert internal.reason == "internal error: TypeError: no sum"
    assert any("Traceback" in warning for warning in internal.warnings)


def test_a_search_that_refuses_its_own_result_has_none() -> None:
    (result,) = answered(Sums(raising(CertificationError("the word leads nowhere"))))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "re-check refused: the word leads nowhere")


def test_what_is_wrong_with_the_question_is_the_users_to_see() -> None:
    with pytest.raises(UsageError, match="no component"):
        answered(Sums(raising(UsageError("no component"))))


@pytest.mark.parametrize("error", [CertificationError("1 + 1 is 3"), AssertionError("1 + 1 is 3")])
def test_refused_evidence_is_kept(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    violated = PropertyResult(Verdict.VIOLATED, "count", trace=Trace("finite", ()))
    refused, other = answered(Sums(lambda _: violated, raising(error)), Sums(lambda _: HOLDS))
    assert (refused.verdict, refused.trace) == (Verdict.UNKNOWN, None)
    assert "1 + 1 is 3" in Path(str(refused.refused_evidence)).read_text()
    assert other.certified


def test_a_recheck_that_runs_out_of_time_certifies_nothing() -> None:
    (result,) = answered(Sums(lambda _: HOLDS, lambda _: Judgement.OUT_OF_TIME))
    assert (result.verdict, result.certified) == (Verdict.HOLDS, False)
    assert result.warnings == ("not certified: the re-check ended with: timeout",)


def test_known_answers_need_no_search() -> None:
    (result,) = answered(AnsweredInquiry("count", ["1 / 0 = 2"], "unsupported: division"))
    assert (result.verdict, result.reason, result.race) == (Verdict.UNKNOWN, "unsupported: division", ())


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.label)
def test_auto_is_a_method_of_the_table(family: object) -> None:
    methods: Methods[object] = family.methods  # type: ignore[attr-defined]
    assert "auto" in methods.entries
    assert isinstance(methods.entries["auto"], Race | SameAs)
    assert set(methods.deciding("auto")) <= set(methods.names())
    single = next(iter(methods.names()))
    assert methods.deciding(single) == (single,)
    with pytest.raises(UsageError, match="no method 'magic'"):
        methods.deciding("magic")


class Remembering(Sums):
    """Its re-check fails in the first of its processes only."""

    def __init__(self, remembers: bool, failing: Callable[[Progress], object]) -> None:
        super().__init__(lambda _: HOLDS)
        self._remembers = remembers
        self._failing = failing
        self.rechecks = 0

    def judge(self, index: int, seconds: float | None) -> Runner | None:
        def start() -> Child:
            self.rechecks += 1
            return once("certify", self._failing if self.rechecks == 1 else accepting, None).start()

        return Runner("certify", start)

    def rejudges(self) -> bool:
        return self._remembers


def full(_: Progress) -> object:
    raise MemoryError


def killed(_: Progress) -> object:
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def accepting(_: Progress) -> object:
    return Judgement.ACCEPTED


@pytest.mark.parametrize("failing", [full, killed])
@pytest.mark.parametrize("remembers", [True, False])
def test_a_recheck_that_remembers_too_much_is_made_again(
    remembers: bool, failing: Callable[[Progress], object]
) -> None:
    inquiry = Remembering(remembers, failing)
    (result,) = answered(inquiry)
    assert (inquiry.rechecks, result.certified) == ((2, True) if remembers else (1, False))
