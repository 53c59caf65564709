"""Evidence for an invariant: signals that are equal in every reachable state, and clauses."""

from __future__ import annotations

from dataclasses import dataclass

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.clauses import Clauses
from symag.smv.certificates.diagrams import Bit


@dataclass(frozen=True, slots=True)
class SignalCorrespondence(Certificate):
    """An invariant holds: it follows from equalities of signals and from clauses that are inductive together.

    A literal is twice a signal's number, plus one for negation. Signal 0 is FALSE, then come the bits ``leaves`` of
    variables, inputs among them, then the ``gates``, each the conjunction of two literals of smaller signals. To check
    that all pairs of literals in ``equal`` are equal and all ``clauses`` (over state bits) are true: in every initial
    state with any inputs; and if they are so before a step, with the inputs of the step, in the state after it with any
    inputs. Where they are so, the invariant must be true; one of transitions, on every step from there.
    """

    leaves: tuple[Bit, ...]
    gates: tuple[tuple[int, int], ...]
    equal: tuple[tuple[int, int], ...]
    clauses: Clauses
    kind: str = "signal-correspondence"

    def summary(self) -> str:
        return f"{len(self.equal)} pairs of equal signals and {len(self.clauses)} clauses, inductive, with"

    def check_members(self, item: Member) -> None:
        first = 1 + len(self.leaves)
        end = first + len(self.gates)
        ends = {"gates": range(first, end), "equal": [end] * len(self.equal)}
        for name, pairs in (("gates", self.gates), ("equal", self.equal)):
            for number, (pair, signals) in enumerate(zip(pairs, ends[name], strict=True)):
                if not all(0 <= literal < 2 * signals for literal in pair):
                    raise item.items(name)[number].wrong("two literals of earlier signals")
