"""One computation in a process of its own, under limits."""

from __future__ import annotations

import time

from symag.core.errors import CertificationError
from symag.core.limits import Limits, Progress
from symag.core.reasons import Reason, kind_of
from symag.process.child import ChildOutcome
from symag.process.race import Work, alone, once


def deadline_of(limits: Limits) -> float | None:
    """The value of ``time.monotonic`` at which a computation that starts now has to end; None for never."""
    return None if limits.seconds is None else time.monotonic() + limits.seconds


def limited(name: str, work: Work, limits: Limits, progress: Progress, deadline: float | None = None) -> ChildOutcome:
    """Run a computation: its value, or the reason why there is none.

    ``name`` precedes its lines of progress. ``deadline`` replaces the limit of time.
    Raises the computation's error if it is one for the user.
    """
    outcome = alone(once(name, work, limits.memory), deadline or deadline_of(limits), progress)
    if outcome.error is not None:
        raise outcome.error
    return outcome


def limited_recheck(
    name: str, work: Work, limits: Limits, progress: Progress, deadline: float | None = None
) -> ChildOutcome:
    """As ``limited``, for a re-check: an internal error refuses the evidence.

    Raises CertificationError, and the other errors for the user.
    """
    outcome = limited(name, work, limits, progress, deadline)
    if kind_of(outcome.reason) is Reason.INTERNAL_ERROR:
        raise CertificationError(f"{outcome.reason}\n{outcome.messages}".rstrip())
    return outcome
