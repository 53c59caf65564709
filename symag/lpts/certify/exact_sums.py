"""Exact sums over the transitions of a system, in integers: of 64 bits where all results fit, else Python's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.core.errors import CertificationError
from symag.lpts.certificates.bounds import ExactVector
from symag.lpts.lpts import Lpts, Numbers

Mask = NDArray[np.bool_]
Integers = NDArray[Any]
_WORD = 2**62


def refused(why: str) -> CertificationError:
    """The error that evidence is not accepted."""
    return CertificationError(why)


def integers(numbers: tuple[int, ...], length: int, what: str) -> Integers:
    """The numbers as an array, of 64 bits if possible. Raises CertificationError unless there are ``length``."""
    if len(numbers) != length:
        raise refused(f"there is not one of {what} for each state")
    short = all(isinstance(n, int) and -_WORD < n < _WORD for n in numbers)
    return np.array(numbers, dtype=np.int64 if short else object)


def nonnegative(vector: ExactVector, length: int) -> Integers:
    """The ``length`` numerators of a vector. Raises CertificationError for another length or a negative fraction."""
    numerators = integers(vector.numerators, length, "the bounds")
    if vector.denominator < 1 or (numerators < 0).any():
        raise refused("a bound is negative")
    return numerators


def largest(numbers: Integers) -> int:
    """The largest number, at least 1."""
    return max(1, int(numbers.max())) if len(numbers) else 1


def times(numbers: Integers, factor: int) -> Integers:
    """All numbers (not negative) times a factor that is not negative."""
    fits = numbers.dtype != object and largest(numbers) * max(1, factor) < _WORD
    product: Integers = numbers * factor if fits else numbers.astype(object) * factor
    return product


def plus(one: Integers, other: Integers) -> Integers:
    """The sums of numbers that are not negative."""
    fits = one.dtype != object and other.dtype != object and largest(one) + largest(other) < _WORD
    total: Integers = one + other if fits else one.astype(object) + other.astype(object)
    return total


class Sums:
    """The expected values of transitions, as numerators: ``common`` is the denominator of all probabilities."""

    def __init__(self, system: Lpts) -> None:
        self.system = system
        self.common = math.lcm(*(probability.denominator for probability in system.probabilities))
        shares = [int(probability * self.common) for probability in system.probabilities]
        self._share = integers(tuple(shares), len(shares), "the probabilities")[system.weight]

    def expected(self, values: Integers) -> Integers:
        """``common`` times the expected value of each transition; the values are not negative."""
        at_targets = values[self.system.target]
        # The shares of a transition sum to ``common``, so no partial sum is larger than this product.
        fits = at_targets.dtype != object and self._share.dtype != object and largest(values) * self.common < _WORD
        products = self._share * at_targets if fits else self._share.astype(object) * at_targets.astype(object)
        sums: Integers = np.add.reduceat(products, self.system.begin[:-1])
        return sums

    def source_of(self, values: Integers) -> Integers:
        """The value of each transition's source."""
        at_sources: Integers = values[self.system.source]
        return at_sources

    def all_targets(self, inside: Mask) -> Mask:
        """Whether all targets of each transition are inside."""
        truths: Mask = np.minimum.reduceat(inside[self.system.target], self.system.begin[:-1])
        return truths

    def least_target(self, values: Numbers) -> Numbers:
        """The least value of a target of each transition."""
        least: Numbers = np.minimum.reduceat(values[self.system.target], self.system.begin[:-1])
        return least

    def chosen(self, choices: Integers, states: Mask) -> Numbers:
        """The transitions that a scheduler chooses in ``states``.

        Raises CertificationError if one does not exist or leaves another state.
        """
        chosen_rows: Numbers = choices[states]
        if chosen_rows.dtype == object:
            raise refused("a choice is not a transition")
        if len(chosen_rows) and (chosen_rows.min() < 0 or chosen_rows.max() >= self.system.transitions):
            raise refused("a choice is not a transition")
        if (self.system.source[chosen_rows] != np.flatnonzero(states)).any():
            raise refused("a choice is not a transition of its state")
        return chosen_rows
