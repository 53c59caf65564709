"""The gates of a netlist as literals of a graph, without a look at expressions."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from symag.smv.circuits.graph import FALSE, Graph
from symag.smv.model.gates import Gates


class GateBlaster:
    """Each gate once for now and once for the next state; ``variable`` gives a boolean variable's literal."""

    def __init__(self, gates: Gates, graph: Graph, variable: Callable[[str, bool], int]) -> None:
        self._gates = gates
        self._graph = graph
        self._variable = variable
        self._known: dict[bool, tuple[bytearray, array[int]]] = {}

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
        new = gates.new_nodes([node], seen)
        for number, name in zip(new, gates.variable_names(new), strict=False):
            literals[number] = self._variable(name, primed)
        literals[0] = FALSE
        first, second, conjunction = gates.first, gates.second, self._graph.conjunction
        for number in new:
            if number >= border:
                a, b = first[number - border], second[number - border]
                literals[number] = conjunction(literals[a >> 1] ^ a & 1, literals[b >> 1] ^ b & 1)
        return literals[node]
