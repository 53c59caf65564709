"""Evidence for an LTL formula: a number of times that no run of its negation is fair more often than."""

from __future__ import annotations

from dataclasses import dataclass

from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.clauses import Clauses
from symag.smv.certificates.diagrams import NamedText

#: The names of the monitor's bits in clauses, each with a number.
SEEN = "LIVE.seen"
COUNT = "LIVE.count"


@dataclass(frozen=True, slots=True)
class BoundedFairness(Certificate):
    """An LTL formula holds: no run of its negation meets all fairness conditions more than ``bound`` times.

    ``observers`` and ``eventualities`` are those of ``FairEmptiness``. The conditions are the system's JUSTICE, then
    the eventualities. A monitor runs beside the system and the observers. Its bit ``LIVE.seen`` i, FALSE at first, says
    that condition i was met since all of them had been met for the last time; a step on which the last of them is met
    sets all to FALSE, and adds one to a count. ``LIVE.count`` j, FALSE at first, says that this has happened more than
    j times, for j from 0 to the bound. To check: the ``clauses`` and the negation of the last of these bits are true
    where a run that violates the formula begins, and every transition keeps them true. Then no such run is fair.
    COMPASSION is not used: without it there are more fair runs.
    """

    bound: int
    observers: tuple[NamedText, ...]
    eventualities: tuple[str, ...]
    clauses: Clauses
    kind: str = "bounded-fairness"

    def summary(self) -> str:
        return f"fair at most {self.bound} time{'s' * (self.bound != 1)}, with"
