"""From bounds of a measure to its exact values in the states that matter for the initial ones.

These are the states that are reached by the scheduler of the bounds, or by choices that are as good in floating-point
numbers. There the scheduler's equations are solved exactly; elsewhere the bounds stay. The values are checked here, and
again by separate code: if another choice is better after all, the bounds are not changed.

Sparse systems of integers are solved exactly from a floating-point factorisation: each solution for the residual, which
is computed exactly, adds some bits to the solution. Its fractions are then found by continued fractions and verified
(Z. Wan: An algorithm to solve integer linear systems exactly using numerical methods, Journal of Symbolic Computation
41, 2006).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from msgspec import Struct

from symag.core.ranges import distinct, ranges
from symag.lpts.certificates.bounds import ExactVector, MeasureBounds
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.methods.quantitative.graphs import Mask, Mdp
from symag.lpts.methods.quantitative.horizon import ExpectedValues
from symag.lpts.problems import RewardStructure, Whole

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


_MOST_STATES = 20_000
_MOST_BITS = 4_000
#: Bits of all numbers of a vector together.
_MOST_SPACE = 1 << 27
_AS_GOOD = 1e-7


def exact_bounds(
    lpts: Lpts, mdp: Mdp, bounds: MeasureBounds, maximum: bool, initial: int, rewards: RewardStructure | None
) -> MeasureBounds | None:
    """The bounds with equal values in the first ``initial`` states; None where no exact values are found."""
    low, high = _integers(bounds.lower), _integers(bounds.upper)
    common = math.lcm(bounds.lower.denominator, bounds.upper.denominator)
    low, high = low * (common // bounds.lower.denominator), high * (common // bounds.upper.denominator)
    if bounds.levels and (np.array(bounds.levels[:initial]) > (-1 if maximum else 0)).any():
        return None
    known = low == high
    choices = np.array(bounds.choices)
    usable = _usable(mdp, bounds, maximum)
    earned = _earned(lpts, rewards)
    states = _needed(mdp, low, common, known, choices, usable, earned, initial, rewards)
    if states is None:
        return None
    solution = _solved(lpts, states, choices, known & (low > 0), earned)
    if solution is None:
        return None
    scale = 1 if rewards is None else rewards.denominator
    denominator = math.lcm(common, solution.denominator * scale)
    if denominator.bit_length() * lpts.states > _MOST_SPACE:
        return None
    values = solution.numerators * (denominator // (solution.denominator * scale))
    lower, upper = (bound.astype(object) * (denominator // common) for bound in (low, high))
    lower[states], upper[states] = values, values
    if not _is_best(lpts, (lower, upper), denominator, states, usable, earned, scale, maximum):
        return None
    if maximum and not rewards and (np.array(bounds.ranks)[states[values > 0]] < 1).any():
        return None
    low_vector, high_vector = (ExactVector(denominator, tuple(bound.tolist())) for bound in (lower, upper))
    return MeasureBounds(low_vector, high_vector, bounds.choices, bounds.ranks, bounds.levels)


def _integers(vector: ExactVector) -> Whole:
    return np.array(vector.numerators, dtype=object)


def _usable(mdp: Mdp, bounds: MeasureBounds, maximum: bool) -> Mask:
    """For a least reward, the transitions of schedulers that surely reach the goal; else all."""
    if maximum or not bounds.levels:
        return np.ones(len(mdp.source), dtype=bool)
    return mdp.all_targets(np.array(bounds.levels) == 0)


def _earned(lpts: Lpts, rewards: RewardStructure | None) -> Whole:
    if rewards is None:
        return np.zeros(lpts.transitions, dtype=np.int64)
    earned: Whole = rewards.state[lpts.source] + rewards.transition
    return earned


def _needed(
    mdp: Mdp,
    low: Whole,
    common: int,
    known: Mask,
    choices: Numbers,
    usable: Mask,
    earned: Whole,
    initial: int,
    rewards: RewardStructure | None,
) -> Numbers | None:
    """The states whose exact values are needed; None if there are too many, or one has no choice."""
    values = np.array([float(n) for n in (low / common).tolist()])
    scale = 1 if rewards is None else rewards.denominator
    sums = np.add.reduceat(mdp.chance * values[mdp.target], mdp.begin[:-1]) + earned.astype(np.float64) / scale
    here = values[mdp.source]
    good = usable & (np.abs(sums - here) <= _AS_GOOD * np.maximum(here, 1e-3))
    good[choices[choices >= 0]] = True
    needed = np.zeros(mdp.states, dtype=bool)
    needed[:initial] = ~known[:initial]
    frontier = np.flatnonzero(needed)
    while len(frontier):
        moves = ranges(mdp.first[frontier], mdp.first[frontier + 1])
        moves = moves[good[moves]]
        entries, _ = entries_of(mdp.begin, moves)
        targets = distinct(mdp.target[entries])
        frontier = targets[~known[targets] & ~needed[targets]]
        needed[frontier] = True
        if int(needed.sum()) > _MOST_STATES:
            return None
    states = np.flatnonzero(needed)
    return None if not len(states) or (choices[states] < 0).any() else states


def _solved(lpts: Lpts, states: Numbers, choices: Numbers, ones: Mask, earned: Whole) -> RationalSolution | None:
    """The scheduler's values of these states, times the rewards' denominator; the value of ``ones`` is 1."""
    common = lpts.denominator()
    if common >= 1 << 40 or earned.dtype == object:
        return None
    weights = np.array([int(p * common) for p in lpts.probabilities], dtype=np.int64)[lpts.weight]
    place = np.full(lpts.states, -1)
    place[states] = np.arange(len(states))
    moves = choices[states]
    entries, begin = entries_of(lpts.begin, moves)
    rows = np.repeat(np.arange(len(states)), np.diff(begin))
    targets, weight = lpts.target[entries], weights[entries]
    inner = place[targets] >= 0
    shape = (len(states), len(states))
    matrix = scipy.sparse.coo_array((-weight[inner], (rows[inner], place[targets[inner]])), shape=shape).tocsr()
    matrix = scipy.sparse.csr_array(matrix + common * scipy.sparse.eye_array(len(states), format="csr", dtype=np.int64))
    fixed = np.zeros(len(states), dtype=np.int64)
    outer = ones[targets]
    np.add.at(fixed, rows[outer], weight[outer])
    if int(earned.max(initial=0)) * common >= 1 << 44:
        return None
    return rational_solution(matrix, fixed + earned[moves] * common, _MOST_BITS)


def _is_best(
    lpts: Lpts,
    vectors: tuple[Whole, Whole],
    denominator: int,
    states: Numbers,
    usable: Mask,
    earned: Whole,
    scale: int,
    maximum: bool,
) -> bool:
    """Whether no choice in these states is better than their values, with the bounds of the others."""
    lower, upper = vectors
    values = upper if maximum else lower
    moves = ExpectedValues(lpts)
    after = moves.expected(values).astype(object) + earned.astype(object) * (denominator // scale * moves.common)
    here = values[lpts.source] * moves.common
    inside = np.zeros(lpts.states, dtype=bool)
    inside[states] = True
    compared = inside[lpts.source] & usable
    return not ((after > here) if maximum else (after < here))[compared].any()
