"""The monolithic method with methods by parts beside it: what ``auto`` is for only progress or only assertions.

The composition is made up to ``HEAD_START`` states (for assertions, which take more time, ``FOR_ASSERTIONS``). If
that is all of it, as it mostly is, the monolithic method decides alone. Otherwise it begins again, and after each
``LEAD`` seconds of CPU time of all together one more method works beside it, with half of its share of the time.
"""

from __future__ import annotations

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
_SHARE, _MEMORY = 2.0, 0.9


class LivenessContest(Struct, frozen=True):
    """Questions about one composite; ``rivals`` are other methods, and how they answer all of these."""

    system: System
    questions: Sequence[CompositeQuestion]
    rivals: tuple[tuple[str, Callable[[Progress], Sequence[PropertyResult]]], ...]


def decided(
    contest: LivenessContest, progress: Progress, head_start: int | None = None
) -> tuple[Sequence[PropertyResult], tuple[RaceEntry, ...]]:
    """The answers in order, and an entry for each method if several ran. Raises MemoryError."""
    if head_start is None:
        head_start = HEAD_START if contest.questions[0].kind == "progress" else FOR_ASSERTIONS

    def explored(report: Progress) -> Sequence[PropertyResult]:
        return list(decide(contest.system, contest.questions, report))

    try:
        return list(decide(contest.system, contest.questions, progress, head_start)), ()
    except TooManyStates:
        runners = [once(METHOD, explored, None, weight=_SHARE)]
        runners += [once(name, work, None, k * LEAD) for k, (name, work) in enumerate(contest.rivals, start=1)]
        finishes = race(runners, _is_settled, None, progress, machine_memory(_MEMORY))
        entries = tuple(map(_entry, finishes))
        return [_answer(finishes, index) for index in range(len(contest.questions))], entries


def _is_settled(finish: RunnerResult) -> bool:
    """Whether a method has decided all questions."""
    results: Sequence[PropertyResult] | None = finish.outcome.value
    return results is not None and all(result.verdict is not Verdict.UNKNOWN for result in results)


def _entry(finish: RunnerResult) -> RaceEntry:
    """With the reason and the figures of the first question that it leaves open."""
    results: Sequence[PropertyResult] | None = finish.outcome.value
    if results is None:
        return race_entry(finish)
    shown = next((result for result in results if result.verdict is Verdict.UNKNOWN), results[0])
    return race_entry(RunnerResult(finish.name, msgspec.structs.replace(finish.outcome, value=shown)))


def _answer(finishes: Sequence[RunnerResult], index: int) -> PropertyResult:
    """The answer of a method that decides this question; else that of the monolithic method, or why it has none."""
    answers = [finish.outcome.value[index] for finish in finishes if finish.outcome.value is not None]
    known = [answer for answer in answers if answer.verdict is not Verdict.UNKNOWN]
    own = [answer for answer in answers if answer.method == METHOD]
    if known or own:
        answer: PropertyResult = (known or own)[0]
        return answer
    outcome = next(finish.outcome for finish in finishes if finish.name == METHOD)
    if outcome.error is not None:
        raise outcome.error
    return PropertyResult(Verdict.UNKNOWN, METHOD, reason=outcome.reason or Reason.MEMORY.text())
