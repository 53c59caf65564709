"""Evidence for an invariant: a set of states by parts, each kept by the sets of its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import DiagramTable, nodes_of


@dataclass(frozen=True, slots=True)
class InductiveParts(Certificate):
    """Sets of states that are inductive together and imply the property.

    ``sets[i]`` are numbers of diagram nodes: set i is the union of what they stand for, each a condition on the bits of
    one part. ``uses[i]`` are the numbers of the sets that the step of set i follows from. To check, as for facts:
    Init & Invar -> set i; the sets of ``uses[i]`` & Invar & Trans & Invar' -> (set i)'; all sets & Invar -> property.
    """

    table: DiagramTable
    sets: tuple[tuple[int, ...], ...]
    uses: tuple[tuple[int, ...], ...]
    kind: str = "inductive-parts"

    def summary(self) -> str:
        return f"{len(self.sets)} sets of parts, inductive together: {len(self.table.nodes)} diagram nodes"

    def document(self) -> dict[str, Any]:
        return {**self.table.document(), "sets": self.sets, "uses": self.uses}

    @classmethod
    def read(cls, evidence: Member) -> InductiveParts:
        table = DiagramTable.read(evidence)
        sets = tuple(nodes_of(item, table) for item in evidence.items("sets"))
        uses = tuple(tuple(number.has(int) for number in item.items()) for item in evidence.items("uses"))
        if len(uses) != len(sets) or any(not 0 <= number < len(sets) for numbers in uses for number in numbers):
            raise evidence.member("uses").wrong("a list of numbers of sets for every set")
        return cls(table, sets, uses)
