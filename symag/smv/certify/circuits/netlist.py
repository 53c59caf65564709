"""The gates of a netlist as signals: certify's own way through the arrays that the reader has made."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from symag.smv.certify.circuits.circuit import FALSE, Circuit
from symag.smv.model.gates import Gates


class Netlist:
    """Signals of gates now and in the next state; ``bit`` is the signal of a boolean variable."""

    def __init__(self, gates: Gates, circuit: Circuit, bit: Callable[[str, bool], int]) -> None:
        self._gates = gates
        self._circuit = circuit
        self._bit = bit
        #: By time, the signal of every node; 0 for those that are not encoded yet.
        self._signals: dict[bool, array[int]] = {}

    def signal(self, name: str, primed: bool) -> int | None:
        """The signal of the gate with a name; None if no gate has it. Linear in what was not encoded before."""
        root = self._gates.node(name)
        if root is None:
            return None
        if primed not in self._signals:
            places = 1 + len(self._gates.variables) + len(self._gates.first)
            self._signals[primed] = array("i", bytes(4 * places))
            self._signals[primed][0] = FALSE
        signals = self._signals[primed]
        first, second, border = self._gates.first, self._gates.second, 1 + len(self._gates.variables)
        conjunction = self._circuit.conjunction
        pending = [root]
        while pending:
            node = pending[-1]
            if signals[node]:
                pending.pop()
            elif node < border:
                signals[node] = self._bit(self._gates.variables[node - 1], primed)
            else:
                a, b = first[node - border], second[node - border]
                x, y = signals[a >> 1], signals[b >> 1]
                if x and y:
                    signals[node] = conjunction(-x if a & 1 else x, -y if b & 1 else y)
                    pending.pop()
                else:
                    pending += [operand >> 1 for operand, known in ((a, x), (b, y)) if not known]
        return signals[root]
