"""A part of a system with a partition of its states: possible moves between classes, and which of them are certain.

The words are those of ``symag.lts.certify.liveness.modal_abstraction``, which has the rule and its proof.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from symag.core.ranges import distinct
from symag.core.values import replace
from symag.lts.components import carried_back
from symag.lts.composition import composed
from symag.lts.lts import ERROR, Lts, Numbers

Truths = NDArray[np.bool_]
#: A letter of the part's alphabet and the state or class that it leads to (ERROR among them).
Move = tuple[int, int]


class ModalPart:
    """Letter 0 of ``letters`` is for the moves that only this part takes and nobody sees; it has a name of its own.

    ``block[s]`` is the class of state s, ``count`` the number of classes; at first there is one. With ``leaves_out``
    moves by letter 0 inside a class are silent. Raises MemoryError.
    """

    def __init__(
        self, number: int, components: Sequence[Lts], members: Sequence[int], seen: Collection[str], leaves_out: bool
    ) -> None:
        self.number, self.members = number, tuple(members)
        chosen = [replace(components[k], end=None) for k in members]
        self.origin = composed(chosen, " || ".join(lts.name for lts in chosen))
        self.lts = self.origin.lts
        names = {f"tau\n{number}": 0}
        image = [0]
        for label in self.lts.alphabet[1:]:
            image.append(names.setdefault(label, len(names)) if label in seen else 0)
        self.letters = tuple(names)
        self._leaves_out = leaves_out
        self.letter: Numbers = np.array(image, dtype=np.int64)[self.lts.action]
        self.block = np.zeros(self.lts.states, dtype=np.int64)
        self.count = 1
        self._tables: _Tables | None = None

    @property
    def tables(self) -> _Tables:
        """What the classes can do; made again after a split."""
        if self._tables is None:
            self._tables = _Tables(self.lts, self.letter, self.block, self.count, len(self.letters), self._leaves_out)
        return self._tables

    def classes_lts(self) -> Lts:
        """The possible moves, with the name of letter k as action k + 1."""
        source, letter, target = self.tables.possible()
        return Lts.of_arrays(f"classes {self.number}", ("tau", *self.letters), self.count, source, letter + 1, target)

    def split(self, chosen: Truths, block: int) -> bool:
        """Give the chosen states of a class a class of their own; whether that changes anything."""
        moved = chosen & (self.block == block)
        if not moved.any() or moved.sum() == (self.block == block).sum():
            return False
        # The first state keeps class 0.
        if moved[0]:
            moved = ~chosen & (self.block == block)
        self.block = np.where(moved, self.count, self.block)
        self.count += 1
        self._tables = None
        return True

    def split_by_offers(self) -> None:
        """Split every class by the sets of letters that its states have after silent moves."""
        for letter in range(len(self.letters)):
            having = self.tables.having(letter, None)
            number = self.block * 2 + having
            _, first, self.block = np.unique(number, return_index=True, return_inverse=True)
            count = len(first)
        fresh = self.block[0]
        self.block = np.where(self.block == fresh, 0, np.where(self.block == 0, fresh, self.block))
        self.count = count
        self._tables = None

    def separate(self) -> None:
        """Give each state a class of its own, so that all that is possible is certain."""
        self.block = np.arange(self.lts.states)
        self.count = self.lts.states
        self._tables = None

    @cached_property
    def moves(self) -> list[list[tuple[int, int, int]]]:
        """The letter, action and target of each move of each state."""
        result: list[list[tuple[int, int, int]]] = [[] for _ in range(self.lts.states)]
        columns = (array.tolist() for array in (self.lts.source, self.letter, self.lts.action, self.lts.target))
        for source, letter, action, target in zip(*columns, strict=True):
            result[source].append((letter, action, target))
        return result

    def class_of(self, state: int) -> int:
        """The class of a state; ERROR is one of its own."""
        return ERROR if state == ERROR else int(self.block[state])

    def is_silent(self, state: int, letter: int, target: int) -> bool:
        """Whether a move is left out."""
        return self._leaves_out and letter == 0 and target != ERROR and bool(self.block[state] == self.block[target])

    def rows(self) -> Numbers:
        """The states of the components and the class, for each state."""
        return np.concatenate([self.origin.local_states.astype(np.int64), self.block[:, None]], axis=1)


class _Tables:
    """A move of a state after silent moves is coded as state * width + letter * (classes + 1) + class after it;
    the class after it is ``classes`` for ERROR.
    """

    def __init__(self, lts: Lts, letter: Numbers, block: Numbers, count: int, letters: int, leaves_out: bool) -> None:
        self._block, self._count, self._letters = block, count, letters
        self._width = letters * (count + 1)
        source, target = lts.source, lts.target
        after = np.append(block, count)[target]  # ERROR is the last entry
        before = block[source]
        silent = (letter == 0) & (before == after) & leaves_out
        move = letter * (count + 1) + after
        self._possible = distinct(before[~silent] * self._width + move[~silent])
        codes = distinct(source[~silent] * self._width + move[~silent])
        self._codes = carried_back(codes, self._width, lts.states, source[silent], target[silent])
        state, coded = np.divmod(self._codes, self._width)
        self._offers = distinct(state * letters + coded // (count + 1))
        sizes = np.bincount(block, minlength=count)
        self.certain = _of_all(self._codes, self._width, block, sizes)
        self.able = _of_all(self._offers, letters, block, sizes)
        self.turning = np.zeros(lts.states, dtype=bool)
        self.turning[source[silent]] = True
        self.has_silent = np.zeros(count, dtype=bool)
        self.has_silent[block[self.turning]] = True

    def possible(self) -> tuple[Numbers, Numbers, Numbers]:
        """Class, letter, and class or ERROR after it."""
        source, move = np.divmod(self._possible, self._width)
        letter, after = np.divmod(move, self._count + 1)
        return source, letter, np.where(after == self._count, ERROR, after)

    def are_certain(self, before: Numbers, letter: Numbers, after: Numbers) -> Truths:
        """For each possible move whether it is certain."""
        after = np.where(after == ERROR, self._count, after)
        return np.isin(before * self._width + letter * (self._count + 1) + after, self.certain)

    def are_able(self, before: Numbers, letter: Numbers) -> Truths:
        """For each class and letter whether the letter is certain."""
        return np.isin(before * self._letters + letter, self.able)

    def having(self, letter: int, after: int | None) -> Truths:
        """The states that have a move, after silent moves; ``after`` None: to any class."""
        result = np.zeros(len(self._block), dtype=bool)
        if after is None:
            result[self._offers[self._offers % self._letters == letter] // self._letters] = True
            return result
        move = letter * (self._count + 1) + (self._count if after == ERROR else after)
        result[self._codes[self._codes % self._width == move] // self._width] = True
        return result


def _of_all(codes: Numbers, width: int, block: Numbers, sizes: Numbers) -> Numbers:
    state, what = np.divmod(codes, width)
    shared, times = np.unique(block[state] * width + what, return_counts=True)
    result: Numbers = shared[times == sizes[shared // width]]
    return result
