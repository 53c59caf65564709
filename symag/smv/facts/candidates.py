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

#: Of an instance with more atoms than this only this many take part in clauses of three.
LARGEST_GROUP = 12


@dataclass(frozen=True, slots=True)
class Clause:
    """A disjunction of atoms, negated where the sign is False."""

    literals: tuple[tuple[int, bool], ...]

    def holds(self, state: Truths) -> bool:
        """Whether it is true in a state."""
        return any(bool(state[atom]) == sign for atom, sign in self.literals)


@dataclass(frozen=True, slots=True)
class LinearRelation:
    """``sum of coefficient * atom + constant = 0``; ``terms`` are (atom, coefficient)."""

    terms: tuple[tuple[int, int], ...]
    constant: int

    def holds(self, state: Truths) -> bool:
        """Whether it is true in a state."""
        return sum(weight for atom, weight in self.terms if state[atom]) + self.constant == 0


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
    pairs: list[tuple[int, Clause]] = []
    for (first, second), matrix in never.items():
        absent = np.triu((matrix == 0) & allowed, k=1)
        for one, other in zip(*np.nonzero(absent), strict=True):
            cost = len(atoms[one].latches | atoms[other].latches)
            pairs.append((cost, Clause(((int(one), not first), (int(other), not second)))))
    pairs.sort(key=lambda pair: (pair[0], pair[1].literals))
    result.extend(clause for _, clause in pairs)
    return result + _triples(groups, samples, constant, {clause.literals for clause in result})


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
        longest = max((len(clause.literals) for clause in clauses), default=0)
        self._places = [_place(self._clauses, index) for index in range(longest)]

    def violated(self, state: Truths, most: int) -> list[Clause]:
        """The first clauses, ``most`` at most, that a state violates."""
        return [self._clauses[int(number)] for number in np.nonzero(self._false(state))[0][:most]]

    def weaken(self, state: Truths) -> None:
        """Give up what a state violates."""
        self._alive &= ~self._false(state)

    def left(self) -> list[Clause]:
        """The candidates that are not given up."""
        return [clause for clause, alive in zip(self._clauses, self._alive, strict=True) if alive]

    def _false(self, state: Truths) -> NDArray[np.bool_]:
        result = self._alive.copy()
        for atoms, signs in self._places:
            result &= (atoms < 0) | (state[atoms] != signs)
        return result


def _place(clauses: Sequence[Clause], column: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The literals in one place of all clauses: atoms, -1 for none, and signs."""
    chosen = [clause.literals[column] if column < len(clause.literals) else (-1, False) for clause in clauses]
    atoms = np.array([atom for atom, _ in chosen], dtype=np.int64)
    return atoms, np.array([sign for _, sign in chosen], dtype=np.bool_)
