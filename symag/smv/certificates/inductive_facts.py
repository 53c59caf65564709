"""Evidence for an invariant: formulas over the names of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Struct

from symag.core.evidence.documented import INLINE, Spelling
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
Lemmas = Annotated[FactLemmas, Spelling(FactLemmas.read, FactLemmas.document), INLINE]


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

    def check_members(self, item: Member) -> None:
        check_uses(item, self.uses, len(self.facts), "fact")


def check_uses(item: Member, uses: tuple[tuple[int, ...], ...], count: int, what: str) -> None:
    """Refuse ``uses`` that are not numbers of things for each of so many. Raises InputError."""
    if len(uses) != count or any(not 0 <= number < count for numbers in uses for number in numbers):
        raise item.member("uses").wrong(f"a list of numbers of {what}s for every {what}")
