"""Candidates for facts: everything of a given form that all known states satisfy.

The pool is the strongest element of its form above the known states: an affine space and a set of clauses. A known
state is reached, or follows by a step from a state of an earlier, larger pool; so what is left of the pool when no
step leaves it is the strongest inductive one (T. Reps, S. Sagiv, G. Yorsh, VMCAI 2004; A. Thakur, T. Reps, CAV 2012;
of clauses: C. Flanagan, R. Leino, FME 2001).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from symag.smv.facts.atoms import Atom, members
from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.linear import Rows, null_space, weakened

Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Clause:
    """A disjunction of atoms by number, negated where the sign is False."""

    literals: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """``sum of coefficient * atom + constant = 0``; ``terms`` are (atom number, coefficient)."""

    terms: tuple[tuple[int, int], ...]
    constant: int


Candidate = Clause | Relation


class Pool:
    """The candidates over some atoms. A state is the truth values of the atoms."""

    def __init__(self, circuit: StepCircuit, atoms: Sequence[Atom], plain: int, samples: Truths, seed: int) -> None:
        """``samples`` has a row for each known state; clauses are over the first ``plain`` atoms."""
        self.atoms = list(atoms)
        self._clauses = _clauses(circuit, self.atoms[:plain], samples[:, :plain])
        self._alive = np.ones(len(self._clauses), dtype=np.bool_)
        self._columns, self._rows = _relations(samples, plain, seed)
        self._arrays = _arrays(self._clauses)

    def violated(self, state: Truths) -> list[Candidate]:
        """The candidates that a state violates: the cheapest relation, the cheapest clauses."""
        found: list[Candidate] = []
        extended = self._extended(state)
        failing = np.nonzero(self._rows @ extended)[0]
        if len(failing):
            lengths = np.count_nonzero(self._rows[failing], axis=1)
            found.append(self.relation(int(failing[int(np.argmin(lengths))])))
        false = self._false(state) & self._alive
        chosen = np.nonzero(false)[0]
        found.extend(self._clauses[int(number)] for number in chosen[:2])
        return found

    def weaken(self, state: Truths) -> None:
        """Give up what a state violates."""
        self._alive &= ~self._false(state)
        self._rows, _ = weakened(self._rows, self._extended(state))

    def holds(self, candidate: Candidate, state: Truths) -> bool:
        """Whether a state satisfies a candidate."""
        if isinstance(candidate, Clause):
            return any(bool(state[atom]) == sign for atom, sign in candidate.literals)
        return sum(weight for atom, weight in candidate.terms if state[atom]) + candidate.constant == 0

    def relation(self, number: int) -> Relation:
        """The relation in a row."""
        row = self._rows[number]
        terms = tuple((int(self._columns[place]), int(row[place])) for place in np.nonzero(row[:-1])[0])
        return Relation(terms, int(row[-1]))

    def everything(self) -> Iterator[Candidate]:
        """All candidates that are left: relations, then clauses."""
        for number in range(len(self._rows)):
            if self._rows[number].any():
                yield self.relation(number)
        for clause, alive in zip(self._clauses, self._alive, strict=True):
            if alive:
                yield clause

    def _extended(self, state: Truths) -> Rows:
        return np.append(state[self._columns], True).astype(np.int64)

    def _false(self, state: Truths) -> NDArray[np.bool_]:
        result = np.ones(len(self._clauses), dtype=np.bool_)
        for atoms, signs in self._arrays:
            result &= (atoms < 0) | (state[atoms] != signs)
        return result


def _relations(samples: Truths, plain: int, seed: int) -> tuple[NDArray[np.int64], Rows]:
    """The columns, and the relations between them. Of products those that look alike are one column."""
    seen: set[bytes] = set()
    columns = []
    for number in range(samples.shape[1]):
        key = np.packbits(samples[:, number]).tobytes()
        if number < plain or key not in seen:
            seen.add(key)
            columns.append(number)
    chosen = np.array(columns, dtype=np.int64)
    matrix = np.hstack([samples[:, chosen], np.ones((len(samples), 1), dtype=np.bool_)])
    rows = null_space(matrix.astype(np.float64), seed)
    wrong = matrix.astype(np.float64) @ rows.T.astype(np.float64)
    for number in np.nonzero(wrong.any(axis=1))[0]:
        rows, _ = weakened(rows, matrix[number].astype(np.int64))
    return chosen, rows


def _clauses(circuit: StepCircuit, atoms: Sequence[Atom], samples: Truths) -> list[Clause]:
    """Clauses of one and two atoms, and of three of one instance, that hold in all samples; the local ones first."""
    width = len(atoms)
    true = samples.astype(np.float32)
    both = true.T @ true
    ones = np.diag(both)
    counts = {
        (True, True): both,
        (True, False): ones[:, None] - both,
        (False, True): ones[None, :] - both,
        (False, False): len(samples) - ones[:, None] - ones[None, :] + both,
    }
    constant = {number for number in range(width) if counts[True, True][number, number] in (0, len(samples))}
    found = [Clause(((number, bool(counts[True, True][number, number])),)) for number in sorted(constant)]
    pairs: list[tuple[int, Clause]] = []
    for (first_sign, second_sign), matrix in counts.items():
        for one, other in zip(*np.nonzero(matrix == 0), strict=True):
            if one < other and one not in constant and other not in constant:
                cost = len(atoms[one].latches | atoms[other].latches)
                clause = Clause(((int(one), not first_sign), (int(other), not second_sign)))
                pairs.append((cost, clause))
    pairs.sort(key=lambda pair: (pair[0], pair[1].literals))
    found.extend(clause for _, clause in pairs)
    known = {clause.literals for clause in found}
    return found + _triples(circuit, atoms, samples, constant, known)


def _triples(
    circuit: StepCircuit,
    atoms: Sequence[Atom],
    samples: Truths,
    constant: set[int],
    known: set[tuple[tuple[int, bool], ...]],
) -> list[Clause]:
    numbers = {id(atom): number for number, atom in enumerate(atoms)}
    found: dict[Clause, None] = {}
    for _, group in sorted(members(circuit, atoms).items()):
        own = sorted({numbers[id(atom)] for atom in group} - constant)[:12]
        for chosen in combinations(own, 3):
            code = samples[:, chosen[0]] * 4 + samples[:, chosen[1]] * 2 + samples[:, chosen[2]] * 1
            seen = np.bincount(code, minlength=8)
            for value in np.nonzero(seen == 0)[0]:
                literals = tuple((atom, not (int(value) >> (2 - place) & 1)) for place, atom in enumerate(chosen))
                if not any(pair in known for pair in combinations(literals, 2)):
                    found[Clause(literals)] = None
    return list(found)


def _arrays(clauses: Sequence[Clause]) -> list[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
    """The clauses by place: the atoms, -1 for none, and their signs."""
    longest = max((len(clause.literals) for clause in clauses), default=0)
    found = []
    for place in range(longest):
        atoms = np.array(
            [clause.literals[place][0] if place < len(clause.literals) else -1 for clause in clauses], dtype=np.int64
        )
        signs = np.array(
            [clause.literals[place][1] if place < len(clause.literals) else False for clause in clauses], dtype=np.bool_
        )
        found.append((atoms, signs))
    return found
