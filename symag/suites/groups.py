"""Groups of jobs that one process answers together: property checks of one model with one target, method and options.

Rules of this file:

- An answer becomes the outcome of a job only if its number, kind, text, name and target are those of the job, and no
  other answer has the same ones. Nothing is guessed from the order of answers.
- A job has no outcome if the process was killed, printed no results, or printed more of them than there are jobs; or if
  its answer says that a process crashed or was interrupted, that its evidence could not be written, or that a limit
  ended a search for several properties: alone it may need less. Such a job is to be run alone.
- The costs of the outcomes sum up to those of the process.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symag.core.limits import JobLimits
from symag.core.results import Reason
from symag.core.values import replace
from symag.process.supervision import CommandExit
from symag.suites.jobs import Job, unwritten
from symag.suites.outcomes import LIMIT_OF, answered
from symag.suites.store import JobOutcome

#: The most jobs of a group: an end without answers loses the work for no more than these, and a command line has room.
LARGEST = 1000

#: The kinds of jobs that are no property checks, or are about a name that the model does not have.
_ALONE = frozenset({"count", "simulation", "model", "?"})

#: The reasons of answers that a process of the group may be the cause of.
_OF_THE_PROCESS = frozenset(kind.value for kind in (Reason.CRASHED, Reason.INTERNAL_ERROR, Reason.INTERRUPTED))


def grouped(jobs: Mapping[str, Job]) -> list[dict[str, Job]]:
    """The jobs by their keys, those together that one process can answer; in the order of the first job of each."""
    groups: dict[object, dict[str, Job]] = {}
    for name, job in jobs.items():
        identity = job.model, job.target, job.method, job.options
        groups.setdefault(name if job.kind in _ALONE else identity, {})[name] = job
    return [part for group in groups.values() for part in _parts(group)]


def _parts(group: Mapping[str, Job]) -> list[dict[str, Job]]:
    members = list(group.items())
    return [dict(members[start : start + LARGEST]) for start in range(0, len(members), LARGEST)]


def name_of(jobs: Mapping[str, Job]) -> str:
    """The name of the files of a process with these jobs, by their keys: the key of a single one."""
    keys = list(jobs)
    return keys[0] if len(keys) == 1 else hashlib.sha256(" ".join(keys).encode()).hexdigest()


def scaled(limits: JobLimits, count: int) -> JobLimits:
    """The limits of a process for this many jobs: the sum of their times, and the memory of one."""
    wall, cpu = (None if seconds is None else seconds * count for seconds in (limits.wall, limits.cpu))
    return replace(limits, wall=wall, cpu=cpu)


def outcomes_of(ending: CommandExit, jobs: Sequence[Job], output: str) -> list[JobOutcome | None]:
    """The outcomes of jobs, from the file with the standard output of their process; None: to be run alone."""
    results, warnings = ([], []) if ending.limit is not None else _report(output)
    answers = {} if len(results) > len(jobs) else _answers(jobs, results)
    of_answers = {warning for result in results for warning in result["warnings"]}
    of_model = [warning for warning in warnings if warning not in of_answers]
    outcomes: list[JobOutcome | None] = [None] * len(jobs)
    costs = _costs(ending, list(answers.values()))
    for (place, answer), cost in zip(answers.items(), costs, strict=True):
        outcomes[place] = answered(answer, [*of_model, *answer["warnings"]], cost)
    return outcomes


def _report(output: str) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
    """The results and the warnings in the output; empty if there are none."""
    try:
        report = json.loads(Path(output).read_bytes())
    except (OSError, ValueError):
        return [], []
    return report.get("results", []), report.get("warnings", [])


def _answers(jobs: Sequence[Job], results: Sequence[Mapping[str, Any]]) -> dict[int, Mapping[str, Any]]:
    """The answers that are exactly those of jobs and count, by the places of the jobs."""
    questions = [_question(result) for result in results]
    counts = Counter(questions)
    answers = dict(zip(questions, results, strict=True))
    searches = Counter(map(_search, results))
    places = {place: (job.property, job.kind, job.text, job.name, job.target) for place, job in enumerate(jobs)}
    return {
        place: answers[question]
        for place, question in places.items()
        if counts[question] == 1 and _counts(answers[question], searches)
    }


def _question(result: Mapping[str, Any]) -> tuple[object, ...]:
    return (str(result["index"]), result["kind"], result["text"], result["name"], result["target"])


def _search(answer: Mapping[str, Any]) -> str:
    """The search that an answer is from: answers of one search tell the same cost."""
    return json.dumps([answer["race"], answer["statistics"]])


def _counts(answer: Mapping[str, Any], searches: Mapping[str, int]) -> bool:
    """Whether an answer says something about its property; ``searches`` are those of all answers, with their number."""
    reason = answer["reason"]
    if reason in LIMIT_OF and searches[_search(answer)] > 1:
        return False
    return reason not in _OF_THE_PROCESS and unwritten(answer["warnings"]) is None


def _costs(ending: CommandExit, answers: Sequence[Mapping[str, Any]]) -> list[CommandExit]:
    """What each answer cost; the memory is that of the process."""
    numbers = [answer["statistics"] for answer in answers]
    checks = [statistics.get("certify_seconds", 0.0) for statistics in numbers]
    wall = _shares(ending.wall_seconds, [statistics.get("seconds", 0.0) for statistics in numbers], checks)
    cpu = _shares(ending.cpu_seconds, [statistics.get("cpu_seconds", 0.0) for statistics in numbers], checks)
    return [replace(ending, wall_seconds=seconds, cpu_seconds=used) for seconds, used in zip(wall, cpu, strict=True)]


def _shares(total: float, searches: Sequence[float], checks: Sequence[float]) -> list[float]:
    """The parts of the total: the own search and re-check, and an equal part of the rest.

    Where these are more than the total (one search for several answers), they are made smaller.
    """
    own = [search + check for search, check in zip(searches, checks, strict=True)]
    rest = total - sum(own)
    if rest < 0:
        return [seconds * total / sum(own) for seconds in own]
    return [seconds + rest / len(own) for seconds in own]
