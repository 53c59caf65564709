"""METIS as a partitioner of hypergraphs: many starts, then hill-climbing.

METIS cuts graphs, so the hypergraph is expanded into a graph, in three ways:

- clique: every two pins of a hyperedge e are joined with weight w(e) / (|e| - 1), so that cutting one
  vertex off costs w(e), as in the hypergraph;
- star: the owner is joined to every reader with weight w(e);
- node: a new vertex of weight 0 for the hyperedge is joined to every pin with weight w(e).
"""

# Imports in functions: pymetis takes time to import, and every method by parts imports this module.
from __future__ import annotations

import ctypes
import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from symag.smv.partition.refinement import Nets, Starts

if TYPE_CHECKING:
    import pymetis

# Least common multiple of 1..8 and more: the weights w / (|e| - 1) of small hyperedges stay exact.
_SCALE = 840

# METIS reads seeds as C integers.
_SEEDS = 2**31

# For hyperedges with more pins a clique has too many edges; a star replaces it.
_LARGEST_CLIQUE = 40


def starts(nets: Nets, parts: int, seed: int, seeds: int) -> Starts:
    """A function from an imbalance to assignments of vertices to parts, each with its expansion and seed.

    The assignments may be out of balance. METIS's answers are kept for further imbalances.
    """
    return _Starts(nets, parts, range(seed, seed + seeds))


class _Starts:
    def __init__(self, nets: Nets, parts: int, seeds: range) -> None:
        self._parts = parts
        self._seeds = seeds
        self._vertices = len(nets.weights)
        self._graphs = [
            (name, *_adjacency(graph, self._vertices), nets.weights)
            for name, graph in (("clique", _clique(nets)), ("star", _star(nets)), ("node", _node(nets)))
        ]
        self._known: dict[tuple[str, int, bool, int], tuple[int, ...]] = {}

    def __call__(self, imbalance: float) -> Iterator[tuple[str, int, tuple[int, ...]]]:
        import pymetis

        # METIS uses all of its tolerance, so smaller ones give other, often better, starts.
        tolerances = sorted({1.0, (1.0 + imbalance) / 2, imbalance})
        for name, size, adjacency, edge_weights, vertex_weights in self._graphs:
            weights = [*vertex_weights, *([0] * (size - self._vertices))]
            for tolerance, recursive, number in itertools.product(tolerances, (True, False), self._seeds):
                allowed = max(1, round(1000 * (tolerance - 1)))
                key = name, allowed, recursive, number
                if key not in self._known:
                    _, assignment = pymetis.part_graph(
                        self._parts,
                        adjacency=adjacency,
                        vweights=weights,
                        eweights=edge_weights,
                        recursive=recursive,
                        options=pymetis.Options(seed=number % _SEEDS, ufactor=allowed, ncuts=1, numbering=0),
                    )
                    self._known[key] = tuple(assignment[: self._vertices])
                yield f"{name}, {'recursive' if recursive else 'k-way'}", number, self._known[key]


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
        share = max(1, weight * _SCALE // (len(pins) - 1))
        for index, one in enumerate(pins):
            for other in pins[index + 1 :]:
                _join(edges, one, other, share)
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
    """The graph in METIS's form: number of vertices, adjacency, one weight for every direction."""
    import pymetis

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


@contextmanager
def libraries_silent() -> Iterator[None]:
    """Discard all that C libraries write to standard output: METIS warns of graphs with few vertices for the parts."""
    library = ctypes.CDLL(None)
    library.fflush(None)
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        library.fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
