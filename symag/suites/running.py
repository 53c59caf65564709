"""Starts a job: its command under the batch's limits, whose output becomes the outcome."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from symag.core.limits import JobLimits
from symag.process.supervision import SupervisedCommand
from symag.suites.jobs import Job, KeptEvidence
from symag.suites.outcomes import outcome_of

#: A job is killed this many seconds after its own limit of wall time, so that it can report the timeout itself.
GRACE = 1.0


def started(
    job: Job, limits: JobLimits, output: str, errors: str, evidence: KeptEvidence | None = None
) -> SupervisedCommand:
    """The running job; its result is a JobOutcome. ``output`` and ``errors`` are files for what it prints."""
    hard = limits if limits.wall is None else replace(limits, wall=limits.wall + GRACE)
    digest = partial(outcome_of, job=job, output=output, errors=errors)
    return SupervisedCommand(job.command(limits, evidence), hard, output, errors, digest)
