"""Breadth-first searches with rings, one step at a time, so that two directions can take turns."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec import Struct

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.core.limits import Progress, ProgressFigures, no_progress
from symag.smv.symbolic.relation import TransitionRelation, transition_relation
from symag.smv.symbolic.relational_product import TooManyNodesError
from symag.smv.symbolic.system import SymbolicSystem

#: What a step that is given up costs, in nodes for each that it may have: it is tried again when the other direction
#: has cost as much.
_GIVEN_UP = 4.0

#: After this many rings in a row that take fewer nodes than the one before, the largest are behind. If they take fewer
#: than SMALL nodes, what is left costs less than sifting: miter_a_bad forward 0.38 s, else 0.33.
_SHRUNK, _SMALL = 3, 5_000

#: While all states take over FAR times the nodes of a ring, they are counted, which takes up to a tenth of a search,
#: in each COUNTED ring only.
_FAR, _COUNTED = 3, 4

#: The invariant gets into the last cluster of preimages when one of them has, before it is restricted, OUTSIDE times
#: the nodes that it has then. The first TRIES of over WORTH_A_LOOK nodes are looked at. robot_sp2 backward takes 0.7 s,
#: else 1.5; with it from the start on in every search, guidance of NuSMV's suite backward takes 1.38 instead of 1.19.
_OUTSIDE, _TRIES, _WORTH_A_LOOK = 1.6, 12, 1_000


class ReachedStates(Struct, frozen=True, eq=False):
    """Reachable states. Ring k has all at distance k from the start, and perhaps nearer ones (see ``RingSearch``).

    No rings if they were not computed.
    """

    rings: tuple[Bdd, ...]
    states: Bdd


class RingSearch:
    """A search in progress: ``rings`` and ``states`` grow with every :meth:`advance` until ``complete``.

    A ring is the new states, or all so far if these take fewer nodes: any set between the two leads to the same next
    ring (Coudert, Berthet, Madre 1989), and a state that is first met in ring k is at distance k.

    ``cost`` is the number of nodes of all rings so far, and more for steps that were given up: a machine-independent
    measure of the effort.
    """

    def __init__(
        self,
        context: BddContext,
        step: Callable[[Bdd, float], Bdd],
        start: Bdd,
        *,
        within: Bdd | None = None,
        label: str = "ring",
        progress: Progress = no_progress,
    ) -> None:
        """``step`` maps states to neighbours, by diagrams with at most a number of nodes, ``within`` a set."""
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
        #: The nodes of the last ring, and of all states when they were last counted.
        self.frontier = self._reached = context.size(first)
        self.cost: float = self.frontier
        #: How many of the last rings take fewer nodes than the one before.
        self._shrunk = 0

    @property
    def shrinking(self) -> bool:
        """Whether the last ring takes fewer nodes than the one before it: the largest ones are then mostly behind."""
        return self._shrunk > 0

    def advance(self, most: float = math.inf) -> None:
        """Find the next ring; give up, and only note the cost, when that takes a diagram of more than ``most`` nodes.

        Raises MemoryExhausted.
        """
        with memory_errors():
            try:
                image = self._step(self.rings[-1], most)
            except TooManyNodesError:
                self.cost += _GIVEN_UP * most
                return
            if self._within is not None:
                image = image & self._within
            ring = image & ~self.states
            if ring == self._context.false:
                self.complete = True
                return
            self.states = self.states | ring
        size = self._context.size(ring)
        if self._reached <= _FAR * size or len(self.rings) % _COUNTED == 0:
            self._reached = self._context.size(self.states)
        if self._reached < size:
            ring, size = self.states, self._reached
        self.rings.append(ring)
        self.cost += size
        self._shrunk = self._shrunk + 1 if size < self.frontier else 0
        self.frontier = size
        behind = self._shrunk >= _SHRUNK and size < _SMALL
        # With 0 no growth is counted; dead nodes are still dropped where the package does not drop them.
        self._context.reorder_if_large(0 if behind else size, (ring, self.states))
        if self._progress is not no_progress:
            rings = len(self.rings) - 1
            line = f"{self._label} {rings}, frontier {size:,} nodes, reached {self._reached:,} nodes"
            self._progress(
                ProgressFigures(line, {"rings": rings, "frontier_nodes": size, "reached_nodes": self._reached})
            )


def forward_search(relation: TransitionRelation, initial: Bdd, *, progress: Progress = no_progress) -> RingSearch:
    """A search along the transitions."""
    return RingSearch(relation.context, relation.image, initial, progress=progress)


class _Preimages:
    """Preimages; once those before the restriction to the invariant are much larger, it is in the last cluster.

    Not from the start: nodes that are of no use are sifted all the same.
    """

    def __init__(self, relation: TransitionRelation) -> None:
        self._relation = relation
        self._tries = 0 if relation.disjunctive or relation.invariant == relation.context.true else _TRIES

    def __call__(self, states: Bdd, most: float) -> Bdd:
        relation, size = self._relation, self._relation.context.size
        if not self._tries:
            return relation.preimage(states, most)
        with memory_errors():
            predecessors = relation.predecessors(states, most)
            preimage = predecessors & relation.invariant
            nodes = size(predecessors)
            if nodes > _WORTH_A_LOOK:
                self._tries -= 1
                if nodes > _OUTSIDE * size(preimage):
                    self._relation, self._tries = relation.within_invariant(), 0
        return preimage


def backward_search(
    relation: TransitionRelation, bad: Bdd, *, within: Bdd | None = None, progress: Progress = no_progress
) -> RingSearch:
    """A search against the transitions."""
    step = _Preimages(relation)
    return RingSearch(relation.context, step, bad, within=within, label="backward ring", progress=progress)


def reachable(relation: TransitionRelation, initial: Bdd, progress: Progress = no_progress) -> ReachedStates:
    """All reachable states, with rings; NuSMV's diameter is the number of rings. Raises MemoryExhausted."""
    search = forward_search(relation, initial, progress=progress)
    while not search.complete:
        search.advance()
    return ReachedStates(tuple(search.rings), search.states)


def diameter(relation: TransitionRelation, initial: Bdd, progress: Progress) -> int:
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
