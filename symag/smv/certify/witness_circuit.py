"""Re-check of a witness circuit: its property is inductive in the system with the circuit's own latches added.

Latches that the circuit shares with the system are the system's: they take the values that the model's text says,
whatever the circuit says of them. The circuit's own latches have constant resets and next values that are functions, so
every run of the system can be extended to a run of the extended system, and an invariant of that is one of the system.
(The competition's checks of reset and transition, which compare the shared latches with the model's, are not needed
then.)
"""

from __future__ import annotations

from collections.abc import Iterable

from symag.core.errors import InputError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.smv.aiger.format import Aiger, AigerLatch
from symag.smv.aiger.reader import parse
from symag.smv.certificates.invariants import Induction, SharedBit, WitnessCircuit
from symag.smv.certify.circuits.encoded import EncodedSystem
from symag.smv.certify.induction import check_induction
from symag.smv.certify.properties import provable_invariant, refused
from symag.smv.model.bit_of_value import BitsOfValues
from symag.smv.model.flat import Assignment, FlatSystem, Property, Variable, VariableKind
from symag.smv.model.legal_names import LegalNames
from symag.smv.model.typed import (
    BOOLEAN,
    Constant,
    DefineReference,
    Expression,
    VariableReference,
    conjunction,
    negation,
)
from symag.smv.model.types import BooleanType, bit_count

CERTIFICATE = WitnessCircuit


def check(property: Property, certificate: WitnessCircuit, deadline: Deadline, encoded: EncodedSystem) -> None:
    """See ``kinds``. Costs an induction over one step (``induction.check_induction``)."""
    system = encoded.system
    claim = provable_invariant(system, property, certificate)
    try:
        graph = parse(certificate.circuit.encode(), "the witness circuit")
    except InputError as error:
        raise refused(str(error)) from None
    extension = _Extension(system, graph, certificate)
    extended = EncodedSystem(extension.system(), encoded.package)
    check_induction(extended, [claim], Induction(1, ()), deadline, [extension.property()])


class _Extension:
    """The system with the circuit's own inputs as unassigned variables, its own latches as assigned ones, and its
    gates as DEFINEs. Raises CertificationError if the lists of shared bits do not fit the circuit and the system.
    """

    def __init__(self, system: FlatSystem, graph: Aiger, certificate: WitnessCircuit) -> None:
        if len(certificate.inputs) != len(graph.inputs) or len(certificate.latches) != len(graph.latches):
            raise refused("it does not list the circuit's inputs and latches")
        if not (graph.bad or graph.outputs):
            raise refused("the witness circuit has no property")
        self._system = system
        self._graph = graph
        self._names = LegalNames()
        for name in (*system.by_name, *system.defines):
            self._names.fresh(name, name)
        self._meaning: dict[int, Expression] = {0: Constant(False, BOOLEAN, 0)}
        self._own: list[Variable] = []
        for literal, bit in zip(graph.inputs, certificate.inputs, strict=True):
            self._add(literal, bit)
        self._moving: list[AigerLatch] = []
        for latch, bit in zip(graph.latches, certificate.latches, strict=True):
            self._add(latch.literal, bit)
            if bit is None:
                self._moving.append(latch)
        self._gates = {left: self._names.fresh(None, f"__w{left >> 1}") for left, _, _ in graph.ands}
        for left, name in self._gates.items():
            self._meaning[left] = DefineReference(name, False, BOOLEAN, 0)

    def _add(self, literal: int, bit: SharedBit | None) -> None:
        if bit is not None:
            self._meaning[literal] = self._shared(bit)
            return
        name = self._names.fresh(None, f"__w{literal >> 1}")
        self._own.append(Variable(name, BOOLEAN, VariableKind.STATE, 0))
        self._meaning[literal] = VariableReference(name, False, BOOLEAN, 0)

    def _shared(self, bit: SharedBit) -> Expression:
        name, index, primed = bit
        variable = self._system.by_name.get(name)
        if variable is None or not 0 <= index < bit_count(variable.type):
            raise refused(f"{name} has no bit {index}")
        if primed and name in self._system.inputs:
            raise refused(f"the input {name} has no next value")
        value = VariableReference(name, primed, variable.type, 0)
        if isinstance(variable.type, BooleanType):
            return value
        return BitsOfValues({}).bit(variable.type, value, index)

    def _of(self, literal: int) -> Expression:
        expression = self._meaning[literal & ~1]
        return negation(expression) if literal & 1 else expression

    def _all(self, literals: Iterable[int]) -> Expression:
        return conjunction(*map(self._of, literals))

    def property(self) -> Expression:
        """The invariant: the first bad literal is false, and all constraints are true."""
        graph = self._graph
        bad = graph.bad[0] if graph.bad else graph.outputs[0]
        return self._all([bad ^ 1, *graph.constraints])

    def system(self) -> FlatSystem:
        """The extended system."""
        system = self._system
        assignments = []
        for latch in self._moving:
            own = self._meaning[latch.literal]
            assert isinstance(own, VariableReference)
            if latch.reset in (0, 1):
                assignments.append(Assignment(own.name, "init", Constant(bool(latch.reset), BOOLEAN, 0), 0))
            assignments.append(Assignment(own.name, "next", self._of(latch.next), 0))
        gates = {self._gates[left]: self._all((first, second)) for left, first, second in self._graph.ands}
        return replace(
            system,
            variables=(*system.variables, *self._own),
            defines={**system.defines, **gates},
            assignments=(*system.assignments, *assignments),
        )
