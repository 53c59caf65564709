"""Exit statuses, the status for a set of answers, and signals that end a command as Ctrl-C does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

from symag.core.results import PropertyResult, Reason, Verdict, kind_of

ALL_HOLD = 0
INTERNAL_ERROR = 1
WRONG_USAGE = 2
BAD_INPUT = 3
VIOLATED = 10
CONTRADICTION = 20
UNDECIDED = 30
INTERRUPTED = 130
BROKEN_PIPE = 141  # as a shell reports a process that SIGPIPE ended

#: The meaning of each status, for the manual.
MEANINGS: Mapping[int, str] = {
    ALL_HOLD: "every property holds, or the command has done what it is for",
    INTERNAL_ERROR: "an internal error, or a re-check refused the evidence; never a verdict",
    WRONG_USAGE: "wrong usage: an unknown option, name or method, or a file that cannot be written",
    BAD_INPUT: "bad input: a file cannot be read, or is wrong at the line and column that the message names",
    VIOLATED: "at least one property is violated",
    CONTRADICTION: "a verdict contradicts an expected one (symag batch)",
    UNDECIDED: "no property is violated, at least one is undecided",
    INTERRUPTED: "interrupted by Ctrl-C, SIGTERM or SIGHUP",
    BROKEN_PIPE: "the reader of standard output has closed the pipe",
}

#: The status for several models is the first in this order that one of them has.
_WORST_FIRST = (INTERRUPTED, INTERNAL_ERROR, WRONG_USAGE, BAD_INPUT, VIOLATED, UNDECIDED)


def of_models(statuses: Sequence[int]) -> int:
    """The exit status for several models: errors come before violations, violations before undecided properties."""
    return next((status for status in _WORST_FIRST if status in statuses), ALL_HOLD)


def of_results(results: Sequence[PropertyResult]) -> int:
    """10 if a property is violated, else 30 if one is undecided, else 0.

    1 if a method or its evidence failed, else 3 if a property is wrong.
    """
    kinds = {kind_of(result.reason) for result in results}
    if kinds & {Reason.INTERNAL_ERROR, Reason.REFUSED}:
        return INTERNAL_ERROR
    if Reason.BAD_INPUT in kinds:
        return BAD_INPUT
    verdicts = {result.verdict for result in results}
    if Verdict.VIOLATED in verdicts:
        return VIOLATED
    return UNDECIDED if Verdict.UNKNOWN in verdicts else ALL_HOLD


@contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt, unless the process was started with them ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    mine = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in mine:
            signal.signal(number, _interrupt)
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
