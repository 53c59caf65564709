"""The states of a breadth-first search in files: past a limit of memory they take the place of the table in memory.

States are numbered as the table numbers them, so what is found and its trace stay the same: new states wait until there
are many, or until no other state is left to look at; those that are known are then left out, and the others follow in
the order in which they came.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from symag.core.random_words import RandomWords
from symag.lts.lts import Numbers
from symag.lts.methods.sorted_runs import KeyCollisionError, SortedRuns
from symag.process.array_file import ArrayFile, Words

#: The least number of states that wait, and of states of the runs in memory.
_LEAST = 1024
#: Bytes for a state that waits, besides those of its words: its source, and what sorting takes.
_SORTING = 64
_SHIFT = np.uint64(32)


class StatesOnDisk:
    """Packed states in the order of their numbers, each with the number of its source, the state before it.

    ``width``: words of a state. ``room``: bytes of memory to use, about half of it for states that wait, of which there
    are at most ``most_together``. A state of one word is its own key; one of several has a hash of them. All methods
    raise MemoryError, DiskExhausted.
    """

    def __init__(self, width: int, room: int) -> None:
        self._width = width
        self._states = ArrayFile(width)
        self._sources = ArrayFile(1)
        self._waiting: list[tuple[Words, Numbers]] = []
        self._count = 0  # of those that wait
        columns = width if width == 1 else width + 1
        self.most_together = max(_LEAST, room // (4 * (_SORTING + 16 * columns)))
        self._most_in_run = max(_LEAST, room // (16 * 8 * columns))
        self._columns = columns
        self._salt = 0
        self._runs = SortedRuns(columns, self._most_in_run)

    def __len__(self) -> int:
        return len(self._states)

    def words(self, begin: int, end: int) -> Words:
        """The states with these numbers, packed."""
        return self._states.read(begin, end)

    def source(self, number: int) -> int:
        """The state before a state."""
        return int(self._sources.read(number, number + 1)[0, 0])

    def store(self, words: Words, sources: Numbers) -> None:
        """Add different states; to be followed by ``sort`` before others come."""
        self._states.append(words)
        self._sources.append(sources.astype(np.uint64)[:, None])

    def sort(self) -> None:
        """Put all states into runs, by another hash if two of them have the same key."""
        size = min(self.most_together, self._most_in_run)
        while True:
            self._runs = SortedRuns(self._columns, self._most_in_run)
            try:
                for begin in range(0, len(self), size):
                    self._inserted(self.words(begin, min(len(self), begin + size)))
                return
            except KeyCollisionError:
                self._salt += 1

    def add(self, words: Words, sources: Numbers) -> None:
        """Add the states that are new; they have no numbers before ``settle``, which this may do."""
        self._waiting.append((words, sources))
        self._count += len(words)
        if self._count >= self.most_together:
            self.settle()

    def settle(self) -> None:
        """Number the new ones of the states that wait."""
        if not self._count:
            return
        words = np.concatenate([words for words, _ in self._waiting])
        sources = np.concatenate([sources for _, sources in self._waiting])
        self._waiting, self._count = [], 0
        while True:
            try:
                fresh = self._inserted(words)
                break
            except KeyCollisionError:
                self._salt += 1
                self.sort()
        self.store(words[fresh], sources[fresh])

    def places(self, words: Words) -> Numbers:
        """The numbers that known states have in ``placed``; costs least for ``most_together`` of them."""
        rows = self._keyed(words)
        order = np.argsort(rows[:, 0])
        places = np.empty(len(words), dtype=np.int64)
        places[order] = self._runs.places(rows[order])
        return places

    def placed(self, size: int) -> Iterator[tuple[int, Words]]:
        """All states in pieces, in the order of the runs, each piece with the place of its first state."""
        for begin, rows in self._runs.pieces(size):
            yield begin, rows[:, -self._width :]

    @property
    def bytes_on_disk(self) -> int:
        """The size of its files."""
        return 8 * (self._width + 1) * len(self._states) + self._runs.bytes_on_disk

    def _inserted(self, words: Words) -> Numbers:
        """Insert the new ones of the states into the runs; their indices, the first of equal ones, in order."""
        rows = self._keyed(words)
        order = np.argsort(rows[:, 0])
        keys = rows[order, 0]
        is_first = np.ones(len(order), dtype=bool)
        is_first[1:] = keys[1:] != keys[:-1]
        starts = np.flatnonzero(is_first)
        if self._columns > 1:
            heads = order[starts][np.cumsum(is_first) - 1]
            if (words[heads] != words[order]).any():
                raise KeyCollisionError
        index = np.minimum.reduceat(order, starts)
        rows = rows[index]
        fresh = self._runs.places(rows) < 0
        self._runs.insert(rows[fresh])
        return np.sort(index[fresh])

    def _keyed(self, words: Words) -> Words:
        if self._columns == 1:
            return words
        keys = np.zeros(len(words), dtype=np.uint64)
        for column, factor in enumerate(RandomWords(self._salt).words(self._width) | np.uint64(1)):
            keys = (keys ^ (keys >> _SHIFT)) + words[:, column]
            keys *= factor
        keys ^= keys >> _SHIFT
        return np.column_stack([keys, words])
