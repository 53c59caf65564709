"""The monolithic method with methods by parts beside it: what ``auto`` is where progress or assertions are asked.

The composition is made up to ``HEAD_START`` states (for assertions, which take more time, ``FOR_ASSERTIONS``). If
that is all of it, as it mostly is, the monolithic method decides alone. Otherwise it begins again, and after each
``LEAD`` seconds of CPU time of all together one more method works beside it, with a third of its share of the time. The
contest is over when each question has an answer, each by any method.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from symag.core.limits import Progress
from symag.core.results import PropertyResult, RaceEntry, Reason, Verdict
from symag.lts.composition import TooManyStates
from symag.lts.language.composites import System
from symag.lts.methods.monolithic import METHOD, decide
from symag.lts.questions import CompositeQuestion
from symag.process.decisions import race_entry
from symag.process.memory import machine_memory
from symag.process.race import RunnerResult, once, race

HEAD_START, FOR_ASSERTIONS = 30_000, 3_000
LEAD = 0.3
#: The share of the time that the monolithic method has, against that of one other; that of the memory for all together.
_SHARE, _MEMORY = 3.0, 0.9
#: Seconds before its limit of time at which a contest ends.
_SPARE = 1.0


class LivenessContest(Struct, frozen=True):
    """Questions about one composite; ``rivals`` are other methods, and how they answer all of these.

    ``seconds``: wall-clock seconds; what is known a little before they are over is the answer.
    """

    system: System
    questions: Sequence[CompositeQuestion]
    rivals: tuple[tuple[str, Callable[[Progress], Sequence[PropertyResult]]], ...]
    seconds: float | None = None


def decided(
    contest: LivenessContest, progress: Progress, head_start: int | None = None
) -> tuple[Sequence[PropertyResult], tuple[RaceEntry, ...]]:
    """The answers in order, and an entry for each method if several ran. Raises MemoryError."""
    if head_start is None:
        asserted = any(question.kind == "assert" for question in contest.questions)
        head_start = FOR_ASSERTIONS if asserted else HEAD_START
    ends = end_of(contest.seconds)

    def explored(report: Progress) -> Sequence[PropertyResult]:
        return list(decide(contest.system, contest.questions, report))

    try:
        return list(decide(contest.system, contest.questions, progress, head_start)), ()
    except TooManyStates:
        runners = [once(METHOD, explored, None, weight=_SHARE)]
        runners += [once(name, work, None, k * LEAD) for k, (name, work) in enumerate(contest.rivals, start=1)]
        finishes = race(runners, settling(len(contest.questions)), ends, progress, machine_memory(_MEMORY))
        return answers_of(finishes, len(contest.questions)), tuple(map(entry_of, finishes))


def end_of(seconds: float | None) -> float | None:
    """When a race in a process with this limit from now on has to end, so that its answers arrive in time."""
    return None if seconds is None else time.monotonic() + seconds - min(_SPARE, seconds / 10)


def settling(questions: int) -> Callable[[RunnerResult], bool]:
    """Tells of one method after the other whether all questions are decided now."""
    known: set[int] = set()

    def is_settled(finish: RunnerResult) -> bool:
        results: Sequence[PropertyResult] = finish.outcome.value or ()
        known.update(k for k, result in enumerate(results) if result.verdict is not Verdict.UNKNOWN)
        return len(known) == questions

    return is_settled


def entry_of(finish: RunnerResult) -> RaceEntry:
    """With the reason and the figures of the first question that it leaves open."""
    results: Sequence[PropertyResult] | None = finish.outcome.value
    if results is None:
        return race_entry(finish)
    shown = next((result for result in results if result.verdict is Verdict.UNKNOWN), results[0])
    return race_entry(RunnerResult(finish.name, msgspec.structs.replace(finish.outcome, value=shown)))


def answers_of(finishes: Sequence[RunnerResult], questions: int, otherwise: str | None = None) -> list[PropertyResult]:
    """To each question the answer of a method that decides it; else that of the monolithic method, or why it has none.

    ``otherwise``: the reason where the monolithic method is not in the race. Raises what that method raised.
    """
    return [_answer(finishes, index, otherwise) for index in range(questions)]


def _answer(finishes: Sequence[RunnerResult], index: int, otherwise: str | None) -> PropertyResult:
    answers = [finish.outcome.value[index] for finish in finishes if finish.outcome.value is not None]
    known = [answer for answer in answers if answer.verdict is not Verdict.UNKNOWN]
    own = [answer for answer in answers if answer.method == METHOD]
    if known or own:
        answer: PropertyResult = (known or own)[0]
        return answer
    for finish in finishes:
        if finish.name == METHOD:
            if finish.outcome.error is not None:
                raise finish.outcome.error
            otherwise = finish.outcome.reason
    return PropertyResult(Verdict.UNKNOWN, METHOD, reason=otherwise or Reason.MEMORY.text())
