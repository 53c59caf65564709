"""Flows of schedulers that reach a cost, as evidence.

A mixture of schedulers is one scheduler that remembers nothing: its flow is the weighted sum of theirs. A cycle in the
mixture needs a way to it; a small part of the flow is spent on that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from symag.core.ranges import distinct, grouped
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
) -> tuple[ReachingFlow, Fraction] | None:
    """A flow within the limits, and its cost: that of the optimum, or a little less if there are cycles.

    The cost is above ``most`` if the optimum is. None if no way of a fair scheduler to the cycles is within the limits.
    """
    mixed = [*optimum.mixed, *optimum.cycles]
    cycles = [cycle for cycle, _ in optimum.cycles]
    if cycles and product.staying is not None:
        costs = [_costs(product, _fair_way(product, cycle))[0] for cycle in cycles]
        largest = max([Fraction(1), abs(optimum.low), *map(abs, costs)])
        spent = _SPENT if most is None else min(_SPENT, (optimum.low - most) / (4 * largest))
        fair = fair_flow(product, mixed, cycles, limits, spent)
        if fair is None:
            return None
        mixed = fair
    elif cycles:
        spent = _SPENT
        if most is not None:
            spent = min(spent, (optimum.low - most) / (2 * optimum.low))
        mixed = [(flow, weight * (1 - spent)) for flow, weight in mixed]
        share = spent / len(cycles)
        for cycle in cycles:
            way = approach(product, cycle)
            spending = way.costs(product)[1:]
            # A way costs nothing where the limit is 0: transitions that do are left out of the product.
            part = min([share, *(share * limit / cost for limit, cost in zip(limits, spending, strict=True) if cost)])
            mixed.append((way, part))
    cost = sum((flow.costs(product)[0] * weight for flow, weight in mixed), Fraction(0))
    return _evidence(product, mixed, []), cost


def mixed_flow(product: TripleProduct, mixed: _Weighted) -> ReachingFlow:
    """The flow of a mixture without cycles."""
    return _evidence(product, mixed, [])


def repeated_flow(
    product: TripleProduct, cycle: SchedulerFlow, limits: Sequence[Fraction], mixed: _Weighted
) -> ReachingFlow | None:
    """A flow within the limits that leads to a cycle, and that cycle; ``mixed`` keeps the limits.

    None if no way of a fair scheduler to the cycle is within the limits.
    """
    if product.staying is not None:
        flow = fair_flow(product, mixed, [cycle], limits, _SPENT) or fair_flow(
            product, (), [cycle], limits, Fraction(1)
        )
        return None if flow is None else _evidence(product, flow, [(cycle, Fraction(1))])
    way = approach(product, cycle)
    costs = way.costs(product)[1:]
    part = min([Fraction(1), *(limit / cost for limit, cost in zip(limits, costs, strict=True) if cost)])
    return _evidence(product, [(way, part)], [(cycle, Fraction(1))])


def fair_flow(
    product: TripleProduct,
    mixed: _Weighted,
    cycles: Sequence[SchedulerFlow],
    limits: Sequence[Fraction],
    part: Fraction,
) -> list[tuple[SchedulerFlow, Fraction]] | None:
    """A mixture of fair schedulers, of which a part visits some cycles; None if that exceeds a limit."""
    ways = [(flow, weight / len(cycles)) for cycle in cycles for flow, weight in _fair_way(product, cycle)]
    mixture = [(flow, weight * (1 - part)) for flow, weight in mixed] + [(flow, weight * part) for flow, weight in ways]
    costs = _costs(product, mixture)
    return mixture if all(cost <= limit for cost, limit in zip(costs[1:], limits, strict=True)) else None


def _costs(product: TripleProduct, mixed: _Weighted) -> list[Fraction]:
    rows = [[weight * cost for cost in flow.costs(product)] for flow, weight in mixed]
    return [sum(column, Fraction(0)) for column in zip(*rows, strict=True)]


def _fair_way(product: TripleProduct, cycle: SchedulerFlow) -> _Weighted:
    """A scheduler that goes to a cycle where it can, and then by the fewest steps to where it can stay and be fair."""
    way = approach(product, cycle)
    ends = {product.initial: Fraction(1)}
    for transition, taken in zip(way.transitions.tolist(), way.taken.tolist(), strict=True):
        often, source = Fraction(taken, way.denominator), int(product.source[transition])
        ends[source] = ends.get(source, Fraction(0)) - often
        for entry in range(product.begin[transition], product.begin[transition + 1]):
            target, share = int(product.target[entry]), Fraction(int(product.share[entry]), product.common)
            ends[target] = ends.get(target, Fraction(0)) + often * share
    choices = _towards(product, np.array([product.states]))
    return [(way, Fraction(1)), *((flow_of(product, choices, end), part) for end, part in ends.items() if part)]


def approach(product: TripleProduct, cycle: SchedulerFlow) -> SchedulerFlow:
    """The flow of a scheduler that goes to the states of a cycle by the fewest steps, and stops there."""
    return flow_of(product, _towards(product, product.source[cycle.transitions]))


def _towards(product: TripleProduct, states: Numbers) -> Numbers:
    """The choices of a scheduler that goes to some states by the fewest steps, and stops there."""
    choices = np.full(product.states, -1)
    near = np.zeros(product.states + 1, dtype=bool)
    near[states] = True
    owner = np.repeat(np.arange(len(product.origin)), np.diff(product.begin))
    order, into = grouped(product.target, product.states + 1)
    frontier = np.flatnonzero(near)
    while len(frontier):
        places, _ = entries_of(into, frontier)
        moves = owner[order[places]]
        moves = moves[~near[product.source[moves]]]
        frontier, first = np.unique(product.source[moves], return_index=True)
        choices[frontier] = moves[first]
        near[frontier] = True
    return choices


def _evidence(product: TripleProduct, mixed: _Weighted, cycles: _Weighted) -> ReachingFlow:
    once, cycling = _sum(product, mixed), _sum(product, cycles)
    stopping = [k for k in once if product.origin[k] < 0]
    used = sorted({*once, *cycling} - set(stopping))
    common = math.lcm(1, *(part.denominator for part in (*once.values(), *cycling.values())))
    composition = product.composition
    located = np.flatnonzero((product.number >= 0) & (product.number < product.states))
    staying = _kept_up(product, located[product.source[np.array(stopping, dtype=np.int64)]])
    origin = product.origin[np.array(used, dtype=np.int64)]
    source = composition.lpts.source
    states: Numbers = distinct(np.concatenate((source[origin], source[staying])))
    place = {state: index for index, state in enumerate(states.tolist())}

    def moved(transition: int) -> tuple[int, tuple[int, ...]]:
        return place[int(source[transition])], tuple(composition.moves[transition].tolist())

    taken = tuple(
        (*moved(k), int(once.get(number, Fraction(0)) * common), int(cycling.get(number, Fraction(0)) * common))
        for number, k in zip(used, origin.tolist(), strict=True)
    )
    local = map(tuple, composition.local[states].tolist())
    return ReachingFlow(tuple(local), taken, common, tuple(map(moved, staying.tolist())))


def _kept_up(product: TripleProduct, states: Numbers) -> Numbers:
    """The transitions that a fair scheduler takes after it stopped in some states of the composition."""
    lpts, offsets = product.composition.lpts, product.composition.lpts.offsets()
    if product.staying is None:
        return np.zeros(0, dtype=np.int64)
    taken, seen = np.zeros(lpts.transitions, dtype=bool), np.zeros(lpts.states, dtype=bool)
    frontier = distinct(states)
    seen[frontier] = True
    while len(frontier):
        moves, _ = entries_of(offsets, frontier)
        moves = moves[product.staying[moves]]
        taken[moves] = True
        entries, _ = entries_of(lpts.begin, moves)
        targets = distinct(lpts.target[entries])
        frontier = targets[~seen[targets]]
        seen[frontier] = True
    return np.flatnonzero(taken)


def _sum(product: TripleProduct, flows: _Weighted) -> dict[int, Fraction]:
    """The weighted sum of flows: how often each transition is taken that is."""
    total: dict[int, Fraction] = {}
    for flow, weight in flows:
        for transition, taken in zip(flow.transitions.tolist(), flow.taken.tolist(), strict=True):
            total[transition] = total.get(transition, Fraction(0)) + weight * Fraction(taken, flow.denominator)
    return total
