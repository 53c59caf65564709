"""METIS as a partitioner of hypergraphs: many starts, then hill-climbing.

METIS cuts graphs, so the hypergraph is expanded into a graph, in three ways:

- clique: every two pins of a hyperedge e are joined with weight w(e) / (|e| - 1), so that cutting one
  vertex off costs w(e) as it should;
- star: the owner is joined to every reader with weight w(e) (what is read from whom);
- node: a new vertex of weight 0 for the hyperedge is joined to every pin with weight w(e).
"""

from __future__ import annotations

from collections.abc import Iterator

import pymetis

from symag.partition.refinement import Nets

# Least common multiple of 1..8 and more: the weights w / (|e| - 1) of small hyperedges stay exact.
_SCALE = 840

# Beyond this many pins a clique has too many edges to be worth it; the star stands in.
_LARGEST_CLIQUE = 40


def starts(
    nets: Nets, parts: int, imbalance: float, seed: int, seeds: int
) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Assignments of vertices to parts, each with its expansion and seed; they may be out of balance."""
    for name, graph in (("clique", _clique(nets)), ("star", _star(nets)), ("node", _node(nets))):
        size, adjacency, edge_weights = _adjacency(graph, len(nets.weights))
        weights = [*nets.weights, *([0] * (size - len(nets.weights)))]
        # METIS uses up what it is allowed, so tighter tolerances give other, often better, starts.
        for tolerance in sorted({1.0, (1.0 + imbalance) / 2, imbalance}):
            allowed = max(1, round(1000 * (tolerance - 1)))
            for recursive in (True, False):
                algorithm = "recursive" if recursive else "k-way"
                for number in range(seed, seed + seeds):
                    _, assignment = pymetis.part_graph(
                        parts,
                        adjacency=adjacency,
                        vweights=weights,
                        eweights=edge_weights,
                        recursive=recursive,
                        options=pymetis.Options(seed=number, ufactor=allowed, ncuts=1, numbering=0),
                    )
                    yield f"{name}, {algorithm}", number, tuple(assignment[: len(nets.weights)])


_Edges = dict[tuple[int, int], int]


def _join(edges: _Edges, one: int, other: int, weight: int) -> None:
    key = (one, other) if one < other else (other, one)
    edges[key] = edges.get(key, 0) + weight


def _clique(nets: Nets) -> _Edges:
    edges: _Edges = {}
    for weight, owner, pins in nets.nets:
        if len(pins) > _LARGEST_CLIQUE:
            for pin in pins:
                if pin != owner:
                    _join(edges, owner, pin, weight * _SCALE)
            continue
        each = max(1, weight * _SCALE // (len(pins) - 1))
        for place, one in enumerate(pins):
            for other in pins[place + 1 :]:
                _join(edges, one, other, each)
    return edges


def _star(nets: Nets) -> _Edges:
    edges: _Edges = {}
    for weight, owner, pins in nets.nets:
        for pin in pins:
            if pin != owner:
                _join(edges, owner, pin, weight)
    return edges


def _node(nets: Nets) -> _Edges:
    edges: _Edges = {}
    for number, (weight, _, pins) in enumerate(nets.nets):
        for pin in pins:
            _join(edges, pin, len(nets.weights) + number, weight)
    return edges


def _adjacency(edges: _Edges, least: int) -> tuple[int, pymetis.CSRAdjacency, list[int]]:
    """The graph as METIS wants it: number of vertices, adjacency, one weight for every direction."""
    size = max(least, 1 + max((high for _, high in edges), default=-1))
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for (one, other), weight in sorted(edges.items()):
        neighbours[one].append((other, weight))
        neighbours[other].append((one, weight))
    offsets, adjacent, weights = [0], list[int](), list[int]()
    for row in neighbours:
        adjacent.extend(vertex for vertex, _ in row)
        weights.extend(weight for _, weight in row)
        offsets.append(len(adjacent))
    return size, pymetis.CSRAdjacency(offsets, adjacent), weights
