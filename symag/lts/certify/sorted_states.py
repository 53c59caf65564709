"""A set of packed states for the re-check of labelled transition systems: runs that are sorted by a hash.

If hashes are equal the states are compared too, so two different states are never taken for one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from symag.core.random_words import RandomWords

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
_WORD, _SHIFT = (1 << 64) - 1, 29
#: Up to the first number, states are looked up one by one, as arrays of a few cost more; the second makes a run.
_FEW, _RECENT = 16, 1 << 12


class CollisionError(Exception):
    """Two different states have the same hash: another salt is needed."""


class SortedStates:
    """Packed states with their numbers, in runs sorted by hash; each run is at least twice as long as the next.

    The last ones may be in no run yet.
    """

    def __init__(self, width: int, salt: int) -> None:
        self.width = width
        self.words = np.zeros((1024, width), dtype=np.uint64)
        self.count = 0
        self._factors = _factors(width, salt)
        self._runs: list[tuple[Words, Integers]] = []
        self._recent: dict[tuple[int, ...], int] = {}

    def numbers(self, words: Words) -> Integers:
        """The number of each state; new ones get the next numbers. Raises CollisionError."""
        if len(words) <= _FEW:
            return np.array([self._number(tuple(state)) for state in words.tolist()], dtype=np.int64)
        self._sort_recent()
        hashes = self._hashes(words)
        order = order_of(hashes)
        ordered = hashes[order]
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = ordered[1:] != ordered[:-1]
        group = np.cumsum(is_first) - 1
        heads = order[is_first]
        distinct = words[heads]
        if (distinct[group] != words[order]).any():
            raise CollisionError
        number = self._known(ordered[is_first], distinct)
        fresh = np.flatnonzero(number < 0)
        number[fresh] = self.count + np.arange(len(fresh))
        self._append(distinct[fresh])
        self._insert(ordered[is_first][fresh], number[fresh])
        result = np.empty(len(words), dtype=np.int64)
        result[order] = number[group]
        return result

    def _hashes(self, words: Words) -> Words:
        return _mixed(words, self._factors)

    def _known(self, hashes: Words, words: Words) -> Integers:
        number = np.full(len(hashes), -1, dtype=np.int64)
        for held, numbers in self._runs:
            index = np.minimum(np.searchsorted(held, hashes), len(held) - 1)
            same = np.flatnonzero(held[index] == hashes)
            number[same] = numbers[index[same]]
            if (self.words[number[same]] != words[same]).any():
                raise CollisionError
        return number

    def _number(self, state: tuple[int, ...]) -> int:
        """The number of one state, which is new or known."""
        number = self._recent.get(state)
        if number is not None:
            return number
        sought = np.uint64(self._hash(state))
        for held, numbers in self._runs:
            index = int(held.searchsorted(sought))
            if index < len(held) and held[index] == sought:
                number = int(numbers[index])
                if tuple(self.words[number].tolist()) != state:
                    raise CollisionError
                return number
        number = self._recent[state] = self.count
        self._append(np.array([state], dtype=np.uint64))
        if len(self._recent) == _RECENT:
            self._sort_recent()
        return number

    def _hash(self, state: tuple[int, ...]) -> int:
        mixed = 0
        for word, factor in zip(state, self._factors.tolist(), strict=True):
            mixed = (mixed + word) * factor & _WORD
            mixed ^= mixed >> _SHIFT
        return mixed

    def _sort_recent(self) -> None:
        """Put the recent states into a run. Raises CollisionError."""
        if self._recent:
            first = self.count - len(self._recent)
            hashes = self._hashes(self.words[first : self.count])
            order = order_of(hashes)
            hashes = hashes[order]
            if (hashes[1:] == hashes[:-1]).any():
                raise CollisionError
            self._recent = {}
            self._insert(hashes, first + order)

    def _append(self, words: Words) -> None:
        needed = self.count + len(words)
        if needed > len(self.words):
            larger = np.zeros((max(needed, 2 * len(self.words)), self.width), dtype=np.uint64)
            larger[: self.count] = self.words[: self.count]
            self.words = larger
        self.words[self.count : needed] = words
        self.count = needed

    def _insert(self, hashes: Words, numbers: Integers) -> None:
        """Add a run."""
        if not len(hashes):
            return
        run = hashes, numbers
        while self._runs and len(self._runs[-1][0]) < 2 * len(run[0]):
            other = self._runs.pop()
            both = np.concatenate([other[0], run[0]])
            order = np.argsort(both, kind="stable")
            run = both[order], np.concatenate([other[1], run[1]])[order]
        self._runs.append(run)


def hashes_of(words: Words, salt: int) -> Words:
    """The hash of each state; different states of one word have different hashes."""
    return _mixed(words, _factors(words.shape[1], salt))


def _factors(width: int, salt: int) -> Words:
    return RandomWords(salt).words(width) | np.uint64(1)


def _mixed(words: Words, factors: Words) -> Words:
    mixed = np.zeros(len(words), dtype=np.uint64)
    for column, factor in enumerate(factors):
        mixed = (mixed + words[:, column]) * factor
        mixed ^= mixed >> np.uint64(_SHIFT)
    return mixed


def order_of(hashes: Words) -> Integers:
    """The indices that sort the hashes, those of equal ones in their order.

    To sort numbers is several times faster than to sort their indices, so the last bits of each hash give way to its
    index. Where hashes differ in their last bits only, their indices are sorted.
    """
    last = np.uint64(len(hashes).bit_length())
    keys = (hashes >> last << last) | np.arange(len(hashes), dtype=np.uint64)
    keys.sort()
    order: Integers = (keys & ((np.uint64(1) << last) - np.uint64(1))).astype(np.int64)
    ordered = hashes[order]
    if (ordered[1:] < ordered[:-1]).any():
        order = np.argsort(hashes, kind="stable")
    return order
