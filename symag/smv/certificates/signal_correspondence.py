"""Evidence for an invariant: signals that are equal in every reachable state, and clauses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.clauses import BitClause, clause_members, read_clauses
from symag.smv.certificates.diagrams import bits_of


@dataclass(frozen=True, slots=True)
class SignalCorrespondence(Certificate):
    """An invariant holds: it follows from equalities of signals and from clauses that are inductive together.

    A literal is twice a signal's number, plus one for negation. Signal 0 is FALSE, then come the bits ``leaves`` of
    variables, inputs among them, then the ``gates``, each the conjunction of two literals of smaller signals. To check
    that all pairs of literals in ``equal`` are equal and all ``clauses`` (over state bits) are true: in every initial
    state with any inputs; and if they are so before a step, with the inputs of the step, in the state after it with any
    inputs. Where they are so, the invariant must be true.
    """

    leaves: tuple[tuple[str, int], ...]
    gates: tuple[tuple[int, int], ...]
    equal: tuple[tuple[int, int], ...]
    clauses: tuple[BitClause, ...]
    kind: str = "signal-correspondence"

    def summary(self) -> str:
        return f"{len(self.equal)} pairs of equal signals and {len(self.clauses)} clauses, inductive, with"

    def document(self) -> dict[str, Any]:
        members = {"leaves": self.leaves, "gates": self.gates, "equal": self.equal}
        return {**members, **clause_members(self.clauses)}

    @classmethod
    def read(cls, evidence: Member) -> SignalCorrespondence:
        leaves = bits_of(evidence, "leaves")
        gates = []
        for number, item in enumerate(evidence.items("gates"), start=1 + len(leaves)):
            gates.append(_literals(item, number))
        end = 1 + len(leaves) + len(gates)
        equal = tuple(_literals(item, end) for item in evidence.items("equal"))
        return cls(leaves, tuple(gates), equal, read_clauses(evidence))


def _literals(item: Member, end: int) -> tuple[int, int]:
    """Two literals of signals below ``end``."""
    one, other = item.numbers(2)
    if not (0 <= one < 2 * end and 0 <= other < 2 * end):
        raise item.wrong("two literals of earlier signals")
    return one, other
