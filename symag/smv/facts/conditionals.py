"""Relations between data under a condition on counters: where some linear relations hold, two bits are equal.

For example: two queues with equally many items after a slot have equal data in it. Pairs of runs show which slots come
later, and when two bits hold the same datum (``symag.smv.facts.twins``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct

from symag.core.ranges import distinct
from symag.smv.facts.candidates import LinearRelation, StateBatch, Truths
from symag.smv.facts.linear import null_space


class ConditionalEquality(Struct, frozen=True):
    """Where all relations of the premise hold, two atoms are equal (or, if not ``is_equal``, different)."""

    premise: tuple[LinearRelation, ...]
    one: int
    other: int
    is_equal: bool

    def holds(self, batch: StateBatch) -> bool:
        """Whether it is true in all states of a batch."""
        wrong = (batch.truths[:, self.one] == batch.truths[:, self.other]) != self.is_equal
        for relation in self.premise:
            wrong &= relation.errors(batch) == 0
        return not wrong.any()


#: The relation that always holds.
_ALWAYS = LinearRelation((), 0)

#: The number of states that are tested together.
_AT_ONCE = 512


class ConditionalCandidates:
    """Candidates of this form, tested together."""

    def __init__(self, candidates: Sequence[ConditionalEquality], columns: int) -> None:
        self._candidates = list(candidates)
        self._alive = np.ones(len(candidates), dtype=np.bool_)
        relations = {_ALWAYS: 0}
        for candidate in candidates:
            for relation in candidate.premise:
                relations.setdefault(relation, len(relations))
        # Floats represent these sums exactly, and multiply faster.
        self._relations = np.zeros((columns + 1, len(relations)))
        for relation, number in relations.items():
            for atom, weight in (*relation.terms, (columns, relation.constant)):
                self._relations[atom, number] = weight
        longest = max((len(candidate.premise) for candidate in candidates), default=0)
        #: The numbers of the first relations of all premises, of the second ones, and so on.
        self._premises = np.zeros((longest, len(candidates)), dtype=np.int64)
        for number, candidate in enumerate(candidates):
            self._premises[: len(candidate.premise), number] = [relations[relation] for relation in candidate.premise]
        self._one = np.array([candidate.one for candidate in candidates], dtype=np.int64)
        self._other = np.array([candidate.other for candidate in candidates], dtype=np.int64)
        self._equal = np.array([candidate.is_equal for candidate in candidates], dtype=np.bool_)

    def violated(self, state: Truths, most: int) -> list[ConditionalEquality]:
        """The first candidates, ``most`` at most, that a state violates."""
        false = self._alive & self._false(state[None, :])[0]
        return [self._candidates[int(number)] for number in np.nonzero(false)[0][:most]]

    def weaken(self, states: Truths) -> None:
        """Give up the candidates that some of the states (rows) violate."""
        for start in range(0, len(states), _AT_ONCE):
            self._alive &= ~self._false(states[start : start + _AT_ONCE]).any(axis=0)

    def left(self) -> list[ConditionalEquality]:
        """The candidates that are not given up."""
        return [candidate for candidate, alive in zip(self._candidates, self._alive, strict=True) if alive]

    def _false(self, states: Truths) -> Truths:
        """Which states (rows) violate which candidates, also those that are given up."""
        ones = np.ones((len(states), 1), dtype=np.bool_)
        errors: Truths = np.hstack([states, ones]).astype(np.float64) @ self._relations != 0
        false: Truths = (states[:, self._one] == states[:, self._other]) != self._equal
        for numbers in self._premises:
            false &= ~errors[:, numbers]
        return false


class GuardedTwins(Struct, frozen=True, eq=False):
    """States (columns are atoms) in which two atoms hold the same datum, each guarded by an atom with its value.

    ``later`` are the guards of the latches to which a datum comes after the first atom, and after the other. There are
    no states if no pair of runs shows that the two hold the same datum.
    """

    one: int
    other: int
    is_equal: bool
    guards: tuple[tuple[int, bool], ...]
    later: tuple[frozenset[int], frozenset[int]]
    states: Truths


def conditionals(
    held: Iterable[GuardedTwins], rows: Sequence[LinearRelation], samples: Truths, seed: int
) -> list[ConditionalEquality]:
    """Candidates for each pair: the two are equal where both guards hold and a part of a linear relation holds.

    ``rows`` are relations that hold in all states. Those and their ``sums`` count whose two sides contain one guard
    each: a queue may be in one relation, and a loop behind it in another. The part has the terms for latches to which a
    datum comes after one of the two, and further terms that make the part constant where both hold the same datum.
    """
    candidates: dict[ConditionalEquality, None] = {}
    relations = [*rows, *sums(rows)]
    for pair in held:
        guards = tuple(LinearRelation(((atom, 1),), -1 if value else 0) for atom, value in pair.guards)
        for relation in relations:
            part = _part(pair, relation, seed)
            if part is not None:
                premise = guards if not part.terms else (*guards, part)
                candidates[ConditionalEquality(premise, pair.one, pair.other, pair.is_equal)] = None
    for candidate in list(candidates):
        candidates[_shorter(candidate, samples)] = None
    return list(candidates)


def sums(rows: Sequence[LinearRelation]) -> list[LinearRelation]:
    """Combinations of two relations in which an atom that both contain cancels out: they hold where both hold.

    Quadratic; a cone of influence has few relations (miter_d_8, 115 bits: two).
    """
    combined: dict[LinearRelation, None] = {}
    for one, other in combinations(rows, 2):
        first, second = dict(one.terms), dict(other.terms)
        for atom in sorted(first.keys() & second.keys()):
            factors = second[atom], -first[atom]
            terms = {a: factors[0] * first.get(a, 0) + factors[1] * second.get(a, 0) for a in {**first, **second}}
            constant = factors[0] * one.constant + factors[1] * other.constant
            divisor = math.gcd(constant, *terms.values()) or 1
            kept = tuple(sorted((a, weight // divisor) for a, weight in terms.items() if weight))
            combined[LinearRelation(kept, constant // divisor)] = None
    return list(combined)


def _part(held: GuardedTwins, row: LinearRelation, seed: int) -> LinearRelation | None:
    """The part of a relation that is constant where both atoms hold the same datum; None if there is none."""
    weights = dict(row.terms)
    sides = [weights.get(atom, 0) for atom, _ in held.guards]
    if len(sides) != 2 or sides[0] * sides[1] >= 0:
        return None
    below = [
        (atom, weight)
        for atom, weight in row.terms
        if (atom in held.later[0] and weight * sides[0] > 0) or (atom in held.later[1] and weight * sides[1] > 0)
    ]
    in_premise = {atom for atom, _ in below} | {atom for atom, _ in held.guards}
    if not len(held.states):
        return LinearRelation(tuple(below), 0)
    total = sum((weight * held.states[:, atom].astype(np.int64) for atom, weight in below), np.zeros(len(held.states)))
    if len(distinct(total)) == 1:
        return LinearRelation(tuple(below), -int(total[0]))
    others = [atom for atom, _ in row.terms if atom not in in_premise]
    matrix = np.column_stack([total, held.states[:, others], np.ones(len(total))]).astype(np.float64)
    fitting = [vector for vector in null_space(matrix, seed) if vector[0]]
    if not fitting:
        return None
    best = min(fitting, key=lambda vector: int(np.count_nonzero(vector)))
    terms = {atom: int(best[0]) * weight for atom, weight in below}
    terms.update((atom, int(best[index])) for index, atom in enumerate(others, start=1) if best[index])
    return LinearRelation(tuple(sorted(terms.items())), int(best[-1]))


def _shorter(candidate: ConditionalEquality, samples: Truths) -> ConditionalEquality:
    """The candidate without relations of its premise that no sample needs; shorter relations are dropped first."""
    wrong = samples[(samples[:, candidate.one] == samples[:, candidate.other]) != candidate.is_equal]
    relations = sorted(candidate.premise, key=lambda relation: len(relation.terms))
    errors = np.zeros((len(wrong), len(relations)), dtype=np.bool_)
    for number, relation in enumerate(relations):
        total = np.full(len(wrong), relation.constant, dtype=np.int64)
        for atom, weight in relation.terms:
            total += weight * wrong[:, atom]
        errors[:, number] = total != 0
    numbers = list(range(len(relations)))
    for number in range(len(relations)):
        rest = [other for other in numbers if other != number]
        if errors[:, rest].any(axis=1).all():
            numbers = rest
    needed = {relations[number] for number in numbers}
    premise = tuple(relation for relation in candidate.premise if relation in needed)
    return ConditionalEquality(premise, candidate.one, candidate.other, candidate.is_equal)
