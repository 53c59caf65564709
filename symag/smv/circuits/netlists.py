"""Large netlists into a graph, many gates at a time: structural hashing and local simplification with numpy.

The gates are sorted by level, so that those of one level do not depend on each other; each rule of
``Graph.conjunction`` is one look at all pairs of a level. Gates are numbered by level, not in the order of the netlist,
and where several rules fit another one may be taken; the functions are those that gate by gate gives.
"""

from __future__ import annotations

from itertools import pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.smv.circuits.graph import FALSE, INPUT, TRUE, Graph

Literals = NDArray[np.int64]

#: No literal: the value of what is not known yet.
_NONE = -1


def levels_of(nodes: Literals, first: Literals, second: Literals, places: int) -> list[NDArray[np.int64]]:
    """The indices of gates by level, the lowest first.

    ``nodes`` are their nodes, in increasing order and each above its operands, whose literals are ``first`` and
    ``second``; ``places`` is the number of all nodes. Linear, and sorting.
    """
    heights = [0] * places
    for node, a, b in zip(nodes.tolist(), (first >> 1).tolist(), (second >> 1).tolist(), strict=True):
        one, other = heights[a], heights[b]
        heights[node] = (one if one > other else other) + 1
    level = np.array(heights, dtype=np.int32)[nodes]
    order = np.argsort(level, kind="stable")
    borders = np.flatnonzero(np.diff(level[order], prepend=0, append=-1)).tolist()
    return [order[start:end] for start, end in pairwise(borders)]


class NetlistGates:
    """Gates to be added to a graph, at most ``room`` of them; the graph is not to be used before ``close``."""

    def __init__(self, graph: Graph, room: int) -> None:
        self._graph = graph
        self._size = self._before = len(graph)
        self._left, self._right = np.empty(self._size + room, np.int32), np.empty(self._size + room, np.int32)
        self._left[: self._size] = np.frombuffer(graph.left, dtype=np.int32)
        self._right[: self._size] = np.frombuffer(graph.right, dtype=np.int32)

    def close(self) -> None:
        """Give the new gates to the graph."""
        graph, new = self._graph, slice(self._before, self._size)
        graph.left.frombytes(self._left[new].tobytes())
        graph.right.frombytes(self._right[new].tobytes())
        graph.uses.frombytes(bytes(4 * (self._size - self._before)))
        uses = np.frombuffer(graph.uses, dtype=np.int32)
        uses += np.bincount(np.concatenate([self._left[new], self._right[new]]) >> 1, minlength=self._size).astype(
            np.int32
        )

    def conjunctions(self, first: Literals, second: Literals) -> Literals:
        """The literals of ``first`` & ``second``, pair by pair."""
        result = np.full(len(first), _NONE, dtype=np.int64)
        index = np.arange(len(first))
        a, b = first, second
        while len(index):
            a, b = np.minimum(a, b), np.maximum(a, b)
            known = _trivial(a, b)
            again = np.zeros(len(index), dtype=bool)
            open_ = np.flatnonzero(known == _NONE)
            if len(open_):
                known[open_], one, other = self._one_of(a[open_], b[open_])
                rewritten = one != _NONE
                again[open_[rewritten]] = True
                a[open_[rewritten]], b[open_[rewritten]] = one[rewritten], other[rewritten]
            result[index[~again]] = known[~again]
            index, a, b = index[again], a[again], b[again]
        return result

    def _one_of(self, a: Literals, b: Literals) -> tuple[Literals, Literals, Literals]:
        """For each pair a literal that it equals, or (where that is ``_NONE``) another pair that equals it."""
        keys = a << 32 | b
        known = np.fromiter(map(self._graph.known.get, keys.tolist(), repeat(_NONE)), np.int64, len(keys))
        one, other = np.full(len(a), _NONE), np.full(len(a), _NONE)
        rest = np.flatnonzero(known == _NONE)
        known[rest], one[rest], other[rest] = self._simplified(a[rest], b[rest])
        new = np.flatnonzero((known == _NONE) & (one == _NONE))
        if len(new):
            known[new] = self._made(a[new], b[new], keys[new])
        return known, one, other

    def _made(self, a: Literals, b: Literals, keys: Literals) -> Literals:
        """New gates for pairs, equal ones once; numbered in the order in which they come first."""
        distinct, places, which = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(places)
        literals = np.empty(len(distinct), dtype=np.int64)
        literals[order] = 2 * np.arange(self._size, self._size + len(distinct))
        end = self._size + len(distinct)
        self._left[self._size : end], self._right[self._size : end] = a[places[order]], b[places[order]]
        self._size = end
        self._graph.known.update(zip(distinct.tolist(), literals.tolist(), strict=True))
        return literals[which.reshape(-1)]

    def _simplified(self, a: Literals, b: Literals) -> tuple[Literals, Literals, Literals]:
        """As ``_one_of``, by the rules of ``Graph`` about the operands of a and b; ``_NONE`` where none applies."""
        nodes = a >> 1, b >> 1
        operands = [(self._left[node].astype(np.int64), self._right[node].astype(np.int64)) for node in nodes]
        known, one, other = (np.full(len(a), _NONE) for _ in range(3))
        open_ = np.ones(len(a), dtype=bool)

        def decide(where: Any, value: Any) -> None:
            chosen = open_ & where
            known[chosen] = value[chosen] if isinstance(value, np.ndarray) else value
            open_[chosen] = False

        def rewrite(where: Any, left: Literals, right: Literals) -> None:
            chosen = open_ & where
            one[chosen], other[chosen] = left[chosen], right[chosen]
            open_[chosen] = False

        for p, q, (x, y) in ((a, b, operands[1]), (b, a, operands[0])):
            gate, negated = x != INPUT, (q & 1).astype(bool)
            opposed, among = (p ^ 1 == x) | (p ^ 1 == y), (p == x) | (p == y)
            decide(gate & negated & opposed, p)
            rewrite(gate & negated & among, p, np.where(p == x, y, x) ^ 1)
            decide(gate & ~negated & opposed, FALSE)
            decide(gate & ~negated & among, q)
        (x, y), (u, v) = operands
        gates, odd, odd_too = (x != INPUT) & (u != INPUT), (a & 1).astype(bool), (b & 1).astype(bool)
        opposed = (x ^ 1 == u) | (x ^ 1 == v) | (y ^ 1 == u) | (y ^ 1 == v)
        decide(gates & ~odd & ~odd_too & opposed, FALSE)
        for common, rest in ((x, y), (y, x)):
            same = ((common == u) & (rest ^ 1 == v)) | ((common == v) & (rest ^ 1 == u))
            decide(gates & odd & odd_too & same, common ^ 1)
        decide(gates & (odd != odd_too) & opposed, np.where(odd, b, a))
        return known, one, other


def _trivial(a: Literals, b: Literals) -> Literals:
    """The conjunctions of pairs (the smaller literal first) that constants or equal operands decide, else ``_NONE``."""
    known = np.full(len(a), _NONE, dtype=np.int64)
    known[a ^ b == 1] = FALSE
    known[a == b] = a[a == b]
    known[a == TRUE] = b[a == TRUE]
    known[a == FALSE] = FALSE
    return known
