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
from symag.lpts.methods.triples.mixture import Mixture, best_mixture
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
