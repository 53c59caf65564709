"""Evidence for an invariant: an induction over one step or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import bits_of

#: ``(variable, bit, value)``: a bit of a variable has a value.
BitLiteral = tuple[str, int, bool]


@dataclass(frozen=True, slots=True)
class Induction(Certificate):
    """An invariant that is inductive over ``steps`` steps, as k-induction and PDR (one step) find it.

    Let C be the conjunction of ``clauses`` (disjunctions of literals over current states), of ``lemmas`` (texts of
    boolean expressions over states) and of the property if it is about states; let p be the property if it is about
    transitions. To check, for paths s_0, s_1, .. that satisfy the system's constraints: if s_0 is initial, C is true in
    s_0 .. s_steps-1, and p on the transitions between them. If, from any s_0, that is so, C is true in s_steps, and p
    on the transition into it. With ``distinct`` the second part is checked only of paths on which s_0 .. s_steps-1
    differ in the variables that the initial states or the transitions constrain.
    """

    steps: int
    clauses: tuple[tuple[BitLiteral, ...], ...]
    lemmas: tuple[str, ...] = ()
    distinct: bool = False
    kind: str = "induction"

    def summary(self) -> str:
        distinct = " of paths without a repeated state" if self.distinct else ""
        return f"inductive over {self.steps} step{'s' if self.steps > 1 else ''}{distinct}, with"

    def document(self) -> dict[str, Any]:
        """``bits`` are the state bits that the clauses mention; in a clause, n is bit n - 1 and -n its negation."""
        bits = sorted({(name, index) for clause in self.clauses for name, index, _ in clause})
        numbers = {bit: number for number, bit in enumerate(bits, start=1)}
        clauses = [
            [numbers[name, index] if value else -numbers[name, index] for name, index, value in clause]
            for clause in self.clauses
        ]
        return {
            "steps": self.steps,
            "distinct": self.distinct,
            "bits": bits,
            "clauses": clauses,
            "lemmas": self.lemmas,
        }

    @classmethod
    def read(cls, evidence: Member) -> Induction:
        bits = bits_of(evidence)
        clauses = []
        for item in evidence.items("clauses"):
            literals = [literal.has(int) for literal in item.items()]
            if any(not 1 <= abs(literal) <= len(bits) for literal in literals):
                raise item.wrong("a clause over the bits")
            clauses.append(tuple((*bits[abs(literal) - 1], literal > 0) for literal in literals))
        lemmas = tuple(item.has(str) for item in evidence.items("lemmas"))
        return cls(evidence.get("steps", int), tuple(clauses), lemmas, evidence.get("distinct", bool))
