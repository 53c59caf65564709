"""Candidates for facts: all relations and clauses of given forms that every known state satisfies.

A pool is the strongest element of its forms above the known states: an affine space and a set of clauses. A known
state is reachable, or a step leads to it from a state that an earlier, stronger pool admits. So when no step leaves
the pool any more, it is the strongest inductive one (T. Reps, M. Sagiv, G. Yorsh, VMCAI 2004; A. Thakur, T. Reps, CAV
2012; for clauses: C. Flanagan, R. Leino, FME 2001).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from symag.smv.facts.atoms import StateAtom
from symag.smv.facts.candidates import Clause, ClauseCandidates, LinearRelation, StateBatch, Truths
from symag.smv.facts.conditionals import ConditionalCandidates, ConditionalEquality
from symag.smv.facts.linear import Rows, null_space, weakened
from symag.smv.facts.simulation import unpacked

#: The largest number of atoms of a group that clauses of three are made of.
LARGEST_GROUP = 12

_SIGNS = (True, False)
Literals = tuple[NDArray[np.int64], Truths]
#: For the values of two atoms the pairs of atoms that never have them.
Never = dict[tuple[bool, bool], Truths]


def clauses(
    atoms: Sequence[StateAtom], groups: Sequence[Sequence[int]], samples: Truths, first: int | None = None
) -> ClauseCandidates:
    """Clauses of one and two atoms, and of three of one group, that hold in all samples; the local ones first.

    The atom ``first``, if given, comes before them. Costs time and memory quadratic in the number of atoms.
    """
    count, width = samples.shape
    true = samples.astype(np.float32)
    both = true.T @ true
    ones = np.diag(both)
    constant = np.nonzero((ones == 0) | (ones == count))[0]
    varying = np.ones(width, dtype=np.bool_)
    varying[constant] = False
    # An atom that is constant in the samples may vary later: then clauses with the atoms of its group are needed.
    allowed = np.outer(varying, varying)
    for group in groups:
        allowed[np.ix_(group, group)] = True
    allowed = np.triu(allowed, k=1)
    never = {
        (True, True): allowed & (both == 0),
        (True, False): allowed & (ones[:, None] == both),
        (False, True): allowed & (ones[None, :] == both),
        (False, False): allowed & (count - ones[:, None] - ones[None, :] + both == 0),
    }
    units = _padded(constant[:, None], ones[constant, None] > 0)
    parts = [units, _padded(*_pairs(never, atoms)), *_triples(groups, samples, varying, never)]
    if first is not None:
        parts.insert(0, _padded(np.array([[first]], dtype=np.int64), np.array([[True]])))
    numbers = np.concatenate([numbers for numbers, _ in parts])
    return ClauseCandidates(numbers, np.concatenate([signs for _, signs in parts]))


def _padded(numbers: NDArray[np.int64], signs: Truths) -> Literals:
    """Rows of three literals."""
    missing = ((0, 0), (0, 3 - numbers.shape[1]))
    return np.pad(numbers, missing, constant_values=-1), np.pad(signs, missing, constant_values=True)


def _pairs(never: Never, atoms: Sequence[StateAtom]) -> Literals:
    """The clauses of two atoms, the nearest first."""
    numbers = [np.argwhere(absent) for absent in never.values()]
    signs = [np.full(rows.shape, [not one, not other]) for rows, (one, other) in zip(numbers, never, strict=True)]
    pairs, values = np.concatenate(numbers), np.concatenate(signs)
    distance = _distances(atoms)[pairs[:, 0], pairs[:, 1]]
    order = np.lexsort((values[:, 1], pairs[:, 1], values[:, 0], pairs[:, 0], distance))
    return pairs[order], values[order]


def _distances(atoms: Sequence[StateAtom]) -> NDArray[np.int64]:
    """The distance of every two atoms: how loosely they are connected, then how many latches they read together.

    Nearest are atoms whose next values read each other, then those where one reads the other, then those whose next
    values read the same, then the rest.
    """
    width = max(((atom.steps | atom.latches).bit_length() for atom in atoms), default=0) + 1
    reads, own = (_bits([atom.steps for atom in atoms], width), _bits([atom.latches for atom in atoms], width))
    onto = reads @ own.T > 0
    near = onto.astype(np.int64) + onto.T + (reads @ reads.T > 0)
    sizes = own.sum(axis=1).astype(np.int64)
    together = sizes[:, None] + sizes[None, :] - (own @ own.T).astype(np.int64)
    distances: NDArray[np.int64] = (3 - near) * (width + 1) + together
    return distances


def _bits(numbers: Sequence[int], width: int) -> NDArray[np.float32]:
    return unpacked(numbers, width).T.astype(np.float32)


def _triples(groups: Sequence[Sequence[int]], samples: Truths, varying: Truths, never: Never) -> Iterator[Literals]:
    """Clauses of three atoms of one group, without those that a clause of two varying atoms implies."""
    rows = [np.packbits(samples, axis=0), np.packbits(~samples, axis=0)]
    value = {sign: np.ascontiguousarray(row.T) for sign, row in zip(_SIGNS, rows, strict=True)}
    known: set[tuple[int, ...]] = set()
    for group in groups:
        own = sorted(group, key=lambda number: (not varying[number], number))[:LARGEST_GROUP]
        new = [triple for triple in combinations(own, 3) if triple not in known]
        known.update(new)
        if not new:
            continue
        triples = np.array(new, dtype=np.int64)
        places = triples.T
        absent = np.zeros((len(triples), 8), dtype=np.bool_)
        codes = list(product((False, True), repeat=3))
        for code, signs in enumerate(codes):
            together = value[signs[0]][places[0]]
            for sign, place in zip(signs[1:], places[1:], strict=True):
                together = together & value[sign][place]
            absent[:, code] = ~together.any(axis=1)
            for one, other in combinations(range(3), 2):
                both = varying[places[one]] & varying[places[other]]
                absent[:, code] &= ~(both & never[signs[one], signs[other]][places[one], places[other]])
        places_of, code_of = np.nonzero(absent)
        yield triples[places_of], ~np.array(codes, dtype=np.bool_)[code_of]


Candidate = Clause | LinearRelation | ConditionalEquality

#: The largest number of clauses that one state brings into use.
AT_ONCE = 2


class CandidatePool:
    """The candidates over some atoms."""

    def __init__(
        self,
        atoms: Sequence[StateAtom],
        groups: Sequence[Sequence[int]],
        relations: Rows,
        samples: Truths,
    ) -> None:
        """``samples`` has a row for each known state, a column for each atom.

        The last atom may be a goal: true in all samples, and in no candidate but its own clause. Clauses of three
        atoms are over one of the ``groups``, which are numbers of atoms; ``relations`` are the ``linear_relations`` of
        the first atoms. Clauses are over atoms that are not products.
        """
        self.atoms = tuple(atoms)
        self._groups = groups
        self._states = [samples]
        self._all_clauses: ClauseCandidates | None = None
        self._latches = [atom.latches for atom in atoms]
        self._rows = relations
        self._width = relations.shape[1] - 1
        self._conditionals = ConditionalCandidates((), len(atoms))

    @property
    def _clauses(self) -> ClauseCandidates:
        """The clauses; they are made when they are first needed, because many proofs need relations only."""
        if self._all_clauses is None:
            atoms, samples = self.atoms, np.concatenate(self._states)
            single = [number for number, atom in enumerate(atoms) if not atom.is_product]
            is_goal = bool(atoms) and atoms[-1].is_product and bool(samples[:, -1].all())
            first = len(atoms) - 1 if is_goal else None
            self._all_clauses = clauses(atoms[: len(single)], self._groups, samples[:, : len(single)], first)
            self._states.clear()
        return self._all_clauses

    def relations(self) -> list[LinearRelation]:
        """The linear relations that are left."""
        return [self._relation(number) for number in range(len(self._rows)) if self._rows[number].any()]

    def add(self, conditionals: Sequence[ConditionalEquality], samples: Truths) -> None:
        """Add conditional candidates, without those that a sample violates."""
        self._conditionals = ConditionalCandidates(conditionals, len(self.atoms))
        self._conditionals.weaken(samples)

    def violated(self, state: Truths, near: int) -> list[Candidate]:
        """Candidates that a state violates: the nearest relation if there is one, else the nearest of the others.

        ``near`` is a bit set of the circuit's inputs. Nearest are candidates that read at least one of them and the
        fewest others.
        """
        beside = np.array([bool(latches & ~near) for latches in self._latches], dtype=np.int64)
        failing = np.nonzero(self._rows @ self._extended(state))[0]
        if len(failing):
            terms = self._rows[failing, :-1] != 0
            sizes, outside = terms.sum(axis=1), terms @ beside[: self._width]
            return [self._relation(int(failing[np.lexsort((sizes, outside, outside == sizes))[0]]))]
        return [
            *self._conditionals.violated(state, AT_ONCE),
            *self._clauses.violated(state, beside, AT_ONCE),
        ]

    def weaken(self, batch: StateBatch) -> None:
        """Admit some states: give up or weaken the candidates that they violate."""
        if self._all_clauses is None:
            self._states.append(batch.truths)
        else:
            self._all_clauses.weaken(batch)
        self._conditionals.weaken(batch.truths)
        states = np.hstack([batch.truths[:, : self._width], np.ones((len(batch.truths), 1), dtype=np.bool_)])
        # Floats represent these sums exactly, and multiply faster.
        while len(failing := np.nonzero((states.astype(np.float64) @ self._rows.T).any(axis=1))[0]):
            state, states = states[failing[0]], states[failing[0] + 1 :]
            self._rows = weakened(self._rows, state.astype(np.int64))

    def left(self) -> Iterator[Candidate]:
        """All candidates that are left: relations, conditionals, clauses."""
        yield from self.relations()
        yield from self._conditionals.left()
        yield from self._clauses.left()

    def _relation(self, number: int) -> LinearRelation:
        row = self._rows[number]
        terms = tuple((int(column), int(row[column])) for column in np.nonzero(row[:-1])[0])
        return LinearRelation(terms, int(row[-1]))

    def _extended(self, state: Truths) -> Rows:
        return np.append(state[: self._width], True).astype(np.int64)


def linear_relations(samples: Truths, seed: int) -> Rows:
    """The relations between the columns of the samples and the constant 1, a row each."""
    matrix = np.hstack([samples, np.ones((len(samples), 1), dtype=np.bool_)]).astype(np.float64)
    rows = null_space(matrix, seed)
    wrong = (matrix @ rows.T.astype(np.float64)).any(axis=1)
    for number in np.nonzero(wrong)[0]:
        rows = weakened(rows, matrix[number].astype(np.int64))
    return rows
