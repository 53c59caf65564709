"""Evidence for an invariant: parts with assumptions about their environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from symag.core.evidence.documented import Documented
from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import NamedText, Node, Table
from symag.smv.certificates.invariants import NO_FACTS, Lemmas


@dataclass(frozen=True, slots=True)
class Assumption(Documented):
    """A deterministic automaton that reads SAFE letters; state 0 is initial.

    ``edges[q]`` lists ``(target, formula over letter bits)``; the formulas of one state are pairwise disjoint. After a
    safe letter without an edge nothing is rejected any more.
    ``rejects[q]`` is a formula over letter bits: in state q the assumption forbids the UNSAFE letters
    that satisfy it, and allows all other letters.
    """

    edges: tuple[tuple[Annotated[tuple[int, Node], "a list of 2 numbers"], ...], ...]
    rejects: tuple[Node, ...]

    def check_members(self, item: Member) -> None:
        for state, edges in enumerate(self.edges):
            for number, (target, _) in enumerate(edges):
                if not 0 <= target < len(self.edges):
                    raise item.items("edges")[state].items()[number].wrong("an edge to a state of the assumption")


@dataclass(frozen=True, slots=True)
class PartProof(Documented):
    """A module of the partition: the variables that it owns, and one inductive set for each assumption state.

    ``sets[q]`` contains every state of the module in which the assumption is in state q before it reads the state's
    letter, at all positions after the first. At the first position the module is in Init and the assumption in state 0.
    """

    variables: tuple[str, ...]
    sets: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AssumeGuarantee(Certificate):
    """The assumptions of a proof by parts, and the rule.

    ``wires`` are ``(name, text)`` of fresh boolean variables, which the partition treats as ordinary variables. Each is
    defined by an expression of the model: its text with full names, as the flat printer writes it. ``property_wire``
    names the wire that is the property, if there is one.

    rule-g: ``assumptions[i]`` is for ``parts[i]``. Premise i: the assumption rejects every unsafe letter that the part
    can take. Last premise: no word is rejected by all.
    rule-s: two parts, one assumption for ``parts[0]``. Premise 1 is as above, for part 0. Premise 2: part 1 never takes
    a letter that the assumption rejects; its ``sets`` pair its states with the same automaton.

    The premises of the parts may use ``facts``, which have their own proof.
    """

    rule: str
    table: Table
    parts: tuple[PartProof, ...]
    assumptions: tuple[Assumption, ...]
    wires: tuple[NamedText, ...] = ()
    property_wire: str | None = None
    facts: Lemmas = NO_FACTS
    kind: str = "assume-guarantee"

    def summary(self) -> str:
        facts = f", {self.facts.count}" if self.facts.texts else ""
        return f"{self.rule}: {len(self.parts)} parts, {len(self.assumptions)} assumptions{facts}"
