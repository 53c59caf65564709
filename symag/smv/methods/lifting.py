"""Certificates of reduced systems, and of conjuncts of an invariant, as certificates of the system."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import bit_count, code_of
from symag.smv.reduction.equal_variables import Redundancy


def lifted(certificate: InductiveSet, system: FlatSystem, redundancy: Redundancy) -> InductiveSet:
    """The set with one conjunct for all constant variables and one for each variable that equals another.

    The conjunction is inductive if the set is: in states that satisfy the added conjuncts the system moves like the
    one without the redundant variables.
    """
    writer = _Writer(certificate.table)
    conjuncts = list(certificate.conjuncts)
    if redundancy.constants:
        root = 1
        for name, value in redundancy.constants.items():
            code = code_of(system.by_name[name].type, value)
            for index in range(bit_count(system.by_name[name].type)):
                bit = writer.bit(name, index)
                root = writer.node(bit, root, 0) if code >> index & 1 else writer.node(bit, 0, root)
        conjuncts.append(root)
    for name, other in redundancy.equal.items():
        root = 1
        for index in range(bit_count(system.by_name[name].type)):
            high = writer.node(writer.bit(other, index), root, 0)
            low = writer.node(writer.bit(other, index), 0, root)
            root = writer.node(writer.bit(name, index), high, low)
        conjuncts.append(root)
    return InductiveSet(writer.table(), tuple(conjuncts))


def together(results: Sequence[PropertyResult]) -> PropertyResult:
    """The result about a conjunction of invariants from those about each, with a shortest of their traces."""
    violated = [result for result in results if result.trace is not None]
    if violated:
        return min(violated, key=lambda result: 0 if result.trace is None else len(result.trace.steps))
    certificates = [result.certificate for result in results if isinstance(result.certificate, InductiveSet)]
    warnings = tuple(dict.fromkeys(warning for result in results for warning in result.warnings))
    largest = max(results, key=lambda result: result.statistics.get("bdd_nodes_peak", 0))
    certificate = _joined(certificates) if len(certificates) == len(results) else None
    return replace(largest, certificate=certificate, warnings=warnings)


def _joined(certificates: Sequence[InductiveSet]) -> InductiveSet:
    """The intersection of inductive sets of one system, which is inductive too."""
    writer = _Writer(DiagramTable((), ()))
    conjuncts: list[int] = []
    for certificate in certificates:
        numbers = [0, 1]
        for bit, high, low in certificate.table.nodes:
            numbers.append(writer.node(writer.bit(*certificate.table.bits[bit]), numbers[high], numbers[low]))
        conjuncts += [numbers[conjunct] for conjunct in certificate.conjuncts]
    return InductiveSet(writer.table(), tuple(conjuncts))


class _Writer:
    """A table of diagrams that grows."""

    def __init__(self, table: DiagramTable) -> None:
        self._bits = {bit: number for number, bit in enumerate(table.bits)}
        self._nodes = list(table.nodes)

    def bit(self, variable: str, index: int) -> int:
        return self._bits.setdefault((variable, index), len(self._bits))

    def node(self, bit: int, high: int, low: int) -> int:
        self._nodes.append((bit, high, low))
        return len(self._nodes) + 1

    def table(self) -> DiagramTable:
        return DiagramTable(tuple(self._bits), tuple(self._nodes))
