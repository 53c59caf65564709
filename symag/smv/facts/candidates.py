"""The forms of facts, over atoms by number, and the clauses that sampled states satisfy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from symag.smv.facts.atoms import StateAtom

#: Truth values: a row for each state, a column for each atom.
Truths = NDArray[np.bool_]

#: States of one batch: a bit each in a word of the machine.
BATCH = 64

#: Of an instance with more atoms than this only this many take part in clauses of three.
LARGEST_GROUP = 12


@dataclass(frozen=True, slots=True, eq=False)
class StateBatch:
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


@dataclass(frozen=True, slots=True)
class Clause:
    """A disjunction of atoms, negated where the sign is False."""

    literals: tuple[tuple[int, bool], ...]

    def holds(self, batch: StateBatch) -> bool:
        """Whether it is true in all states of a batch."""
        true = 0
        for atom, sign in self.literals:
            true |= batch.columns[atom] if sign else ~batch.columns[atom]
        return true & batch.every == batch.every


@dataclass(frozen=True, slots=True)
class LinearRelation:
    """``sum of coefficient * atom + constant = 0``; ``terms`` are (atom, coefficient)."""

    terms: tuple[tuple[int, int], ...]
    constant: int

    def holds(self, batch: StateBatch) -> bool:
        """Whether it is true in all states of a batch."""
        return bool((self.errors(batch) == 0).all())

    def errors(self, batch: StateBatch) -> NDArray[np.int64]:
        """By how much the sum differs from 0, in every state of a batch."""
        total = np.full(len(batch.truths), self.constant, dtype=np.int64)
        for atom, weight in self.terms:
            total += weight * batch.truths[:, atom]
        return total


def clauses(atoms: Sequence[StateAtom], groups: Sequence[Sequence[int]], samples: Truths) -> list[Clause]:
    """Clauses of one and two atoms, and of three of one group, that hold in all samples; the local ones first."""
    count, width = samples.shape
    true = samples.astype(np.float32)
    both = true.T @ true
    ones = np.diag(both)
    constant = np.nonzero((ones == 0) | (ones == count))[0]
    result = [Clause(((int(number), bool(ones[number])),)) for number in constant]
    varying = np.ones(width, dtype=np.bool_)
    varying[constant] = False
    # What is constant so far may turn out not to be: then what its neighbours say of it is needed.
    allowed = np.outer(varying, varying)
    for group in groups:
        allowed[np.ix_(group, group)] = True
    never = {
        (True, True): both,
        (True, False): ones[:, None] - both,
        (False, True): ones[None, :] - both,
        (False, False): count - ones[:, None] - ones[None, :] + both,
    }
    distance = _distances(atoms)
    pairs: list[tuple[int, tuple[tuple[int, bool], tuple[int, bool]]]] = []
    for (first, second), matrix in never.items():
        absent = np.triu((matrix == 0) & allowed, k=1)
        for one, other in np.argwhere(absent).tolist():
            pairs.append((distance[one][other], ((one, not first), (other, not second))))
    pairs.sort()
    result.extend(Clause(literals) for _, literals in pairs)
    return result + _triples(groups, samples, constant, {clause.literals for clause in result})


def _distances(atoms: Sequence[StateAtom]) -> list[list[int]]:
    """For two atoms how little they have to do with each other, then how many latches they read.

    Nearest are atoms whose next values read each other, then those of which one reads the other, those whose next
    values read the same, and the rest.
    """
    width = max(((atom.steps | atom.latches).bit_length() for atom in atoms), default=0) + 1
    reads, own = (_bits([atom.steps for atom in atoms], width), _bits([atom.latches for atom in atoms], width))
    onto = reads @ own.T > 0
    near = onto.astype(np.int64) + onto.T + (reads @ reads.T > 0)
    sizes = own.sum(axis=1).astype(np.int64)
    together = sizes[:, None] + sizes[None, :] - (own @ own.T).astype(np.int64)
    distances: list[list[int]] = ((3 - near) * (width + 1) + together).tolist()
    return distances


def _bits(numbers: Sequence[int], width: int) -> NDArray[np.float32]:
    size = (width + 7) // 8
    rows = np.frombuffer(b"".join(number.to_bytes(size, "little") for number in numbers), dtype=np.uint8)
    return np.unpackbits(rows.reshape(len(numbers), size), axis=1, bitorder="little").astype(np.float32)


def _triples(
    groups: Sequence[Sequence[int]],
    samples: Truths,
    constant: NDArray[np.int64],
    pairs: set[tuple[tuple[int, bool], ...]],
) -> list[Clause]:
    """Clauses of three atoms of one group that no clause of two implies, unless by a constant."""
    triples: dict[Clause, None] = {}
    fixed = set(constant.tolist())
    for group in groups:
        own = sorted(group, key=lambda number: (number in fixed, number))[:LARGEST_GROUP]
        for chosen in combinations(own, 3):
            code = samples[:, chosen[0]] * 4 + samples[:, chosen[1]] * 2 + samples[:, chosen[2]] * 1
            seen = np.bincount(code, minlength=8)
            for value in np.nonzero(seen == 0)[0]:
                literals = tuple((atom, not (int(value) >> (2 - index) & 1)) for index, atom in enumerate(chosen))
                if not any(pair in pairs for pair in combinations(literals, 2) if fixed.isdisjoint(a for a, _ in pair)):
                    triples[Clause(literals)] = None
    return list(triples)


class ClauseCandidates:
    """Clauses that can be tested all at once, and given up."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._clauses = list(clauses)
        self._alive = np.ones(len(self._clauses), dtype=np.bool_)
        self._sizes = np.array([len(clause.literals) for clause in clauses], dtype=np.int64)
        longest = max((len(clause.literals) for clause in clauses), default=0)
        self._places = [_place(self._clauses, index) for index in range(longest)]

    def violated(self, state: Truths, beside: NDArray[np.int64], most: int) -> list[Clause]:
        """The first clauses, ``most`` at most, of those that a state violates and that have fewest atoms ``beside``.

        ``beside`` is 1 for such an atom, else 0; clauses of no other atoms come last.
        """
        padded, costs = np.append(state, False), np.append(beside, 0)
        false = self._alive.copy()
        for atoms, signs in self._places:
            false &= padded[atoms] != signs
        numbers = np.nonzero(false)[0]
        cost = sum((costs[atoms[numbers]] for atoms, _ in self._places), np.zeros(len(numbers), dtype=np.int64))
        best = np.lexsort((cost, cost == self._sizes[numbers]))
        return [self._clauses[int(number)] for number in numbers[best[:most]]]

    def weaken(self, batch: StateBatch) -> None:
        """Give up what a state of a batch violates."""
        padded = np.append(batch.words, np.uint64(0))
        flipped = ~padded
        false = np.full(len(self._clauses), batch.every, dtype=np.uint64)
        for atoms, signs in self._places:
            false &= np.where(signs, flipped[atoms], padded[atoms])
        self._alive &= false == 0

    def left(self) -> list[Clause]:
        """The candidates that are not given up."""
        return [clause for clause, alive in zip(self._clauses, self._alive, strict=True) if alive]


def _place(clauses: Sequence[Clause], column: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The literals in one place of all clauses, atoms and signs; where there is none, one after the last atom."""
    chosen = [clause.literals[column] if column < len(clause.literals) else (-1, True) for clause in clauses]
    atoms = np.array([atom for atom, _ in chosen], dtype=np.int64)
    return atoms, np.array([sign for _, sign in chosen], dtype=np.bool_)
