"""Evidence for or against a CTL formula: the states that satisfy each operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Struct

from symag.core.evidence.documented import Documented
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import Node, Table
from symag.smv.certificates.removals import RemovalStep


class FormulaLabel(Struct, Documented, frozen=True):
    """The states, among the reached ones, that satisfy a CTL formula.

    ``removals`` prove that no fair run stays in a set Z. For ``EG f`` these are the states outside the label that
    satisfy f, for ``AF g`` and ``f AU g`` those of the label that do not satisfy g, both without the states that are
    given as not fair; for the label of the fair states all reached states outside it. Without removals certify decides
    that by a search, which is slower.
    """

    states: Node
    removals: tuple[RemovalStep, ...] = ()


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

    table: Table
    reached: tuple[Node, ...]
    labels: tuple[FormulaLabel, ...]
    fair: FormulaLabel | None = None
    claim: Annotated[Literal["holds", "violated"], "holds or violated"] = "holds"
    kind: str = "labelling"

    def summary(self) -> str:
        return f"sets of states, one for each CTL operator: {len(self.table.nodes)} diagram nodes"
