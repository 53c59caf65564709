"""The certificate ``safety-bounds``: upper bounds of probabilities, and assumptions about parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from symag.core.evidence.documented import OPTIONAL
from symag.lpts.certificates.assumptions import AbstractSystem, ProofByParts
from symag.lpts.certificates.certificate import Exact


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
    values: tuple[tuple[Exact, ...], ...]
    beside: Annotated[tuple[int, ...], OPTIONAL] = ()
    kind: str = "safety-bounds"

    def heading(self) -> str:
        return f"bounds of {len(self.values)} sub-formulas for {len(self.states)} states"
