"""The clauses of large cones, all gates at a time with numpy: as ``clauses``, which makes those of single gates.

Wide conjunctions, XORs and choices are recognised as there, but for one difference: a conjunction that gets too wide is
cut at every fourth level of its gates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.smv.circuits.graph import INPUT, Graph
from symag.smv.model.gates import new_below

#: How many nodes are looked at before all are.
NEAR = (4_000, 60_000)


def nearest(
    graph: Graph,
    roots: Iterable[tuple[int, int]],
    closed: Sequence[bytearray],
    following: Mapping[int, int],
    most: int,
) -> dict[int, list[int]]:
    """The nodes nearest to some nodes at steps, at most about ``most``, by step.

    What is far away is left open: values of its signals are arbitrary. So a question that has no model with the nearest
    gates has none with all of them (localization: Kurshan, "Computer-aided verification of coordinating processes",
    1994).

    ``closed[step]`` marks nodes to be left out with all below them. ``following`` has the literal of the next function
    of each latch, which is its operand at the step before.
    """
    left, right = graph.left, graph.right
    nodes: dict[int, list[int]] = {step: [] for step in range(len(closed))}
    seen: dict[int, set[int]] = {step: set() for step in nodes}
    frontier = [(node, step) for node, step in roots if not closed[step][node]]
    count = 0
    while frontier and count < most:
        below: list[tuple[int, int]] = []
        for node, step in frontier:
            if node in seen[step] or closed[step][node]:
                continue
            seen[step].add(node)
            nodes[step].append(node)
            count += 1
            if left[node] != INPUT:
                below.append((left[node] >> 1, step))
                below.append((right[node] >> 1, step))
            elif step > 0 and node in following:
                below.append((following[node] >> 1, step - 1))
        frontier = below
    return nodes


Integers = NDArray[np.int64]

#: The largest number of literals of a conjunction, and the levels of the parts that wider ones are cut into.
_WIDEST, _LEVELS = 24, 4

#: So many clauses at a time become lists.
_CHUNK = 1 << 9

#: The clauses of XOR (own, a, b) and of a choice (own, condition, then, else): signs and columns, 0 at the ends.
_XOR = ((-1, 2, 3), (-1, -2, -3), (1, -2, 3), (1, 2, -3))
_CHOICE = ((-1, -2, 3), (1, -2, -3), (-1, 2, 4), (1, 2, -4), (-1, 3, 4), (1, -3, -4))


class ConeClauses:
    """The gates below some literals of a graph as clauses of solver variables.

    ``inputs`` are the nodes of inputs with their variables, among them all that the roots depend on; variable 1 is
    TRUE. Gates get the variables from ``first_gate`` on, operands before gates. Linear, and sorting.
    """

    def __init__(self, graph: Graph, roots: Iterable[int], inputs: Sequence[tuple[int, int]], first_gate: int) -> None:
        self.graph = graph
        self.first_gate = first_gate
        #: By node, its solver variable; 0 for those that have none. The constant's is negative, for it is FALSE.
        self.variables = np.zeros(len(graph), dtype=np.int32)
        self.variables[0] = -1
        if inputs:
            nodes, variables = np.array(inputs, dtype=np.int64).T
            self.variables[nodes] = variables
        root_nodes = sorted({root >> 1 for root in roots})
        seen = bytearray(len(graph))
        seen[0] = 1
        cone = np.array(new_below(graph.left, graph.right, 0, root_nodes, seen), dtype=np.int64)
        if (self.variables[cone[np.frombuffer(graph.left, dtype=np.int32)[cone] == INPUT]] == 0).any():
            raise ValueError("an input has no variable")
        #: By node, whether a root depends on it.
        self.in_cone = np.frombuffer(seen, dtype=np.bool_)
        shapes = _Shapes(graph, cone, np.array(root_nodes, dtype=np.int64))
        #: By place of a gate, its node.
        self._nodes = shapes.needed
        self.largest = first_gate - 1 + len(self._nodes)
        self.variables[self._nodes] = np.arange(first_gate, self.largest + 1, dtype=np.int32)
        #: The clauses, each with 0 behind it; those of the gate at place k begin at ``_starts[k]``.
        self._literals, self._starts = shapes.clauses(self.variables)

    def literal(self, literal: int) -> int:
        """The solver literal of a root or an input."""
        variable = int(self.variables[literal >> 1])
        if not variable:
            raise ValueError(f"literal {literal} is not below the roots")
        return -variable if literal & 1 else variable

    def loading(self) -> ConeLoading:
        """See ``GatesAsClauses``."""
        return ConeLoading(self)

    def places_of(self, nodes: Integers) -> Integers:
        """The places of the gates among some nodes that have a variable, increasing."""
        places = self.variables[nodes].astype(np.int64) - self.first_gate
        return np.sort(places[places >= 0])

    def nodes_of(self, literals: Iterable[int]) -> list[int]:
        """The nodes of the gates among some solver literals."""
        nodes: list[int] = self._nodes[
            [abs(one) - self.first_gate for one in literals if abs(one) >= self.first_gate]
        ].tolist()
        return nodes

    def literals_of(self, places: Integers) -> NDArray[np.int32]:
        """The clauses of the gates whose variables are at some places after the first, increasing; 0 behind each."""
        if len(places) == len(self._nodes):
            return self._literals
        sizes = self._starts[places + 1] - self._starts[places]
        offsets = np.repeat(self._starts[places] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        return self._literals[offsets + np.arange(len(offsets))]


class ConeLoading:
    """The gates of a cone that one solver has: ``near`` its questions first, then whole cones."""

    #: So many nodes at a time: what is near often refutes a question, in time that does not depend on the whole cone.
    sizes: tuple[int | None, ...] = (*NEAR, None)

    def __init__(self, cone: ConeClauses) -> None:
        self._cone = cone
        self._graph = cone.graph
        #: By node, whether its whole cone is loaded; by place, whether the gate is.
        self._closed = bytearray(len(self._graph))
        self._closed[0] = 1
        #: By number of nodes, the roots near which this many are loaded.
        self._roots: dict[int, set[int]] = {}
        self._loaded = np.zeros(cone.largest + 1 - cone.first_gate, dtype=np.bool_)

    def new_clauses(self, literals: Iterable[int], most: int | None) -> Iterator[list[list[int]]]:
        """See ``Loading``. Linear in the new gates, or in ``most``."""
        cone, graph = self._cone, self._graph
        roots = [node for node in cone.nodes_of(literals) if not self._closed[node]]
        if not roots:
            return
        if most is None:
            nodes = new_below(graph.left, graph.right, 0, roots, self._closed)
        else:
            known = self._roots.setdefault(most, set())
            roots = [node for node in roots if node not in known]
            known.update(roots)
            nodes = nearest(graph, [(node, 0) for node in roots], [self._closed], {}, most)[0]
        places = cone.places_of(np.array(nodes, dtype=np.int64))
        places = places[~self._loaded[places]]
        self._loaded[places] = True
        yield from clauses_in(cone.literals_of(places))


class _Shapes:
    """The kinds of a cone's gates with their operands; ``needed`` are the nodes that need a variable, increasing."""

    def __init__(self, graph: Graph, cone: Integers, roots: Integers) -> None:
        left, right, uses = (np.frombuffer(part, dtype=np.int32) for part in (graph.left, graph.right, graph.uses))
        nodes = cone[left[cone] != INPUT]
        a, b = left[nodes].astype(np.int64), right[nodes].astype(np.int64)
        is_xor, is_choice, operands = _recognised(left, right, a, b)
        plain = ~(is_xor | is_choice)
        # A conjunction that only another one reads is a part of that one.
        whole = np.zeros(len(graph), dtype=bool)
        whole[roots] = True
        whole[operands[is_xor, :2].reshape(-1) >> 1] = True
        whole[operands[is_choice].reshape(-1) >> 1] = True
        joins = np.zeros(len(graph), dtype=bool)
        joins[nodes[plain]] = True
        joins &= ~whole & (uses == 1)
        place = np.zeros(len(graph), dtype=np.int32)
        place[nodes] = np.arange(len(nodes), dtype=np.int32)
        above = np.arange(len(nodes))
        for operand in (a, b):
            inside = np.flatnonzero(plain & (operand & 1 == 0) & joins[operand >> 1])
            above[place[operand[inside] >> 1]] = inside
        top = _tops(above)
        edges = []
        for operand in (a, b):
            outer = np.flatnonzero(plain)
            below = operand[outer] >> 1
            inner = (left[below] != INPUT) & (operand[outer] & 1 == 0) & joins[below]
            inner &= top[place[below]] == top[outer]
            edges.append((top[outer[~inner]], operand[outer[~inner]]))
        owners, self._leaves = (np.concatenate(parts) for parts in zip(*edges, strict=True))
        order = np.argsort(owners, kind="stable")
        self._owners, self._leaves = owners[order], self._leaves[order]
        whole[self._leaves >> 1] = True
        self._operands = operands
        is_needed = whole[nodes] & (top == np.arange(len(nodes)))
        self.needed = nodes[is_needed]
        self._gates = np.flatnonzero(is_needed)
        self._is_xor, self._is_choice = is_xor, is_choice

    def clauses(self, variables: NDArray[np.int32]) -> tuple[NDArray[np.int32], Integers]:
        """All clauses, and where those of each gate in need of a variable begin, with the end."""

        def signals(literals: Any) -> Any:
            return variables[literals >> 1] * (1 - 2 * (literals & 1).astype(np.int32))

        widths = np.bincount(self._owners, minlength=len(self._is_xor))[self._gates]
        is_xor, is_choice = self._is_xor[self._gates], self._is_choice[self._gates]
        sizes = np.select([is_xor, is_choice], [4 * len(_XOR), 4 * len(_CHOICE)], 4 * widths + 2)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        literals = np.zeros(int(starts[-1]), dtype=np.int32)
        own = variables[self.needed]
        for chosen, pattern in ((is_xor, _XOR), (is_choice, _CHOICE)):
            places = np.flatnonzero(chosen)
            columns = [own[places], *signals(self._operands[self._gates[places]]).T]
            for number, clause in enumerate(pattern):
                for offset, column in enumerate(clause):
                    sign = 1 if column > 0 else -1
                    literals[starts[places] + 4 * number + offset] = sign * columns[abs(column) - 1]
        rank = np.full(len(self._is_xor), -1)
        rank[self._gates] = np.arange(len(self._gates))
        gate = rank[self._owners]
        inside, gate = signals(self._leaves[gate >= 0]), gate[gate >= 0]
        firsts = np.flatnonzero(np.diff(gate, prepend=-1))
        index = np.arange(len(gate)) - np.repeat(firsts, np.diff(np.append(firsts, len(gate))))
        literals[starts[gate] + 3 * index] = -own[gate]
        literals[starts[gate] + 3 * index + 1] = inside
        literals[starts[gate] + 3 * widths[gate]] = own[gate]
        literals[starts[gate] + 3 * widths[gate] + 1 + index] = -inside
        return literals, starts


