"""The loop from a question to its re-checked answer, in processes under limits, for all families of models.

A family supplies inquiries: what searches, how its results are read, what re-checks them. Everything else about an
answer is here, once: limits, progress, costs, the reasons of unknown answers, refusals. The loop is below the families
and not in ``symag.engine``, because a family has questions of its own too: those of contracts.
"""

from __future__ import annotations

import contextlib
import enum
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Generic, TypeVar

from symag.core.errors import CertificationError, InputError
from symag.core.evidence.refusals import Refusal, refused
from symag.core.limits import Deadline, Limits, OutOfTimeError, Progress
from symag.core.results import PropertyResult, RaceEntry, Reason, Verdict, kind_of
from symag.core.values import replace
from symag.process.child import ChildOutcome
from symag.process.race import Runner, RunnerResult, alone, deadline_of, race

_Question = TypeVar("_Question")


class Judgement(enum.Enum):
    """The result of a re-check that does not refuse the evidence; otherwise it raises CertificationError."""

    ACCEPTED = "accepted"
    OUT_OF_TIME = "out of time"
    NO_EVIDENCE = "no evidence"


def judged(check: Callable[[Deadline], object], seconds: float | None) -> Judgement:
    """The judgement of a check that has this many seconds; the check raises CertificationError to refuse."""
    try:
        check(Deadline(seconds))
    except OutOfTimeError:
        return Judgement.OUT_OF_TIME
    return Judgement.ACCEPTED


def why_undecided(outcome: ChildOutcome) -> str | None:
    """Why a re-check did not finish; None if it accepted the evidence."""
    return None if outcome.value is Judgement.ACCEPTED else outcome.reason or Reason.TIMEOUT.text()


class Inquiry(ABC, Generic[_Question]):
    """One or several questions that one search answers together, with the family's part of the work.

    ``method`` is the name in answers that no search gave.
    """

    method: str
    questions: Sequence[_Question]

    #: Whether the limit of time is for the search and the re-check together; otherwise it is for each of them.
    limit_covers_recheck = False

    def known(self, deadline: float | None, progress: Progress) -> Sequence[PropertyResult] | None:
        """Answers without a search, one for each question; None if a search is needed."""
        return None

    @abstractmethod
    def runners(self) -> Sequence[Runner]:
        """The computations that race for the answers."""

    def settles(self, finish: RunnerResult) -> bool:
        """Whether the race ends with this result."""
        return True

    def answering(self, finish: RunnerResult) -> RunnerResult:
        """The result of a computation as an answer to these questions, if it was not about them alone."""
        return finish

    def explains(self, finish: RunnerResult) -> bool:
        """Whether the reason of a computation that has no answer may be that of the whole race."""
        return True

    def note(self, finishes: Sequence[RunnerResult]) -> None:
        """Record what the computations of a race have found, for later questions."""

    @abstractmethod
    def results(self, value: Any) -> Sequence[PropertyResult]:
        """The answers, one for each question, from the value of the computation that settled them."""

    def failed(self, error: InputError, deadline: float | None, progress: Progress) -> str | None:
        """The reason of the answers if the error is of these questions alone; None: it ends all inquiries."""
        return None

    def repeats(self, result: PropertyResult) -> bool:
        """Whether the race is run once more after this answer."""
        return False

    def remember(self, result: PropertyResult) -> None:
        """Record the answer of the race, for later races."""

    @abstractmethod
    def judge(self, index: int, seconds: float | None) -> Runner | None:
        """The computation that re-checks the answer to the question at an index; its value is a ``Judgement``.

        None if there is none.
        """

    def rejudges(self) -> bool:
        """Whether the last re-check is made once more if it ran out of memory, in a new process."""
        return False

    @abstractmethod
    def refusal(self, index: int, result: PropertyResult, why: str, details: str) -> Refusal:
        """The refusal by which the evidence is kept when the re-check refuses it."""

    def completed(self, question: _Question, result: PropertyResult) -> PropertyResult:
        """The answer with what the family adds to every answer to this question."""
        return result


