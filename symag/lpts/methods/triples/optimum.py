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

_ZERO, _ONE = Fraction(0), Fraction(1)


class Optimum(Struct, frozen=True, eq=False):
    """``low`` is the cost of a mixture of flows, ``high`` a bound of all schedulers by the dual solution.

    They are equal unless the search ended early. ``multipliers`` and ``best`` are the dual solution: the price of each
    assumption, and the values of all states. ``mixed`` are the flows of the mixture with their weights, ``cycles``
    those of states that are never left: the cost is then a limit, which no scheduler attains. If it is not
    ``feasible``, no scheduler keeps the limits: with the price 0 of the guarantee the bound ``high`` is below 0.
    """

    low: Fraction
    high: Fraction
    multipliers: tuple[Fraction, ...]
    best: Best
    mixed: tuple[tuple[SchedulerFlow, Fraction], ...]
    cycles: tuple[tuple[SchedulerFlow, Fraction], ...]
    feasible: bool = True


class Columns:
    """The columns of one product, which the searches for several limits share."""

    def __init__(self, product: TripleProduct, progress: Progress) -> None:
        self.product = product
        self._progress = progress
        self.flows: list[SchedulerFlow] = []
        self._cycles: list[bool] = []
        self._costs: list[tuple[Fraction, ...]] = []

    def optimum(
        self, limits: Sequence[Fraction], most: Fraction | None = None, weights: tuple[Fraction, ...] = (_ONE,)
    ) -> Optimum | None:
        """The optimum for these limits; ends early when it is above or not above ``most``. None if it is infinite.

        With two ``weights`` that is of the weighted cost of the guarantee minus that of the first assumption, and the
        limits are those of the others. Under fair schedulers the last limit is -1, for the row of stopping. Raises
        NumbersTooLongError and MemoryError.
        """
        if self.product.initial == self.product.states:
            nothing, fair = Fraction(0), self.product.staying is not None
            return Optimum(nothing, nothing, (nothing,) * len(limits), _idle(self.product), (), (), not fair)
        signs = [weights[0], *(-weight for weight in weights[1:])]
        while True:
            # The weights are of the first costs; the limits are for the rest.
            columns = [
                (sum((f * c for f, c in zip(signs, costs, strict=False)), _ZERO), *costs[len(signs) :])
                for costs in self._costs
            ]
            mixture = best_mixture(columns, self._cycles, limits)
            if mixture is None:
                return None
            first = signs if mixture.feasible else [_ZERO] * len(signs)
            best = self._best([*first, *(-price for price in mixture.multipliers)])
            if best is None:
                continue
            price = Fraction(best.values[self.product.initial], best.denominator)
            cost = sum((m * b for m, b in zip(mixture.multipliers, limits, strict=True)), price)
            decided = most is not None and mixture.feasible and (mixture.value > most or cost <= most)
            if price == mixture.price or decided:
                return self._optimum(mixture, cost, best)
            self._add(flow_of(self.product, best.choices), False)

    def _best(self, factors: Sequence[Fraction]) -> Best | None:
        """The best scheduler for these weights of costs; None where a cycle earns for ever, which becomes a column."""
        best = best_scheduler(self.product, factors, self._progress)
        if isinstance(best, Best):
            return best
        self._add(best.flow, True)
        return None

    def _add(self, flow: SchedulerFlow, cycle: bool) -> None:
        self.flows.append(flow)
        self._cycles.append(cycle)
        self._costs.append(flow.costs(self.product))
        self._progress(f"{len(self.flows)} schedulers")

    def _optimum(self, mixture: Mixture, cost: Fraction, best: Best) -> Optimum:
        weighted = list(zip(self.flows, self._cycles, mixture.weights, strict=True))
        mixed = tuple((flow, weight) for flow, is_cycle, weight in weighted if weight and not is_cycle)
        cycles = tuple((flow, weight) for flow, is_cycle, weight in weighted if weight and is_cycle)
        return Optimum(mixture.value, cost, mixture.multipliers, best, mixed, cycles, mixture.feasible)

    def free_cycle(self) -> SchedulerFlow:
        """A cycle that earns and costs the assumptions nothing; there is one where the optimum is infinite."""
        columns = zip(self.flows, self._cycles, self._costs, strict=True)
        return next(f for f, cycle, costs in columns if cycle and costs[0] > 0 and max(costs[1:], default=0) <= 0)

    def some_mixture(self, limits: Sequence[Fraction]) -> list[tuple[SchedulerFlow, Fraction]]:
        """Schedulers that keep the limits, where there are some among the columns."""
        mixture = best_mixture([(Fraction(0), *costs[1:]) for costs in self._costs], self._cycles, limits)
        weights = mixture.weights if mixture is not None else ()
        return [(flow, weight) for flow, weight in zip(self.flows, weights, strict=True) if weight]