def _recognised(left: Any, right: Any, a: Integers, b: Integers) -> tuple[Any, Any, Any]:
    """Which gates are XORs, which are choices, and the operands of these: two literals, or condition, then, else."""
    x, y, u, v = left[a >> 1], right[a >> 1], left[b >> 1], right[b >> 1]
    possible = (a & b & 1 == 1) & (x != INPUT) & (u != INPUT)
    is_xor = possible & ((x ^ 1 == u) | (x ^ 1 == v)) & ((y ^ 1 == u) | (y ^ 1 == v))
    operands = np.stack([x, y, np.zeros_like(x)], axis=1)
    is_choice = np.zeros(len(a), dtype=bool)
    for condition, then, other, rest in ((x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)):
        here = possible & ~is_xor & ~is_choice & (condition ^ 1 == other)
        operands[here] = np.stack([condition, then ^ 1, rest ^ 1], axis=1)[here]
        is_choice |= here
    return is_xor, is_choice, operands


def _tops(above: Integers) -> Integers:
    """The highest gate that each one is a part of; ``above`` is the gate that reads it, or itself.

    In a conjunction that is too wide, parts at every few levels become gates of their own.
    """
    top, depth = _climbed(above)
    too_wide = np.bincount(top, minlength=len(top)) >= _WIDEST
    cut = too_wide[top] & (depth % _LEVELS == 0)
    if not cut.any():
        return top
    return _climbed(np.where(cut, np.arange(len(above)), above))[0]


def _climbed(above: Integers) -> tuple[Integers, Integers]:
    """The end of each way upwards, and its length; in steps that double."""
    top, depth = above, (above != np.arange(len(above))).astype(np.int64)
    while True:
        following = top[top]
        if np.array_equal(following, top):
            return top, depth
        top, depth = following, depth + depth[top]


def clauses_in(literals: NDArray[np.int32]) -> Iterator[list[list[int]]]:
    """The clauses in an array in which 0 stands behind each, as lists, nearly in the opposite order.

    So minisat gets gates before their operands: PDR on three random circuits of 400,000 gates takes 10.9 s of CPU, and
    12.4 in the order of the array.
    """
    ends = np.flatnonzero(literals == 0)
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    for first in reversed(range(0, len(starts), _CHUNK)):
        here = starts[first : first + _CHUNK]
        lengths = ends[first : first + _CHUNK] - here
        for length in np.flatnonzero(np.bincount(lengths)).tolist():
            rows: list[list[int]] = literals[here[lengths == length, None] + np.arange(length)].tolist()[::-1]
            yield rows
