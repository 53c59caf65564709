"""Components of a composition whose states are packed into words of 64 bits, and the moves of packed states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.lts.certify.product_on_demand import ProductOnDemand
from symag.lts.certify.sorted_states import Integers, Words
from symag.lts.lts import ERROR, Lts

#: A truth value for each state, or for each move.
Truths = NDArray[np.bool_]
#: The moves of a component are looked up in a table of local states times labels if it has at most this many cells.
_CELLS = 1 << 24


class PackedComponent:
    """One component. Its moves are sorted by ``index``, local state x labels + label."""

    def __init__(self, lts: Lts, labels: dict[str, int], word: int, shift: int) -> None:
        renamed = np.array([labels[label] for label in lts.alphabet], dtype=np.int64)
        self.mine = np.isin(np.arange(len(labels)), renamed[1:])
        index = lts.source * len(labels) + renamed[lts.action]
        order = np.argsort(index, kind="stable")
        self.targets = lts.target[order]
        self._index = index[order]
        cells = lts.states * len(labels)
        #: The moves with index i are number ``first[i]`` to ``first[i + 1]``, where a table of all i is not too large.
        self._first = np.searchsorted(self._index, np.arange(cells + 1)) if cells <= _CELLS else None
        self.silent = np.zeros(lts.states, dtype=bool)
        self.silent[lts.source[lts.action == 0]] = True
        visible, foreign = np.flatnonzero(lts.action), np.flatnonzero(~self.mine)[1:]  # tau is never own
        allowed = np.zeros((lts.states, -(-len(labels) // 64) * 8), dtype=np.uint8)
        label = renamed[lts.action[visible]]
        np.bitwise_or.at(allowed, (lts.source[visible], label // 8), (1 << label % 8).astype(np.uint8))
        always = np.zeros(allowed.shape[1], dtype=np.uint8)
        np.bitwise_or.at(always, foreign // 8, (1 << foreign % 8).astype(np.uint8))
        self.allowed = (allowed | always).view(np.uint64)
        self.word, self.shift = word, shift
        self._mask = (1 << (lts.states - 1).bit_length()) - 1

    def moves(self, index: Integers) -> tuple[Integers, Integers]:
        """The numbers of the first move with each index, and of the one after the last."""
        if self._first is None:
            return np.searchsorted(self._index, index), np.searchsorted(self._index, index, side="right")
        return self._first[index], self._first[index + 1]

    def local(self, words: Words) -> Integers:
        """The local states in packed states."""
        return ((words[:, self.word] >> np.uint64(self.shift)) & np.uint64(self._mask)).astype(np.int64)

    def local_of(self, words: Sequence[int]) -> int:
        """The local state in one packed state."""
        return words[self.word] >> self.shift & self._mask

    def put(self, words: Words, rows: Integers, local: Integers) -> None:
        """Change the local states in some of the rows."""
        cleared = words[rows, self.word] & ~np.uint64(self._mask << self.shift)
        words[rows, self.word] = cleared | (local.astype(np.uint64) << np.uint64(self.shift))


class Moves(Struct, eq=False):
    """Moves from a batch of states: the index of the source, the label, and the target (``wrong``: it is ERROR)."""

    place: Integers
    label: Integers
    after: Words
    wrong: Truths

    @classmethod
    def joined(cls, several: Sequence[Moves]) -> Moves:
        """All of these moves."""
        return cls(
            np.concatenate([moves.place for moves in several]),
            np.concatenate([moves.label for moves in several]),
            np.concatenate([moves.after for moves in several]),
            np.concatenate([moves.wrong for moves in several]),
        )

    def repeated(self, times: Integers) -> None:
        """Repeat each move this many times."""
        self.place, self.label = np.repeat(self.place, times), np.repeat(self.label, times)
        self.wrong = np.repeat(self.wrong, times)
        self.after = np.repeat(self.after, times, axis=0)


def packed(state: Sequence[int], parts: Sequence[PackedComponent], width: int) -> list[int]:
    """The words of a state of the components, of which there are ``width``."""
    words = [0] * width
    for part, local in zip(parts, state, strict=True):
        words[part.word] |= local << part.shift
    return words


def moves_of_few(
    batch: Words, parts: Sequence[PackedComponent], product: ProductOnDemand, labels: Mapping[str, int]
) -> Moves:
    """The moves of a few packed states by the definition, one state at a time."""
    places, numbers, after, wrong = [], [], [], []
    for place, words in enumerate(batch.tolist()):
        state = tuple(part.local_of(words) for part in parts)
        # Sorted, as the order of a set of texts is another one in each process.
        for label, following in sorted(product.moves(state)):
            fails = ERROR in following
            places.append(place)
            numbers.append(labels[label])
            after.append(words if fails else packed(following, parts, batch.shape[1]))
            wrong.append(fails)
    return Moves(
        np.array(places, dtype=np.int64),
        np.array(numbers, dtype=np.int64),
        np.array(after, dtype=np.uint64).reshape(-1, batch.shape[1]),
        np.array(wrong, dtype=bool),
    )
