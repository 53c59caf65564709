"""Bits that conditions define: "the next value of x is f" makes the next bit the signal f."""

from __future__ import annotations

from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import INPUT, ITE, TRUE


class DefinedBits:
    """What signals of an encoder's circuit, which may grow, say of its inputs; each signal is looked at once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._equal: dict[int, tuple[tuple[int, int], ...]] = {}
        #: By signal, whether it reads a next bit.
        self._reads_next = bytearray()

    def of(self, condition: int) -> tuple[tuple[int, int], ...]:
        """Pairs of an input of the circuit and a signal that is equal to it where the condition is true."""
        if condition not in self._equal:
            self._equal[condition] = tuple(self._equalities(condition))
        return self._equal[condition]

    def reads_next(self, signal: int) -> bool:
        """Whether a signal depends on a bit of a next state."""
        self._mark()
        return bool(self._reads_next[abs(signal)])

    def _equalities(self, condition: int) -> list[tuple[int, int]]:
        gates, pending = self._encoder.circuit.gates, [condition]
        pairs = []
        while pending:
            signal = pending.pop()
            match gates[abs(signal)]:
                case ("input",):
                    pairs.append((abs(signal), TRUE if signal > 0 else -TRUE))
                case ("and", a, b) if signal > 0:
                    pending += [b, a]
                case ("xor", a, b):
                    for one, other in ((a, b), (b, a)):
                        if gates.kinds[abs(one)] == INPUT:
                            equal = other if signal < 0 else -other
                            pairs.append((abs(one), equal if one > 0 else -equal))
        return pairs

    def _mark(self) -> None:
        gates, marks = self._encoder.circuit.gates, self._reads_next
        start = len(marks)
        if start == len(gates):
            return
        marks.extend(bytes(len(gates) - start))
        for bit in self._encoder.next_bits():
            marks[bit] = 1
        kinds, first, second, third = gates.kinds, gates.first, gates.second, gates.third
        for signal in range(start, len(gates)):
            if kinds[signal] != INPUT:
                marks[signal] = marks[abs(first[signal])] | marks[abs(second[signal])]
                if kinds[signal] == ITE:
                    marks[signal] |= marks[abs(third[signal])]
