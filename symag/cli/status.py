"""Exit statuses, and the one that belongs to a set of answers."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.reasons import Reason, kind_of
from symag.core.results import PropertyResult, Verdict

ALL_HOLD = 0
INTERNAL_ERROR = 1
WRONG_USAGE = 2
BAD_INPUT = 3
VIOLATED = 10
CONTRADICTION = 20
UNDECIDED = 30
INTERRUPTED = 130
BROKEN_PIPE = 141  # as a shell reports a process that SIGPIPE ended


#: The status of several models together is that of one of them: the first in this order that one of them has.
_WORST_FIRST = (INTERRUPTED, INTERNAL_ERROR, WRONG_USAGE, BAD_INPUT, VIOLATED, UNDECIDED)


def of_models(statuses: Sequence[int]) -> int:
    """The exit status for several models: of errors before violations, of violations before what is undecided."""
    return next((status for status in _WORST_FIRST if status in statuses), ALL_HOLD)


def of_results(results: Sequence[PropertyResult]) -> int:
    """10 if a property is violated, else 30 if one is undecided, else 0; 1 if a method or its evidence failed."""
    if any(kind_of(result.reason) in (Reason.INTERNAL_ERROR, Reason.REFUSED) for result in results):
        return INTERNAL_ERROR
    verdicts = {result.verdict for result in results}
    if Verdict.VIOLATED in verdicts:
        return VIOLATED
    return UNDECIDED if Verdict.UNKNOWN in verdicts else ALL_HOLD
