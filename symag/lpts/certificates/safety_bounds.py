"""The certificate ``safety-bounds``: upper bounds of probabilities, and assumptions about parts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symag.core.evidence.documents import Member
from symag.lpts.certificates.assumptions import (
    AbstractSystem,
    ProofByParts,
    read_assumptions,
    read_beside,
    read_parts,
)
from symag.lpts.certificates.certificate import fraction, integers


@dataclass(frozen=True, slots=True)
class SafetyProof(ProofByParts):
    """The components satisfy a weak-safety formula of pCTL; parts and assumptions are those of ``SimulationProof``.

    ``states`` are those of part 0 composed with the assumptions beside it. ``values`` has for every occurrence of
    ``U`` or ``F`` (operands before their operator, the left one first) an upper bound for the maximal probability
    from each of them. To check, from the smallest sub-formula up, with sets that may be too large: such a bound is at
    least 1 where the second operand may be true; where the first may be true and the second is not, it is at least
    its expected value after any transition. A state may satisfy ``P>q`` only if its bound is greater than q. State 0
    may not satisfy the negation of the formula.
    """

    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[AbstractSystem, ...]
    states: tuple[tuple[int, ...], ...]
    values: tuple[tuple[Fraction, ...], ...]
    beside: tuple[int, ...] = ()
    kind: str = "safety-bounds"

    def heading(self) -> str:
        return f"bounds of {len(self.values)} sub-formulas for {len(self.states)} states"

    def document(self) -> dict[str, Any]:
        values = [[str(v) for v in value] for value in self.values]
        return {**ProofByParts.document(self), "states": self.states, "values": values}

    @classmethod
    def read(cls, evidence: Member) -> SafetyProof:
        return cls(
            read_parts(evidence),
            read_assumptions(evidence),
            tuple(map(integers, evidence.items("states"))),
            tuple(tuple(map(fraction, row.items())) for row in evidence.items("values")),
            read_beside(evidence),
        )
