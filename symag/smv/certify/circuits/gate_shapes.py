"""What gates are for a SAT solver: exclusive disjunctions, choices and wide conjunctions are recognised among them.

Netlists have conjunctions only. With one variable and four or six clauses for a gate of a sum or a multiplexer, instead
of three variables and nine clauses, and with the factors of a product in one clause, glucose4 proves the inductions of
ZipCPU's zipdma_mm2s, pffifo, zipdma_s2mm and hwbfly in two fifths to three fifths of the time.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from symag.smv.certify.circuits.circuit import AND, INPUT, ITE, XOR, Circuit

#: The most signals of a conjunction; wider ones are split.
_WIDEST = 64

#: The kind of a gate, as in ``circuit``, and its operands: any number of a conjunction; condition, then and else of a
#: choice.
GateShape = tuple[int, tuple[int, ...]]


class GateShapes:
    """The shapes of a circuit's gates, which may grow."""

    def __init__(self, circuit: Circuit) -> None:
        self._gates = circuit.gates
        #: By signal, how many gates read it; 2 is two or more.
        self._readers = bytearray()

    def of(self, signal: int, apart: Container[int]) -> GateShape:
        """The shape of a gate, a positive signal. ``apart`` are gates that are not merged into a conjunction."""
        gates = self._gates
        kind, a, b = gates.kinds[signal], gates.first[signal], gates.second[signal]
        if kind == ITE:
            return ITE, (a, b, gates.third[signal])
        if kind == XOR:
            return XOR, (a, b)
        return self._of_two_products(a, b) or (AND, self._factors(a, b, apart))

    def _of_two_products(self, a: int, b: int) -> GateShape | None:
        """The shape of the conjunction of a and b if neither of two products is true: None if it is only that."""
        gates = self._gates
        if a > 0 or b > 0 or gates.kinds[-a] != AND or gates.kinds[-b] != AND:
            return None
        (x, y), (u, v) = ((gates.first[-product], gates.second[-product]) for product in (a, b))
        if (u, v) in ((-x, -y), (-y, -x)):
            return XOR, (x, y)
        for condition, then in ((x, y), (y, x)):
            for opposite, other in ((u, v), (v, u)):
                if condition == -opposite:
                    return ITE, (condition, -then, -other)
        return None

    def _factors(self, a: int, b: int, apart: Container[int]) -> tuple[int, ...]:
        """The signals whose conjunction is that of a and b; gates that only one gate reads are merged into it."""
        self._count_readers()
        gates, readers = self._gates, self._readers
        factors: dict[int, None] = {}
        pending = [b, a]
        while pending:
            signal = pending.pop()
            if (
                signal < 0
                or gates.kinds[signal] != AND
                or readers[signal] > 1
                or signal in apart
                or len(factors) + len(pending) >= _WIDEST
            ):
                factors[signal] = None
            else:
                pending += [gates.second[signal], gates.first[signal]]
        return tuple(factors)

    def _count_readers(self) -> None:
        gates, readers = self._gates, self._readers
        start = len(readers)
        if start == len(gates):
            return
        readers.extend(bytes(len(gates) - start))
        columns = (gates.first, gates.second, gates.third)
        for signal in range(start, len(gates)):
            kind = gates.kinds[signal]
            for column in () if kind == INPUT else columns[: 3 if kind == ITE else 2]:
                operand = abs(column[signal])
                readers[operand] = min(readers[operand] + 1, 2)


def clauses_of(signal: int, shape: GateShape) -> Iterator[list[int]]:
    """The clauses that say that a signal has the value of a gate of this shape."""
    match shape:
        case (kind, (a, b)) if kind == XOR:
            yield from ([-signal, a, b], [-signal, -a, -b], [signal, -a, b], [signal, a, -b])
        case (kind, (condition, a, b)) if kind == ITE:
            yield from ([-signal, -condition, a], [signal, -condition, -a])
            yield from ([-signal, condition, b], [signal, condition, -b])
            yield from ([-signal, a, b], [signal, -a, -b])
        case (_, factors):
            yield from ([-signal, factor] for factor in factors)
            yield [signal, *(-factor for factor in factors)]