class AnsweredInquiry(Inquiry[_Question]):
    """Questions that are unknown for a reason that needs no search."""

    def __init__(self, method: str, questions: Sequence[_Question], reason: str) -> None:
        self.method = method
        self.questions = questions
        self._result = PropertyResult(Verdict.UNKNOWN, method, reason=reason)

    def known(self, deadline: float | None, progress: Progress) -> Sequence[PropertyResult]:
        return [self._result] * len(self.questions)

    def runners(self) -> Sequence[Runner]:
        raise AssertionError("the answers are known")

    def results(self, value: Any) -> Sequence[PropertyResult]:
        raise AssertionError("the answers are known")

    def judge(self, index: int, seconds: float | None) -> Runner | None:
        return None

    def refusal(self, index: int, result: PropertyResult, why: str, details: str) -> Refusal:
        raise AssertionError("there is no evidence")


def decisions(
    inquiries: Generator[Inquiry[_Question], None, None], limits: Limits, certify: bool, progress: Progress
) -> Iterator[tuple[_Question, PropertyResult]]:
    """Each question with its answer as soon as it is known, re-checked if ``certify``.

    An answer with refused evidence becomes unknown (see ``symag.core.evidence.refusals``). Raises InputError and
    UsageError. No process is left, however the loop ends.
    """
    with contextlib.closing(inquiries):
        for inquiry in inquiries:
            yield from answered(inquiry, limits, certify, progress)


def answered(
    inquiry: Inquiry[_Question], limits: Limits, certify: bool, progress: Progress
) -> Iterator[tuple[_Question, PropertyResult]]:
    """The questions of one inquiry with their answers; see ``decisions``."""
    deadline = deadline_of(limits)
    results = inquiry.known(deadline, progress)
    if results is None:
        results = _searched(inquiry, deadline, progress)
    for index, (question, result) in enumerate(zip(inquiry.questions, results, strict=True)):
        checked = result
        if certify and not result.certified and result.verdict is not Verdict.UNKNOWN:
            until = deadline if inquiry.limit_covers_recheck else deadline_of(limits)
            checked = _rechecked(inquiry, index, result, until, progress)
        yield question, inquiry.completed(question, checked)


def _searched(inquiry: Inquiry[Any], deadline: float | None, progress: Progress) -> Sequence[PropertyResult]:
    started = time.monotonic()
    results = _race(inquiry, started, deadline, progress)
    if inquiry.repeats(results[0]):
        results = _race(inquiry, started, deadline, progress)
    inquiry.remember(results[0])
    return results


def _race(
    inquiry: Inquiry[Any], started: float, deadline: float | None, progress: Progress
) -> Sequence[PropertyResult]:
    """The answers to all questions of the inquiry, with their cost and an entry for every runner."""
    finishes = [inquiry.answering(finish) for finish in race(inquiry.runners(), inquiry.settles, deadline, progress)]
    inquiry.note(finishes)
    last = finishes[-1]
    error = last.outcome.error
    failure = inquiry.failed(error, deadline, progress) if isinstance(error, InputError) else None
    if error is not None and failure is None and not isinstance(error, CertificationError):
        raise error
    costs = _costs(finishes, time.monotonic() - started)
    explaining = [finish for finish in finishes if inquiry.explains(finish)] or finishes
    entries = tuple(map(race_entry, finishes))
    if last.outcome.value is None or not inquiry.settles(last):
        figures = race_entry(explaining[0]).figures if len(explaining) == 1 else {}
        unknown = PropertyResult(
            Verdict.UNKNOWN,
            inquiry.method,
            # A search that refuses its own result has none.
            reason=failure or (_reason(explaining) if error is None else Reason.REFUSED.text(str(error))),
            warnings=tuple(dict.fromkeys(warning for finish in finishes for warning in _warnings(finish.outcome))),
            statistics={**figures, **costs},
            race=entries,
        )
        return [unknown] * len(inquiry.questions)
    results = inquiry.results(last.outcome.value)
    several = len(results) > 1
    return [replace(result, statistics=_statistics(result, costs, several), race=entries) for result in results]


