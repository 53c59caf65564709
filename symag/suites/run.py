"""Runs jobs, several at a time, each in a process of its own, and keeps their results.

Rules of this file:

- A job with a row is not run; one that was running when the batch was killed has no row and runs again.
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
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.engine.families import family_of
from symag.process.pool import CommandPool
from symag.process.supervision import Launch, SupervisedCommand, python_command
from symag.suites.jobs import CHANGED, ContentHashes, Job, KeptEvidence, key, may_be_mended
from symag.suites.outcomes import outcome_of
from symag.suites.store import JobOutcome, Results

#: A job is killed this many seconds after its own limit of wall time, so that it can report the timeout itself.
GRACE = 1.0


def started(
    job: Job,
    limits: JobLimits,
    output: str,
    errors: str,
    evidence: KeptEvidence | None = None,
    launch: Launch = python_command,
) -> SupervisedCommand:
    """The running job; its result is a JobOutcome. ``output`` and ``errors`` are files for what it prints."""
    hard = limits if limits.wall is None else replace(limits, wall=limits.wall + GRACE)
    digest = partial(outcome_of, job=job, output=output, errors=errors)
    return SupervisedCommand(job.command(limits, evidence, launch), hard, output, errors, digest)


COMMIT_INTERVAL = 0.25
#: Seconds between two calls of ``Batch.tick``.
TICK = 1.0
#: A job whose supervisor was killed is tried this many times in all.
ATTEMPTS = 2


class JobEvent(Struct, frozen=True):
    """The start of a job (``outcome`` is None), or its end."""

    job: Job
    outcome: JobOutcome | None


#: Called for every event; must be quick.
Watcher = Callable[[JobEvent], None]


class _Running(Struct, frozen=True):
    key: str
    job: Job
    attempts: int
    output: Path
    errors: Path
    evidence: Path | None


class Batch(Struct, frozen=True):
    """How jobs are run: ``workers`` at a time, under limits; ``evidence`` is a folder for certificates and traces.

    With ``pages`` these are HTML pages; the time of writing them counts as the job's. With ``reuse`` a job tries the
    proof of an earlier version of its model first, if there is one of a kind that mostly saves time.
    ``tick`` is called about once a second while jobs run; it must be quick. ``launch`` makes the jobs' commands.
    ``contents`` are those of the jobs' files; one that is not in it is hashed when it is needed.

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

    def run(self, jobs: dict[str, Job]) -> None:
        """Run the jobs in their order. Raises sqlite3.Error if results cannot be kept, and KeyboardInterrupt."""
        with tempfile.TemporaryDirectory(prefix="symag-batch-") as folder:
            try:
                with CommandPool[_Running]() as pool:
                    self._run(pool, iter(jobs.items()), Path(folder))
            finally:
                self.results.commit()

    def _run(self, pool: CommandPool[_Running], waiting: Iterator[tuple[str, Job]], folder: Path) -> None:
        following = next(waiting, None)
        commit_at: float | None = None
        while pool or following is not None:
            while following is not None and len(pool) < self.workers:
                self._start(pool, *following, 1, folder)
                following = next(waiting, None)
            for ended, outcome in pool.wait(self._patience(commit_at)):
                if outcome is None and ended.attempts < ATTEMPTS:
                    self._start(pool, ended.key, ended.job, ended.attempts + 1, folder)
                    continue
                self._keep(ended, outcome or JobOutcome("unknown", reason="crashed: the job's supervisor was killed"))
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

    def _start(self, pool: CommandPool[_Running], name: str, job: Job, attempts: int, folder: Path) -> None:
        evidence = None if self.evidence is None else self.evidence / name[:16]
        running = _Running(name, job, attempts, folder / f"{name}.out", folder / f"{name}.err", evidence)
        unasked = self.of_same_content(job, JobOutcome("unknown"))
        if unasked.reason is not None:
            self._tell(JobEvent(job, None))
            self._keep(running, unasked)
            self.results.commit()
            return
        if evidence is not None:
            evidence.mkdir(parents=True, exist_ok=True)
        output, errors = str(running.output), str(running.errors)
        written_to = None if evidence is None else KeptEvidence(str(evidence), self.pages, self._earlier(job))
        pool.add(running, started(job, self.limits, output, errors, written_to, self.launch))
        self._tell(JobEvent(job, None))

    def _earlier(self, job: Job) -> str | None:
        """The proof of an earlier version that the job tries first."""
        path = self.results.proof_of_earlier_version(job) if self.reuse else None
        return path if path is not None and family_of(job.model).is_reusable(path) else None

    def _keep(self, ended: _Running, outcome: JobOutcome) -> None:
        for file in (ended.output, ended.errors):
            with contextlib.suppress(OSError):
                file.unlink()
        if ended.evidence is not None and outcome.verdict == "violated" and outcome.certificate is None:
            # The only file in a job's own folder that is not a certificate is its trace.
            written = next(iter(sorted(ended.evidence.iterdir())), None)
            outcome = replace(outcome, trace=None if written is None else str(written))
        outcome = self.of_same_content(ended.job, outcome)
        self.results.add(ended.key, ended.job, self.limits, outcome, ended.attempts, self.contents.version(ended.job))
        self._tell(JobEvent(ended.job, outcome))

    def _tell(self, event: JobEvent) -> None:
        if self.watcher is not None:
            self.watcher(event)
