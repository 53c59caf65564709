"""Strong probabilistic bisimilarity of states, by refining partitions on arrays.

Two states are bisimilar if for each transition of one the other has one with the same action that gives the same
probability to every class (K. G. Larsen and A. Skou, "Bisimulation through probabilistic testing", 1991; with
nondeterminism: R. Segala and N. Lynch, 1995). Refinement is by signatures (S. Blom and S. Orzan, 2005): the set of
pairs (action, probability of each class). Signatures are compared by hashes: sums over the probabilities, as integers
over a common denominator. When a round splits no class, the partition is checked exactly; if two hashes were equal by
chance, refinement goes on with other hashes.
"""

from __future__ import annotations

import numpy as np

from symag.core.limits import Progress, no_progress
from symag.core.ranges import distinct
from symag.core.state_table import Words
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.quotient import quotient_with_image

_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def bisimulation_classes(
    system: Lpts, progress: Progress = no_progress, seed: int = 0, apart: Numbers | None = None
) -> Numbers:
    """The class of each state in the coarsest bisimulation; classes are numbered by their first states.

    States with different numbers in ``apart`` get different classes. The result is exact for every ``seed`` of the
    hashes. A round costs O(m log m) for m branches, with arrays of 8 bytes a branch; there are at most as many rounds
    as states, mostly a few dozen.
    """
    hashes = Hashes(system, seed)
    classes: Numbers = np.zeros(system.states, dtype=np.int64) if apart is None else by_first_states(apart)
    count = int(classes.max()) + 1
    while True:
        classes, refined_count = hashes.refined(classes)
        progress(f"{refined_count:,} classes of {system.states:,} states")
        if refined_count == count and is_stable(system, classes):
            return by_first_states(classes)
        count = refined_count


def is_stable(system: Lpts, classes: Numbers) -> bool:
    """Whether a partition is a bisimulation, exactly. O(m log m) for m branches."""
    quotient, image = quotient_with_image(system, classes)
    if not system.transitions:
        return True
    answers = len(distinct(system.source * quotient.transitions + image))
    return answers == int(np.diff(quotient.offsets())[classes].sum())


def by_first_states(classes: Numbers) -> Numbers:
    """The same classes, numbered in the order of their first members: that of state 0 is 0."""
    _, first, inverse = np.unique(classes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    numbers: Numbers = rank[inverse.reshape(-1)]
    return numbers


def mixed(words: Words) -> Words:
    """A bijection of 64 bits that spreads small differences (the last step of splitmix64)."""
    words = words ^ (words >> _SHIFTS[0])
    words *= _FACTORS[0]
    words ^= words >> _SHIFTS[1]
    words *= _FACTORS[1]
    words ^= words >> _SHIFTS[2]
    return words


def masses(system: Lpts, total: int) -> Words:
    """For every branch its probability times ``total``, a multiple of all denominators, modulo 2**64."""
    scaled = [int(probability * total) & 0xFFFFFFFFFFFFFFFF for probability in system.probabilities]
    weights: Words = np.array(scaled, dtype=np.uint64)[system.weight]
    return weights


class Hashes:
    """Random hashes of classes, actions and transitions; two different ones are equal with probability 2**-64."""

    def __init__(self, system: Lpts, seed: int) -> None:
        self._system = system
        self._random = np.random.default_rng(seed)
        self._mass = masses(system, system.denominator())
        self._action = self.words(len(system.alphabet))[system.action]
        offsets = system.offsets()
        self._leaving = np.flatnonzero(np.diff(offsets))
        self._first = offsets[self._leaving]
        self._reactive = system.is_reactive()

    def words(self, count: int) -> Words:
        """``count`` random words of 64 bits."""
        return self._random.integers(0, 2**64, size=count, dtype=np.uint64)

    def refined(self, classes: Numbers) -> tuple[Numbers, int]:
        """The classes split by the signatures of their states, and the number of classes."""
        system = self._system
        signature = mixed(classes.astype(np.uint64) + self.words(1))
        if system.transitions:
            word = self.words(int(classes.max()) + 1)
            words = np.add.reduceat(self._mass * word[classes[system.target]], system.begin[:-1])
            words = mixed(words ^ self._action)
            if not self._reactive:
                words = self._once(words)
            signature[self._leaving] ^= mixed(np.add.reduceat(mixed(words), self._first))
        values, numbers = np.unique(signature, return_inverse=True)
        return numbers.reshape(-1).astype(np.int64), len(values)

    def _once(self, words: Words) -> Words:
        """The hashes in the order of the sources; a hash that its state has already had becomes 0."""
        order = np.lexsort((words, self._system.source))
        words, source = words[order], self._system.source[order]
        again = np.zeros(len(words), dtype=bool)
        again[1:] = (words[1:] == words[:-1]) & (source[1:] == source[:-1])
        return np.where(again, np.uint64(0), words)
