"""The states and moves of a re-check in files, for progress and assertions where the moves do not fit into memory.

A move is one word, its target before its source. Moves are distributed to files by their targets, and each of these is
sorted; so all moves to some states are read together. This shares only the arrays in files with the search.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np

from symag.core.limits import Deadline
from symag.core.ranges import distinct
from symag.lts.certify.on_disk.filed_edges import LOW, SHIFT, FiledEdges, joined
from symag.lts.certify.on_disk.filed_states import GrowingStates, HashedFile, together
from symag.lts.certify.packed_components import Truths
from symag.lts.certify.sorted_states import CollisionError, Integers, Words, hashes_of, order_of
from symag.lts.certify.states import Exploration
from symag.lts.language.systems import System
from symag.process.array_file import ArrayFile
from symag.process.memory import free_memory

#: The most files that moves are distributed to.
_MOST_FILES = 128
#: Bytes of memory for a state or a move that is looked at together with others, and the fewest of these.
_BYTES, _FEWEST = 256, 1 << 10


class FiledMoves:
    """All states and moves from a state on, as ``ExploredStates``; of each state a few bytes are in memory.

    ``room``: bytes of memory to use. ``local`` has the states of the last ``kept`` components, each 0 or 1, in each
    state. Methods raise MemoryError, DiskExhausted, OutOfTimeError.
    """

    def __init__(
        self,
        system: System,
        start: Sequence[int],
        deadline: Deadline,
        room: int | None = None,
        kept: int = 0,
    ) -> None:
        room = free_memory() if room is None else room
        self._deadline = deadline
        self.piece = max(_FEWEST, min(room // _BYTES, 1 << 20))
        for salt in itertools.count():
            try:
                exploration = Exploration(system, salt)
                self.faults, states = exploration.faults(start, deadline, room)
                break
            except CollisionError:
                continue
        self.states = states.count
        if self.states > LOW:
            raise MemoryError
        self.labels = exploration.labels
        self._acting = ArrayFile(1)
        self._store(exploration, states, self._numbering(states, salt))
        self.local = [np.zeros(self.states, dtype=bool) for _ in range(kept)]
        for begin in range(0, self.states, self.piece):
            words = states.words(begin, min(self.states, begin + self.piece))
            for column, local in zip(self.local, exploration.last(words, kept), strict=True):
                column[begin : begin + len(words)] = local

    def _numbering(self, states: GrowingStates, salt: int) -> Callable[[Words], Integers]:
        """From states to their places in the order; their hashes differ."""
        runs: list[HashedFile] = []
        for begin in range(0, states.count, self.piece):
            self._deadline.check()
            hashes = hashes_of(states.words(begin, min(states.count, begin + self.piece)), salt)
            order = order_of(hashes)
            run = HashedFile([np.column_stack([hashes[order], (order + begin).astype(np.uint64)])], len(order), 2)
            while runs and runs[-1].count < 2 * run.count:
                older = runs.pop()
                run = HashedFile(together(older, run), older.count + run.count, 2)
            runs.append(run)
        while len(runs) > 1:
            last = runs.pop()
            older = runs.pop()
            runs.append(HashedFile(together(older, last), older.count + last.count, 2))

        def numbers(words: Words) -> Integers:
            hashes = hashes_of(words, salt)
            order = order_of(hashes)
            result = np.empty(len(words), dtype=np.int64)
            result[order] = runs[0].numbers(hashes[order])
            return result

        return numbers

    def _store(self, exploration: Exploration, states: GrowingStates, numbers: Callable[[Words], Integers]) -> None:
        width = -(-states.count // _MOST_FILES)
        shares = [ArrayFile(1) for _ in range(-(-states.count // width))]
        for source, label, after, wrong in self._batches(exploration, states):
            self._acting.append(joined(label, source)[:, None])
            pairs = distinct(joined(numbers(after), source[~wrong]))
            ends = np.searchsorted(pairs >> SHIFT, np.arange(len(shares) + 1) * width)
            for share, begin, end in zip(shares, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
                share.append(pairs[begin:end, None])
        self.edges = FiledEdges((_sorted(share) for share in shares), states.count, self.piece, self._deadline)

    def _batches(
        self, exploration: Exploration, states: GrowingStates
    ) -> Iterator[tuple[Integers, Integers, Words, Truths]]:
        """Sources, labels, and whether they lead to ERROR, of many moves at a time; and the states after the others."""
        waiting: list[tuple[Integers, Integers, Words, Truths]] = []
        done, size, count = 0, 1, 0
        while done < states.count:
            self._deadline.check()
            batch = states.words(done, min(states.count, done + size))
            moves = exploration.moves(batch)
            waiting.append((moves.place + done, moves.label, moves.after[~moves.wrong], moves.wrong))
            count += len(moves.place)
            done += len(batch)
            size = max(1, min(2 * size, self.piece * len(batch) // (4 * max(1, len(moves.place)))))
            if count >= self.piece or done == states.count:
                source, label, after, wrong = (np.concatenate(column) for column in zip(*waiting, strict=True))
                yield source, label, after, wrong
                waiting, count = [], 0

    def acting(self, labels: Collection[str]) -> Truths:
        """The states in which one of these labels can happen."""
        now = np.zeros(self.states, dtype=bool)
        chosen = np.array([label in labels for label in self.labels], dtype=bool)
        for begin in range(0, len(self._acting), self.piece):
            pairs = self._acting.read(begin, min(len(self._acting), begin + self.piece))[:, 0]
            now[pairs[chosen[pairs >> SHIFT]] & LOW] = True
        return now

    def leading_to(self, goal: Truths) -> Truths:
        """The states in ``goal``, and those from which one of them can be reached."""
        return self.edges.leading_to(goal)


def _sorted(share: ArrayFile) -> Words:
    pairs = share.read(0, len(share))[:, 0]
    pairs.sort()
    return pairs
