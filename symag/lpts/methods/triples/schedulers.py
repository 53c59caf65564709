"""The exact expected costs of deterministic schedulers that may stop, and the best of them for a weighted cost.

A scheduler is an array with the transition of each state, -1 where it stops. It is *proper* if it stops, or leaves
the states that count, from everywhere with positive probability: then it stops surely, and its costs solve linear
equations (M. L. Puterman: Markov Decision Processes, 1994, Section 7.2; stopping makes every value at least 0).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg
from msgspec import Struct

from symag.core.limits import Progress
from symag.core.ranges import distinct
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Numbers
from symag.lpts.methods.quantitative.exact import RationalSolution, rational_solution
from symag.lpts.methods.triples.fairness import Mask
from symag.lpts.methods.triples.product import Floats, TripleProduct
from symag.lpts.problems import Whole

_MOST_BITS = 6_000
_SWEEPS = 3_000
_ROUNDS = 60


class NumbersTooLongError(Exception):
    """The exact solution of a scheduler's equations has too many digits."""


class SchedulerFlow(Struct, frozen=True, eq=False):
    """How often transitions are taken: ``taken[i]`` over ``denominator`` is that of ``transitions[i]``, above 0."""

    transitions: Numbers
    taken: Whole
    denominator: int

    def costs(self, product: TripleProduct) -> tuple[Fraction, ...]:
        """The expected cost by each row of the product's costs."""
        rows = product.costs[:, self.transitions].astype(object)
        sums = [int((row * self.taken).sum()) if len(row) else 0 for row in rows]
        return tuple(
            Fraction(total, self.denominator * scale) for total, scale in zip(sums, product.scale, strict=True)
        )


class Best(Struct, frozen=True, eq=False):
    """The best proper scheduler for a weighted cost: ``values`` over ``denominator`` are exact in every state."""

    choices: Numbers
    values: Whole
    denominator: int


class GainfulCycle(Struct, frozen=True, eq=False):
    """A scheduler that never leaves some states and earns there: how often it takes each transition, in proportion."""

    flow: SchedulerFlow


def best_scheduler(product: TripleProduct, factors: Sequence[Fraction], progress: Progress) -> Best | GainfulCycle:
    """The scheduler of the greatest sum of the product's costs, each row with its factor.

    Floating-point values give the first scheduler, exact policy iteration the last. Each round costs exact solutions
    of as many sparse systems as there are costs. Raises NumbersTooLongError.
    """
    choices = _first_choices(product, factors)
    for _ in range(_ROUNDS):
        choices, cycle = _properly(product, choices, factors)
        if cycle is not None:
            return cycle
        values, denominator = _values(product, choices, factors)
        better = _better(product, choices, factors, values, denominator)
        if better is None:
            return Best(choices, values, denominator)
        choices = better
        progress("policy iteration")
    raise NumbersTooLongError


def _reward(product: TripleProduct, factors: Sequence[Fraction]) -> Floats:
    reward = np.zeros(len(product.origin))
    for index, factor in enumerate(factors):
        reward = reward + float(factor) * product.cost(index)
    return reward


def _first_choices(product: TripleProduct, factors: Sequence[Fraction]) -> Numbers:
    """The choices by which values last became better, from 0 upwards: they are proper unless a cycle earns."""
    reward = _reward(product, factors)
    values = np.zeros(product.states + 1)
    choices = np.full(product.states, -1)
    begins = product.first[:-1]
    for _ in range(_SWEEPS):
        after = reward + product.matrix @ values
        best = np.maximum.reduceat(after, begins)
        higher = best > values[:-1] + 1e-12 * np.maximum(1.0, values[:-1])
        if not higher.any():
            break
        places = np.flatnonzero(higher[product.source] & (after == best[product.source]))
        states, where = np.unique(product.source[places], return_index=True)
        choices[states] = places[where]
        values[:-1] = np.maximum(values[:-1], best)
    return choices


