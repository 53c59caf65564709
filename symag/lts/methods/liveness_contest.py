"""The monolithic method with methods by parts beside it: what ``auto`` is where progress or assertions are asked.

The composition is made up to ``HEAD_START`` states. If that is all of it, as it mostly is, the monolithic method
decides alone. Otherwise it begins again, and after each ``LEAD`` seconds of CPU time of all together one more method
works beside it, with a third of its share of the time. The contest is over when each question has an answer, each by
any method.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.limits import Progress
from symag.core.results import PropertyResult, RaceEntry
from symag.lts.composition import TooManyStates
from symag.lts.methods.contest import CompositeContest, answers_of, end_of, entry_of, settling
from symag.lts.methods.monolithic import decide
from symag.lts.methods.options import MONOLITHIC
from symag.process.memory import machine_memory
from symag.process.race import once, race

HEAD_START = 30_000
LEAD = 0.3
#: The share of the time that the monolithic method has, against that of one other; that of the memory for all together.
_SHARE, _MEMORY = 3.0, 0.9


def decided(
    contest: CompositeContest, progress: Progress, head_start: int = HEAD_START
) -> tuple[Sequence[PropertyResult], tuple[RaceEntry, ...]]:
    """The answers in order, and an entry for each method if several ran. Raises MemoryError."""
    ends = end_of(contest.seconds)

    def explored(report: Progress) -> Sequence[PropertyResult]:
        return list(decide(contest.system, contest.questions, report))

    try:
        return list(decide(contest.system, contest.questions, progress, head_start)), ()
    except TooManyStates:
        runners = [once(MONOLITHIC, explored, None, weight=_SHARE)]
        runners += [once(name, work, None, k * LEAD) for k, (name, work) in enumerate(contest.rivals, start=1)]
        finishes = race(runners, settling(len(contest.questions)), ends, progress, machine_memory(_MEMORY))
        return answers_of(finishes, len(contest.questions)), tuple(map(entry_of, finishes))
