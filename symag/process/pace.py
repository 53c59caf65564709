"""How slow this machine is now, beside the one on which the delays of schedules were measured.

A delay says how long a method may work before the next one starts. On a machine that is slower, or whose neighbours
use its caches, the same work takes more CPU seconds, so the same delays would start every method too early.
"""

from __future__ import annotations

import time
from collections.abc import Callable

#: The CPU seconds of ``_work`` up to which a machine counts as fast: on a quiet host it takes 1.0 to 1.25 ms after a
#: model has been read. The factor is meant to be too small rather than too large.
FAST = 0.00125

#: The least of this many measurements counts: the first one takes 1.3 to 1.8 ms there, as its memory is new.
_MEASUREMENTS = 2

#: No machine counts as slower than this many times, whatever interrupts the measurement.
SLOWEST = 3.0


def slowness(clock: Callable[[], float] = time.thread_time) -> float:
    """The factor for delays, from 1 to ``SLOWEST``; it costs 2 to 7 ms of CPU.

    ``clock`` returns seconds; that of the process ticks in 4 ms where CPU seconds are limited (``ulimit -t``), which
    makes the factor 1 or 3 by chance. The factor is a rough one: it says nothing about how the machine will be later,
    and searches in large memory may be slower than it says.
    """
    return min(max(min(_seconds(clock) for _ in range(_MEASUREMENTS)) / FAST, 1.0), SLOWEST)


def _seconds(clock: Callable[[], float]) -> float:
    start = clock()
    _work()
    return clock() - start


def _work() -> int:
    """What searches do: new entries at scattered places of a table, and look-ups. No object that is garbage collected
    is made, since a collection would visit the whole model."""
    table = {number * 7919 % 16411: number * number for number in range(10_000)}
    return sum(map(table.__getitem__, list(table)[::3]))