def _chain(product: TripleProduct, choices: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The states where the scheduler goes on, and the entries of their transitions: row, target and share."""
    active = np.flatnonzero(choices >= 0)
    entries, begin = entries_of(product.begin, choices[active])
    row = np.repeat(np.arange(len(active)), np.diff(begin))
    return active, row, product.target[entries], product.share[entries]


def _properly(
    product: TripleProduct, choices: Numbers, factors: Sequence[Fraction]
) -> tuple[Numbers, GainfulCycle | None]:
    """The scheduler, stopped where it would never stop and earns nothing by that; or a cycle that earns."""
    choices = choices.copy()
    while True:
        active, row, target, _ = _chain(product, choices)
        stops = np.ones(product.states + 1, dtype=bool)
        stops[active] = False
        graph = scipy.sparse.coo_array(
            (np.ones(len(row), dtype=bool), (active[row], target)), shape=(product.states + 1, product.states + 1)
        ).tocsr()
        endless = ~_reaching(graph, stops)
        if not endless.any():
            return choices, None
        _, labels = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
        leaving = labels[active[row]] != labels[target]
        closed = np.setdiff1d(distinct(labels[endless]), labels[active[row]][leaving])
        for label in closed.tolist():
            states = np.flatnonzero((labels == label) & endless)
            flow = _cycle(product, choices, states)
            costs = flow.costs(product)
            gain = sum((f * c for f, c in zip(factors, costs, strict=True)), Fraction())
            if gain > 0:
                return choices, GainfulCycle(flow)
            choices[states] = -1


def _reaching(graph: scipy.sparse.csr_array, goal: Mask) -> Mask:
    """The states with a path to the goal."""
    backward = graph.T.tocsr()
    reached = goal.copy()
    frontier = np.flatnonzero(goal)
    while len(frontier):
        places, _ = entries_of(backward.indptr.astype(np.int64), frontier)
        before = distinct(backward.indices[places])
        frontier = before[~reached[before]]
        reached[frontier] = True
    return reached


def _cycle(product: TripleProduct, choices: Numbers, states: Numbers) -> SchedulerFlow:
    """How often the transitions of states that the scheduler never leaves are taken between two visits of the first."""
    alone = np.full(product.states, -1)
    alone[states[1:]] = choices[states[1:]]
    entries, _ = entries_of(product.begin, choices[states[:1]])
    start = np.zeros(product.states + 1, dtype=np.int64)
    np.add.at(start, product.target[entries], product.share[entries])
    start[states[0]] = 0
    flow = _visits(product, alone, start)
    return SchedulerFlow(
        np.concatenate((choices[states[:1]], flow.transitions)),
        np.concatenate((np.array([flow.denominator], dtype=object), flow.taken)),
        flow.denominator,
    )


def _equations(size: int, common: int, row: Numbers, column: Numbers, share: Numbers) -> scipy.sparse.csr_array:
    inner = scipy.sparse.coo_array((-share, (row, column)), shape=(size, size)).tocsr()
    return scipy.sparse.csr_array(inner + common * scipy.sparse.eye_array(size, format="csr", dtype=np.int64))


def _solved(matrix: scipy.sparse.csr_array, constants: Numbers) -> RationalSolution:
    if not constants.any():
        return RationalSolution(np.zeros(len(constants), dtype=object), 1)
    solution = rational_solution(matrix, constants, _MOST_BITS)
    if solution is None:
        raise NumbersTooLongError
    return solution


def _values(product: TripleProduct, choices: Numbers, factors: Sequence[Fraction]) -> tuple[Whole, int]:
    """The scheduler's value of each state and 0 for the rest, over a denominator."""
    active, row, target, share = _chain(product, choices)
    place = np.full(product.states + 1, -1)
    place[active] = np.arange(len(active))
    inner = place[target] >= 0
    matrix = _equations(len(active), product.common, row[inner], place[target[inner]], share[inner])
    parts: list[tuple[RationalSolution, Fraction]] = []
    for index, factor in enumerate(factors):
        if factor and len(active):
            constants = product.costs[index][choices[active]] * product.common
            parts.append((_solved(matrix, constants), factor / product.scale[index]))
    denominator = math.lcm(1, *(s.denominator * f.denominator for s, f in parts))
    values: Whole = np.zeros(product.states + 1, dtype=object)
    for solution, factor in parts:
        unit = denominator // (solution.denominator * factor.denominator) * factor.numerator
        values[active] += solution.numerators * unit
    return values, denominator


def _better(
    product: TripleProduct, choices: Numbers, factors: Sequence[Fraction], values: Whole, denominator: int
) -> Numbers | None:
    """Choices that are better by these exact values; None if there is none."""
    gain, unit = _gains(product, factors, values, denominator)
    better = choices.copy()
    negative = np.array(values[:-1] < 0, dtype=bool)
    better[negative] = -1
    higher = np.flatnonzero(np.array(gain > 0, dtype=bool) & ~negative[product.source])
    if not len(higher) and not negative.any():
        return None
    # Of several transitions of a state the last in the order of gains is the best.
    ordered = higher[np.argsort(np.array([g / unit for g in gain[higher].tolist()]), kind="stable")]
    better[product.source[ordered]] = ordered
    return better


def _gains(product: TripleProduct, factors: Sequence[Fraction], values: Whole, denominator: int) -> tuple[Whole, int]:
    """How much more each transition earns than its source is worth, over a common denominator."""
    products = product.share.astype(object) * values[product.target]
    expected = np.add.reduceat(products, product.begin[:-1])
    unit = denominator * product.common
    units = [factor / scale for factor, scale in zip(factors, product.scale, strict=True)]
    common = math.lcm(*(factor.denominator for factor in units))
    earned: Whole = np.zeros(len(product.origin), dtype=object)
    for row, factor in zip(product.costs, units, strict=True):
        earned = earned + row.astype(object) * int(factor * common)
    result: Whole = (expected - values[product.source] * product.common) * common + earned * unit
    return result, unit * common


def _visits(product: TripleProduct, choices: Numbers, start: Numbers) -> SchedulerFlow:
    """How often a proper scheduler takes its transitions from a start that has these shares of ``common``."""
    active, row, target, share = _chain(product, choices)
    graph = scipy.sparse.coo_array(
        (np.ones(len(row), dtype=bool), (target, active[row])), shape=(product.states + 1, product.states + 1)
    ).tocsr()
    reached = _reaching(graph, start > 0)
    choices = np.where(reached[:-1], choices, -1)
    active, row, target, share = _chain(product, choices)
    if not len(active):
        return SchedulerFlow(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=object), 1)
    place = np.full(product.states + 1, -1)
    place[active] = np.arange(len(active))
    inner = place[target] >= 0
    matrix = _equations(len(active), product.common, place[target[inner]], row[inner], share[inner])
    solution = _solved(matrix, start[active])
    positive = solution.numerators > 0
    return SchedulerFlow(choices[active][positive], solution.numerators[positive], solution.denominator)


def flow_of(product: TripleProduct, choices: Numbers, state: int | None = None) -> SchedulerFlow:
    """How often a proper scheduler takes its transitions from a state, else the initial one.

    Raises NumbersTooLongError.
    """
    first = product.initial if state is None else state
    if first == product.states:
        return SchedulerFlow(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=object), 1)
    start = np.zeros(product.states + 1, dtype=np.int64)
    start[first] = product.common
    return _visits(product, choices, start)
