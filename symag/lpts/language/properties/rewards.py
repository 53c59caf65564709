"""Reward structures on the states and transitions that a model has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from symag.core.errors import InputError
from symag.core.ranges import distinct, missing
from symag.core.source import SourceText
from symag.lpts.language.prism.columns import Columns, Expressions
from symag.lpts.language.prism.exploration import ExploredModel
from symag.lpts.language.prism.flat import FlatReward, FlatRewards
from symag.lpts.language.prism.typed import EvaluationError
from symag.lpts.language.prism.values import Irrational
from symag.lpts.lpts import Numbers
from symag.lpts.quantitative import RewardStructure, Whole

#: Sums of numerators of at least this size are kept as Python's integers.
_LARGE = 1 << 52


def rewards_of(explored: ExploredModel, rewards: FlatRewards) -> RewardStructure:
    """The rewards of the states and transitions of the explored system, each deadlock having a self-loop.

    In a dtmc, a state's only transition stands for all its moves, and earns the mean of their rewards. Raises
    InputError for rewards that are negative or not fractions.
    """
    lpts, source = explored.reached.lpts, explored.model.source
    expressions = Expressions(explored.model.variables)
    on_states: list[tuple[Numbers, Sequence[Fraction], Numbers]] = []
    on_moves: list[tuple[Numbers, Sequence[Fraction], Numbers]] = []
    for item in rewards.items:
        holds = explored.satisfying(item.guard)
        if item.action is None:
            places = states = np.flatnonzero(holds)
        else:
            if item.action not in lpts.alphabet:
                raise source.error(f"there is no action {item.action}", item.position)
            number = lpts.alphabet.index(item.action)
            places = np.flatnonzero((lpts.action == number) & holds[lpts.source])
            states = lpts.source[places]
        if len(places):
            values, which = _values(item, states, explored, expressions, source)
            (on_states if item.action is None else on_moves).append((places, values, which))
    denominator = math.lcm(*(v.denominator for _, values, _ in (*on_states, *on_moves) for v in values))
    state = _summed(lpts.states, denominator, on_states)
    moves = _summed(lpts.transitions, denominator, on_moves)
    if explored.model.type == "dtmc":
        return _of_chain(rewards.name, explored, state, moves, denominator)
    # A loop stands before the transitions of all later states.
    ends = missing(lpts.source, lpts.states)
    transition = np.zeros(lpts.transitions + len(ends), dtype=moves.dtype)
    transition[np.arange(lpts.transitions) + np.searchsorted(ends, lpts.source)] = moves
    return RewardStructure(rewards.name, state, transition, denominator)


def _of_chain(name: str, explored: ExploredModel, state: Whole, moves: Whole, denominator: int) -> RewardStructure:
    lpts = explored.reached.lpts
    count = np.bincount(lpts.source, minlength=lpts.states)
    common = math.lcm(*distinct(np.maximum(count, 1)).tolist())
    transition = np.zeros(lpts.states, dtype=object)
    np.add.at(transition, lpts.source, moves.astype(object))
    shares = np.array([common // max(1, number) for number in count.tolist()], dtype=object)
    return RewardStructure(
        name, _small(state.astype(object) * common), _small(transition * shares), denominator * common
    )


def _values(
    item: FlatReward, states: Numbers, explored: ExploredModel, expressions: Expressions, source: SourceText
) -> tuple[list[Fraction], Numbers]:
    """The distinct values of an item in some states, and which of them each state has."""
    columns = _columns(explored, states)
    try:
        values, which = expressions.table(item.value).values(columns)
    except EvaluationError as error:
        raise source.error(str(error), error.position) from None
    return [_reward(value, item, source) for value in values], np.broadcast_to(which, len(states))


def _columns(explored: ExploredModel, states: Numbers) -> Columns:
    return lambda variable: explored.values(variable)[states]


def _reward(value: object, item: FlatReward, source: SourceText) -> Fraction:
    if isinstance(value, Irrational) or not isinstance(value, int | Fraction):
        raise _wrong("irrational", item, source)
    if value < 0:
        raise _wrong(str(value), item, source)
    return Fraction(value)


def _wrong(what: str, item: FlatReward, source: SourceText) -> InputError:
    return source.error(f"a reward is {what} in a reachable state, expected a fraction of at least 0", item.position)


def _summed(length: int, denominator: int, parts: Sequence[tuple[Numbers, Sequence[Fraction], Numbers]]) -> Whole:
    """The sum of all parts at each place, as numerators."""
    largest = sum(max(int(v * denominator) for v in values) for _, values, _ in parts)
    total: Whole = np.zeros(length, dtype=object if largest >= _LARGE else np.int64)
    for places, values, which in parts:
        numerators = np.array([int(value * denominator) for value in values], dtype=total.dtype)
        total[places] += numerators[which]
    return total


def _small(numbers: Whole) -> Whole:
    fits = not len(numbers) or max(numbers.tolist()) < _LARGE
    return numbers.astype(np.int64) if fits else numbers
