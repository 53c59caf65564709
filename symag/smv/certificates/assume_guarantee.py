"""Evidence for an invariant: parts with assumptions about their environment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.diagrams import DiagramTable, node_of, nodes_of, texts_of
from symag.smv.certificates.inductive_facts import NO_FACTS, FactLemmas


@dataclass(frozen=True, slots=True)
class Assumption:
    """A deterministic automaton that reads SAFE letters; state 0 is initial.

    ``edges[q]`` lists ``(target, formula over letter bits)``; the formulas of one state are pairwise disjoint. After a
    safe letter without an edge nothing is rejected any more.
    ``rejects[q]`` is a formula over letter bits: in state q the assumption forbids the UNSAFE letters
    that satisfy it, and allows all other letters.
    """

    edges: tuple[tuple[tuple[int, int], ...], ...]
    rejects: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        """A JSON object."""
        return {"edges": self.edges, "rejects": self.rejects}

    @classmethod
    def read(cls, item: Member, table: DiagramTable) -> Assumption:
        """The assumption in an object. Raises InputError."""
        states = len(item.items("edges"))
        edges = []
        for outgoing in item.items("edges"):
            targets = []
            for edge in outgoing.items():
                target, _ = edge.numbers(2)
                if not 0 <= target < states:
                    raise edge.wrong("an edge to a state of the assumption")
                targets.append((target, node_of(edge.items()[1], table)))
            edges.append(tuple(targets))
        return cls(tuple(edges), nodes_of(item.member("rejects"), table))


@dataclass(frozen=True, slots=True)
class PartProof:
    """A module of the partition: the variables that it owns, and one inductive set for each assumption state.

    ``sets[q]`` contains every state of the module in which the assumption is in state q before it reads the state's
    letter, at all positions after the first. At the first position the module is in Init and the assumption in state 0.
    """

    variables: tuple[str, ...]
    sets: tuple[int, ...]

    def document(self) -> dict[str, Any]:
        """A JSON object."""
        return {"variables": self.variables, "sets": self.sets}

    @classmethod
    def read(cls, item: Member, table: DiagramTable) -> PartProof:
        """The part in an object. Raises InputError."""
        return cls(tuple(name.has(str) for name in item.items("variables")), nodes_of(item.member("sets"), table))


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
    table: DiagramTable
    parts: tuple[PartProof, ...]
    assumptions: tuple[Assumption, ...]
    wires: tuple[tuple[str, str], ...] = ()
    property_wire: str | None = None
    facts: FactLemmas = NO_FACTS
    kind: str = "assume-guarantee"

    def summary(self) -> str:
        facts = f", {self.facts.count}" if self.facts.texts else ""
        return f"{self.rule}: {len(self.parts)} parts, {len(self.assumptions)} assumptions{facts}"

    def document(self) -> dict[str, Any]:
        return {
            **self.table.document(),
            "rule": self.rule,
            "parts": [part.document() for part in self.parts],
            "assumptions": [assumption.document() for assumption in self.assumptions],
            "wires": self.wires,
            "property_wire": self.property_wire,
            **self.facts.document(),
        }

    @classmethod
    def read(cls, evidence: Member) -> AssumeGuarantee:
        table = DiagramTable.read(evidence)
        wire = evidence.member("property_wire")
        return cls(
            evidence.get("rule", str),
            table,
            tuple(PartProof.read(item, table) for item in evidence.items("parts")),
            tuple(Assumption.read(item, table) for item in evidence.items("assumptions")),
            texts_of(evidence.member("wires")),
            None if wire.value is None else wire.has(str),
            FactLemmas.read(evidence),
        )
