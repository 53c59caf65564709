"""Branching bisimilarity of states, with and without the preservation of divergence.

Two states are branching bisimilar if each can do what the other does, after silent moves on which nothing changes.
It preserves divergence if a state that can do such moves for ever is equivalent to states only that can, too. Then
(R. J. van Glabbeek, B. Luttik and N. Trcka, "Branching bisimilarity with explicit divergence", 2009):

- It is a congruence for composition and for hiding.
- It preserves deadlock: let s be without a silent move, and t equivalent to it. Silent moves from t on which nothing
  changes come to an end, in a state t' that has no silent move, as s has none that could answer it; and t' has the same
  actions as s. So in every composition t leads to a deadlock where s is in one.

Both preserve which actions stay possible, so progress under fair choice. Weak bisimilarity preserves progress, but no
deadlock.

States on a cycle of tau are branching bisimilar. Once each cycle is one state, a divergent one has a further move to
itself, by an action of its own, and what is left is refined by signatures: the pairs (action, class of the target)
that a state has after silent moves inside of its class (S. Blom and J. van de Pol, "Distributed branching
bisimulation minimization by inductive signatures", 2009).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from symag.core.ranges import distinct, ranges
from symag.lts.determinisation import quotient
from symag.lts.equivalence import MarkedGraph, numbered, stepwise
from symag.lts.lts import TAU, Lts, Numbers

#: Beyond this many states, after cheaper steps, not all equivalent states are looked for.
_MOST = 5_000


def branching_quotient(system: Lts, divergence: bool) -> tuple[Numbers, Lts]:
    """The class of each state, numbered by their first members, and the system of the classes.

    ``divergence``: it is preserved; a class has tau to itself if its states are divergent. Else no class has. Costs, in
    each round of the refinement, the transitions that silent moves inside of classes lead to.
    """
    classes, divergent = _classes(system, divergence)
    small = quotient(system, classes)
    proper = (small.action != TAU) | (small.source != small.target)
    if divergence:
        proper |= divergent[small.source]
    columns = small.source[proper], small.action[proper], small.target[proper]
    return classes, Lts.of_arrays(small.name, small.alphabet, small.states, *columns, small.end, small.is_property)


def _classes(system: Lts, divergence: bool) -> tuple[Numbers, NDArray[np.bool_]]:
    """The class of each state, and for each class whether its states are divergent (never without ``divergence``)."""
    graph = MarkedGraph.of(system)
    cycle = graph.cycles_of_tau()
    inside = (graph.action == TAU) & (cycle[graph.source] == cycle[graph.target])
    turning = distinct(cycle[graph.source[inside]]) if divergence else np.zeros(0, dtype=np.int64)
    whole = graph.merged(cycle)
    small, where = stepwise(
        MarkedGraph(
            whole.mark,
            np.concatenate((whole.source, turning)),
            np.concatenate((whole.action, np.full(len(turning), whole.actions))),
            np.concatenate((whole.target, turning)),
            whole.actions + 1,
        )
    )
    if small.states <= _MOST:
        where = _refined(small)[where]
    classes = numbered(where[cycle][: system.states])
    divergent = np.zeros(int(classes.max()) + 1, dtype=bool)
    divergent[classes[np.isin(cycle[: system.states], turning)]] = True
    return classes, divergent


def _refined(graph: MarkedGraph) -> Numbers:
    """The coarsest classes by signatures after silent moves inside of a class; there are no cycles of tau."""
    if not (graph.action == TAU).any():
        return graph.refined()
    block: Numbers = np.unique(graph.mark, return_inverse=True)[1]
    count = int(block.max()) + 1
    while True:
        block = _split(graph, block)
        if int(block.max()) + 1 == count:
            return block
        count = int(block.max()) + 1


def _split(graph: MarkedGraph, block: Numbers) -> Numbers:
    """New classes: states stay together if they were, and have the same signature."""
    width = graph.actions * graph.states
    inert = (graph.action == TAU) & (block[graph.source] == block[graph.target])
    seen = ~inert
    letters = graph.action[seen] * graph.states + block[graph.target[seen]]
    codes = _inherited(distinct(graph.source[seen] * width + letters), width, graph, inert)
    owner, letter = np.divmod(codes, width)
    ends = (8 * np.searchsorted(owner, np.arange(graph.states + 1))).tolist()
    data = letter.tobytes()
    groups: dict[tuple[int, bytes], int] = {}
    signatures = zip(block.tolist(), ends, ends[1:], strict=False)
    return np.array(
        [groups.setdefault((old, data[begin:end]), len(groups)) for old, begin, end in signatures], dtype=np.int64
    )


def _inherited(codes: Numbers, width: int, graph: MarkedGraph, inert: NDArray[np.bool_]) -> Numbers:
    """The pairs (state, letter), as numbers, with those of the states that inert moves lead to."""
    order = np.argsort(graph.target[inert], kind="stable")
    before = graph.source[inert][order]
    first = np.searchsorted(graph.target[inert][order], np.arange(graph.states + 1))
    fresh = codes
    while len(fresh):
        state, letter = np.divmod(fresh, width)
        begin, end = first[state], first[state + 1]
        inherited = distinct(before[ranges(begin, end)] * width + np.repeat(letter, end - begin))
        fresh = np.setdiff1d(inherited, codes, assume_unique=True)
        codes = distinct(np.concatenate([codes, fresh]))
    return codes
