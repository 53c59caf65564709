"""Diagram tables made from explicit sets of valuations, for certificates written by tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symag.core.trace import Value
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import BooleanType, bit_count, values


class DiagramBuilder:
    """Shared nodes over the bits of some variables (wires count as booleans)."""

    def __init__(self, system: FlatSystem, names: Iterable[str]) -> None:
        self._types = {name: system.by_name[name].type if name in system.by_name else BooleanType() for name in names}
        self._bits = [(name, bit) for name, kind in self._types.items() for bit in range(bit_count(kind))]
        self._nodes: list[tuple[int, int, int]] = []
        self._known: dict[tuple[int, int, int], int] = {}

    def root(self, valuations: Iterable[Mapping[str, Value]]) -> int:
        """The formula that is true of exactly the given valuations (over the builder's variables)."""
        return self._split(0, {self._code(valuation) for valuation in valuations})

    def table(self) -> DiagramTable:
        """All nodes made so far."""
        return DiagramTable(tuple(self._bits), tuple(self._nodes))

    def _code(self, valuation: Mapping[str, Value]) -> tuple[bool, ...]:
        indexes = {name: values(kind).index(valuation[name]) for name, kind in self._types.items()}
        return tuple(bool(indexes[name] >> bit & 1) for name, bit in self._bits)

    def _split(self, place: int, codes: set[tuple[bool, ...]]) -> int:
        if not codes:
            return 0
        if place == len(self._bits):
            return 1
        high = self._split(place + 1, {code for code in codes if code[place]})
        low = self._split(place + 1, {code for code in codes if not code[place]})
        if high == low:
            return high
        node = place, high, low
        if node not in self._known:
            self._nodes.append(node)
            self._known[node] = len(self._nodes) + 1
        return self._known[node]
