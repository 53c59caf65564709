"""The monolithic search for faults with other methods beside it: what ``auto`` is for safety and deadlock.

The composite is compiled once, and the search begins. After ``HEAD_START`` seconds of CPU time the other method works
while the search waits, and after ``LEAD`` seconds of CPU time (more if the search grows fast) both work. Beyond these
seconds the cost is at most twice that of the faster one. When they have used ``LAST`` seconds, the last method works
beside them too: it decides systems of which both see too many states.

A search that seems to be about to end leads. The other method still has its turn first, but only of ``TURN`` seconds:
that is little beside the rest of such a search and its re-check, which takes as long as all of the search, and it is
enough where the property needs few of the components (models/lts/parallel.py).

Where components share actions evenly, each with few others (meshes, pipelines), the last method comes first, for
some tenths of a second and with more than half of the time after them: each assumption is about a few neighbours, while
the search and the compositions grow with the width of the whole (models/lts/mesh.lts). There a search that seems to be
about to end does not lead: in a pipeline it seems so for ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from symag.core.limits import DiskExhausted, Progress
from symag.core.results import PropertyResult, RaceEntry, Reason
from symag.core.values import replace
from symag.lts.lts import Lts
from symag.lts.methods.contest import CompositeContest, answers_of, end_of, entry_of, settling
from symag.lts.methods.fault_search import FaultSearch, enough_for
from symag.lts.methods.monolithic import fault_answers
from symag.lts.methods.options import MONOLITHIC
from symag.process.memory import machine_memory
from symag.process.race import Runner, RunnerResult, once, race

HEAD_START = 0.25

#: The part of the memory that both together may hold of what the process around them may.
PART_OF_MEMORY = 0.9
LEAD = 1.0
#: Where the search seems to be about to end: the seconds of the other method's turn (a small proof by ``reduce`` takes
#: 0.2 to 0.35, imports among them), and those for which the search leads then (Chiron with 6 handlers takes 2).
TURN, LEAD_TO_THE_END = 0.5, 4.0
#: Most systems are decided before, where a third method would only cost.
LAST = 8.0
#: Where sharing is even: the seconds that the last method has for itself, with more for each component, and its share
#: of the time against that of one other method.
TRIAL, MORE, FAVOUR = 0.2, 0.004, 3.0
#: Sharing is even among at least this many components, if none shares actions with more than this part of them, or with
#: more than this many times the average number.
_MANY, _NEIGHBOURS, _AVERAGE = 12, 0.25, 2


def decided(
    contest: CompositeContest, progress: Progress, head_start: float = HEAD_START
) -> tuple[Sequence[PropertyResult], tuple[RaceEntry, ...]]:
    """The answers, and an entry for each method if several ran. Raises MemoryError, CertificationError."""
    started, began, ends = time.process_time(), time.monotonic(), end_of(contest.seconds)
    enough = enough_for({question.kind for question in contest.questions})
    search: FaultSearch | None = None
    even = shares_evenly(contest.system.components)
    try:
        search = FaultSearch(contest.system, enough, progress)
        if search.run(head_start):
            return _answers(search, contest, started), ()
        runners = _rivals(contest, even, search)
        leads = search.seems_to_end and not even
        delay, lead = (TURN, LEAD_TO_THE_END) if leads else (LEAD * (1 + search.growth), 0.0)
        runners.append(once(MONOLITHIC, partial(_continued, search, contest), None, delay, lead=lead))
        outcome = Reason.OVERTAKEN.text()
    except (MemoryError, DiskExhausted) as error:
        # The other method may need less.
        if search is not None:
            search.discard()
        runners = _rivals(contest, even, search)
        outcome = Reason.MEMORY.text() if isinstance(error, MemoryError) else Reason.DISK.text(str(error))
    so_far = RaceEntry(MONOLITHIC, outcome, time.monotonic() - began, time.process_time() - started)
    count = len(contest.questions)
    finishes = race(runners, settling(count), ends, progress, machine_memory(PART_OF_MEMORY))
    exhausted = len(runners) == len(contest.rivals)
    reason = outcome if exhausted else Reason.TIMEOUT.text()
    return answers_of(finishes, count, reason), _entries(finishes, so_far)


def shares_evenly(components: Sequence[Lts]) -> bool:
    """Whether there are many components, each shares actions with few others, and none with many more than most."""
    owners: dict[str, set[int]] = {}
    for number, lts in enumerate(components):
        for label in lts.alphabet[1:]:
            owners.setdefault(label, set()).add(number)
    others: list[set[int]] = [set() for _ in components]
    for together in owners.values():
        for number in together:
            others[number] |= together
    counts = [len(numbers - {number}) for number, numbers in enumerate(others)]
    if len(counts) < _MANY:
        return False
    return max(counts) <= min(_NEIGHBOURS * len(counts), _AVERAGE * sum(counts) / len(counts))


def _rivals(contest: CompositeContest, even: bool, search: FaultSearch | None) -> list[Runner]:
    """The other methods, the last one first if sharing is ``even``; they need the memory of the search."""
    order = contest.rivals[::-1] if even else contest.rivals
    delay, weight = (TRIAL + MORE * len(contest.system.components), FAVOUR) if even else (LAST, 1.0)
    return [
        once(name, partial(_alone, search, work), None, delay * k, 1.0 if k else weight)
        for k, (name, work) in enumerate(order)
    ]


def _alone(
    search: FaultSearch | None, work: Callable[[Progress], Sequence[PropertyResult]], progress: Progress
) -> Sequence[PropertyResult]:
    """In a child that has the search too, and needs its memory."""
    if search is not None:
        search.discard()
    return work(progress)


def _continued(search: FaultSearch, contest: CompositeContest, _progress: Progress) -> Sequence[PropertyResult]:
    """In a child that has the search as it was when it paused."""
    started = time.process_time()
    search.run()
    return _answers(search, contest, started)


def _answers(search: FaultSearch, contest: CompositeContest, started: float) -> Sequence[PropertyResult]:
    return list(fault_answers(search, contest.questions, len(contest.system.components), started))


def _entries(finishes: list[RunnerResult], so_far: RaceEntry) -> tuple[RaceEntry, ...]:
    """An entry for each method; that of the search has what it did before the pause too."""
    entries = tuple(map(entry_of, finishes))
    if all(entry.method != MONOLITHIC for entry in entries):
        return so_far, *entries
    return tuple(
        replace(entry, seconds=entry.seconds + so_far.seconds, cpu_seconds=entry.cpu_seconds + so_far.cpu_seconds)
        if entry.method == MONOLITHIC
        else entry
        for entry in entries
    )
