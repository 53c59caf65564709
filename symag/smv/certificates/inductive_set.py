"""Evidence for an invariant: a set of states that the system never leaves."""

from __future__ import annotations

from dataclasses import dataclass

from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import Node, Table
from symag.smv.certificates.inductive_facts import NO_FACTS, Lemmas


@dataclass(frozen=True, slots=True)
class InductiveSet(Certificate):
    """A set of states that holds initially, is closed under the transitions, and implies the property.

    The set is the conjunction of the formulas ``conjuncts``: one, or one for each part of a partition.
    To check: Init & Invar -> set; set & Invar & Trans & Invar' -> set'; set & Invar -> property. Here ``facts``, with
    their own proof, belong to Invar.
    """

    table: Table
    conjuncts: tuple[Node, ...]
    facts: Lemmas = NO_FACTS
    kind: str = "inductive-set"

    def summary(self) -> str:
        facts = f", and {self.facts.count}" if self.facts.texts else ""
        return f"an inductive set of states: {len(self.table.nodes)} diagram nodes{facts}"
