"""States as words: several small numbers packed into one or more 62-bit integers, and numbers for the packed states."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symag.lpts.lpts import Numbers

_WORD_BITS = 62
_FREE = -1
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Layout:
    """Where each field, a number from 0 to ``sizes[k]`` - 1, stands in the words of a packed state.

    A packed state is a row of ``words`` integers, none negative. Because fields do not overlap, a state changes by
    adding to its words the sum of ``shifted(k, new - old)`` over the fields k that change.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.bits = [max(1, (size - 1).bit_length()) for size in sizes]
        self.word: list[int] = []
        self.place: list[int] = []
        free = 0
        for bits in self.bits:
            if bits > _WORD_BITS:
                raise ValueError(f"a field of {bits} bits, expected at most {_WORD_BITS}")
            if bits > free:
                self.word.append(self.word[-1] + 1 if self.word else 0)
                free = _WORD_BITS
            else:
                self.word.append(self.word[-1])
            self.place.append(_WORD_BITS - free)
            free -= bits
        self.words = self.word[-1] + 1 if self.word else 1

    def field(self, keys: Numbers, k: int) -> Numbers:
        """The values of field k in packed states."""
        found: Numbers = (keys[:, self.word[k]] >> self.place[k]) & ((1 << self.bits[k]) - 1)
        return found

    def packed(self, rows: Numbers) -> Numbers:
        """States given as rows of fields."""
        found = np.zeros((len(rows), self.words), dtype=np.int64)
        for k, word in enumerate(self.word):
            found[:, word] += rows[:, k] << self.place[k]
        return found


class StateNumbers:
    """A growing set of packed states, numbered in the order in which they were added."""

    def __init__(self, words: int) -> None:
        self._keys = np.empty((1024, words), dtype=np.int64)
        self._count = 0
        # Two words at a time become one key, the pair of their numbers.
        self._folds = [(_KeyNumbers(), _KeyNumbers()) for _ in range(words - 1)]
        self._numbers = _KeyNumbers()

    def __len__(self) -> int:
        return self._count

    def keys(self, begin: int, end: int) -> Numbers:
        """The states with these numbers."""
        return self._keys[begin:end]

    def add(self, keys: Numbers) -> Numbers:
        """The number of each state; new ones are numbered in the order in which they come."""
        single = keys[:, 0]
        for place, (left, right) in enumerate(self._folds, start=1):
            single = (left.add(single)[0] << 31) | right.add(keys[:, place])[0]
        numbers, fresh = self._numbers.add(single)
        self._store(keys[fresh])
        return numbers

    def _store(self, keys: Numbers) -> None:
        needed = self._count + len(keys)
        if needed > len(self._keys):
            larger = np.empty((max(needed, 2 * len(self._keys)), self._keys.shape[1]), dtype=np.int64)
            larger[: self._count] = self._keys[: self._count]
            self._keys = larger
        self._keys[self._count : needed] = keys
        self._count = needed


class _KeyNumbers:
    """Keys (integers, none negative) numbered in the order of arrival; open addressing in arrays."""

    def __init__(self) -> None:
        self._count = 0
        self._keys = np.full(4096, _FREE, dtype=np.int64)
        self._numbers = np.empty(4096, dtype=np.int64)

    def add(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        """The number of each key, and the places of the new ones in the order of their numbers."""
        unique, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        while 2 * (self._count + len(unique)) > len(self._keys):
            self._grow()
        slots, known = self._slots(unique)
        numbers = np.where(known, self._numbers[slots], _FREE)
        fresh = np.flatnonzero(~known)
        fresh = fresh[np.argsort(first[fresh], kind="stable")]
        numbers[fresh] = self._count + np.arange(len(fresh))
        self._numbers[slots[fresh]] = numbers[fresh]
        self._count += len(fresh)
        return numbers[inverse], first[fresh]

    def _slots(self, keys: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
        """Where each of these distinct keys is, or (then it is put there) was not yet."""
        mask = len(self._keys) - 1
        # The highest bits of the product: all bits of a key have a part in them.
        folded = (keys ^ (keys >> 32)).astype(np.uint64) * _MULTIPLIER
        slots = (folded >> np.uint64(64 - mask.bit_length())).astype(np.int64)
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
