"""A growing set of states, each a row of small numbers, numbered in the order in which they were added."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import Numbers

_FREE = -1
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class StateTable:
    """Rows in which column k is below ``sizes[k]``; open addressing in arrays.

    Rows whose combinations number more than 2**63 are told apart by a dictionary, which is slower.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._weights = np.array([math.prod(sizes[k + 1 :]) % (1 << 63) for k in range(len(sizes))], dtype=np.int64)
        self._packed = math.prod(sizes) < 1 << 63
        self._by_bytes: dict[bytes, int] = {}
        self._rows = np.empty((1024, len(sizes)), dtype=np.int32)
        self._count = 0
        self._keys = np.full(4096, _FREE, dtype=np.int64)
        self._numbers = np.empty(4096, dtype=np.int64)

    def __len__(self) -> int:
        return self._count

    def rows(self, begin: int, end: int) -> NDArray[np.int32]:
        """The states with these numbers (a copy)."""
        return self._rows[begin:end].copy()

    def add(self, rows: NDArray[np.int32]) -> Numbers:
        """The number of each row; new ones are numbered in the order in which they come."""
        if not self._packed:
            return self._add_by_bytes(rows)
        keys = rows @ self._weights
        unique, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        while 2 * (self._count + len(unique)) > len(self._keys):
            self._grow()
        slots, known = self._slots(unique)
        numbers = np.where(known, self._numbers[slots], _FREE)
        fresh = np.flatnonzero(~known)
        fresh = fresh[np.argsort(first[fresh], kind="stable")]
        numbers[fresh] = self._count + np.arange(len(fresh))
        self._numbers[slots[fresh]] = numbers[fresh]
        self._store(rows[first[fresh]])
        return numbers[inverse]

    def _add_by_bytes(self, rows: NDArray[np.int32]) -> Numbers:
        numbers = np.empty(len(rows), dtype=np.int64)
        fresh: list[int] = []
        for place, row in enumerate(np.ascontiguousarray(rows)):
            number = self._by_bytes.setdefault(row.tobytes(), self._count + len(fresh))
            numbers[place] = number
            if number == self._count + len(fresh):
                fresh.append(place)
        self._store(rows[fresh])
        return numbers

    def _store(self, rows: NDArray[np.int32]) -> None:
        needed = self._count + len(rows)
        if needed > len(self._rows):
            larger = np.empty((max(needed, 2 * len(self._rows)), self._rows.shape[1]), dtype=np.int32)
            larger[: self._count] = self._rows[: self._count]
            self._rows = larger
        self._rows[self._count : needed] = rows
        self._count = needed

    def _slots(self, keys: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
        """Where each of these distinct keys is, or (then it is put there) was not yet."""
        mask = len(self._keys) - 1
        slots = ((keys.astype(np.uint64) * _MULTIPLIER) >> np.uint64(20)).astype(np.int64) & mask
        known = np.zeros(len(keys), dtype=bool)
        waiting = np.arange(len(keys))
        while len(waiting):
            here = slots[waiting]
            held = self._keys[here]
            known[waiting[held == keys[waiting]]] = True
            free = held == _FREE
            self._keys[here[free]] = keys[waiting[free]]
            # Of several keys that took one free slot the last one has it; all others go on.
            settled = self._keys[here] == keys[waiting]
            waiting = waiting[~settled]
            slots[waiting] = (slots[waiting] + 1) & mask
        return slots, known

    def _grow(self) -> None:
        used = self._keys != _FREE
        keys, numbers = self._keys[used], self._numbers[used]
        self._keys = np.full(4 * len(self._keys), _FREE, dtype=np.int64)
        self._numbers = np.empty(len(self._keys), dtype=np.int64)
        slots, _ = self._slots(keys)
        self._numbers[slots] = numbers
