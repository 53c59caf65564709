"""Which of the computations of a race run now: as many as there are processors, while the others wait, stopped.

A computation that has just started runs first, for a trial. After that all take turns, so that their CPU seconds
divided by their weights stay about equal; turns grow with the seconds that a computation has used. While one leads,
all others together have a small share of its seconds, so that they cost little if it decides.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

from symag.process.child import Child

#: CPU seconds that a new computation may use before it takes turns with the others, if nobody says otherwise.
TRIAL = 0.25

#: The shortest turn in CPU seconds, and the length of a turn as a share of the CPU seconds used so far.
TURN = 0.1
GROWTH = 0.25

#: The share of the seconds of one that leads which the others may use.
LED = 0.2


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Turns:
    """The computations that have started and not ended, each with its weight."""

    def __init__(self) -> None:
        self._weights: dict[Child, float] = {}
        self._trials: dict[Child, float] = {}
        #: Those that run now, with the CPU seconds at which their turn ends.
        self._until: dict[Child, float] = {}
        self._leader: Child | None = None
        self._lead = self._lead_after = 0.0
        #: The CPU seconds at the last ``share`` of those that may have been removed since.
        self._seconds: dict[Child, float] = {}

    def add(
        self, child: Child, weight: float, trial: float = TRIAL, lead: float = 0.0, lead_after: float = 0.0
    ) -> None:
        """A computation that has just started: it runs at once for its trial, and the turns of the others end.

        It leads until it has used ``lead`` CPU seconds, from when the others have used ``lead_after`` on.
        """
        self._weights[child] = weight
        self._trials[child] = trial
        if lead > 0:
            self._leader, self._lead, self._lead_after = child, lead, lead_after
        self._until = {child: trial}

    def rest(self) -> None:
        """Stop all until the next ``share``, but those that always run: what the caller does meanwhile takes time."""
        for child, weight in self._weights.items():
            if weight < math.inf:
                child.pause()

    def remove(self, child: Child) -> None:
        """A computation that has answered or ended; a process that is kept may run again."""
        del self._weights[child], self._trials[child]
        self._until.pop(child, None)
        if child is self._leader:
            self._leader = None
        child.proceed()

    def share(self, used: Mapping[Child, float | None], places: int) -> float:
        """Let at most ``places`` computations run; ``used`` are the CPU seconds of each, None where the
        system does not report them: then all run.

        Those that wait for something else than a processor do not count. Returns the seconds after which some turn may
        end; infinity if nobody is stopped.
        """
        seconds = {child: own for child, own in used.items() if own is not None}
        if len(seconds) < len(used):
            for child in self._weights:
                child.proceed()
            return math.inf
        self._seconds.update(seconds)
        if self._leader is not None and self._leads(self._leader):
            self.rest()
            self._leader.proceed()
            self._until = {self._leader: 0.0}
            return TURN
        for child in [child for child, until in self._until.items() if seconds[child] >= until]:
            del self._until[child]
        places += sum(not child.is_runnable() for child in self._until)
        while len(self._until) > places:
            del self._until[max(self._until, key=lambda child: seconds[child])]
        stopped = [child for child in self._weights if child not in self._until]
        tried = {child for child in stopped if seconds[child] >= self._trials[child]}
        second = None if places == 1 else self._leader
        stopped.sort(key=lambda child: (child is not second, child in tried, seconds[child] / self._weights[child]))
        for child in stopped[: places - len(self._until)]:
            turn = seconds[child] + max(TURN, GROWTH * seconds[child])
            self._until[child] = turn if child in tried else self._trials[child]
        for child in self._weights:
            if child in self._until:
                child.proceed()
            else:
                child.pause()
        if len(self._until) == len(self._weights):
            return math.inf
        return min(until - seconds[child] for child, until in self._until.items())

    def _leads(self, leader: Child) -> bool:
        """Whether it runs alone now, as the others have had their share, those that have ended too."""
        own = self._seconds[leader]
        return own < self._lead and sum(self._seconds.values()) - own > self._lead_after + LED * own
