"""The certificate ``strong-simulation``: a relation, and assumptions about parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from symag.core.evidence.documented import OPTIONAL
from symag.lpts.certificates.assumptions import AbstractSystem, ProofByParts
from symag.lpts.certificates.certificate import NumberedState


@dataclass(frozen=True, slots=True)
class SimulationProof(ProofByParts):
    """The components are simulated by the specification (agar-lpts-2012, rules ASym and ASym-N).

    ``parts`` are the numbers of the components of each part, every component in exactly one. There is one assumption
    fewer than there are parts: A_k abstracts part k + 1 composed with the assumptions that stand beside it. A_k stands
    beside part ``beside[k]``, which is none after part k; with an empty ``beside`` it is part k, so that A_k abstracts
    part k + 1 composed with A_k+1. A part may be empty if an assumption stands beside it. Without assumptions this is
    the direct proof.
    To check: (1) for each assumption, every transition of the system that it abstracts, with targets replaced by
    their classes, is a transition of the source's class; (2) ``relation`` is a strong simulation between part 0
    composed with the assumptions beside it and the specification, completed by Dirac self-loops for actions that it
    does not mention, and has the initial pair. A pair is (state, specification's state); the state lists the local
    states of part 0's components, then of these assumptions in their order.
    ``weights`` are the weight functions between distributions of two or more states each: entries (number of
    the pair in ``relation``, mass); masses are integers over ``total``.
    """

    parts: tuple[tuple[int, ...], ...]
    assumptions: tuple[AbstractSystem, ...]
    relation: tuple[NumberedState, ...]
    weights: tuple[tuple[tuple[int, int], ...], ...]
    total: int
    beside: Annotated[tuple[int, ...], OPTIONAL] = ()
    kind: str = "strong-simulation"

    def heading(self) -> str:
        return f"strong simulation of {len(self.relation)} pairs, {len(self.weights)} weight functions"
