"""The states of a re-check that may be more than memory holds: past a limit they are in files, sorted by hash.

A file is divided by the first bits of the hashes into buckets of some hundred states. States that come are looked up
together, bucket by bucket; this shares only the arrays in files with the search (``symag.process.array_file``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from symag.lts.certify.sorted_states import CollisionError, Integers, SortedStates, Words, hashes_of, order_of
from symag.process.array_file import ArrayFile

#: States of a bucket, states that are read together, and buckets between two that are still read together.
_BUCKET, _TOGETHER, _GAP = 256, 1 << 16, 8
#: Bytes for a state in memory besides three times its words; and for one that waits.
_IN_MEMORY, _WAITING = 64, 80
_FEWEST = 1024


class GrowingStates:
    """The states of an exploration in the order in which it takes them, in memory as long as that has room.

    ``room``: bytes. Methods raise CollisionError (another salt is needed), MemoryError, DiskExhausted.
    """

    def __init__(self, width: int, salt: int, room: int) -> None:
        self._width, self._salt, self._room = width, salt, room
        self._memory: SortedStates | None = SortedStates(width, salt)
        self._files: FiledStates | None = None

    @property
    def count(self) -> int:
        """The states that have a place in the order."""
        if self._files is not None:
            return self._files.count
        assert self._memory is not None
        return self._memory.count

    def words(self, begin: int, end: int) -> Words:
        """The states with these places."""
        if self._files is not None:
            return self._files.words(begin, end)
        assert self._memory is not None
        return self._memory.words[begin:end]

    def add(self, words: Words) -> None:
        """Add the states that are new; some have no place before ``settle``."""
        if self._memory is not None:
            needed = (self._memory.count + len(words)) * (24 * self._width + _IN_MEMORY)
            if 2 * needed <= self._room:
                self._memory.numbers(words)
                return
            self._files = FiledStates(self._width, self._salt, self._room)
            self._files.store(self._memory.words[: self._memory.count])
            # Its memory is free before others need it.
            self._memory = None
            self._files.sort()
        assert self._files is not None
        self._files.add(words)

    def settle(self) -> None:
        """Give a place to every new state."""
        if self._files is not None:
            self._files.settle()


class FiledStates:
    """The same, in files from the beginning.

    Of a state of one word only the hash is sorted, as no other state has the same; else the hash with the state.
    """

    def __init__(self, width: int, salt: int, room: int) -> None:
        self._width, self._salt = width, salt
        self._order = ArrayFile(width)
        self._waiting: list[Words] = []
        self._number_waiting = 0
        row = 8 * (width + 1)
        self._most_waiting = max(_FEWEST, room // (4 * (_WAITING + 2 * row)))
        self._most_in_memory = max(_FEWEST, room // (24 * row))
        self._recent: list[Words] = []
        self._filed: list[HashedFile] = []

    @property
    def count(self) -> int:
        """See ``GrowingStates``."""
        return len(self._order)

    def words(self, begin: int, end: int) -> Words:
        """See ``GrowingStates``."""
        return self._order.read(begin, end)

    def store(self, words: Words) -> None:
        """Add different states; to be followed by ``sort`` before others come."""
        self._order.append(words)

    def sort(self) -> None:
        """Put all states into runs."""
        size = min(self._most_waiting, self._most_in_memory)
        for begin in range(0, self.count, size):
            self._insert(self.words(begin, min(self.count, begin + size)))

    def add(self, words: Words) -> None:
        """See ``GrowingStates``."""
        self._waiting.append(words)
        self._number_waiting += len(words)
        if self._number_waiting >= self._most_waiting:
            self.settle()

    def settle(self) -> None:
        """See ``GrowingStates``."""
        if self._number_waiting:
            words = np.concatenate(self._waiting)
            self._waiting, self._number_waiting = [], 0
            self._order.append(words[self._insert(words)])

    def _insert(self, words: Words) -> Integers:
        """Put the new ones of the states into the runs; their indices."""
        hashes = hashes_of(words, self._salt)
        order = order_of(hashes)
        rows = hashes[order][:, None]
        is_first = np.ones(len(rows), dtype=bool)
        is_first[1:] = rows[1:, 0] != rows[:-1, 0]
        heads = order[is_first]
        rows = rows[is_first]
        if self._width > 1:
            if (words[heads][np.cumsum(is_first) - 1] != words[order]).any():
                raise CollisionError
            rows = np.column_stack([rows, words[heads]])
        is_new = np.ones(len(rows), dtype=bool)
        for recent in self._recent:
            is_new &= ~_among(rows, recent)
        for file in self._filed:
            unmarked = np.flatnonzero(is_new)
            is_new[unmarked] = file.lacks(rows[unmarked])
        self._keep(rows[is_new])
        return heads[is_new]

    def _keep(self, rows: Words) -> None:
        if not len(rows):
            return
        while self._recent and len(self._recent[-1]) < 2 * len(rows):
            rows = _sorted(np.concatenate([self._recent.pop(), rows]))
        self._recent.append(rows)
        if sum(map(len, self._recent)) <= self._most_in_memory:
            return
        rows = _sorted(np.concatenate(self._recent))
        self._recent = []
        pieces = (rows[begin : begin + _TOGETHER] for begin in range(0, len(rows), _TOGETHER))
        file = HashedFile(pieces, len(rows), rows.shape[1])
        while self._filed and self._filed[-1].count < 2 * file.count:
            older = self._filed[-1]
            file = HashedFile(together(older, file), older.count + file.count, rows.shape[1])
            self._filed.pop()
        self._filed.append(file)


class HashedFile:
    """Rows sorted by hash in a file; ``first[b]`` is the number of the first row of bucket b or a later one."""

    def __init__(self, pieces: Iterable[Words], count: int, width: int) -> None:
        """``count``: how many rows the pieces, which are sorted, have together."""
        self._bits = (count // _BUCKET).bit_length()
        self._rows = ArrayFile(width)
        self._first = np.zeros((1 << self._bits) + 1, dtype=np.int64)
        for rows in pieces:
            if len(rows):
                buckets = self._buckets(rows)
                sizes = np.bincount(buckets - buckets[0])
                self._first[buckets[0] + 1 : buckets[0] + 1 + len(sizes)] += sizes
                self._rows.append(rows)
        np.cumsum(self._first, out=self._first)

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def _buckets(self, rows: Words) -> Integers:
        # A shift by 64 bits is none.
        return (rows[:, 0] >> np.uint64(1) >> np.uint64(63 - self._bits)).astype(np.int64)

    def lacks(self, rows: Words) -> NDArray[np.bool_]:
        """Which of the rows, sorted by their hashes, are not in the file. Raises CollisionError."""
        absent = np.ones(len(rows), dtype=bool)
        for begin, end, held in self._near(rows):
            absent[begin:end] = ~_among(rows[begin:end], held)
        return absent

    def numbers(self, hashes: Words) -> Integers:
        """The second column of the rows with these hashes, which ascend and are all in the file."""
        numbers = np.empty(len(hashes), dtype=np.int64)
        for begin, end, held in self._near(hashes[:, None]):
            numbers[begin:end] = held[np.searchsorted(held[:, 0], hashes[begin:end]), 1].astype(np.int64)
        return numbers

    def _near(self, rows: Words) -> Iterator[tuple[int, int, Words]]:
        """Begin and end of some of the rows, sorted by their hashes, with those of the file that may be equal."""
        bucket = self._buckets(rows)
        begin = 0
        while begin < len(rows):
            start = int(self._first[bucket[begin]])
            # Buckets that are read together, and of those rows the ones without a long gap between their buckets.
            last = int(np.searchsorted(self._first, start + _TOGETHER, side="right")) - 2
            end = max(begin + 1, int(np.searchsorted(bucket, last, side="right")))
            gaps = np.flatnonzero(np.diff(bucket[begin:end]) > _GAP)
            if len(gaps):
                end = begin + int(gaps[0]) + 1
            yield begin, end, self._rows.read(start, int(self._first[bucket[end - 1] + 1]))
            begin = end

    def pieces(self) -> Iterator[Words]:
        """All rows in pieces of some thousand, in their order."""
        for begin in range(0, self.count, _TOGETHER):
            yield self._rows.read(begin, min(self.count, begin + _TOGETHER))


def together(one: HashedFile, other: HashedFile) -> Iterator[Words]:
    """The rows of both, which have no hash in common, sorted, in pieces."""
    ours, theirs = one.pieces(), other.pieces()
    left, right = next(ours, None), next(theirs, None)
    while left is not None and right is not None:
        # Both are known up to the smaller of their last hashes.
        limit = min(left[-1, 0], right[-1, 0])
        cut, other_cut = (int(np.searchsorted(rows[:, 0], limit, side="right")) for rows in (left, right))
        yield _sorted(np.concatenate([left[:cut], right[:other_cut]]))
        left = left[cut:] if cut < len(left) else next(ours, None)
        right = right[other_cut:] if other_cut < len(right) else next(theirs, None)
    for rest, pieces in ((left, ours), (right, theirs)):
        if rest is not None:
            yield rest
            yield from pieces


def _among(rows: Words, held: Words) -> NDArray[np.bool_]:
    """Which of the rows are among those held, which are sorted by hash. Raises CollisionError."""
    if not len(held):
        return np.zeros(len(rows), dtype=bool)
    index = np.minimum(np.searchsorted(held[:, 0], rows[:, 0]), len(held) - 1)
    same: NDArray[np.bool_] = held[index, 0] == rows[:, 0]
    if rows.shape[1] > 1 and (held[index[same]] != rows[same]).any():
        raise CollisionError
    return same


def _sorted(rows: Words) -> Words:
    """A new array, sorted by hash; fast if it is a few sorted runs."""
    if rows.shape[1] == 1:
        rows[:, 0].sort(kind="stable")
        return rows
    order: Integers = np.argsort(rows[:, 0], kind="stable")
    return rows[order]
