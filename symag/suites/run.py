"""Runs jobs, several at a time, each in a process of its own or in that of its group, and keeps their results.

Rules of this file:

- A job with a row is not run; one that was running when the batch was killed has no row and runs again.
- A job that has no outcome when the process of its group ends runs alone.
- Rows are committed together, at most ``COMMIT_INTERVAL`` seconds after the first of them: commits are slow, and
  there may be many short jobs.
- However ``run`` ends, no process of it is left, and the rows of ended jobs are committed (if the disk permits).
- Its output, under the limits of the batch, becomes the outcome of a job, unless its files have changed: then the
  outcome would be one of another content than its key says.
- There is one thread only, because jobs are forked from it.
"""

from __future__ import annotations

import contextlib
import os.path
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.engine.families import family_of
from symag.process.pool import CommandPool
from symag.process.supervision import Launch, SupervisedCommand, python_command
from symag.suites.groups import grouped, name_of, outcomes_of, scaled
from symag.suites.jobs import CHANGED, ContentHashes, Job, KeptEvidence, key, may_be_mended
from symag.suites.outcomes import outcome_of
from symag.suites.store import JobOutcome, Results

#: A job is killed this many seconds after its own limit of wall time, so that it can report the timeout itself.
GRACE = 1.0

#: Jobs by their keys that run in one process.
_Jobs = Mapping[str, Job]


def started(
    job: Job,
    limits: JobLimits,
    output: str,
    errors: str,
    evidence: KeptEvidence | None = None,
    launch: Launch = python_command,
) -> SupervisedCommand:
    """The running job; its result is a JobOutcome. ``output`` and ``errors`` are files for what it prints."""
    digest = partial(outcome_of, job=job, output=output, errors=errors)
    return SupervisedCommand(job.command(limits, evidence, launch), _hard(limits), output, errors, digest)


def started_together(
    jobs: Sequence[Job],
    limits: JobLimits,
    output: str,
    errors: str,
    evidence: KeptEvidence | None,
    launch: Launch,
) -> SupervisedCommand:
    """The running group of jobs; its result is a JobOutcome or None for each. Otherwise as ``started``."""
    first, *others = jobs
    command = first.command(limits, evidence, launch, others)
    digest = partial(outcomes_of, jobs=jobs, output=output)
    return SupervisedCommand(command, scaled(_hard(limits), len(jobs)), output, errors, digest)


def _hard(limits: JobLimits) -> JobLimits:
    return limits if limits.wall is None else replace(limits, wall=limits.wall + GRACE)


COMMIT_INTERVAL = 0.25
#: Seconds between two calls of ``Batch.tick``.
TICK = 1.0
#: A job whose supervisor was killed is tried this many times in all.
ATTEMPTS = 2


class JobEvent(Struct, frozen=True):
    """The start of a job and of ``others`` in the same process (``outcome`` is None), or its end."""

    job: Job
    outcome: JobOutcome | None
    others: int = 0


#: Called for every event; must be quick.
Watcher = Callable[[JobEvent], None]


class _Running(Struct, frozen=True):
    jobs: _Jobs
    attempts: int
    output: Path
    errors: Path


