"""The best mixture of schedulers within limits: a small linear program over fractions, by the simplex method.

Maximise the mixed cost of the guarantee over weights of columns, at least 0: those of schedulers sum to at most 1,
those of cycles are free, and the mixed cost of each assumption is at most its limit. The origin is feasible, as limits
are at least 0; R. G. Bland's rule (Mathematics of Operations Research 2, 1977) makes it end.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

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
    """The optimum; column k has the costs of the guarantee and of the assumptions. None if it is unbounded."""
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
