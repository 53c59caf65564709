"""Evidence for an invariant: a set of states by parts, each kept by the sets of its neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import Node, Table
from symag.smv.certificates.inductive_facts import check_uses


@dataclass(frozen=True, slots=True)
class InductiveParts(Certificate):
    """Sets of states that are inductive together and imply the property.

    ``sets[i]`` are numbers of diagram nodes: set i is the union of what they stand for, each a condition on the bits of
    one part. ``uses[i]`` are the numbers of the sets that the step of set i follows from. To check, as for facts:
    Init & Invar -> set i; the sets of ``uses[i]`` & Invar & Trans & Invar' -> (set i)'; all sets & Invar -> property.
    """

    table: Table
    sets: tuple[tuple[Node, ...], ...]
    uses: tuple[tuple[int, ...], ...]
    kind: str = "inductive-parts"

    def summary(self) -> str:
        return f"{len(self.sets)} sets of parts, inductive together: {len(self.table.nodes)} diagram nodes"

    def check_members(self, item: Member) -> None:
        check_uses(item, self.uses, len(self.sets), "set")
