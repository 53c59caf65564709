"""Breadth-first searches with rings, one step at a time, so that two directions can take turns."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.core.limits import Progress, ProgressFigures, no_progress
from symag.smv.symbolic.relation import TransitionRelation, transition_relation
from symag.smv.symbolic.system import SymbolicSystem


class ReachedStates(Struct, frozen=True, eq=False):
    """Reachable states. Ring k has those at distance exactly k from the start; no rings if they were not computed."""

    rings: tuple[Bdd, ...]
    states: Bdd


class RingSearch:
    """A search in progress: ``rings`` and ``states`` grow with every :meth:`advance` until ``complete``.

    ``cost`` is the number of nodes of all rings so far, a machine-independent measure of the effort.
    """

    def __init__(
        self,
        context: BddContext,
        step: Callable[[Bdd], Bdd],
        start: Bdd,
        *,
        within: Bdd | None = None,
        label: str = "ring",
        progress: Progress = no_progress,
    ) -> None:
        """``step`` maps states to their neighbours; ``within`` confines the search."""
        self._context = context
        self._step = step
        self._within = within
        self._label = label
        self._progress = progress
        with memory_errors():
            first = start if within is None else start & within
        self.rings: list[Bdd] = [first]
        self.states = first
        self.complete = first == context.false
        self.cost = context.size(first)

    def advance(self) -> None:
        """Find the next ring. Raises MemoryExhausted."""
        with memory_errors():
            image = self._step(self.rings[-1])
            if self._within is not None:
                image = image & self._within
            ring = image & ~self.states
            if ring == self._context.false:
                self.complete = True
                return
            self.states = self.states | ring
            self.rings.append(ring)
        size = self._context.size(ring)
        self.cost += size
        self._context.reorder_if_large(size)
        if self._progress is not no_progress:
            reached = self._context.size(self.states)
            rings = len(self.rings) - 1
            line = f"{self._label} {rings}, frontier {size:,} nodes, reached {reached:,} nodes"
            self._progress(ProgressFigures(line, {"rings": rings, "frontier_nodes": size, "reached_nodes": reached}))


def forward_search(
    relation: TransitionRelation, initial: Bdd, *, within: Bdd | None = None, progress: Progress = no_progress
) -> RingSearch:
    """A search along the transitions."""
    return RingSearch(relation.context, relation.image, initial, within=within, progress=progress)


def backward_search(
    relation: TransitionRelation, bad: Bdd, *, within: Bdd | None = None, progress: Progress = no_progress
) -> RingSearch:
    """A search against the transitions."""
    step = relation.preimage
    return RingSearch(relation.context, step, bad, within=within, label="backward ring", progress=progress)


def reachable(relation: TransitionRelation, initial: Bdd, progress: Progress = no_progress) -> ReachedStates:
    """All reachable states, with rings; NuSMV's diameter is the number of rings. Raises MemoryExhausted."""
    search = forward_search(relation, initial, progress=progress)
    while not search.complete:
        search.advance()
    return ReachedStates(tuple(search.rings), search.states)


def diameter(relation: TransitionRelation, initial: Bdd, progress: Progress = no_progress) -> int:
    """NuSMV's diameter: the number of rings, of which none is kept. Raises MemoryExhausted."""
    context = relation.context
    with memory_errors():
        number, reached, ring = 0, initial, initial
        while ring != context.false:
            number += 1
            ring = relation.image(ring) & ~reached
            reached = reached | ring
            progress(f"ring {number}")
    return number


def reachable_states(system: SymbolicSystem, progress: Progress = no_progress) -> ReachedStates:
    """All reachable states of a system that was just encoded. Raises MemoryExhausted.

    By chaining, without rings, if the relation has parts; else breadth first after the relation is sifted once.
    """
    relation = transition_relation(system)
    initial = system.initial_states()
    if relation.parts:
        return ReachedStates((), relation.forward_closure(initial))
    system.context.reorder((*relation.clusters(), initial))
    system.context.reorder_large_tables()
    return reachable(relation, initial, progress)
