"""Computes values of formulas with a bounded number of steps again, backwards from the last step, by separate code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from symag.core.deadlines import Deadline
from symag.lpts.certify.exact_sums import Integers, Mask, Sums, plus, refused, times
from symag.lpts.quantitative import Measure, RewardStructure


class Recomputed(Struct, frozen=True, eq=False):
    """Numerators for every state; ``lower`` and ``upper`` are the same if they are exact."""

    lower: Integers
    upper: Integers
    denominator: int


def bounds_of_steps(
    sums: Sums,
    measure: Measure,
    operands: Sequence[Mask],
    rewards: RewardStructure | None,
    grid: int,
    deadline: Deadline,
) -> Recomputed:
    """The bounds, in every state, of a measure other than ``reach`` and an ``until`` without a bound.

    They are rounded to multiples of 2 ** -``grid``, or exact if ``grid`` is 0. Raises CertificationError for a negative
    ``grid``, and OutOfTimeError.
    """
    if grid < 0:
        raise refused("the grid that numbers are rounded to is negative")
    unit = (1 if rewards is None else rewards.denominator) * 2**grid
    lower, denominator = _backwards(sums, measure, operands, rewards, unit, grid and -1, deadline)
    if not grid:
        return Recomputed(lower, lower, denominator)
    upper, _ = _backwards(sums, measure, operands, rewards, unit, 1, deadline)
    return Recomputed(lower, upper, denominator)


def _backwards(
    sums: Sums,
    measure: Measure,
    operands: Sequence[Mask],
    rewards: RewardStructure | None,
    unit: int,
    rounding: int,
    deadline: Deadline,
) -> tuple[Integers, int]:
    """The values and their denominator, rounded down (-1), up (1) or not at all (0)."""
    system = sums.system
    first = np.searchsorted(system.source, np.arange(system.states))
    earned = None if rewards is None else plus(rewards.state[system.source], rewards.transition)
    denominator = unit
    values = _at_the_end(system.states, measure, operands, rewards, unit)
    for _ in range(measure.steps if measure.steps is not None else 1):
        deadline.check()
        after = sums.expected(values)
        if measure.kind == "cumulative":
            assert rewards is not None
            assert earned is not None
            after = plus(after, times(earned, denominator // rewards.denominator * sums.common))
        best = (np.maximum if measure.optimum == "max" else np.minimum).reduceat(after, first)
        if rounding < 0:
            best = best // sums.common
        elif rounding > 0:
            best = (best + (sums.common - 1)) // sums.common
        else:
            denominator *= sums.common
        if measure.kind == "until":
            before, goal = operands
            best = np.where(before, best, 0)
            best = np.where(goal, denominator, best)
        if rounding and (best == values).all():
            break  # all further steps give the same values
        values = best
    return values, denominator


def _at_the_end(
    states: int, measure: Measure, operands: Sequence[Mask], rewards: RewardStructure | None, unit: int
) -> Integers:
    if measure.kind == "cumulative":
        return np.zeros(states, dtype=np.int64)
    if measure.kind == "instantaneous":
        assert rewards is not None
        return times(rewards.state, unit // rewards.denominator)
    return times(operands[-1].astype(np.int64), unit)
