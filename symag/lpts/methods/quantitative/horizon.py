"""Probabilities and rewards of a bounded number of steps, in integers: exact, or rounded after every step.

Exact numbers grow by the common denominator of the probabilities in every step. Where they become too long, values are
rounded to multiples of 2 ** -grid, down for a lower and up for an upper bound: a step loses at most that much.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from symag.core.limits import Progress
from symag.lpts.lpts import Lpts
from symag.lpts.methods.quantitative.graphs import Mask
from symag.lpts.problems import Measure, RewardStructure, Whole

#: How many words of 64 bits may be multiplied for exact numbers.
_MOST_WORDS = 100_000_000
_WORD = 60


class StepBounds(Struct, frozen=True, eq=False):
    """Bounds of all states, as numerators over ``denominator``."""

    lower: Whole
    upper: Whole
    denominator: int


def grid_of(lpts: Lpts, bounded: Sequence[Measure], rewards: Sequence[RewardStructure]) -> int:
    """The number of bits after the point to which values are rounded; 0 if exact numbers are short enough."""
    bits = lpts.denominator().bit_length()
    steps = max((1 if formula.steps is None else formula.steps for formula in bounded), default=0)
    if steps * lpts.entries * (1 + steps * bits // _WORD) <= _MOST_WORDS:
        return 0
    largest = max((int(max(reward.state.max(), reward.transition.max())) * 2 for reward in rewards), default=1)
    return max(40, _WORD - bits - (largest * max(1, steps)).bit_length())


def stepwise(
    lpts: Lpts,
    measure: Measure,
    operands: Sequence[Mask],
    rewards: Sequence[RewardStructure],
    grid: int,
    progress: Progress,
) -> StepBounds:
    """The bounds of a measure of kind ``next``, ``until`` (bounded), ``cumulative`` or ``instantaneous``."""
    best = np.maximum if measure.optimum == "max" else np.minimum
    moves = ExpectedValues(lpts)
    steps = 1 if measure.steps is None else measure.steps
    structure = None if measure.rewards is None else rewards[measure.rewards]
    unit = (1 if structure is None else structure.denominator) << grid
    levels = []
    for upwards in (False, True):
        values, denominator = _first_values(lpts, measure, operands, structure, grid), unit
        for step in range(steps):
            sums = moves.expected(values)
            if measure.kind == "cumulative":
                assert structure is not None
                earned = structure.state[lpts.source] + structure.transition
                sums = _added(sums, earned, denominator // structure.denominator * moves.common)
            new = best.reduceat(sums, moves.first)
            if grid:
                new = -(-new // moves.common) if upwards else new // moves.common
            else:
                denominator *= moves.common
            if measure.kind == "until":
                before, goal = operands
                new = _added(np.where(before & ~goal, new, 0), goal.astype(np.int64), denominator)
            settled = grid and (new == values).all()
            values = new
            progress(f"{step + 1} of {steps} steps computed")
            if settled:
                break
        levels.append(values)
        if not grid:
            levels.append(values)
            break
    return StepBounds(levels[0], levels[1], denominator)


def _first_values(
    lpts: Lpts, measure: Measure, operands: Sequence[Mask], rewards: RewardStructure | None, grid: int
) -> Whole:
    """The values before any step."""
    if measure.kind == "cumulative":
        return np.zeros(lpts.states, dtype=np.int64)
    if measure.kind == "instantaneous":
        assert rewards is not None
        return _added(np.zeros(lpts.states, dtype=np.int64), rewards.state, 1 << grid)
    return np.where(operands[-1], 1 << grid, 0)


def _added(numbers: Whole, others: Whole, factor: int) -> Whole:
    """The numbers and the others times the factor."""
    largest = int(numbers.max(initial=0)) + int(others.max(initial=1)) * factor
    if largest < 1 << 62 and numbers.dtype != object and others.dtype != object:
        short: Whole = numbers + others * factor
        return short
    total: Whole = numbers.astype(object) + others.astype(object) * factor
    return total


class ExpectedValues:
    """The expected values of all transitions of a system."""

    def __init__(self, lpts: Lpts) -> None:
        self.common = lpts.denominator()
        self.first = lpts.offsets()[:-1]
        self._begin, self._target = lpts.begin, lpts.target
        weights = np.array([int(p * self.common) for p in lpts.probabilities], dtype=object)
        self._exact = weights[lpts.weight]
        self._short = self._exact.astype(np.int64) if self.common < 1 << 31 else None

    def expected(self, values: Whole) -> Whole:
        """``common`` times the expected value of each transition."""
        short = values.dtype != object and int(values.max(initial=0)) < (1 << 62) // self.common
        if short and self._short is not None:
            expectations: Whole = np.add.reduceat(self._short * values[self._target], self._begin[:-1])
            return expectations
        sums: Whole = np.add.reduceat(self._exact * values.astype(object)[self._target], self._begin[:-1])
        return sums