def _statistics(result: PropertyResult, costs: dict[str, float], several: bool) -> dict[str, Any]:
    """The statistics with the costs of the search; of several answers each keeps its own CPU seconds."""
    own = result.statistics.get("cpu_seconds") if several else None
    return {**result.statistics, **costs, **({} if own is None else {"cpu_seconds": own})}


def race_entry(finish: RunnerResult) -> RaceEntry:
    """The entry of one runner in the answer."""
    outcome = finish.outcome
    value, figures, reason = outcome.value, dict(outcome.figures), outcome.reason
    if isinstance(outcome.error, InputError):
        reason = Reason.BAD_INPUT.text(str(outcome.error))
    if isinstance(value, PropertyResult):
        numbers = value.statistics.items()
        figures = {name: number for name, number in numbers if isinstance(number, int | float)} or figures
        reason = reason or value.reason
    return RaceEntry(
        finish.name, reason or "decided", outcome.seconds, outcome.cpu_seconds, figures, outcome.last_progress
    )


def _reason(finishes: Sequence[RunnerResult]) -> str:
    """One reason for several failures; timeout and memory come first, because a larger budget could help."""
    reasons = [finish.outcome.reason or finish.outcome.value.reason for finish in finishes]
    for reason in ("timeout", "memory"):
        if reason in reasons:
            return reason
    return str(reasons[0])


def _warnings(outcome: ChildOutcome) -> tuple[str, ...]:
    if outcome.value is not None:
        warnings: tuple[str, ...] = outcome.value.warnings
        return warnings
    if kind_of(outcome.reason) in (Reason.INTERNAL_ERROR, Reason.CRASHED):
        lines = (line for line in outcome.messages.strip().splitlines()[-20:] if line.strip())
        return ("\n".join((str(outcome.reason), *lines)),)
    return ()


def _costs(finishes: Sequence[RunnerResult], seconds: float) -> dict[str, float]:
    """The cost of the decision: ``seconds`` of wall time, CPU seconds of all methods that ran, peak memory in MiB."""
    return {
        "seconds": round(seconds, 4),
        "cpu_seconds": round(sum(finish.outcome.cpu_seconds for finish in finishes), 4),
        "memory_mib": round(max(finish.outcome.memory for finish in finishes), 1),
    }


def _rechecked(
    inquiry: Inquiry[Any], index: int, result: PropertyResult, deadline: float | None, progress: Progress
) -> PropertyResult:
    """The answer certified, refused, or with a warning if the re-check did not finish."""
    started = time.monotonic()
    seconds = None if deadline is None else max(0.0, deadline - started)
    runner = inquiry.judge(index, seconds)
    if runner is None:
        return result
    outcome = alone(runner, deadline, progress)
    # The kernel kills what grows too large, and what has used its CPU seconds.
    if kind_of(outcome.reason) in (Reason.MEMORY, Reason.CRASHED) and inquiry.rejudges():
        outcome = alone(runner, deadline, progress)
    statistics = {**result.statistics, "certify_seconds": round(outcome.seconds, 4)}
    # Evidence that makes the re-check fail internally is not accepted.
    if isinstance(outcome.error, CertificationError) or kind_of(outcome.reason) is Reason.INTERNAL_ERROR:
        shown = replace(result, statistics=statistics)
        return refused(shown, inquiry.refusal(index, shown, str(outcome.error or outcome.reason), outcome.messages))
    if outcome.error is not None:
        raise outcome.error
    warnings = result.warnings
    if outcome.value in (None, Judgement.OUT_OF_TIME):
        warnings = (*warnings, f"not certified: the re-check ended with: {why_undecided(outcome)}")
    certified = outcome.value is Judgement.ACCEPTED
    return replace(result, certified=certified, statistics=statistics, warnings=warnings)
