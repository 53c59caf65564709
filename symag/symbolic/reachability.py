"""Breadth-first reachability with rings, one step at a time so that two directions can race."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symag.limits import Progress, no_progress
from symag.symbolic.context import Bdd, BddContext, memory_errors
from symag.symbolic.relation import Relation


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """States found so far. Ring k holds the states at distance exactly k from the start.

    ``complete``: nothing new was found in the last step. ``hit``: the last ring meets the target.
    """

    rings: tuple[Bdd, ...]
    states: Bdd
    complete: bool
    hit: bool


def explore(
    context: BddContext,
    step: Callable[[Bdd], Bdd],
    start: Bdd,
    target: Bdd,
    *,
    within: Bdd | None = None,
    progress: Progress = no_progress,
    label: str = "ring",
) -> Iterator[Reached]:
    """Follow ``step`` from ``start`` until nothing is new or a ring meets ``target``.

    Yields after every step; the last value is complete or a hit. ``within`` confines the search.
    Raises MemoryExhausted.
    """
    with memory_errors():
        ring = start if within is None else start & within
        states = ring
        rings: tuple[Bdd, ...] = (ring,)
        hit = ring & target != context.false
        complete = ring == context.false
    yield Reached(rings, states, complete, hit)
    while not (hit or complete):
        with memory_errors():
            image = step(_frontier(context, ring, states))
            if within is not None:
                image = image & within
            ring = image & ~states
            complete = ring == context.false
            if not complete:
                states = states | ring
                rings = (*rings, ring)
                hit = ring & target != context.false
        progress(f"{label} {len(rings) - 1}, {context.size(ring):,} nodes, {context.size(states):,} in all")
        yield Reached(rings, states, complete, hit)


def _frontier(context: BddContext, ring: Bdd, states: Bdd) -> Bdd:
    """The smallest diagram found that contains the ring and only states seen so far."""
    candidate = context.restrict(ring, ring | ~states)
    return min((ring, states, candidate), key=context.size)


def last(steps: Iterator[Reached]) -> Reached:
    """Run a search to its end."""
    result = next(steps)
    for found in steps:
        result = found
    return result


def forward(
    relation: Relation,
    initial: Bdd,
    bad: Bdd | None = None,
    *,
    within: Bdd | None = None,
    progress: Progress = no_progress,
) -> Iterator[Reached]:
    """Successors from the initial states, to the end or to a ring that meets ``bad``."""
    target = relation.context.false if bad is None else bad
    return explore(relation.context, relation.image, initial, target, within=within, progress=progress)


def backward(
    relation: Relation, bad: Bdd, initial: Bdd, *, within: Bdd | None = None, progress: Progress = no_progress
) -> Iterator[Reached]:
    """Predecessors of the bad states, to the end or to a ring that meets the initial states."""
    return explore(
        relation.context, relation.preimage, bad, initial, within=within, progress=progress, label="backward ring"
    )


def reachable(relation: Relation, initial: Bdd, progress: Progress = no_progress) -> Reached:
    """All reachable states, with rings; the diameter as NuSMV counts it is the number of rings."""
    return last(forward(relation, initial, progress=progress))
