"""A system's circuit with its decision diagrams, for several re-checks of properties of one system."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.packages import Package
from symag.smv.model.flat import FlatSystem

if TYPE_CHECKING:
    from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams


class EncodedSystem:
    """What re-checks of one system share: signals are built, and become diagrams, once. Both grow with each re-check.

    The order of the diagrams' variables is that of the first re-check that needs diagrams.
    """

    def __init__(self, system: FlatSystem, package: Package = "auto") -> None:
        self.encoder = Encoder(system, Circuit(package))

    @cached_property
    def context(self) -> DecisionDiagrams:
        """The diagrams of the circuit's signals; none are built before they are asked for."""
        # Imported here, for small sets need no BDDs.
        from symag.smv.certify.circuits.decision_diagrams import DecisionDiagrams

        return DecisionDiagrams(self.encoder.circuit)