class Batch(Struct, frozen=True):
    """How jobs are run: ``workers`` at a time, under limits; ``evidence`` is a folder for certificates and traces.

    With ``pages`` these are HTML pages; the time of writing them counts as the job's. With ``reuse`` a job tries the
    proof of an earlier version of its model first, if there is one of a kind that mostly saves time.
    ``tick`` is called about once a second while jobs run; it must be quick. ``launch`` makes the jobs' commands.
    ``contents`` are those of the jobs' files; one that is not in it is hashed when it is needed.
    With ``together`` one process decides all properties of a model that have the same target, method and options.

    Raises UsageError for no workers, and for a file as folder.
    """

    results: Results
    limits: JobLimits
    workers: int
    evidence: Path | None = None
    watcher: Watcher | None = None
    tick: Callable[[], None] | None = None
    pages: bool = False
    reuse: bool = True
    launch: Launch = python_command
    contents: ContentHashes = field(default_factory=ContentHashes)
    together: bool = False

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError(f"at least 1 job runs at a time, not {self.workers}")
        if self.evidence is not None and self.evidence.exists() and not self.evidence.is_dir():
            raise UsageError(f"{self.evidence}: this is a file, expected a folder for evidence")

    def waiting(self, jobs: Iterable[Job]) -> dict[str, Job]:
        """The jobs without a row, by their keys; the rows of the others get the present expectations.

        Rows of the jobs' models with other contents are marked as superseded.
        """
        done = self.results.keys()
        not_done: dict[str, Job] = {}
        expected: dict[str, str | None] = {}
        models: set[str] = set()
        listed: set[str] = set()
        for job in jobs:
            models.add(job.model)
            listed |= {job.model} if job.kind != "model" else set()
            name = key(job, self.limits, self.contents)
            # Another entry of the suite may name the same job, with or without an expectation.
            expected[name] = job.expected or expected.get(name)
            if name not in done:
                not_done[name] = replace(job, expected=expected[name])
        self.results.set_expected({name: expected[name] for name in done & expected.keys()})
        self.results.set_versions(self.contents, models, listed)
        return not_done

    def of_same_content(self, job: Job, outcome: JobOutcome) -> JobOutcome:
        """The outcome of a job; unknown if its files have changed, because nobody knows which content it is about."""
        changed = None if may_be_mended(outcome.reason) else self.contents.changed(job)
        if changed is None:
            return outcome
        costs = {name: getattr(outcome, name) for name in ("wall_seconds", "cpu_seconds", "memory_mib")}
        what = CHANGED if os.path.exists(changed) else "no such file any more"
        return JobOutcome("unknown", reason=f"bad input: {changed}: {what}; --resume decides it again", **costs)

    def processes(self, jobs: _Jobs) -> list[_Jobs]:
        """The jobs of each process that ``run`` begins with."""
        return [*grouped(jobs)] if self.together else [{name: job} for name, job in jobs.items()]

    def run(self, jobs: _Jobs) -> None:
        """Run the jobs in their order. Raises sqlite3.Error if results cannot be kept, and KeyboardInterrupt."""
        with tempfile.TemporaryDirectory(prefix="symag-batch-") as folder:
            try:
                with CommandPool[_Running]() as pool:
                    self._run(pool, deque(self.processes(jobs)), Path(folder))
            finally:
                self.results.commit()

    def _run(self, pool: CommandPool[_Running], waiting: deque[_Jobs], folder: Path) -> None:
        commit_at: float | None = None
        while pool or waiting:
            while waiting and len(pool) < self.workers:
                self._start(pool, waiting.popleft(), 1, folder)
            for ended, result in pool.wait(self._patience(commit_at)) if pool else ():
                if result is None and len(ended.jobs) == 1 and ended.attempts < ATTEMPTS:
                    self._start(pool, ended.jobs, ended.attempts + 1, folder)
                    continue
                waiting.extendleft(reversed(self._keep(ended, result)))
                commit_at = commit_at or time.monotonic() + COMMIT_INTERVAL
            if commit_at is not None and time.monotonic() >= commit_at:
                self.results.commit()
                commit_at = None
            if self.tick is not None:
                self.tick()

    def _patience(self, commit_at: float | None) -> float | None:
        """Seconds to wait for the end of a job; None for ever."""
        tick = None if self.tick is None else TICK
        if commit_at is None:
            return tick
        left = max(0.0, commit_at - time.monotonic())
        return left if tick is None else min(left, tick)

    def _start(self, pool: CommandPool[_Running], jobs: _Jobs, attempts: int, folder: Path) -> None:
        jobs = self._unchanged(jobs, attempts)
        if not jobs:
            return
        name, members = name_of(jobs), list(jobs.values())
        evidence = None
        if self.evidence is not None:
            kept_in = self.evidence / name[:16]
            kept_in.mkdir(parents=True, exist_ok=True)
            evidence = KeptEvidence(str(kept_in), self.pages, self._earlier(members))
        running = _Running(jobs, attempts, folder / f"{name}.out", folder / f"{name}.err")
        files = str(running.output), str(running.errors)
        if len(members) == 1:
            command = started(members[0], self.limits, *files, evidence, self.launch)
        else:
            command = started_together(members, self.limits, *files, evidence, self.launch)
        pool.add(running, command)
        self._tell(JobEvent(members[0], None, len(members) - 1))

    def _unchanged(self, jobs: _Jobs, attempts: int) -> _Jobs:
        """The jobs whose files are not changed; the others get their rows."""
        outcomes = {name: self.of_same_content(job, JobOutcome("unknown")) for name, job in jobs.items()}
        for name, outcome in outcomes.items():
            if outcome.reason is not None:
                self._tell(JobEvent(jobs[name], None))
                self._add(name, jobs[name], outcome, attempts)
                self.results.commit()
        return {name: job for name, job in jobs.items() if outcomes[name].reason is None}

    def _earlier(self, jobs: Sequence[Job]) -> tuple[str, ...]:
        """The proofs of an earlier version that the jobs try first."""
        paths = map(self.results.proof_of_earlier_version, jobs) if self.reuse else ()
        family = family_of(jobs[0].model)
        return tuple(path for path in dict.fromkeys(paths) if path is not None and family.is_reusable(path))

    def _keep(self, ended: _Running, result: Any) -> list[_Jobs]:
        """Keep the outcomes of a process; the jobs that have none."""
        for file in (ended.output, ended.errors):
            with contextlib.suppress(OSError):
                file.unlink()
        outcomes: Sequence[JobOutcome | None] = [None] * len(ended.jobs) if result is None else result
        if len(ended.jobs) == 1:
            outcomes = [result or JobOutcome("unknown", reason="crashed: the job's supervisor was killed")]
        for (name, job), outcome in zip(ended.jobs.items(), outcomes, strict=True):
            if outcome is not None:
                self._add(name, job, self.of_same_content(job, outcome), ended.attempts)
        members = zip(ended.jobs.items(), outcomes, strict=True)
        return [{name: job} for (name, job), outcome in members if outcome is None]

    def _add(self, name: str, job: Job, outcome: JobOutcome, attempts: int) -> None:
        self.results.add(name, job, self.limits, outcome, attempts, self.contents.version(job))
        self._tell(JobEvent(job, outcome))

    def _tell(self, event: JobEvent) -> None:
        if self.watcher is not None:
            self.watcher(event)
