"""The greatest cost of the guarantee as a function of the limit of one assumption: the Pareto curve of a triple.

The function is concave and piecewise linear. Between two points on it the best scheduler for the slope of the line
between them either lies on that line, which is then a segment, or is a further point (V. Forejt, M. Kwiatkowska,
D. Parker: Pareto curves for probabilistic model checking, ATVA 2012, here exactly). There are finitely many corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from symag.lpts.methods.triples.optimum import Columns
from symag.lpts.methods.triples.schedulers import Best, SchedulerFlow

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
