"""The greatest expected cost of the guarantee within the limits of the assumptions: a linear program, exactly.

The program of multi-objective model checking has a variable for each transition of the product: how often it is taken.
It is solved by the generation of columns (G. B. Dantzig, P. Wolfe: Decomposition principle for linear programs,
Operations Research 8, 1960): a small program mixes deterministic schedulers, and its dual solution prices the
assumptions; the best scheduler for these prices is the next column. There are finitely many deterministic schedulers,
and each column is new, so this ends. The last prices with the values of the last scheduler are the dual solution of the
whole program.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct

from symag.core.limits import Progress
from symag.lpts.methods.triples.product import TripleProduct
from symag.lpts.methods.triples.schedulers import Best, SchedulerFlow, best_scheduler, flow_of


class Optimum(Struct, frozen=True, eq=False):
    """``low`` is the cost of a mixture of flows, ``high`` a bound of all schedulers by the dual solution.

    They are equal unless the search ended early. ``multipliers`` and ``best`` are the dual solution: the price of each
    assumption, and the values of all states. ``mixed`` are the flows of the mixture with their weights, ``cycles``
    those of states that are never left: the cost is then a limit, which no scheduler attains.
    """

    low: Fraction
    high: Fraction
    multipliers: tuple[Fraction, ...]
    best: Best
    mixed: tuple[tuple[SchedulerFlow, Fraction], ...]
    cycles: tuple[tuple[SchedulerFlow, Fraction], ...]


#: The scheduler of a product in which the guarantee never costs anything.
_IDLE = Best(np.zeros(0, dtype=np.int64), np.zeros(1, dtype=object), 1)


class Columns:
    """The columns of one product, which the searches for several limits share."""

    def __init__(self, product: TripleProduct, progress: Progress) -> None:
        self.product = product
        self._progress = progress
        self.flows: list[SchedulerFlow] = []
        self._cycles: list[bool] = []
        self._costs: list[tuple[Fraction, ...]] = []

    def optimum(self, limits: Sequence[Fraction], most: Fraction | None) -> Optimum | None:
        """The optimum for these limits; ends early when it is above or not above ``most``. None if it is infinite.

        Raises NumbersTooLongError and MemoryError.
        """
        if self.product.initial == self.product.states:
            nothing = Fraction(0)
            return Optimum(nothing, nothing, (nothing,) * len(limits), _IDLE, (), ())
        while True:
            mixture = best_mixture(self._costs, self._cycles, limits)
            if mixture is None:
                return None
            best = self.best(mixture.multipliers)
            if best is None:
                continue
            price = Fraction(best.values[self.product.initial], best.denominator)
            cost = sum((m * b for m, b in zip(mixture.multipliers, limits, strict=True)), price)
            above = most is not None and mixture.value > most
            if price == mixture.price or above or (most is not None and cost <= most):
                return self._optimum(mixture, cost, best)
            self.flow(best)

    def best(self, prices: Sequence[Fraction]) -> Best | None:
        """The best scheduler for these prices; None where a cycle earns without end, which becomes a column."""
        if self.product.initial == self.product.states:
            return _IDLE
        best = best_scheduler(self.product, prices, self._progress)
        if isinstance(best, Best):
            return best
        self._add(best.flow, True)
        return None

    def flow(self, best: Best) -> SchedulerFlow:
        """The flow of a scheduler, which becomes a column."""
        self._add(flow_of(self.product, best.choices), False)
        return self.flows[-1]

    def _add(self, flow: SchedulerFlow, cycle: bool) -> None:
        self.flows.append(flow)
        self._cycles.append(cycle)
        self._costs.append(flow.costs(self.product))
        self._progress(f"{len(self.flows)} schedulers")

    def _optimum(self, mixture: Mixture, cost: Fraction, best: Best) -> Optimum:
        weighted = list(zip(self.flows, self._cycles, mixture.weights, strict=True))
        mixed = tuple((flow, weight) for flow, is_cycle, weight in weighted if weight and not is_cycle)
        cycles = tuple((flow, weight) for flow, is_cycle, weight in weighted if weight and is_cycle)
        return Optimum(mixture.value, cost, mixture.multipliers, best, mixed, cycles)

    def free_cycle(self) -> SchedulerFlow:
        """A cycle that earns and costs the assumptions nothing; there is one where the optimum is infinite."""
        columns = zip(self.flows, self._cycles, self._costs, strict=True)
        return next(flow for flow, cycle, costs in columns if cycle and costs[0] > 0 and not any(costs[1:]))


_ZERO, _ONE = Fraction(0), Fraction(1)


class Mixture(Struct, frozen=True):
    """``weights`` of the columns; the dual solution: ``price`` of a scheduler and ``multipliers`` of the limits.

    The value is the mixed cost of the guarantee, and equal to the price plus the multipliers times the limits.
    """

    value: Fraction
    weights: tuple[Fraction, ...]
    price: Fraction
    multipliers: tuple[Fraction, ...]


def best_mixture(
    columns: Sequence[tuple[Fraction, ...]], cycles: Sequence[bool], limits: Sequence[Fraction]
) -> Mixture | None:
    """The optimum; column k has the costs of the guarantee and of the assumptions. None if it is unbounded.

    A linear program over fractions, by the simplex method: maximise the mixed cost of the guarantee over weights of
    columns, at least 0. Those of schedulers sum to at most 1, those of cycles are free, and the mixed cost of each
    assumption is at most its limit. The origin is feasible, as limits are at least 0; R. G. Bland's rule (Mathematics
    of Operations Research 2, 1977) makes it end.
    """
    count = len(columns)
    rows = [[_ZERO if cycle else _ONE for cycle in cycles]]
    rows += [[column[index] for column in columns] for index in range(1, len(limits) + 1)]
    size = len(rows)
    tableau = [
        [*row, *(_ONE if index == k else _ZERO for k in range(size)), bound]
        for index, (row, bound) in enumerate(zip(rows, (_ONE, *limits), strict=True))
    ]
    reduced = [*(column[0] for column in columns), *([_ZERO] * (size + 1))]
    basis = list(range(count, count + size))
    while True:
        entering = next((k for k in range(count + size) if reduced[k] > 0), None)
        if entering is None:
            break
        ratios = [(row[-1] / row[entering], basis[k], k) for k, row in enumerate(tableau) if row[entering] > 0]
        if not ratios:
            return None
        _, _, leaving = min(ratios)
        pivot = tableau[leaving]
        factor = pivot[entering]
        tableau[leaving] = pivot = [entry / factor for entry in pivot]
        for k, row in enumerate(tableau):
            if k != leaving and row[entering]:
                tableau[k] = [a - row[entering] * b for a, b in zip(row, pivot, strict=True)]
        reduced = [a - reduced[entering] * b for a, b in zip(reduced, pivot, strict=True)]
        basis[leaving] = entering
    weights = [_ZERO] * count
    for place, number in enumerate(basis):
        if number < count:
            weights[number] = tableau[place][-1]
    duals = [-entry for entry in reduced[count : count + size]]
    return Mixture(-reduced[-1], tuple(weights), duals[0], tuple(duals[1:]))


_ZERO, _ONE = Fraction(0), Fraction(1)


class CurvePoint(Struct, frozen=True, eq=False):
    """The greatest cost under a limit, and the weighted flows of schedulers that reach it."""

    limit: Fraction
    cost: Fraction
    mixed: tuple[tuple[SchedulerFlow, Fraction], ...]


class Curve(Struct, frozen=True, eq=False):
    """The corners by ascending limits from 0; after the last the cost is the same.

    ``slopes`` has, for each corner, the slope after it and the best scheduler for that price.
    """

    points: tuple[CurvePoint, ...]
    slopes: tuple[tuple[Fraction, Best], ...]


def curve_of(columns: Columns) -> Curve | None:
    """The curve for the only assumption of a product; None if some limit leaves the cost infinite.

    The function is concave and piecewise linear. Between two points on it the best scheduler for the slope of the line
    between them either lies on that line, which is then a segment, or is a further point (V. Forejt, M. Kwiatkowska,
    D. Parker: Pareto curves for probabilistic model checking, ATVA 2012, here exactly). There are finitely many
    corners.

    Each point and each segment costs one search for a best scheduler. Raises NumbersTooLongError and MemoryError.
    """
    start = columns.optimum((_ZERO,), None)
    if start is None or start.cycles:
        return None
    first = CurvePoint(_ZERO, start.high, start.mixed)
    top = columns.best((_ZERO,))
    if top is None:
        return None
    last = _point(columns, top)
    points, slopes = [first], list[tuple[Fraction, Best]]()
    waiting = [last] if last.cost > first.cost else []
    while waiting:
        right = waiting[-1]
        slope = (right.cost - points[-1].cost) / (right.limit - points[-1].limit)
        best = columns.best((slope,))
        if best is None:
            return None
        worth = Fraction(best.values[columns.product.initial], best.denominator)
        if worth == right.cost - slope * right.limit:
            slopes.append((slope, best))
            points.append(waiting.pop())
        else:
            waiting.append(_point(columns, best))
    points, slopes = _corners(points, slopes)
    return Curve(tuple(points), (*slopes, (_ZERO, top)))


def _point(columns: Columns, best: Best) -> CurvePoint:
    flow = columns.flow(best)
    cost, limit = flow.costs(columns.product)
    return CurvePoint(limit, cost, ((flow, _ONE),))


def _corners(
    points: Sequence[CurvePoint], slopes: Sequence[tuple[Fraction, Best]]
) -> tuple[list[CurvePoint], list[tuple[Fraction, Best]]]:
    """Without points in the middle of a segment."""
    kept = [k for k in range(1, len(slopes)) if slopes[k][0] != slopes[k - 1][0]]
    if not slopes:
        return list(points), []
    return [points[0], *(points[k] for k in kept), points[-1]], [slopes[0], *(slopes[k] for k in kept)]
