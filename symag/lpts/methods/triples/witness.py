"""Flows of schedulers that reach a cost, as evidence.

A mixture of schedulers is one scheduler that remembers nothing: its flow is the weighted sum of theirs. A cycle in the
mixture needs a way to it; a small part of the flow is spent on that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from symag.core.ranges import distinct
from symag.lpts.certificates.bounds import ReachingFlow
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Numbers
from symag.lpts.methods.triples.optimum import Optimum
from symag.lpts.methods.triples.product import TripleProduct
from symag.lpts.methods.triples.schedulers import SchedulerFlow, flow_of

_Weighted = Sequence[tuple[SchedulerFlow, Fraction]]

#: The part of a flow that is spent on the ways to its cycles, where a value is computed.
_SPENT = Fraction(1, 10**9)


def reaching_flow(
    product: TripleProduct, optimum: Optimum, limits: Sequence[Fraction], most: Fraction | None
) -> tuple[ReachingFlow, Fraction]:
    """A flow within the limits, and its cost: that of the optimum, or a little less if there are cycles.

    The cost is above ``most`` if the optimum is.
    """
    mixed = list(optimum.mixed)
    if optimum.cycles:
        spent = _SPENT
        if most is not None:
            spent = min(spent, (optimum.low - most) / (2 * optimum.low))
        mixed = [(flow, weight * (1 - spent)) for flow, weight in (*optimum.mixed, *optimum.cycles)]
        share = spent / len(optimum.cycles)
        for cycle, _ in optimum.cycles:
            way = approach(product, cycle)
            costs = way.costs(product)[1:]
            # A way costs nothing where the limit is 0: transitions that do are left out of the product.
            part = min([share, *(share * limit / cost for limit, cost in zip(limits, costs, strict=True) if cost)])
            mixed.append((way, part))
    cost = sum((flow.costs(product)[0] * weight for flow, weight in mixed), Fraction(0))
    return _evidence(product, mixed, []), cost


def mixed_flow(product: TripleProduct, mixed: _Weighted) -> ReachingFlow:
    """The flow of a mixture without cycles."""
    return _evidence(product, mixed, [])


def repeated_flow(product: TripleProduct, cycle: SchedulerFlow, limits: Sequence[Fraction]) -> ReachingFlow:
    """A flow within the limits that leads to a cycle, and that cycle."""
    way = approach(product, cycle)
    costs = way.costs(product)[1:]
    part = min([Fraction(1), *(limit / cost for limit, cost in zip(limits, costs, strict=True) if cost)])
    return _evidence(product, [(way, part)], [(cycle, Fraction(1))])


def approach(product: TripleProduct, cycle: SchedulerFlow) -> SchedulerFlow:
    """The flow of a scheduler that goes to the states of a cycle by the fewest steps, and stops there."""
    choices = np.full(product.states, -1)
    near = np.zeros(product.states + 1, dtype=bool)
    near[product.source[cycle.transitions]] = True
    owner = np.repeat(np.arange(len(product.origin)), np.diff(product.begin))
    order = np.argsort(product.target, kind="stable")
    into = np.searchsorted(product.target[order], np.arange(product.states + 2))
    frontier = np.flatnonzero(near)
    while len(frontier):
        places, _ = entries_of(into, frontier)
        moves = owner[order[places]]
        moves = moves[~near[product.source[moves]]]
        frontier, first = np.unique(product.source[moves], return_index=True)
        choices[frontier] = moves[first]
        near[frontier] = True
    return flow_of(product, choices)


def _evidence(product: TripleProduct, mixed: _Weighted, cycles: _Weighted) -> ReachingFlow:
    once, cycling = _sum(product, mixed), _sum(product, cycles)
    used = sorted({*once, *cycling})
    common = math.lcm(1, *(part.denominator for part in (*once.values(), *cycling.values())))
    states: Numbers = distinct(product.source[np.array(used, dtype=np.int64)]) if used else np.zeros(0, dtype=np.int64)
    place = {state: index for index, state in enumerate(states.tolist())}
    composition = product.composition
    located = np.flatnonzero((product.number >= 0) & (product.number < product.states))
    local = composition.local[located[states]].tolist()
    taken = tuple(
        (
            place[int(product.source[k])],
            tuple(composition.moves[product.origin[k]].tolist()),
            int(once.get(k, Fraction(0)) * common),
            int(cycling.get(k, Fraction(0)) * common),
        )
        for k in used
    )
    return ReachingFlow(tuple(map(tuple, local)), taken, common)


def _sum(product: TripleProduct, flows: _Weighted) -> dict[int, Fraction]:
    """The weighted sum of flows: how often each transition is taken that is."""
    total: dict[int, Fraction] = {}
    for flow, weight in flows:
        for transition, taken in zip(flow.transitions.tolist(), flow.taken.tolist(), strict=True):
            total[transition] = total.get(transition, Fraction(0)) + weight * Fraction(taken, flow.denominator)
    return total
