"""Exact solutions of sparse linear systems of integers, from a floating-point factorisation.

Each solution for the residual, which is computed exactly, adds some bits to the solution. Its fractions are then found
by continued fractions and verified (Z. Wan: An algorithm to solve integer linear systems exactly using numerical
methods, Journal of Symbolic Computation 41, 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from msgspec import Struct

from symag.lpts.problems import Whole

#: Bits that a step adds, and those at the end that may be wrong.
_STEP = 16
_DOUBTFUL = 30
_ATTEMPTS = (6, 12, 24, 48, 96, 192, 384)
_LARGEST = float(1 << 60)


class RationalSolution(Struct, frozen=True, eq=False):
    """Every unknown is its numerator over ``denominator``."""

    numerators: Whole
    denominator: int


def rational_solution(matrix: scipy.sparse.csr_array, constants: Whole, most_bits: int) -> RationalSolution | None:
    """The solution of a system of 64-bit numbers, None if its denominator has more than ``most_bits`` bits."""
    try:
        factors = scipy.sparse.linalg.splu(matrix.astype(np.float64).tocsc())
    except RuntimeError:
        return None
    size = float(abs(matrix).sum(axis=1).max())
    residual = constants.astype(np.int64)
    digits: list[Whole] = []
    for attempt in _ATTEMPTS:
        if attempt * _STEP > 2 * most_bits + 2 * _DOUBTFUL:
            return None
        while len(digits) < attempt:
            part = np.rint(np.ldexp(factors.solve(residual.astype(np.float64)), _STEP))
            largest = float(np.abs(part).max())
            if not max(largest * size, float(np.abs(residual).max()) * 2.0**_STEP) < _LARGEST:
                return None
            numbers = part.astype(np.int64)
            residual = (residual << _STEP) - matrix @ numbers
            digits.append(numbers)
            if not residual.any():
                return _reduced(_joined(digits), 1 << (_STEP * len(digits)))
        solution = _fractions(_joined(digits), _STEP * len(digits))
        if solution is not None and _fits(matrix, constants, solution):
            return solution
    return None


def _joined(parts: Sequence[Whole]) -> Whole:
    """The solution so far, over 2 to the number of its bits."""
    total: Whole = np.zeros(len(parts[0]), dtype=object)
    for part in parts:
        total = total * (1 << _STEP) + part.astype(object)
    return total


def _fractions(numbers: Whole, bits: int) -> RationalSolution | None:
    """Fractions with a small common denominator that agree with the reliable bits of the numbers; None without such."""
    right = bits - _DOUBTFUL
    denominator = 1
    one = 1 << bits
    for number in numbers.tolist():
        scaled = number * denominator
        rest = scaled % one
        if min(rest, one - rest) <= denominator << _DOUBTFUL:
            continue
        room = right // 2 - denominator.bit_length()
        if room < 2:
            return None
        denominator *= Fraction(scaled, one).limit_denominator(1 << room).denominator
    if denominator.bit_length() > right // 2:
        return None
    return RationalSolution((2 * numbers * denominator + one) // (2 * one), denominator)


def _fits(matrix: scipy.sparse.csr_array, constants: Whole, solution: RationalSolution) -> bool:
    products = matrix.data.astype(object) * solution.numerators[matrix.indices]
    sums = np.add.reduceat(products, matrix.indptr[:-1])
    return bool((sums == constants.astype(object) * solution.denominator).all())


def _reduced(numbers: Whole, denominator: int) -> RationalSolution:
    """Without powers of two that all numbers share."""
    bits = denominator.bit_length() - 1
    for number in numbers.tolist():
        if number:
            bits = min(bits, (number & -number).bit_length() - 1)
    return RationalSolution(numbers >> bits, denominator >> bits)
