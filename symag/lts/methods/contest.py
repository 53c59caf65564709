"""The monolithic method and others beside it, on all questions about one composite: the questions, and what is known.

``symag.lts.methods.safety_contest`` and ``liveness_contest`` say which of them runs when.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from symag.core.limits import Progress
from symag.core.results import PropertyResult, RaceEntry, Reason, Verdict
from symag.lts.language.systems import System
from symag.lts.methods.options import MONOLITHIC
from symag.lts.questions import CompositeQuestion
from symag.process.decisions import race_entry
from symag.process.race import RunnerResult

#: Seconds before its limit of time at which a contest ends.
_SPARE = 1.0


class CompositeContest(Struct, frozen=True):
    """Questions about one composite; ``rivals`` are other methods, and how each answers them, the last one last.

    ``seconds``: wall-clock seconds; what is known a little before they are over is the answer.
    """

    system: System
    questions: Sequence[CompositeQuestion]
    rivals: tuple[tuple[str, Callable[[Progress], Sequence[PropertyResult]]], ...]
    seconds: float | None = None


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
    own = [answer for answer in answers if answer.method == MONOLITHIC]
    if known or own:
        answer: PropertyResult = (known or own)[0]
        return answer
    for finish in finishes:
        if finish.name == MONOLITHIC:
            if finish.outcome.error is not None:
                raise finish.outcome.error
            otherwise = finish.outcome.reason
    return PropertyResult(Verdict.UNKNOWN, MONOLITHIC, reason=otherwise or Reason.MEMORY.text())
