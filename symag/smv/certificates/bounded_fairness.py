"""Evidence for an LTL formula: a number of times that no run of its negation is fair more often than."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import bits_of, texts_of
from symag.smv.certificates.induction import BitLiteral

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
    observers: tuple[tuple[str, str], ...]
    eventualities: tuple[str, ...]
    clauses: tuple[tuple[BitLiteral, ...], ...]
    kind: str = "bounded-fairness"

    def summary(self) -> str:
        return f"fair at most {self.bound} time{'s' * (self.bound != 1)}, with"

    def document(self) -> dict[str, Any]:
        """As ``Induction.document`` writes clauses."""
        bits = sorted({(name, index) for clause in self.clauses for name, index, _ in clause})
        numbers = {bit: number for number, bit in enumerate(bits, start=1)}
        clauses = [
            [numbers[name, index] if value else -numbers[name, index] for name, index, value in clause]
            for clause in self.clauses
        ]
        return {
            "bound": self.bound,
            "observers": self.observers,
            "eventualities": self.eventualities,
            "bits": bits,
            "clauses": clauses,
        }

    @classmethod
    def read(cls, evidence: Member) -> BoundedFairness:
        bits = bits_of(evidence)
        clauses = []
        for item in evidence.items("clauses"):
            literals = [literal.has(int) for literal in item.items()]
            if any(not 1 <= abs(literal) <= len(bits) for literal in literals):
                raise item.wrong("a clause over the bits")
            clauses.append(tuple((*bits[abs(literal) - 1], literal > 0) for literal in literals))
        return cls(
            evidence.get("bound", int),
            texts_of(evidence.member("observers")),
            tuple(item.has(str) for item in evidence.items("eventualities")),
            tuple(clauses),
        )
