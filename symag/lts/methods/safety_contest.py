"""The monolithic search for ERROR with other methods beside it: what ``auto`` is where only safety is asked.

The composite is compiled once, and the search begins. After ``HEAD_START`` seconds of CPU time (16 times as many if
most of its states have been looked at: it seems to be about to end) the other method works while the search waits,
and after ``LEAD`` seconds of CPU time (more if the search grows fast) both work. Beyond these seconds the cost is at
most twice that of the faster one. When they have used ``LAST`` seconds, the last method works beside them too: it
decides systems of which both see too many states (models/lts/mesh.lts).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from msgspec import Struct

from symag.core.limits import DiskExhausted, Progress
from symag.core.results import PropertyResult, RaceEntry, Reason, Verdict
from symag.lts.composition import Fault
from symag.lts.language.composites import System
from symag.lts.methods.fault_search import FaultSearch
from symag.lts.methods.monolithic import METHOD, fault_answers
from symag.lts.questions import CompositeQuestion
from symag.process.decisions import race_entry
from symag.process.memory import machine_memory
from symag.process.race import RunnerResult, once, race

HEAD_START = 0.25

#: The part of the memory that both together may hold of what the process around them may.
PART_OF_MEMORY = 0.9
LEAD = 1.0
#: Most systems are decided before, where a third method would only cost.
LAST = 8.0


class SafetyContest(Struct, frozen=True):
    """One question about safety; ``rivals`` are the other methods, the last one last, and what they do about it."""

    system: System
    question: CompositeQuestion
    rivals: tuple[tuple[str, Callable[[Progress], PropertyResult]], ...]


def decided(
    contest: SafetyContest, progress: Progress, head_start: float = HEAD_START
) -> tuple[PropertyResult, tuple[RaceEntry, ...]]:
    """The answer, and an entry for each method if both ran. Raises MemoryError, CertificationError."""
    started, began = time.process_time(), time.monotonic()
    enough: tuple[Fault] = ("safety",)
    search: FaultSearch | None = None
    try:
        search = FaultSearch(contest.system, enough, progress)
        if search.run(head_start):
            return _answer(search, contest, started), ()
        others = [(name, partial(_alone, search, work)) for name, work in contest.rivals]
        runners = [once(name, work, None, k * LAST) for k, (name, work) in enumerate(others)]
        runners.append(once(METHOD, partial(_continued, search, contest), None, LEAD * (1 + search.growth)))
        outcome = Reason.OVERTAKEN.text()
    except (MemoryError, DiskExhausted) as error:
        # The other method may need less.
        if search is not None:
            search.discard()
        runners = [once(name, work, None, k * LAST) for k, (name, work) in enumerate(contest.rivals)]
        outcome = Reason.MEMORY.text() if isinstance(error, MemoryError) else Reason.DISK.text(str(error))
    so_far = RaceEntry(METHOD, outcome, time.monotonic() - began, time.process_time() - started)
    finishes = race(runners, _is_settled, None, progress, machine_memory(PART_OF_MEMORY))
    last = finishes[-1].outcome
    if not _is_settled(finishes[-1]):
        last = next((finish.outcome for finish in finishes if finish.name == METHOD), last)
        if last.error is not None:
            raise last.error
        reason = outcome if len(runners) == len(contest.rivals) else last.reason
        return PropertyResult(Verdict.UNKNOWN, METHOD, reason=reason), _entries(finishes, so_far)
    answer: PropertyResult = last.value
    return answer, _entries(finishes, so_far)


def _alone(search: FaultSearch, work: Callable[[Progress], PropertyResult], progress: Progress) -> PropertyResult:
    """In a child that has the search too, and needs its memory."""
    search.discard()
    return work(progress)


def _continued(search: FaultSearch, contest: SafetyContest, _progress: Progress) -> PropertyResult:
    """In a child that has the search as it was when it paused."""
    started = time.process_time()
    search.run()
    return _answer(search, contest, started)


def _answer(search: FaultSearch, contest: SafetyContest, started: float) -> PropertyResult:
    (answer,) = fault_answers(search, [contest.question], len(contest.system.components), started)
    return answer


def _is_settled(finish: RunnerResult) -> bool:
    """Whether a method decided. The other method may refuse the system; the search refuses none."""
    value: PropertyResult | None = finish.outcome.value
    return value is not None and value.verdict is not Verdict.UNKNOWN


def _entries(finishes: list[RunnerResult], so_far: RaceEntry) -> tuple[RaceEntry, ...]:
    """An entry for each method; that of the search has what it did before the pause too."""
    entries = tuple(map(race_entry, finishes))
    if all(entry.method != METHOD for entry in entries):
        return so_far, *entries
    return tuple(
        replace(entry, seconds=entry.seconds + so_far.seconds, cpu_seconds=entry.cpu_seconds + so_far.cpu_seconds)
        if entry.method == METHOD
        else entry
        for entry in entries
    )
