"""A set of packed states that is larger than memory, as sorted runs: short ones in memory, long ones in files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from symag.core.ranges import distinct, ranges
from symag.lts.lts import Numbers
from symag.process.array_file import ArrayFile, Words

#: Rows of a block, blocks that are read at once, and the gap between two blocks that are still read together.
_BLOCK, _BLOCKS_AT_ONCE, _GAP = 512, 128, 8


class KeyCollisionError(Exception):
    """Two different states have the same key: another salt is needed."""


class SortedRuns:
    """A set of packed states that is larger than memory: sorted runs, the short ones in memory, the long ones in files.

    Its rows have different keys, their first columns; at most about ``2 * most`` rows are in memory. As in a
    log-structured merge tree every run is at least twice as long as the next, so each state is written to disk a
    logarithmic number of times. Of a run in a file the first key of every block stays in memory: a search for few
    states reads their blocks, one for many reads the file once, in its order. Duplicates are detected late, for many
    states at once (Stern and Dill: Using magnetic disk instead of main memory in the Murphi verifier, CAV 1998; Korf:
    Best-first frontier search with delayed duplicate detection, AAAI 2004).
    """

    def __init__(self, width: int, most: int) -> None:
        self._width = width
        self._most = most
        self._runs: list[_Run] = []

    def places(self, rows: Words) -> Numbers:
        """For each of the rows, sorted by their keys, its number in ``pieces``, -1 if it is not in the set.

        Raises KeyCollisionError, DiskExhausted.
        """
        places = np.full(len(rows), -1, dtype=np.int64)
        begin = 0
        for run in self._runs:
            open_ = np.flatnonzero(places < 0)
            own = run.places(rows[open_])
            places[open_] = np.where(own < 0, -1, own + begin)
            begin += len(run)
        return places

    def pieces(self, size: int) -> Iterator[tuple[int, Words]]:
        """All rows in pieces, each with the number of its first row: run after run, sorted in each."""
        begin = 0
        for run in self._runs:
            for start in range(0, len(run), size):
                yield begin + start, run.part(start, start + size)
            begin += len(run)

    def between(self, low: Words, high: Words) -> Iterator[Words]:
        """Rows in pieces, among them all whose keys are from low[k] to before high[k] for some k; both ascend."""
        for run in self._runs:
            yield from run.between(low, high)

    def insert(self, rows: Words) -> None:
        """Add rows, sorted by their different keys, that are not in the set. Raises DiskExhausted."""
        if not len(rows):
            return
        run: _Run = _Run(rows)
        if len(run) > self._most:
            run = _FiledRun.of(iter([rows]), self._width)
        while self._runs and len(self._runs[-1]) < 2 * len(run):
            pieces = _merged(self._runs[-1], run, max(_BLOCK, self._most // 4))
            if len(self._runs[-1]) + len(run) <= self._most:
                run = _Run(np.concatenate(list(pieces)))
            else:
                run = _FiledRun.of(pieces, self._width)
            self._runs.pop()
        self._runs.append(run)

    @property
    def bytes_on_disk(self) -> int:
        """The size of its files."""
        return sum(8 * self._width * len(run) for run in self._runs if isinstance(run, _FiledRun))


class _Run:
    """Sorted rows in memory."""

    def __init__(self, rows: Words) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def part(self, begin: int, end: int) -> Words:
        """The rows from ``begin`` to before ``end``, fewer at the end of the run."""
        return self._rows[begin:end]

    def places(self, rows: Words) -> Numbers:
        """See ``SortedRuns.places``."""
        return _places(self._rows, rows)

    def between(self, low: Words, high: Words) -> Iterator[Words]:
        """See ``SortedRuns.between``."""
        keys = self._rows[:, 0]
        yield self._rows[ranges(np.searchsorted(keys, low), np.searchsorted(keys, high))]


class _FiledRun(_Run):
    """Sorted rows in a file; ``_first`` has the key of the first row of each block."""

    def __init__(self, file: ArrayFile, first: Words) -> None:
        self._file = file
        self._first = first

    @classmethod
    def of(cls, pieces: Iterator[Words], width: int) -> _FiledRun:
        """The run of sorted pieces. Raises DiskExhausted."""
        file, first = ArrayFile(width), []
        for piece in pieces:
            first.append(piece[-len(file) % _BLOCK :: _BLOCK, 0].copy())
            file.append(piece)
        return cls(file, np.concatenate(first))

    def __len__(self) -> int:
        return len(self._file)

    def part(self, begin: int, end: int) -> Words:
        return self._file.read(begin, max(begin, min(end, len(self._file))))

    def places(self, rows: Words) -> Numbers:
        places = np.full(len(rows), -1, dtype=np.int64)
        block = np.searchsorted(self._first, rows[:, 0], side="right") - 1
        # Smaller keys than the first are not in the run.
        begin = int(np.searchsorted(block, 0))
        for end in _ends(block):
            if end > begin:
                start = int(block[begin]) * _BLOCK
                held = self.part(start, (int(block[end - 1]) + 1) * _BLOCK)
                own = _places(held, rows[begin:end])
                places[begin:end] = np.where(own < 0, -1, own + start)
                begin = end
        return places

    def between(self, low: Words, high: Words) -> Iterator[Words]:
        first = np.maximum(np.searchsorted(self._first, low, side="right") - 1, 0)
        last = np.searchsorted(self._first, high)
        blocks = distinct(ranges(first, np.maximum(first, last)))
        begin = 0
        for end in _ends(blocks):
            if end > begin:
                yield self.part(int(blocks[begin]) * _BLOCK, (int(blocks[end - 1]) + 1) * _BLOCK)
                begin = end


def _ends(block: Numbers) -> list[int]:
    """The ends of the pieces of ascending numbers of blocks that are read together."""
    gaps = (np.diff(block) > _GAP) | (np.diff(block // _BLOCKS_AT_ONCE) > 0)
    return [*(np.flatnonzero(gaps) + 1).tolist(), len(block)]


def _places(held: Words, rows: Words) -> Numbers:
    """The place of each of the rows among the rows ``held``, -1 if it is not there; both are sorted.

    Raises KeyCollisionError.
    """
    index = np.minimum(np.searchsorted(held[:, 0], rows[:, 0]), len(held) - 1)
    same: NDArray[np.bool_] = held[index, 0] == rows[:, 0]
    if rows.shape[1] > 1 and (held[index[same]] != rows[same]).any():
        raise KeyCollisionError
    return np.where(same, index, -1)


def _merged(one: _Run, other: _Run, size: int) -> Iterator[Words]:
    """The rows of both runs, sorted, in pieces of at most ``2 * size`` rows."""
    begins = [0, 0]
    while True:
        parts = [run.part(begin, begin + size) for run, begin in zip((one, other), begins, strict=True)]
        if not all(map(len, parts)):
            break
        bound = min(part[-1, 0] for part in parts)
        parts = [part[: np.searchsorted(part[:, 0], bound, side="right")] for part in parts]
        begins = [begin + len(part) for begin, part in zip(begins, parts, strict=True)]
        yield _in_order(np.concatenate(parts))
    for run, begin in zip((one, other), begins, strict=True):
        for start in range(begin, len(run), size):
            yield run.part(start, start + size)


def _in_order(rows: Words) -> Words:
    """Rows with different keys, sorted; fast if they are two sorted runs."""
    if rows.shape[1] == 1:
        rows[:, 0].sort(kind="stable")
        return rows
    order: Numbers = np.argsort(rows[:, 0], kind="stable")
    return rows[order]
