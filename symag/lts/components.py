"""Strongly connected components of a graph in arrays, its reflexive and transitive closure, what leads to a state.

Small graphs are searched here, because the import of scipy takes longer than a search of thousands of states.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from symag.core.ranges import distinct, grouped, ranges
from symag.lts.lts import Numbers

#: Graphs with more edges or states than this are searched by scipy.
_SMALL = 50_000

#: Closures with more pairs than this are made by scipy.
_FEW_ENDS = 100_000


def strongly_connected(states: int, source: Numbers, target: Numbers) -> tuple[int, Numbers]:
    """The number of components, and the number of each state's component. Costs time linear in states and edges."""
    if len(source) <= _SMALL and states <= _SMALL:
        return _searched(states, source, target)
    # For start-up: takes time to import, and only large graphs need it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(source), dtype=np.int8), (source, target)), shape=(states, states))
    count, component = connected_components(graph, connection="strong")
    return int(count), component.astype(np.int64)


def _searched(states: int, source: Numbers, target: Numbers) -> tuple[int, Numbers]:
    """R. Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion."""
    order, begin = grouped(source, states)
    ends, first = target[order].tolist(), begin.tolist()
    following = first[:states]
    reached_at = [-1] * states  # the order in which states are reached
    lowest = [0] * states  # the earliest state on the path that a state leads back to
    component = [-1] * states
    reached = count = 0
    path: list[int] = []
    pending: list[int] = []
    for root in range(states):
        if reached_at[root] >= 0:
            continue
        path.append(root)
        while path:
            state = path[-1]
            if reached_at[state] < 0:
                reached_at[state] = lowest[state] = reached
                reached += 1
                pending.append(state)
            if following[state] < first[state + 1]:
                after = ends[following[state]]
                following[state] += 1
                if reached_at[after] < 0:
                    path.append(after)
                elif component[after] < 0:
                    lowest[state] = min(lowest[state], reached_at[after])
                continue
            path.pop()
            if path:
                lowest[path[-1]] = min(lowest[path[-1]], lowest[state])
            if lowest[state] == reached_at[state]:
                while True:
                    member = pending.pop()
                    component[member] = count
                    if member == state:
                        break
                count += 1
    return count, np.array(component, dtype=np.int64)


def silent_closure(states: int, source: Numbers, target: Numbers) -> tuple[Numbers, Numbers]:
    """``ends[begin[s]:begin[s + 1]]`` are the states that s leads to, itself among them.

    There may be as many ends as the square of the states; raises MemoryError. Costs a product of sparse matrices for
    each doubling of the longest path, unless there are few ends.
    """
    every = np.arange(states)
    if not len(source):
        return np.arange(states + 1), every
    listed = _listed_closure(states, source, target)
    if listed is not None:
        return listed
    from scipy.sparse import coo_array  # slow to import

    rows = np.concatenate([every, source]), np.concatenate([every, target])
    closure = coo_array((np.ones(len(rows[0]), dtype=bool), rows), shape=(states, states)).tocsr()
    while True:
        further = (closure @ closure).tocsr()
        if further.nnz == closure.nnz:
            return closure.indptr.astype(np.int64), closure.indices.astype(np.int64)
        closure = further


def _listed_closure(states: int, source: Numbers, target: Numbers) -> tuple[Numbers, Numbers] | None:
    """The same by a search from every state; None with more than ``_FEW_ENDS`` ends."""
    if states > _FEW_ENDS:
        return None
    following = _successors(states, source, target)
    begin, ends = [0], list[int]()
    for root in range(states):
        ends.extend(sorted(_reached(root, following)))
        begin.append(len(ends))
        if len(ends) > _FEW_ENDS:
            return None
    return np.array(begin, dtype=np.int64), np.array(ends, dtype=np.int64)


def leading_to(goal: int, states: int, source: Numbers, target: Numbers) -> NDArray[np.bool_]:
    """Whether edges lead from each state to the goal; to itself they do. Costs time linear in states and edges."""
    useful = np.zeros(states, dtype=bool)
    if len(source) > _SMALL or states > _SMALL:
        # For start-up: takes time to import, and only large graphs need it.
        from scipy.sparse import coo_array, csr_array
        from scipy.sparse.csgraph import breadth_first_order

        backwards = csr_array(
            coo_array((np.ones(len(source), dtype=np.int8), (target, source)), shape=(states, states))
        )
        useful[breadth_first_order(backwards, goal, return_predecessors=False)] = True
        return useful
    useful[list(_reached(goal, _successors(states, target, source)))] = True
    return useful


def _successors(states: int, source: Numbers, target: Numbers) -> list[list[int]]:
    order, first = grouped(source, states)
    ends = target[order].tolist()
    return [ends[begin:end] for begin, end in pairwise(first.tolist())]


def _reached(root: int, following: Sequence[Sequence[int]]) -> set[int]:
    reached, pending = {root}, [root]
    while pending:
        fresh = set(following[pending.pop()]) - reached
        reached |= fresh
        pending.extend(fresh)
    return reached


def carried_back(codes: Numbers, width: int, states: int, source: Numbers, target: Numbers) -> Numbers:
    """Pairs (state, item) as state * width + item, each also for all states that edges lead to its state from; sorted.

    ``codes`` are distinct. Costs, for each pair of the result, the edges into its state.
    """
    order, first = grouped(target, states)
    before = source[order]
    fresh = codes
    while len(fresh):
        state, item = np.divmod(fresh, width)
        begin, end = first[state], first[state + 1]
        carried = distinct(before[ranges(begin, end)] * width + np.repeat(item, end - begin))
        fresh = carried[~np.isin(carried, codes, assume_unique=True)]
        codes = distinct(np.concatenate([codes, fresh]))
    return codes
