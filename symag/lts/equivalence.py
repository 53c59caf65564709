"""Strong and weak bisimilarity of states, by refining partitions on arrays.

References: R. Milner, "Communication and Concurrency" (1989), for the equivalences; S. Blom and S. Orzan, "A
distributed algorithm for strong bisimulation reduction of state spaces" (2005), for refinement by signatures: the
set of pairs (action, class of the target). After a round only the states that lead to a renamed class are processed
again. ERROR is equivalent to no other state, and a state that has ended is equivalent only to such states.
"""

from __future__ import annotations

import numpy as np

from symag.core.ranges import distinct, grouped, ranges
from symag.lts.components import silent_closure, strongly_connected
from symag.lts.lts import ERROR, TAU, Lts, Numbers

#: With at most this many states a round on arrays costs more than one without them.
_FEW = 48

#: As many moves or fewer are listed, perhaps several times, instead of by a product of sparse matrices: the import of
#: scipy takes longer.
_LISTED = 1_000_000


def strong_classes(system: Lts) -> Numbers:
    """The class of each state; classes are numbered by their first states.

    Costs about 1 microsecond for each signature that is computed, rarely more than a few for each state.
    """
    graph = MarkedGraph.of(system)
    return numbered(graph.refined()[: system.states])


def weak_classes(system: Lts) -> Numbers:
    """The class of each state by weak bisimulation; classes are numbered by their first states.

    Cheap steps come first: strong equivalence, cycles of tau, and states that only one tau leaves. In the rest all
    moves ``tau* action tau*`` are listed, in the worst case as many as the square of its states.
    """
    graph, where = stepwise(MarkedGraph.of(system))
    return numbered(graph.saturated().refined()[where][: system.states])


def finer_classes(system: Lts) -> Numbers:
    """Classes of weakly bisimilar states, not all of them: those that can be found without listing ``tau*``."""
    return numbered(stepwise(MarkedGraph.of(system))[1][: system.states])


def stepwise(graph: MarkedGraph) -> tuple[MarkedGraph, Numbers]:
    """A smaller graph, and the state in it for each given state.

    States that are merged lead to each other by tau, are strongly equivalent, or have a single tau as their only move.
    """
    where = np.arange(graph.states)
    graph = graph.merged(where)
    while True:
        before = graph.states
        for classes in (MarkedGraph.refined, MarkedGraph.cycles_of_tau, MarkedGraph.ends_of_single_taus):
            refined = classes(graph)
            where = refined[where]
            graph = graph.merged(refined)
        if graph.states == before:
            return graph, where


def numbered(classes: Numbers) -> Numbers:
    """The same classes, numbered in the order of their first members."""
    _, first, inverse = np.unique(classes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse]


