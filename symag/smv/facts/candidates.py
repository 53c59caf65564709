"""The forms of facts, over atoms by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

#: Truth values: a row for each state, a column for each atom.
Truths = NDArray[np.bool_]

#: The largest number of states of a batch: each is a bit of a machine word.
BATCH = 64


class StateBatch(Struct, frozen=True, eq=False):
    """Up to 64 states: their atoms' values, and for each atom a word with a bit for each state."""

    truths: Truths
    words: NDArray[np.uint64]
    columns: Sequence[int]
    every: int

    @classmethod
    def of(cls, truths: Truths) -> StateBatch:
        """The batch of at most 64 states, a row each; equal ones count once."""
        _, first = np.unique(np.packbits(truths, axis=1), axis=0, return_index=True)
        truths = truths[np.sort(first)]
        padded = np.zeros((BATCH, truths.shape[1]), dtype=np.bool_)
        padded[: len(truths)] = truths
        rows = np.ascontiguousarray(np.packbits(padded.T, axis=1, bitorder="little"))
        words: NDArray[np.uint64] = rows.view("<u8")[:, 0]
        return cls(truths, words, words.tolist(), (1 << len(truths)) - 1)


class Clause(Struct, frozen=True):
    """A disjunction of atoms, negated where the sign is False."""

    literals: tuple[tuple[int, bool], ...]

    def holds(self, batch: StateBatch) -> bool:
        """Whether it is true in all states of a batch."""
        true = 0
        for atom, sign in self.literals:
            true |= batch.columns[atom] if sign else ~batch.columns[atom]
        return true & batch.every == batch.every


class LinearRelation(Struct, frozen=True):
    """``sum of coefficient * atom + constant = 0``; ``terms`` are (atom, coefficient)."""

    terms: tuple[tuple[int, int], ...]
    constant: int

    def holds(self, batch: StateBatch) -> bool:
        """Whether it is true in all states of a batch."""
        return bool((self.errors(batch) == 0).all())

    def errors(self, batch: StateBatch) -> NDArray[np.int64]:
        """The value of the sum in every state of a batch; 0 where the relation holds."""
        total = np.full(len(batch.truths), self.constant, dtype=np.int64)
        for atom, weight in self.terms:
            total += weight * batch.truths[:, atom]
        return total


class ClauseCandidates:
    """Clauses that are tested together, and given up when a state violates them.

    They are rows of literals: the numbers of atoms, -1 where a clause is shorter than the longest, and signs.
    """

    def __init__(self, atoms: NDArray[np.int64], signs: Truths) -> None:
        self._atoms = atoms
        self._signs = signs
        self._alive = np.ones(len(atoms), dtype=np.bool_)
        self._sizes: NDArray[np.int64] = (atoms >= 0).sum(axis=1)
        self._places = [
            (np.ascontiguousarray(atoms[:, place]), np.ascontiguousarray(signs[:, place]))
            for place in range(atoms.shape[1])
        ]

    def violated(self, state: Truths, beside: NDArray[np.int64], most: int) -> list[Clause]:
        """Clauses that a state violates, ``most`` at most: those with the fewest atoms for which ``beside`` is 1.

        ``beside`` is 0 or 1 for each atom. Clauses whose atoms all have 1 come last.
        """
        padded, costs = np.append(state, False), np.append(beside, 0)
        false = self._alive.copy()
        for atoms, signs in self._places:
            false &= padded[atoms] != signs
        numbers = np.nonzero(false)[0]
        cost = sum((costs[atoms[numbers]] for atoms, _ in self._places), np.zeros(len(numbers), dtype=np.int64))
        best = np.lexsort((cost, cost == self._sizes[numbers]))
        return [self._clause(int(number)) for number in numbers[best[:most]]]

    def weaken(self, batch: StateBatch) -> None:
        """Give up the clauses that some state of a batch violates."""
        padded = np.append(batch.words, np.uint64(0))
        flipped = ~padded
        false = np.full(len(self._atoms), batch.every, dtype=np.uint64)
        for atoms, signs in self._places:
            false &= np.where(signs, flipped[atoms], padded[atoms])
        self._alive &= false == 0

    def left(self) -> list[Clause]:
        """The candidates that are not given up."""
        return [self._clause(int(number)) for number in np.nonzero(self._alive)[0]]

    def _clause(self, number: int) -> Clause:
        literals = zip(self._atoms[number].tolist(), self._signs[number].tolist(), strict=True)
        return Clause(tuple((atom, sign) for atom, sign in literals if atom >= 0))
