"""The gates of a netlist as literals of a graph, without a look at expressions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping

from symag.smv.circuits.graph import FALSE, Graph
from symag.smv.model.gates import Gates, gates_of
from symag.smv.model.typed import Expression

#: From this many gates in use on all are added at once, if a level has this many on average. Smaller netlists keep the
#: numbers that searches have been measured with.
MANY, WIDE = 50_000, 32


def gate_literals(
    defines: Mapping[str, Expression], graph: Graph, variable: Callable[[str, bool], int]
) -> Callable[[str, bool], int | None] | None:
    """``GateBlaster.literal`` for the gates among some DEFINEs; None if they have none."""
    gates = gates_of(defines)
    return None if gates is None else GateBlaster(gates, graph, variable).literal


class GateBlaster:
    """Each gate once for now and once for the next state; ``variable`` gives a boolean variable's literal."""

    def __init__(self, gates: Gates, graph: Graph, variable: Callable[[str, bool], int]) -> None:
        self._gates = gates
        self._graph = graph
        self._variable = variable
        self._known: dict[bool, tuple[bytearray, array[int]]] = {}
        self._all_at_once = sum(gates.used) >= MANY

    def literal(self, name: str, primed: bool) -> int | None:
        """The literal of a gate by its name, read in the next state if ``primed``; None for another DEFINE.

        Linear in the gates that are new.
        """
        gates = self._gates
        node = gates.node(name)
        if node is None:
            return None
        if primed not in self._known:
            seen = gates.fresh_marks()
            self._known[primed] = seen, array("i", bytes(4 * len(seen)))
        seen, literals = self._known[primed]
        border = 1 + len(gates.variables)
        if self._all_at_once and not primed:
            self._all_at_once = False
            self._add_all(seen, literals, border)
        new = gates.new_nodes([node], seen)
        for number, name in zip(new, gates.variable_names(new), strict=False):
            literals[number] = self._variable(name, primed)
        first, second, conjunction = gates.first, gates.second, self._graph.conjunction
        for number in new:
            if number >= border:
                a, b = first[number - border], second[number - border]
                literals[number] = conjunction(literals[a >> 1] ^ a & 1, literals[b >> 1] ^ b & 1)
        return literals[node]

    def _add_all(self, seen: bytearray, literals: array[int], border: int) -> None:
        """All gates in use at once, if their levels are wide."""
        # Small models need no numpy.
        import numpy as np

        from symag.smv.circuits.netlists import NetlistGates, levels_of

        gates = self._gates
        nodes = np.flatnonzero(np.frombuffer(gates.used, dtype=np.uint8)) + border
        first, second = (
            np.frombuffer(operands, dtype=np.int32)[nodes - border].astype(np.int64)
            for operands in (gates.first, gates.second)
        )
        levels = levels_of(nodes, first, second, len(seen))
        if len(nodes) < WIDE * len(levels):
            return
        for number, name in enumerate(gates.variables, start=1):
            literals[number] = self._variable(name, False)
        values = np.array(literals, dtype=np.int64)
        values[0] = FALSE
        bulk = NetlistGates(self._graph, len(nodes))
        for level in levels:
            a, b = first[level], second[level]
            values[nodes[level]] = bulk.conjunctions(values[a >> 1] ^ a & 1, values[b >> 1] ^ b & 1)
        bulk.close()
        literals[:] = array("i", values.astype(np.int32).tobytes())
        seen[:border] = b"\1" * border
        np.frombuffer(seen, dtype=np.uint8)[nodes] = 1
