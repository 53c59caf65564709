"""Edges of a graph in a file, for a re-check of moves that do not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from symag.core.limits import Deadline
from symag.core.ranges import distinct
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.sorted_states import Integers, Words
from symag.process.array_file import ArrayFile

#: An edge is one word, its target before its source.
SHIFT, LOW = np.uint64(32), np.uint64((1 << 32) - 1)
#: Targets whose edges are found together, as a power of 2.
_GROUP = 8


class FiledEdges:
    """Edges between states 0 .. ``count`` - 1 in a file, sorted by their targets; of each state 8 bytes are in memory.

    Methods raise MemoryError, DiskExhausted, OutOfTimeError. See ``ChainEdges`` in ``assertion_chain``.
    """

    def __init__(self, pieces: Iterable[Words], count: int, piece: int, deadline: Deadline) -> None:
        """``pieces``: the edges as words, target before source, with ascending targets; ``piece``: to read together."""
        if count > LOW:
            raise MemoryError
        self._piece, self._deadline = piece, deadline
        self._store(pieces, count)

    def _store(self, pieces: Iterable[Words], count: int) -> None:
        edges = ArrayFile(1)
        first = np.zeros((count >> _GROUP) + 2, dtype=np.int64)
        for pairs in pieces:
            self._deadline.check()
            edges.append(pairs[:, None])
            groups, sizes = np.unique(pairs >> np.uint64(32 + _GROUP), return_counts=True)
            first[groups + 1] += sizes
        self.count, self._edges, self._first = count, edges, np.cumsum(first)

    def pieces(self) -> Iterator[Words]:
        """All edges, in their order."""
        for begin in range(0, len(self._edges), self._piece):
            self._deadline.check()
            yield self._edges.read(begin, min(len(self._edges), begin + self._piece))[:, 0]

    def leading_to(self, goal: Truths, through: Truths | None = None) -> Truths:
        """The states in ``goal``, and those from which a path leads there, through states of ``through`` before it."""
        reached, is_fresh = goal.copy(), np.zeros(self.count, dtype=bool)
        fresh = np.flatnonzero(goal)
        while len(fresh):
            self._deadline.check()
            is_fresh[fresh] = True
            sources = []
            for begin, end in self._parts(distinct(fresh >> _GROUP)):
                pairs = self._edges.read(begin, end)[:, 0]
                source = (pairs[is_fresh[pairs >> SHIFT]] & LOW).astype(np.int64)
                before = source[~reached[source]]
                sources.append(distinct(before if through is None else before[through[before]]))
                reached[sources[-1]] = True
            is_fresh[fresh] = False
            fresh = np.concatenate([fresh[:0], *sources])
        return reached

    def _parts(self, groups: Integers) -> list[tuple[int, int]]:
        """The edges to these groups of states, as numbers of edges, no part much longer than a piece."""
        gaps = np.flatnonzero(np.diff(groups) > 1) + 1
        first, last = self._first[groups[np.append(0, gaps)]], self._first[groups[np.append(gaps - 1, -1)] + 1]
        return [
            (part, min(part + self._piece, end))
            for begin, end in zip(first.tolist(), last.tolist(), strict=True)
            for part in range(begin, end, self._piece)
        ]

    def before(self, goal: Truths) -> Truths:
        """The states with an edge to one in ``goal``."""
        result = np.zeros(self.count, dtype=bool)
        for pairs in self.pieces():
            source, target = _ends(pairs)
            result[source[goal[target]]] = True
        return result

    def split(self, both: Truths, keeps: Callable[[Integers, Integers], Truths]) -> None:
        """See ``ChainEdges``."""
        number = np.cumsum(both, dtype=np.int64) + (self.count - 1)
        count = self.count + int(both.sum())
        if count > LOW:
            raise MemoryError
        self._store(self._copied(both, number, keeps), count)

    def _copied(self, both: Truths, number: Integers, keeps: Callable[[Integers, Integers], Truths]) -> Iterator[Words]:
        """The edges to the states that were there, then those to their copies, whose numbers ascend too."""
        for to_copies in (False, True):
            for pairs in self.pieces():
                source, target = _ends(pairs)
                if to_copies:
                    copied = both[target]
                    source, target = source[copied], number[target[copied]]
                from_copies = both[source]
                source = np.concatenate([source, number[source[from_copies]]])
                target = np.concatenate([target, target[from_copies]])
                kept = keeps(source, target)
                result = joined(target[kept], source[kept])
                result.sort()
                yield result


def _ends(pairs: Words) -> tuple[Integers, Integers]:
    """The sources and targets of edges."""
    return (pairs & LOW).astype(np.int64), (pairs >> SHIFT).astype(np.int64)


def joined(upper: Integers, lower: Integers) -> Words:
    """Pairs of numbers, each as one word."""
    return (upper.astype(np.uint64) << SHIFT) | lower.astype(np.uint64)
