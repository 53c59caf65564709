"""Evidence for an invariant: formulas over the names of the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate


@dataclass(frozen=True, slots=True)
class InductiveFacts(Certificate):
    """Invariants over the model's names that are inductive together and imply the property.

    ``facts`` are texts of boolean expressions over states, as the flat printer writes them. ``uses[i]`` are the
    numbers of the facts that fact i after a step follows from. To check: Init & Invar -> fact i; the facts of
    ``uses[i]`` & Invar & Trans & Invar' -> (fact i)'; all facts & Invar -> property.
    """

    facts: tuple[str, ...]
    uses: tuple[tuple[int, ...], ...]
    kind: str = "inductive-facts"

    def summary(self) -> str:
        return f"{len(self.facts)} facts, inductive together"

    def document(self) -> dict[str, Any]:
        return {"facts": self.facts, "uses": self.uses}

    @classmethod
    def read(cls, evidence: Member) -> InductiveFacts:
        facts = tuple(item.has(str) for item in evidence.items("facts"))
        uses = tuple(tuple(number.has(int) for number in item.items()) for item in evidence.items("uses"))
        if len(uses) != len(facts) or any(not 0 <= number < len(facts) for numbers in uses for number in numbers):
            raise evidence.member("uses").wrong("a list of numbers of facts for every fact")
        return cls(facts, uses)
