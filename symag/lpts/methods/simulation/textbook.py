"""The textbook greatest fixed point (agar-lpts-2012, Section 2): every pair, again and again, until none is removed.

The reference for the worklist engine: it starts from all pairs and keeps no flow from one round to the next.
"""

from __future__ import annotations

from collections.abc import Callable

from symag.core.limits import Progress, no_progress
from symag.lpts.methods.simulation.flow import WeightNetwork
from symag.lpts.methods.simulation.question import Pair, RefutedPairs, SimulationRelation
from symag.lpts.methods.simulation.sides import Distribution, Sides


def network_of(mu: Distribution, nu: Distribution, related: Callable[[int, int], bool]) -> WeightNetwork:
    """The network of two distributions under a relation, without flow yet."""
    allowed = [{j for j, t in enumerate(nu.support) if related(s, t)} for s in mu.support]
    return WeightNetwork(mu.mass, nu.mass, allowed)


def decide(sides: Sides, progress: Progress = no_progress) -> SimulationRelation | RefutedPairs:
    """The coarsest strong simulation between both systems; the answer is about their initial states."""
    every = [(s, t) for s in range(len(sides.left.moves)) for t in range(len(sides.answers))]
    relation = set(every)
    removed: dict[Pair, int] = {}
    calls = 0
    changed = True

    def is_below(mu: int, nu: int) -> bool:
        nonlocal calls
        calls += 1
        first, second = sides.left.distributions[mu], sides.right.distributions[nu]
        return network_of(first, second, lambda s, t: (s, t) in relation).maximise()

    while changed and (0, 0) in relation:
        changed = False
        progress(f"{len(relation):,} pairs are left")
        for s, t in every:
            if (s, t) not in relation:
                continue
            answers = sides.answers[t]
            if not all(any(is_below(mu, nu) for nu in answers.get(a, ())) for a, mu in sides.left.moves[s]):
                relation.discard((s, t))
                removed[s, t] = len(removed)
                changed = True
    statistics = {"pairs": len(every), "flow_calls": calls}
    if (0, 0) in removed:
        return RefutedPairs(removed, statistics)
    return SimulationRelation(tuple(sorted(relation)), _weights(sides, relation), sides.total, statistics)


def _weights(sides: Sides, relation: set[Pair]) -> tuple[tuple[tuple[Pair, int], ...], ...]:
    weights: dict[tuple[int, int], tuple[tuple[Pair, int], ...]] = {}
    for s, t in sorted(relation):
        for action, mu in sides.left.moves[s]:
            for nu in sides.answers[t][action]:
                first, second = sides.left.distributions[mu], sides.right.distributions[nu]
                if min(len(first.support), len(second.support)) > 1 and (mu, nu) not in weights:
                    network = network_of(first, second, lambda s, t: (s, t) in relation)
                    if network.maximise():
                        weights[mu, nu] = tuple(
                            sorted(
                                ((first.support[i], second.support[j]), mass)
                                for i, row in enumerate(network.flow)
                                for j, mass in row.items()
                            )
                        )
    return tuple(sorted(weights.values()))
