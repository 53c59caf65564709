"""Evidence for or against a CTL formula: the states that satisfy each operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import DiagramTable, node_of, nodes_of
from symag.smv.certificates.removals import RemovalStep, removals_of

_CLAIMS: dict[str, Literal["holds", "violated"]] = {"holds": "holds", "violated": "violated"}


class FormulaLabel(Struct, frozen=True):
    """The states, among the reached ones, that satisfy a CTL formula.

    ``removals`` prove that no fair run stays in a set Z. For ``EG f`` these are the states outside the label that
    satisfy f, for ``AF g`` and ``f AU g`` those of the label that do not satisfy g, both without the states that are
    given as not fair; for the label of the fair states all reached states outside it. Without removals certify decides
    that by a search, which is slower.
    """

    states: int
    removals: tuple[RemovalStep, ...] = ()

    def document(self) -> dict[str, Any]:
        """A JSON object."""
        return {"states": self.states, "removals": [removal.document() for removal in self.removals]}

    @classmethod
    def read(cls, item: Member, table: DiagramTable) -> FormulaLabel:
        """The label in an object. Raises InputError."""
        return cls(node_of(item.member("states"), table), removals_of(item.member("removals"), table))


@dataclass(frozen=True, slots=True)
class Labelling(Certificate):
    """A CTL property holds, or is violated.

    ``reached`` is a conjunction of formulas without inputs: a set of states that contains the initial ones and is
    closed under the transitions. For a violation it need not contain all initial states. ``labels`` has one entry for
    every occurrence of a CTL operator in the property, operands before the operator, the left one first. The states of
    ``reached`` in a label satisfy the sub-formula, those outside do not. Path quantifiers range over fair infinite
    runs. ``fair`` are the reached states from which a fair run starts; None if that is all of them. Without ``labels``
    certify computes all these sets inside ``reached``, and ``fair`` may be None. To check, for every operator by its
    own law from the labels of its operands: that the states inside satisfy it if the claim needs its truth, and that
    the states outside do not if the claim needs its falsity. ``claim``: ``holds`` (every initial state satisfies the
    property) or ``violated`` (some initial state does not).
    """

    table: DiagramTable
    reached: tuple[int, ...]
    labels: tuple[FormulaLabel, ...]
    fair: FormulaLabel | None = None
    claim: Literal["holds", "violated"] = "holds"
    kind: str = "labelling"

    def summary(self) -> str:
        return f"sets of states, one for each CTL operator: {len(self.table.nodes)} diagram nodes"

    def document(self) -> dict[str, Any]:
        return {
            **self.table.document(),
            "claim": self.claim,
            "reached": self.reached,
            "labels": [label.document() for label in self.labels],
            "fair": None if self.fair is None else self.fair.document(),
        }

    @classmethod
    def read(cls, evidence: Member) -> Labelling:
        table = DiagramTable.read(evidence)
        claim = evidence.get("claim", str)
        if claim not in _CLAIMS:
            raise evidence.member("claim").wrong("holds or violated")
        fair = evidence.member("fair")
        return cls(
            table,
            nodes_of(evidence.member("reached"), table),
            tuple(FormulaLabel.read(item, table) for item in evidence.items("labels")),
            None if fair.value is None else FormulaLabel.read(fair, table),
            _CLAIMS[claim],
        )
