"""Evidence for an invariant: a set of states that the system never leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import DiagramTable, nodes_of


@dataclass(frozen=True, slots=True)
class InductiveSet(Certificate):
    """A set of states that holds initially, is closed under the transitions, and implies the property.

    The set is the conjunction of the formulas ``conjuncts``: one, or one for each part of a partition.
    To check: Init & Invar -> set; set & Invar & Trans & Invar' -> set'; set & Invar -> property.
    """

    table: DiagramTable
    conjuncts: tuple[int, ...]
    kind: str = "inductive-set"

    def summary(self) -> str:
        return f"an inductive set of states: {len(self.table.nodes)} diagram nodes"

    def document(self) -> dict[str, Any]:
        return {**self.table.document(), "conjuncts": self.conjuncts}

    @classmethod
    def read(cls, evidence: Member) -> InductiveSet:
        table = DiagramTable.read(evidence)
        return cls(table, nodes_of(evidence.member("conjuncts"), table))
