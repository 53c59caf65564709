"""Diagrams as plain tables of if-then-else nodes (``symag.smv.certificates``)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from symag.bdd.context import Bdd
from symag.smv.symbolic.encoding import Encoding

if TYPE_CHECKING:
    from symag.smv.certificates.formulas import DiagramTable


class DiagramWriter:
    """Collects diagrams over current bits in one table; equal functions get equal numbers."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._bits: dict[tuple[str, int], int] = {}
        self._nodes: list[tuple[int, int, int]] = []
        self._numbers: dict[Bdd, int] = {}

    def add(self, diagram: Bdd) -> int:
        """The node number of a diagram. Raises ValueError if it reads next bits."""
        context = self._encoding.context
        numbers = self._numbers
        numbers.update({context.false: 0, context.true: 1})
        for below, name, low, high in context.decisions_below(diagram, numbers):
            variable, index, primed = self._encoding.variable_of_bit[name]
            if primed:
                raise ValueError("a certificate's diagram reads current bits only")
            bit = self._bits.setdefault((variable, index), len(self._bits))
            self._nodes.append((bit, numbers[high], numbers[low]))
            numbers[below] = len(self._nodes) + 1
        return numbers[diagram]

    def table(self) -> DiagramTable:
        """The table of all diagrams added so far."""
        # For start-up: only with evidence.
        from symag.smv.certificates.formulas import DiagramTable

        return DiagramTable(tuple(self._bits), tuple(self._nodes))


def read_diagrams(encoding: Encoding, table: DiagramTable, variables: Collection[str]) -> list[Bdd]:
    """The diagrams of a table by their numbers, over bits of ``variables``.

    The table may be of another system: bits of other variables are quantified existentially.
    """
    names: list[str | None] = []
    for variable, index in table.bits:
        bits = encoding.current[variable] if variable in variables else ()
        names.append(bits[index] if 0 <= index < len(bits) else None)
    context = encoding.context
    diagrams: list[Bdd] = [context.false, context.true]
    for bit, high, low in table.nodes:
        name = names[bit]
        if name is None:
            diagrams.append(diagrams[high] | diagrams[low])
        else:
            diagrams.append(context.ite(context.bit(name), diagrams[high], diagrams[low]))
    return diagrams
