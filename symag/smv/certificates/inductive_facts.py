"""Evidence for an invariant: formulas over the names of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from symag.core.evidence.documents import Member
from symag.smv.certificates.certificate import Certificate


class FactLemmas(Struct, frozen=True):
    """Invariants that are inductive together, as lemmas of another certificate: see ``InductiveFacts``.

    To check: each fact as there. Every other premise of the certificate may then use all of them, for they are true in
    every reachable state.
    """

    texts: tuple[str, ...] = ()
    uses: tuple[tuple[int, ...], ...] = ()

    def document(self) -> dict[str, Any]:
        """The members of a JSON object; none without facts."""
        return {"facts": self.texts, "uses": self.uses} if self.texts else {}

    @classmethod
    def read(cls, evidence: Member) -> FactLemmas:
        """The facts of an object, none if it has none. Raises InputError."""
        if not isinstance(evidence.value, dict) or "facts" not in evidence.value:
            return cls()
        facts = InductiveFacts.read(evidence)
        return cls(facts.facts, facts.uses)

    @property
    def count(self) -> str:
        """How many, in words."""
        return "1 fact" if len(self.texts) == 1 else f"{len(self.texts)} facts"

    def lines(self) -> Iterator[str]:
        """The facts as text."""
        for number, (text, uses) in enumerate(zip(self.texts, self.uses, strict=True)):
            yield f"fact {number}: {text}  (uses {', '.join(map(str, uses)) or 'nothing'})"


NO_FACTS = FactLemmas()


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