class MarkedGraph:
    """States, and transitions sorted by source; states with a different ``mark`` are not equivalent.

    No transition leaves the states of ERROR (mark 1) and END (mark 2; in a ``saturated`` graph also states from which
    tau may lead to END).
    """

    def __init__(self, mark: Numbers, source: Numbers, action: Numbers, target: Numbers, actions: int) -> None:
        self.states = len(mark)
        self.mark = mark
        self.actions = actions
        key = (source * actions + action) * self.states + target
        key.sort()
        key = key[np.flatnonzero(np.diff(key, prepend=-1))]
        pair, self.target = np.divmod(key, self.states)
        self.source, self.action = np.divmod(pair, actions)

    @classmethod
    def of(cls, system: Lts) -> MarkedGraph:
        mark = np.zeros(system.states + 1, dtype=np.int64)
        mark[system.states] = 1
        if system.end is not None:
            mark[system.end] = 2
        target = np.where(system.target == ERROR, system.states, system.target)
        return cls(mark, system.source, system.action, target, len(system.alphabet))

    def merged(self, classes: Numbers) -> MarkedGraph:
        """One state for each class, without tau from one to itself; classes are numbered without gaps."""
        mark = np.zeros(int(classes.max()) + 1, dtype=np.int64)
        np.maximum.at(mark, classes, self.mark)
        source, target = classes[self.source], classes[self.target]
        proper = (self.action != TAU) | (source != target)
        return MarkedGraph(mark, source[proper], self.action[proper], target[proper], self.actions)

    def cycles_of_tau(self) -> Numbers:
        """Classes of states that lead to each other by tau alone."""
        silent = self.action == TAU
        return strongly_connected(self.states, self.source[silent], self.target[silent])[1]

    def ends_of_single_taus(self) -> Numbers:
        """Classes in which a state with a single tau as its only move is together with its target.

        There must be no cycles of tau.
        """
        leaving = np.bincount(self.source, minlength=self.states)
        alone = (self.action == TAU) & (leaving[self.source] == 1)
        alone &= (self.mark[self.source] == 0) & (self.mark[self.target] == 0)
        goal = np.arange(self.states)
        goal[self.source[alone]] = self.target[alone]
        while True:
            further = goal[goal]
            if (further == goal).all():
                classes: Numbers = np.unique(goal, return_inverse=True)[1]
                return classes
            goal = further

    def saturated(self) -> MarkedGraph:
        """The graph with a transition for each ``tau* action tau*``, and a tau for each ``tau*``, also to itself.

        The graph itself if it has no tau: then strong and weak bisimilarity are the same.
        """
        silent = self.action == TAU
        if not silent.any():
            return self
        begin, ends = silent_closure(self.states, self.source[silent], self.target[silent])
        start = np.repeat(np.arange(self.states), np.diff(begin))
        via = self.target[~silent]
        count = begin[via + 1] - begin[via]
        pairs = np.repeat(self.action[~silent], count) * self.states + ends[ranges(begin[via], begin[via + 1])]
        width = self.states * self.actions
        single = distinct(np.repeat(self.source[~silent], count) * width + pairs)
        before, pair = _joined(start, ends, *np.divmod(single, width), self.states, width)
        mark = self.mark.copy()
        mark[start[self.mark[ends] == 2]] = 2
        source, pair = np.concatenate([start, before]), np.concatenate([TAU * self.states + ends, pair])
        return MarkedGraph(mark, source, pair // self.states, pair % self.states, self.actions)

    def refined(self) -> Numbers:
        """The coarsest partition that respects the marks and in which equivalent states have equal signatures."""
        return _Refinement(self).classes()


def _joined(
    start: Numbers, via: Numbers, source: Numbers, target: Numbers, states: int, width: int
) -> tuple[Numbers, Numbers]:
    """Pairs (a, c), perhaps several times, with (a, b) of ``start`` and ``via``, and (b, c) of ``source``, sorted, and
    ``target``. There are ``states`` of a and b and ``width`` of c.
    """
    first = np.searchsorted(source, np.arange(states + 1))
    begin, end = first[via], first[via + 1]
    if int((end - begin).sum()) <= _LISTED:
        return np.repeat(start, end - begin), target[ranges(begin, end)]
    from scipy.sparse import coo_array, csr_array  # slow to import

    left = csr_array(coo_array((np.ones(len(start), dtype=bool), (start, via)), shape=(states, states)))
    right = csr_array(coo_array((np.ones(len(source), dtype=bool), (source, target)), shape=(states, width)))
    product = (left @ right).tocoo()
    return product.row.astype(np.int64), product.col.astype(np.int64)


class _Refinement:
    def __init__(self, graph: MarkedGraph) -> None:
        self._graph = graph
        self._first = np.searchsorted(graph.source, np.arange(graph.states + 1))
        order, self._first_into = grouped(graph.target, graph.states)
        self._before = graph.source[order]
        self._block = np.unique(graph.mark, return_inverse=True)[1]
        self._sizes = np.zeros(graph.states, dtype=np.int64)
        self._blocks = int(self._block.max()) + 1
        self._sizes[: self._blocks] = np.bincount(self._block)

    def classes(self) -> Numbers:
        waiting = np.arange(self._graph.states)
        while len(waiting):
            if len(waiting) <= _FEW:
                waiting = np.array(self._rounds_of_few(waiting.tolist()), dtype=np.int64)
                continue
            moved = self._split(waiting)
            before = self._before[ranges(self._first_into[moved], self._first_into[moved + 1])]
            waiting = distinct(before)
        blocks: Numbers = self._block
        return blocks

    def _rounds_of_few(self, waiting: list[int]) -> list[int]:
        """``classes`` one state at a time, as long as few wait: a long chain needs a round for each of its states."""
        action, target, block = (array.data for array in (self._graph.action, self._graph.target, self._block))
        first, first_into, before = (array.data for array in (self._first, self._first_into, self._before))
        while 0 < len(waiting) <= _FEW:
            groups: dict[int, dict[frozenset[tuple[int, int]], list[int]]] = {}
            for state in waiting:
                rows = range(first[state], first[state + 1])
                signature = frozenset((action[row], block[target[row]]) for row in rows)
                groups.setdefault(block[state], {}).setdefault(signature, []).append(state)
            moved = []
            for old, parts in groups.items():
                leaving = list(parts.values())
                if sum(map(len, leaving)) == self._sizes[old]:
                    leaving.pop(max(range(len(leaving)), key=lambda index: len(leaving[index])))
                for part in leaving:
                    self._sizes[old] -= len(part)
                    self._sizes[self._blocks] = len(part)
                    for state in part:
                        block[state] = self._blocks
                    self._blocks += 1
                    moved += part
            reached = {before[row] for state in moved for row in range(first_into[state], first_into[state + 1])}
            waiting = sorted(reached)
        return waiting

    def _split(self, states: Numbers) -> Numbers:
        """Divide the classes of these states by signature; return the states that are now in a new class.

        The members of a class that are not among ``states`` lead to no new class: they keep the class's number, and
        all groups of ``states`` get new ones. If all members are among them, the largest group keeps the number.
        """
        group = self._groups(states)
        sizes = np.bincount(group)
        old = np.empty(len(sizes), dtype=np.int64)
        old[group] = self._block[states]
        _, place = np.unique(old, return_inverse=True)
        seen = np.bincount(place, weights=sizes)[place]
        order = np.lexsort((-sizes, old))
        is_largest = np.zeros(len(sizes), dtype=bool)
        is_largest[order[np.flatnonzero(np.diff(old[order], prepend=-1))]] = True
        leaves = ~(is_largest & (seen == self._sizes[old]))
        fresh = np.flatnonzero(leaves)
        number = old.copy()
        number[fresh] = self._blocks + np.arange(len(fresh))
        np.subtract.at(self._sizes, old[fresh], sizes[fresh])
        self._sizes[number[fresh]] = sizes[fresh]
        self._blocks += len(fresh)
        moved = leaves[group]
        self._block[states[moved]] = number[group[moved]]
        renamed: Numbers = states[moved]
        return renamed

    def _groups(self, states: Numbers) -> Numbers:
        """A number for each state; states of one class with equal signatures have the same."""
        graph = self._graph
        first, last = self._first[states], self._first[states + 1]
        rows = ranges(first, last)
        owner = np.repeat(np.arange(len(states)), last - first)
        letter = graph.action[rows] * graph.states + self._block[graph.target[rows]]
        order = np.lexsort((letter, owner))
        owner, letter = owner[order], letter[order]
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = (owner[1:] != owner[:-1]) | (letter[1:] != letter[:-1])
        owner, letter = owner[fresh], letter[fresh]
        ends = (8 * np.searchsorted(owner, np.arange(len(states) + 1))).tolist()
        data = letter.tobytes()
        groups: dict[tuple[int, bytes], int] = {}
        blocks = self._block[states].tolist()
        return np.array(
            [
                groups.setdefault((block, data[begin:end]), len(groups))
                for block, begin, end in zip(blocks, ends, ends[1:], strict=False)
            ],
            dtype=np.int64,
        )
