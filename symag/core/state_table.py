"""A growing set of states, each a row of small numbers, numbered in the order in which they were added.

A state is packed into a few words of 64 bits, every column into as many bits as its numbers need and none of
them into two words, so that a change of one column is an addition to one word.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

_MOST_BITS = 62
_FREE = -1
#: Numbers of states have 32 bits.
MOST_STATES = (1 << 31) - 1
_MULTIPLIER = 0x9E3779B97F4A7C15
_HALF = 32
_WORD = (1 << 64) - 1
#: Rows up to this number are added one by one, as arrays of a few cost more.
_FEW = 16


class Packing:
    """The position of each column in a packed row: ``word[k]`` and ``shift[k]``; its numbers are below ``sizes[k]``.

    Raises ValueError for a column of more than 62 bits.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.bits = [max(size - 1, 0).bit_length() for size in sizes]
        self.word: list[int] = []
        self.shift: list[int] = []
        word, used = 0, 0
        for bits in self.bits:
            if bits > _MOST_BITS:
                raise ValueError(f"a column of {bits} bits, expected at most {_MOST_BITS}")
            if used + bits > 64:
                word, used = word + 1, 0
            self.word.append(word)
            self.shift.append(used)
            used += bits
        self.width = word + 1

    def column(self, words: Words, k: int) -> Numbers:
        """Column k of packed rows."""
        mask = np.uint64((1 << self.bits[k]) - 1)
        return ((words[:, self.word[k]] >> np.uint64(self.shift[k])) & mask).astype(np.int64)

    def packed(self, rows: Numbers) -> Words:
        """Rows of numbers, packed."""
        words = np.zeros((len(rows), self.width), dtype=np.uint64)
        for k, word in enumerate(self.word):
            words[:, word] |= rows[:, k].astype(np.uint64) << np.uint64(self.shift[k])
        return words

    def rows(self, words: Words) -> NDArray[np.int32]:
        """Packed rows as rows of numbers; costs 4 bytes a number."""
        values = np.empty((len(words), len(self.bits)), dtype=np.int32, order="F")
        for k in range(len(self.bits)):
            values[:, k] = self.column(words, k)
        return values

    def difference(self, k: int, before: Numbers, after: Numbers) -> Words:
        """What to add to word ``word[k]`` of a packed row (modulo 2**64) when column k changes."""
        return ((after - before) << self.shift[k]).view(np.uint64)


class StateTable:
    """Packed rows with their numbers, the first that was added 0; open addressing in arrays."""

    def __init__(self, packing: Packing) -> None:
        self.packing = packing
        self._words = np.zeros((1024, packing.width), dtype=np.uint64)
        self._count = 0
        self._slots = np.full(1 << 14, _FREE, dtype=np.int32)

    def __len__(self) -> int:
        return self._count

    def words(self, begin: int, end: int) -> Words:
        """The states with these numbers, packed."""
        return self._words[begin:end]

    def bytes_to_add(self, rows: int) -> int:
        """The bytes of the table while it makes room for this many rows more: old and new arrays."""
        needed, width = self._count + rows, 8 * self.packing.width
        words, slots = len(self._words), len(self._slots)
        stored = width * (words if needed <= words else words + max(needed, 2 * words))
        while 2 * needed > slots:
            slots *= 4
        return stored + 4 * (slots if slots == len(self._slots) else slots + len(self._slots))

    def add(self, words: Words) -> Numbers:
        """The number of each row; new ones are numbered in the order in which they come.

        Raises MemoryError where there may be more than ``MOST_STATES``.
        """
        count, size = self._count, len(words)
        self._make_room(count + size)
        if size <= _FEW:
            return np.array([self._number(row) for row in words.tolist()], dtype=np.int64)
        # For now all rows are stored after the known ones, and a slot may hold one of them.
        self._words[count : count + size] = words
        numbers, slots = self._claimed(count, words)
        fresh = np.flatnonzero(numbers == count + np.arange(size))
        rank = np.empty(size, dtype=np.int64)
        rank[fresh] = count + np.arange(len(fresh))
        later = np.flatnonzero(numbers >= count)
        numbers[later] = rank[numbers[later] - count]
        self._words[count : count + len(fresh)] = words[fresh]
        self._slots[slots[fresh]] = numbers[fresh]
        self._count = count + len(fresh)
        return numbers

    def _number(self, row: Sequence[int]) -> int:
        """The number of one row, which is new or known."""
        slots, last = self._slots, len(self._slots) - 1
        slot = self._first_slot(row) & last
        while (held := int(slots[slot])) != _FREE:
            if self._words[held].tolist() == row:
                return held
            slot = (slot + 1) & last
        number = slots[slot] = self._count
        self._words[number] = row
        self._count += 1
        return number

    def _claimed(self, begin: int, words: Words) -> tuple[Numbers, Numbers]:
        """For each of the rows that are stored from ``begin`` on, the first that equals it, and its slot."""
        numbers = np.empty(len(words), dtype=np.int64)
        own_slots = np.empty(len(words), dtype=np.int64)
        waiting = np.arange(len(words))
        slots = self._first_slots(words)
        while len(waiting):
            held = self._slots[slots].astype(np.int64)
            free = np.flatnonzero(held == _FREE)
            # If several rows claim one slot, the last one that is written has it: in this order the first row.
            self._slots[slots[free][::-1]] = (begin + waiting[free])[::-1]
            held[free] = self._slots[slots[free]]
            same = self._equal(held, waiting + begin)
            numbers[waiting[same]] = held[same]
            own_slots[waiting[same]] = slots[same]
            waiting = waiting[~same]
            slots = (slots[~same] + 1) & (len(self._slots) - 1)
        return numbers, own_slots

    def _equal(self, one: Numbers, other: Numbers) -> NDArray[np.bool_]:
        equal = np.ones(len(one), dtype=np.bool_)
        for word in range(self.packing.width):
            equal &= self._words[one, word] == self._words[other, word]
        return equal

    def _first_slots(self, words: Words) -> Numbers:
        multiplier, half = np.uint64(_MULTIPLIER), np.uint64(_HALF)
        mixed = words[:, 0] * multiplier
        for word in range(1, words.shape[1]):
            mixed = ((mixed ^ (mixed >> half)) + words[:, word]) * multiplier
        mixed ^= mixed >> half
        return (mixed & np.uint64(len(self._slots) - 1)).astype(np.int64)

    @staticmethod
    def _first_slot(row: Sequence[int]) -> int:
        """The same of one row, all of its bits."""
        mixed = row[0] * _MULTIPLIER & _WORD
        for word in row[1:]:
            mixed = ((mixed ^ (mixed >> _HALF)) + word) * _MULTIPLIER & _WORD
        return mixed ^ (mixed >> _HALF)

    def _make_room(self, needed: int) -> None:
        if needed > MOST_STATES:
            raise MemoryError
        if needed > len(self._words):
            larger = np.zeros((max(needed, 2 * len(self._words)), self.packing.width), dtype=np.uint64)
            larger[: self._count] = self._words[: self._count]
            self._words = larger
        if 2 * needed > len(self._slots):
            while 2 * needed > len(self._slots):
                self._slots = np.full(4 * len(self._slots), _FREE, dtype=np.int32)
            self._claimed(0, self._words[: self._count])