def _idle(product: TripleProduct) -> Best:
    """The scheduler that stops everywhere."""
    return Best(np.full(product.states, -1), np.zeros(product.states + 1, dtype=object), 1)


class Mixture(Struct, frozen=True):
    """``weights`` of the columns; the dual solution: ``price`` of a scheduler and ``multipliers`` of the limits.

    The value is the mixed cost of the guarantee, and equal to the price plus the multipliers times the limits. If no
    mixture is ``feasible``, the cost of the guarantee is taken as 0, and the value is below 0.
    """

    value: Fraction
    weights: tuple[Fraction, ...]
    price: Fraction
    multipliers: tuple[Fraction, ...]
    feasible: bool = True


def best_mixture(
    columns: Sequence[tuple[Fraction, ...]], cycles: Sequence[bool], limits: Sequence[Fraction]
) -> Mixture | None:
    """The optimum; column k has the costs of the guarantee and of the assumptions. None if it is unbounded.

    A linear program over fractions, by the simplex method: maximise the mixed cost of the guarantee over weights of
    columns, at least 0. Those of schedulers sum to at most 1, those of cycles are free, and the mixed cost of each
    assumption is at most its limit. Where a limit is below 0, a first phase minimises by how much it is exceeded.
    """
    count, size = len(columns), len(limits) + 1
    rows = [[_ZERO if cycle else _ONE for cycle in cycles]]
    rows += [[column[index] for column in columns] for index in range(1, size)]
    # After the columns: a variable for the slack of each row, one for the excess, and the bound.
    tableau = [
        [*row, *(_ONE if index == k else _ZERO for k in range(size)), -_ONE if bound < 0 else _ZERO, bound]
        for index, (row, bound) in enumerate(zip(rows, (_ONE, *limits), strict=True))
    ]
    basis = list(range(count, count + size))
    cost = [column[0] for column in columns] + [_ZERO] * (size + 2)
    excess = count + size
    if min(limits, default=_ZERO) < 0:
        first = [_ZERO] * excess + [-_ONE, _ZERO]
        _pivot(tableau, basis, (first, cost), 1 + limits.index(min(limits)), excess)
        _maximise(tableau, basis, (first, cost), excess + 1)
        if first[-1] > 0:
            duals = [-entry for entry in first[count:excess]]
            return Mixture(-first[-1], (_ZERO,) * count, duals[0], tuple(duals[1:]), feasible=False)
        if excess in basis:
            row = tableau[basis.index(excess)]
            _pivot(tableau, basis, (cost,), basis.index(excess), next(k for k in range(excess) if row[k]))
    if not _maximise(tableau, basis, (cost,), excess):
        return None
    weights = [_ZERO] * count
    for place, number in enumerate(basis):
        if number < count:
            weights[number] = tableau[place][-1]
    duals = [-entry for entry in cost[count:excess]]
    return Mixture(-cost[-1], tuple(weights), duals[0], tuple(duals[1:]))


_Row = list[Fraction]


def _maximise(tableau: Sequence[_Row], basis: list[int], costs: Sequence[_Row], variables: int) -> bool:
    """Pivot until no variable of these makes the first cost larger; False if it has no bound.

    R. G. Bland's rule (Mathematics of Operations Research 2, 1977) makes it end.
    """
    while True:
        entering = next((k for k in range(variables) if costs[0][k] > 0), None)
        if entering is None:
            return True
        ratios = [(row[-1] / row[entering], basis[k], k) for k, row in enumerate(tableau) if row[entering] > 0]
        if not ratios:
            return False
        _pivot(tableau, basis, costs, min(ratios)[2], entering)


