"""The clauses of large circuits for the re-check, many gates at a time with numpy; those near a question first.

A question that has no model with some of the clauses has none with all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.smv.certify.circuits.circuit import AND, INPUT, ITE, XOR, Circuit

#: So many clauses at a time become lists.
_CHUNK = 1 << 13

#: Levels of fewer gates are walked through one by one, which costs less than numpy's calls.
_WIDE = 100

#: Clauses by kind: signs and columns of a gate (own signal, first, second, third operand), counted from 1.
_CLAUSES = {
    AND: ((-1, 2), (-1, 3), (1, -2, -3)),
    XOR: ((-1, 2, 3), (-1, -2, -3), (1, -2, 3), (1, 2, -3)),
    ITE: ((-1, -2, 3), (1, -2, -3), (-1, 2, 4), (1, 2, -4), (-1, 3, 4), (1, -3, -4)),
}


class LargeCones:
    """The gates of a circuit that one solver has."""

    #: The numbers of gates that a question looks at one after the other; None: all.
    sizes: tuple[int | None, ...] = (4_000, 60_000, None)

    def __init__(self, circuit: Circuit) -> None:
        self._gates = circuit.gates
        #: By signal, whether all gates below are there, and whether the gate itself is.
        self._closed, self._loaded = bytearray(), bytearray()
        #: By number of gates, the signals near which this many are there.
        self._roots: dict[int, set[int]] = {}

    def new_clauses(self, signals: Iterable[int], most: int | None) -> Iterator[list[list[int]]]:
        """The clauses of about ``most`` gates (None: of all) nearest below some signals that the solver has not yet.

        Linear in the gates that are new.
        """
        for marks in (self._closed, self._loaded):
            marks.extend(bytes(len(self._gates) - len(marks)))
        roots = list(dict.fromkeys(abs(signal) for signal in signals if not self._closed[abs(signal)]))
        if most is None:
            members = self._all_below(roots)
        else:
            known = self._roots.setdefault(most, set())
            roots = [root for root in roots if root not in known]
            known.update(roots)
            members = np.array(self._near(roots, most), dtype=np.int64)
        loaded = np.frombuffer(self._loaded, dtype=np.uint8)
        new = np.sort(members[loaded[members] == 0])
        loaded[new] = 1
        yield from self._clauses(new)

    def _operands(self, signal: int) -> tuple[int, ...]:
        """The gates and inputs that a gate reads, as positive signals."""
        gates, kind = self._gates, self._gates.kinds[signal]
        if kind == INPUT:
            return ()
        two = abs(gates.first[signal]), abs(gates.second[signal])
        return (*two, abs(gates.third[signal])) if kind == ITE else two

    def _near(self, roots: Sequence[int], most: int) -> list[int]:
        """The gates that are nearest below some signals, level by level; none that has all gates below it already."""
        seen: set[int] = set()
        frontier: list[int] = list(roots)
        while frontier and len(seen) < most:
            level = [signal for signal in dict.fromkeys(frontier) if signal not in seen and not self._closed[signal]]
            seen.update(level)
            frontier = [operand for signal in level for operand in self._operands(signal)]
        return list(seen)

    def _all_below(self, roots: Sequence[int]) -> NDArray[np.int64]:
        """The gates below some signals, with these; all are marked as closed."""
        closed = np.frombuffer(self._closed, dtype=np.uint8)
        kinds = np.frombuffer(self._gates.kinds, dtype=np.uint8)
        columns = [
            np.frombuffer(column, dtype=np.int32)
            for column in (self._gates.first, self._gates.second, self._gates.third)
        ]
        #: Of every signal, its last place among some operands: those that have another one are duplicates.
        last = np.zeros(len(kinds), dtype=np.int32)
        level = np.array(roots, dtype=np.int64)
        closed[level] = 1
        levels = [level]
        while len(level):
            if len(level) < _WIDE:
                below: list[int] = []
                for signal in level.tolist():
                    for operand in self._operands(signal):
                        if not self._closed[operand]:
                            self._closed[operand] = 1
                            below.append(operand)
                level = np.array(below, dtype=np.int64)
            else:
                inner = level[kinds[level] != INPUT]
                thirds = columns[2][inner[kinds[inner] == ITE]]
                operands = np.abs(np.concatenate([columns[0][inner], columns[1][inner], thirds]).astype(np.int64))
                operands = operands[closed[operands] == 0]
                places = np.arange(len(operands), dtype=np.int32)
                last[operands] = places
                level = operands[last[operands] == places]
                closed[level] = 1
            levels.append(level)
        return np.concatenate(levels)

    def _clauses(self, members: NDArray[np.int64]) -> Iterator[list[list[int]]]:
        kinds = np.frombuffer(self._gates.kinds, dtype=np.uint8)[members]
        for kind, patterns in _CLAUSES.items():
            own = members[kinds == kind]
            for start in range(0, len(own), _CHUNK):
                some = own[start : start + _CHUNK]
                columns: list[Any] = [some]
                for column in (self._gates.first, self._gates.second, self._gates.third):
                    columns.append(np.frombuffer(column, dtype=np.int32)[some].astype(np.int64))
                for pattern in patterns:
                    rows = [columns[abs(place) - 1] * (1 if place > 0 else -1) for place in pattern]
                    clauses: list[list[int]] = np.stack(rows, axis=1).tolist()
                    yield clauses
