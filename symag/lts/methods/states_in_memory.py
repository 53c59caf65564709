"""The states of a breadth-first search in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from symag.core.state_table import Packing, StateTable, Words
from symag.lts.lts import Numbers

#: States that go from memory to files together.
PIECE = 1 << 16


class StatesInMemory:
    """As ``StatesOnDisk``, in a table."""

    bytes_on_disk = 0
    most_together = PIECE

    def __init__(self, packing: Packing) -> None:
        self._table = StateTable(packing)
        self._sources = array("i")

    def __len__(self) -> int:
        return len(self._table)

    def words(self, begin: int, end: int) -> Words:
        return self._table.words(begin, end)

    def source(self, number: int) -> int:
        return self._sources[number]

    def bytes_to_add(self, rows: int) -> int:
        """The bytes of all states while this many are added."""
        return self._table.bytes_to_add(rows) + 4 * (len(self) + rows)

    def parts(self) -> Iterator[tuple[Words, Numbers]]:
        """The states in pieces, with their sources."""
        sources = np.array(self._sources)
        for begin, words in self.placed(PIECE):
            yield words, sources[begin : begin + len(words)].astype(np.int64)

    def add(self, words: Words, sources: Numbers) -> None:
        """New states are numbered in the order of their first moves; those are the ones on shortest traces."""
        before = len(self._table)
        target = self._table.add(words)
        fresh = np.flatnonzero(target >= before)
        largest = np.maximum.accumulate(target[fresh])
        is_first = np.ones(len(fresh), dtype=bool)
        is_first[1:] = largest[1:] > largest[:-1]
        first = fresh[is_first]
        self._sources.frombytes(sources[first].astype(np.intc).tobytes())

    def settle(self) -> None:
        """Nothing waits."""

    def places(self, words: Words) -> Numbers:
        return self._table.add(words)

    def placed(self, size: int) -> Iterator[tuple[int, Words]]:
        for begin in range(0, len(self), size):
            yield begin, self.words(begin, min(len(self), begin + size))
