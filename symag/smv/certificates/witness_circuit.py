"""Evidence for an invariant: a witness circuit, as the tools of the hardware model checking competition write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from symag.smv.certificates.certificate import Certificate

#: ``(variable, bit, next)``: a bit of a variable's value, in the next state if ``next``.
SharedBit = Annotated[tuple[str, int, bool], "a variable, a bit, and whether it is the next state's"]


@dataclass(frozen=True, slots=True)
class WitnessCircuit(Certificate):
    """A circuit that runs beside the system and has an inductive property (Yu, Froleyks, Biere, Heljanko, "Stratified
    certification for k-induction", FMCAD 2022; the format of HWMCC'24).

    ``circuit`` is an AIGER text. ``inputs`` and ``latches`` give for each input and latch, in the circuit's order, the
    bit of the system that it is, or None for one of the circuit's own. To check, for the system with the circuit's own
    inputs (of any value) and latches added: the invariant that the first bad literal (else the first output) is false
    and all constraints are true is inductive over one step, and implies the property.
    """

    circuit: str
    inputs: tuple[SharedBit | None, ...]
    latches: tuple[SharedBit | None, ...]
    kind: str = "witness-circuit"

    def summary(self) -> str:
        own = sum(bit is None for bit in self.latches)
        return f"a witness circuit: {len(self.latches)} latches, {own} of its own"
