"""Re-check of bounds of unbounded probabilities and expected rewards, by substitution in integers.

Probabilities of reaching the goal through states of ``through``:

- An upper bound of a maximum is at least 1 in the goal, and at least the expected bound after every transition (Park
  induction: the maximal probabilities are the least such values). For a minimum, after one scheduler's transitions.
- A lower bound is at most 1 in the goal, 0 in other states outside ``through``, and at most the expected bound after
  one scheduler's transitions (for a minimum: after every transition). And no run stays for ever where it is positive:
  each of these states has a rank, and these transitions have a target outside or of smaller rank. So a run leaves
  within as many steps as the rank with positive probability.

Rewards until the goal: the same with the rewards earned on the way, in the states from which every run surely ends. A
maximum is infinite where some scheduler avoids the goal with positive probability, a minimum where every one does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from symag.core.limits import Deadline
from symag.lpts.certificates.bounds import MeasureBounds
from symag.lpts.certify.exact_sums import Integers, Mask, Sums, integers, nonnegative, plus, refused, times
from symag.lpts.problems import Measure, RewardStructure

#: The bits after the point to which numbers may be rounded.
_FINEST_GRID = 4096


def check_probability(sums: Sums, through: Mask, goal: Mask, maximum: bool, bounds: MeasureBounds) -> None:
    """Accept bounds of the maximal or minimal probabilities. Raises CertificationError."""
    length = len(goal)
    lower, upper = nonnegative(bounds.lower, length), nonnegative(bounds.upper, length)
    one = bounds.lower.denominator
    if (lower[goal] > one).any() or (lower[~goal & ~through] > 0).any():
        raise refused("a lower bound is too large where play has ended")
    if (upper[goal] < bounds.upper.denominator).any():
        raise refused("an upper bound is too small in the goal")
    choices = integers(bounds.choices, length, "the choices")
    ranks = integers(bounds.ranks, length, "the ranks")
    positive = through & (lower > 0)
    of_through = np.flatnonzero(through[sums.system.source])
    of_positive = np.flatnonzero(positive[sums.system.source])
    above = of_through if maximum else sums.chosen(choices, through)
    below = sums.chosen(choices, positive) if maximum else of_positive
    if (sums.expected(upper)[above] > times(sums.source_of(upper)[above], sums.common)).any():
        raise refused("an upper bound is smaller than what a transition makes of it")
    if (sums.expected(lower)[below] < times(sums.source_of(lower)[below], sums.common)).any():
        raise refused("a lower bound is larger than what a transition makes of it")
    _check_ranks(sums, np.where(positive, ranks, -1), positive, below)


def _check_ranks(sums: Sums, ranks: Integers, states: Mask, transitions: Integers) -> None:
    """Accept that each transition has a target of smaller rank than its source; outside ``states`` ranks are -1."""
    if ranks.dtype == object or (ranks[states] < 0).any():
        raise refused("a state has no rank")
    if (sums.least_target(ranks)[transitions] >= sums.source_of(ranks)[transitions]).any():
        raise refused("a transition leads to no state of smaller rank")


def check_reward(sums: Sums, goal: Mask, rewards: RewardStructure, maximum: bool, bounds: MeasureBounds) -> Mask:
    """Accept bounds of the maximal or minimal expected rewards until the goal. Raises CertificationError.

    Returns the states where the rewards are infinite.
    """
    levels = integers(bounds.levels, len(goal), "the levels")
    choices = integers(bounds.choices, len(goal), "the choices")
    ranks = integers(bounds.ranks, len(goal), "the ranks")
    if levels.dtype == object or ranks.dtype == object:
        raise refused("a level or rank is too large")
    infinite = levels >= 0 if maximum else levels > 0
    if (infinite & goal).any():
        raise refused("a reward is infinite in the goal")
    finite, playing = ~infinite, ~infinite & ~goal
    chosen = sums.chosen(choices, playing)
    inside = sums.all_targets(finite)
    of_playing = np.flatnonzero(playing[sums.system.source])
    if maximum:
        _check_escape(
            sums, np.where(infinite, levels, np.iinfo(np.int64).max), infinite, sums.chosen(choices, infinite)
        )
        ending = above = of_playing
        below = chosen
    else:
        _check_hopeless(sums, levels, infinite)
        ending = above = chosen
        below = of_playing[inside[of_playing]]
    if not inside[ending].all():
        raise refused("a transition leads from a finite to an infinite reward")
    _check_ranks(sums, np.where(playing, ranks, -1), playing, ending)
    _check_sums(sums, goal, finite, rewards, bounds, above, below)
    return infinite


def _check_escape(sums: Sums, levels: Integers, infinite: Mask, chosen: Integers) -> None:
    """Accept that the scheduler stays in infinite states of level 0, and may reach a smaller level from the others."""
    source_level = sums.source_of(levels)[chosen]
    staying = sums.all_targets(infinite & (levels == 0))[chosen]
    nearer = sums.least_target(levels)[chosen] < source_level
    if not np.where(source_level == 0, staying, nearer).all():
        raise refused("a scheduler does not escape from the goal")


def _check_hopeless(sums: Sums, levels: Integers, infinite: Mask) -> None:
    """Accept that each transition from level k > 0 has a target of a smaller level above 0, or only ones of level k."""
    of_infinite = np.flatnonzero(infinite[sums.system.source])
    source_level = sums.source_of(levels)[of_infinite]
    least = sums.least_target(np.where(infinite, levels, np.iinfo(np.int64).max))[of_infinite]
    most = -sums.least_target(-levels)[of_infinite]
    positive = sums.least_target(levels)[of_infinite] > 0
    if not ((least < source_level) | (positive & (least == source_level) & (most == source_level))).all():
        raise refused("a scheduler may reach the goal surely")


def _check_sums(
    sums: Sums,
    goal: Mask,
    finite: Mask,
    rewards: RewardStructure,
    bounds: MeasureBounds,
    above: Integers,
    below: Integers,
) -> None:
    length = len(goal)
    lower, upper = nonnegative(bounds.lower, length), nonnegative(bounds.upper, length)
    if (lower[goal] > 0).any():
        raise refused("a lower bound is too large in the goal")
    earned = plus(rewards.state[sums.system.source], rewards.transition)
    for values, denominator, transitions, is_upper in (
        (upper, bounds.upper.denominator, above, True),
        (lower, bounds.lower.denominator, below, False),
    ):
        known = np.where(finite, values, 0)
        # Over common * denominator * the rewards' own denominator.
        after = times(sums.expected(known)[transitions], rewards.denominator)
        total = plus(after, times(earned[transitions], sums.common * denominator))
        here = times(times(sums.source_of(known)[transitions], sums.common), rewards.denominator)
        if (total > here).any() if is_upper else (total < here).any():
            which = "an upper" if is_upper else "a lower"
            raise refused(f"{which} bound does not fit what a transition makes of it")


class RecomputedBounds(Struct, frozen=True, eq=False):
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
) -> RecomputedBounds:
    """The bounds, in every state, of a measure other than ``reach`` and an ``until`` without a bound.

    They are rounded to multiples of 2 ** -``grid``, or exact if ``grid`` is 0. Raises CertificationError for a ``grid``
    that is negative or without measure, and OutOfTimeError.
    """
    if not 0 <= grid <= _FINEST_GRID:
        raise refused("numbers are rounded to a grid with a negative number of bits, or too many")
    unit = (1 if rewards is None else rewards.denominator) * 2**grid
    lower, denominator = _backwards(sums, measure, operands, rewards, unit, grid and -1, deadline)
    if not grid:
        return RecomputedBounds(lower, lower, denominator)
    upper, _ = _backwards(sums, measure, operands, rewards, unit, 1, deadline)
    return RecomputedBounds(lower, upper, denominator)


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
            best = plus(times(goal.astype(np.int64), denominator), np.where(before & ~goal, best, 0))
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