def _pivot(tableau: Sequence[_Row], basis: list[int], costs: Sequence[_Row], leaving: int, entering: int) -> None:
    """A variable enters the basis in a row: it is eliminated from the others and from the costs."""
    factor = tableau[leaving][entering]
    tableau[leaving][:] = pivot = [entry / factor for entry in tableau[leaving]]
    for row in (*tableau, *costs):
        if row is not tableau[leaving] and row[entering]:
            row[:] = [a - row[entering] * b for a, b in zip(row, pivot, strict=True)]
    basis[leaving] = entering


#: Why there is no answer about fair schedulers, and no curve.
NOTHING_KEEPS = "no fair scheduler keeps the assumptions, with a finite cost of a lower bound"
NO_CURVE = "unsupported: a curve whose costs have no bound; ask for single limits"


class CurvePoint(Struct, frozen=True, eq=False):
    """The greatest cost under a limit, and the weighted flows of schedulers that reach it."""

    limit: Fraction
    cost: Fraction
    mixed: tuple[tuple[SchedulerFlow, Fraction], ...]


class Curve(Struct, frozen=True, eq=False):
    """The corners by ascending limits from the least that a scheduler keeps; after the last the cost is the same.

    ``slopes`` has, for each corner, the slope after it and the optimum for that price; ``least`` is that of the limit
    alone, None if it is 0.
    """

    points: tuple[CurvePoint, ...]
    slopes: tuple[tuple[Fraction, Optimum], ...]
    least: Optimum | None


def curve_of(columns: Columns) -> Curve | str:
    """The curve for the only assumption of a product; why there is none where some limit leaves the cost infinite, or
    no scheduler keeps any.

    The function is concave and piecewise linear. Between two points on it the best scheduler for the slope of the line
    between them either lies on that line, which is then a segment, or is a further point (V. Forejt, M. Kwiatkowska,
    D. Parker: Pareto curves for probabilistic model checking, ATVA 2012, here exactly). There are finitely many
    corners. A scheduler that stops keeps the limit 0; fair ones may need more, or less where they keep lower bounds.

    Each point and each segment costs an optimum. Raises NumbersTooLongError and MemoryError.
    """
    stopping = () if columns.product.staying is None else (-_ONE,)
    least = columns.optimum(stopping, weights=(_ZERO, _ONE)) if stopping else None
    if least is not None and not least.feasible:
        return NOTHING_KEEPS
    start = columns.optimum((_ZERO if least is None else -least.high, *stopping))
    top = columns.optimum(stopping, weights=(_ONE, _ZERO))
    if start is None or top is None or start.cycles or (stopping and least is None):
        return NO_CURVE
    first, last = _point(columns, start), _point(columns, top)
    points, slopes = [first], list[tuple[Fraction, Optimum]]()
    waiting = [last] if last.cost > first.cost else []
    while waiting:
        right = waiting[-1]
        slope = (right.cost - points[-1].cost) / (right.limit - points[-1].limit)
        best = columns.optimum(stopping, weights=(_ONE, slope))
        if best is None:
            return NO_CURVE
        if best.high == right.cost - slope * right.limit:
            slopes.append((slope, best))
            points.append(waiting.pop())
        else:
            waiting.append(_point(columns, best))
    points, slopes = _corners(points, slopes)
    return Curve(tuple(points), (*slopes, (_ZERO, top)), least)


def _point(columns: Columns, optimum: Optimum) -> CurvePoint:
    costs = [[weight * cost for cost in flow.costs(columns.product)] for flow, weight in optimum.mixed]
    cost, limit = (sum((row[k] for row in costs), _ZERO) for k in (0, 1))
    return CurvePoint(limit, cost, optimum.mixed)


def _corners(
    points: Sequence[CurvePoint], slopes: Sequence[tuple[Fraction, Optimum]]
) -> tuple[list[CurvePoint], list[tuple[Fraction, Optimum]]]:
    """Without points in the middle of a segment, or after which the cost is the same."""
    while slopes and not slopes[-1][0]:
        points, slopes = points[:-1], slopes[:-1]
    kept = [k for k in range(1, len(slopes)) if slopes[k][0] != slopes[k - 1][0]]
    if not slopes:
        return list(points), []
    return [points[0], *(points[k] for k in kept), points[-1]], [slopes[0], *(slopes[k] for k in kept)]
