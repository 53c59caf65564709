"""The jobs of a batch on the workers of a dask.distributed scheduler, which may be on many machines.

The workers need symag, and the models under the same paths (a shared file system). Each job runs there as a local one
does, in a process of its own under the batch's limits. When a worker dies, the scheduler gives its job to another
one; a job is begun at most ``ATTEMPTS`` times, and then its row says that its worker died.
"""

from __future__ import annotations

import concurrent.futures
import os
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from msgspec import convert, structs

from symag.core.errors import UsageError
from symag.suites.alone import run_elsewhere
from symag.suites.jobs import Job
from symag.suites.run import ATTEMPTS, Batch, JobEvent
from symag.suites.store import JobOutcome

#: Seconds to wait for the scheduler to answer.
_PATIENCE = 10
#: The scheduler has this many jobs at a time for each thread of the workers.
_AHEAD = 2
#: Seconds between two checks for jobs that have ended.
_INTERVAL = 0.05
#: The topic of the events by which workers report that they begin a job.
_TOPIC = "symag batch"


class SchedulerGoneError(OSError):
    """The scheduler does not answer any more; committed results are kept."""


def run(batch: Batch, jobs: dict[str, Job], address: str) -> None:
    """Run the jobs. Raises UsageError if no scheduler answers, SchedulerGoneError if it goes away."""
    distributed = _library()
    try:
        client = distributed.Client(address, timeout=_PATIENCE, name="symag batch")
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"no scheduler answers at {address}: {error}") from error
    try:
        _Run(distributed, client, batch).run(jobs)
    except SchedulerGoneError:
        raise
    except OSError as error:
        raise SchedulerGoneError(f"the scheduler does not answer any more: {error}") from error
    finally:
        batch.results.commit()
        # Cancels the jobs of this client.
        client.close(timeout=2)


def _library() -> Any:
    try:
        # An optional library.
        import distributed
    except ImportError:
        raise UsageError("--scheduler needs the library 'distributed': pip install 'symag[distributed]'") from None
    return distributed


def _run_on_worker(name: str, job: dict[str, Any], limits: dict[str, Any], folder: str) -> dict[str, Any]:
    # An optional library.
    from distributed import get_worker

    get_worker().log_event(_TOPIC, name)
    return run_elsewhere(job, limits, folder)


class _Run:
    def __init__(self, distributed: Any, client: Any, batch: Batch) -> None:
        self._distributed = distributed
        self._client = client
        self._batch = batch
        self._limits = structs.asdict(batch.limits)
        self._running: dict[str, tuple[str, Job, Any]] = {}
        #: How often each job was begun; when a worker dies, the scheduler gives its job to another one.
        self._begun: Counter[str] = Counter()
        client.subscribe_topic(_TOPIC, lambda event: self._begun.update([event[1]]))

    def run(self, jobs: dict[str, Job]) -> None:
        waiting = iter(jobs.items())
        following = next(waiting, None)
        while self._running or following is not None:
            while following is not None and len(self._running) < self._capacity():
                self._submit(*following)
                following = next(waiting, None)
            for future in self._ended():
                name, job, _ = self._running.pop(future.key)
                outcome = self._outcome(name, future)
                attempts = max(1, self._begun[name])
                self._keep(name, job, outcome or JobOutcome("unknown", reason="crashed: its worker died"), attempts)

    def _submit(self, name: str, job: Job) -> None:
        key = f"symag-{name}"
        # The worker runs in a folder of its own, but paths start at this one.
        arguments = name, asdict(job), self._limits, os.getcwd()
        future = self._client.submit(_run_on_worker, *arguments, pure=False, key=key)
        self._running[future.key] = name, job, future
        self._tell(JobEvent(job, None))

    def _ended(self) -> Collection[Any]:
        """Jobs that have ended; waits for the first. (distributed.wait never returns if the scheduler is dead.)"""
        while True:
            futures = [future for _, _, future in self._running.values()]
            if ended := [future for future in futures if future.done()]:
                return ended
            if self._client.status != "running":
                raise SchedulerGoneError("the scheduler does not answer any more")
            for name, _, future in self._running.values():
                if self._begun[name] > ATTEMPTS:
                    future.cancel()
            if self._batch.tick is not None:
                self._batch.tick()
            time.sleep(_INTERVAL)

    def _outcome(self, name: str, future: Any) -> JobOutcome | None:
        """The outcome of a job, None if its workers died. Raises SchedulerGoneError."""
        try:
            return convert(future.result(timeout=_PATIENCE), JobOutcome)
        except self._distributed.scheduler.KilledWorker:
            return None
        except (concurrent.futures.CancelledError, self._distributed.CancelledError, OSError, TimeoutError) as error:
            if self._begun[name] > ATTEMPTS:
                return None
            raise SchedulerGoneError(f"the scheduler does not answer any more ({type(error).__name__})") from error

    def _keep(self, name: str, job: Job, outcome: JobOutcome, attempts: int) -> None:
        outcome = self._batch.of_same_content(job, outcome)
        version = self._batch.contents.version(job)
        self._batch.results.add(name, job, self._batch.limits, outcome, attempts, version)
        # Beside the exchange with the scheduler a commit for every job is cheap.
        self._batch.results.commit()
        self._tell(JobEvent(job, outcome))

    def _capacity(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, _AHEAD * sum(threads.values()))

    def _tell(self, event: JobEvent) -> None:
        if self._batch.watcher is not None:
            self._batch.watcher(event)
