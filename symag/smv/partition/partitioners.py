"""The partitioners by name, and the search for the best partitions of a system."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence

from symag.core.errors import UsageError
from symag.smv.model.flat import FlatSystem
from symag.smv.partition import metis, mtkahypar
from symag.smv.partition.hypergraph import Grain, Hypergraph, Unit, hypergraph, units
from symag.smv.partition.parts import Partition, PartitionOrigin, partition_of, weight_bounds
from symag.smv.partition.refinement import Nets, Starts, VertexAssignment, combined, refine

#: By name: functions of the hyperedges, the number of parts, the first seed and the number of seeds.
PARTITIONERS: dict[str, Callable[[Nets, int, int, int], Starts]] = {
    "metis": metis.starts,
    "mtkahypar": mtkahypar.starts,
}

# The paper's six tolerances of imbalance.
IMBALANCES = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

#: Larger ones allow no more, and METIS takes a thousand times the imbalance as an integer.
_LARGEST_IMBALANCE = 1000.0

# The largest numbers of partitions that are returned, and of starts that hill-climbing improves.
_RETURNED = 8
_IMPROVED = 10

# The time of a pass grows with the square of the size, so fewer starts of large hypergraphs are improved.
_VERTICES_IMPROVED = 2000


def partitions(
    system: FlatSystem,
    parts: int,
    imbalance: float | None = None,
    partitioner: str = "metis",
    seed: int = 0,
    weightless: Collection[str] = (),
    grain: Grain = "variable",
) -> tuple[Partition, ...]:
    """Distinct partitions of the system's variables into ``parts`` parts, the best one first.

    ``imbalance`` (c, at least 1.0) bounds the number of variables of a part: |V|/(c k) <= |X_i| <= |V| c / k up to
    rounding. None tries 1.0, 1.2 .. 2.0 and puts the least max_i |X_i u IO_i| first, as the paper does (Section 3).
    The rest are for callers who try several: in turns the next best by that measure and the next best by I/O bits;
    those that differ from an earlier one by very few variables come last. ``weightless`` variables (wires, which are
    functions of others) count neither in the balance nor in |X_i|, so that no part consists of them only; they do
    count for other parts that read them. ``grain`` says what stays whole (see ``units``): instances as large as a part,
    and if that allows no partition, those of at most a half or a quarter of that.

    The result is empty if no feasible partition was found. The same arguments give the same result. Raises
    UsageError for less than one part, more parts than variables with weight, an imbalance below 1.0 and an
    unknown partitioner. One imbalance takes about 0.1 s for 100 variables, 2 s for 1000.
    """
    if parts < 1:
        raise UsageError(f"{parts} parts: at least one is needed")
    cuttable = sum(variable.name not in weightless for variable in system.variables)
    if parts > cuttable:
        raise UsageError(f"{parts} parts are more than the {cuttable} variables of the model")
    if imbalance is not None and not 1.0 <= imbalance < math.inf:
        raise UsageError(f"imbalance {imbalance:g}: at least 1.0 is needed")
    if partitioner not in PARTITIONERS:
        raise UsageError(f"unknown partitioner '{partitioner}'; there are {', '.join(sorted(PARTITIONERS))}")
    distinct: dict[tuple[tuple[str, ...], ...], Partition] = {}
    for whole in _groupings(system, grain, cuttable // parts, weightless):
        graph = hypergraph(system, weightless, [unit.variables for unit in whole])
        if len(graph.vertices) < parts:
            continue
        nets = Nets.of(graph)
        pins = sum(len(net[2]) for net in nets.nets)
        starts = PARTITIONERS[partitioner](nets, parts, seed, max(1, min(3, 10_000 // (1 + pins))))
        for bound in IMBALANCES if imbalance is None else (min(imbalance, _LARGEST_IMBALANCE),):
            even = PartitionOrigin(partitioner, "even", seed)
            for partition in _under_bound(graph, nets, parts, bound, starts, even):
                distinct.setdefault(partition.parts, partition)
        if distinct:
            break
    first = sorted(distinct.values(), key=_paper_rank if imbalance is None else _rank)
    return tuple(_varied(first, sorted(distinct.values(), key=_io_rank))[:_RETURNED])


def _groupings(system: FlatSystem, grain: Grain, share: int, weightless: Collection[str]) -> Iterator[tuple[Unit, ...]]:
    """The units to keep whole, each choice once."""
    seen = set()
    for divisor in (1, 2, 4) if grain == "instance" else (1,):
        whole = units(system, grain, max(1, share // divisor), weightless)
        if whole not in seen:
            seen.add(whole)
            yield whole


def _rank(partition: Partition) -> int:
    return combined(partition.io_bits, partition.mx, sum(partition.sizes))


def _paper_rank(partition: Partition) -> tuple[int, int, int]:
    return partition.mx, partition.io_bits, sum(partition.sizes)


def _io_rank(partition: Partition) -> tuple[int, int, int]:
    return partition.io_bits, partition.mx, sum(partition.sizes)


def _varied(ranked: Sequence[Partition], by_io: Sequence[Partition]) -> list[Partition]:
    """Two rankings of the same partitions, merged in turns; those that are similar to an earlier one go last."""
    merged = list({id(p): p for pair in zip(ranked, by_io, strict=True) for p in pair}.values())
    different: list[Partition] = []
    similar: list[Partition] = []
    for partition in merged:
        few = max(1, len(partition.system.variables) // 20)
        is_similar = any(_difference(partition, other) <= few for other in different)
        (similar if is_similar else different).append(partition)
    return different + similar


def _difference(one: Partition, other: Partition) -> int:
    """The number of variables that are left if each part is matched with the other's part that shares most with it."""
    others = [set(part) for part in other.parts]
    shared = sum(max(len(names.intersection(part)) for names in others) for part in one.parts)
    return len(one.system.variables) - shared


def _under_bound(
    graph: Hypergraph, nets: Nets, parts: int, imbalance: float, starts: Starts, even: PartitionOrigin
) -> Iterator[Partition]:
    bounds = weight_bounds(graph.weight, parts, imbalance)
    begun: dict[tuple[int, ...], PartitionOrigin] = {}
    for expansion, number, assignment in starts(imbalance):
        begun.setdefault(_renumbered(assignment), PartitionOrigin(even.partitioner, expansion, number))
    ranked = sorted(begun, key=lambda a: _start_rank(nets, a, parts, bounds))
    improved: dict[tuple[int, ...], PartitionOrigin] = {}
    for assignment in ranked[: max(1, min(_IMPROVED, _VERTICES_IMPROVED // len(graph.vertices)))]:
        better = refine(nets, assignment, parts, bounds, 8 if len(graph.vertices) <= 500 else 2)
        if better is not None:
            improved.setdefault(_renumbered(better), begun[assignment])
    if not improved:
        for assignment in even_starts(graph.weights, parts, bounds):
            better = refine(nets, assignment, parts, bounds)
            if better is not None:
                improved.setdefault(_renumbered(better), even)
    for assignment, origin in improved.items():
        yield partition_of(graph, assignment, imbalance, origin)


def _start_rank(
    nets: Nets, assignment: tuple[int, ...], parts: int, bounds: tuple[int, int]
) -> tuple[int, int, tuple[int, ...]]:
    placement = VertexAssignment(nets, assignment, parts, bounds)
    return placement.cost + 2000 * placement.excess, placement.excess, assignment


def _renumbered(assignment: tuple[int, ...]) -> tuple[int, ...]:
    """Parts numbered in the order of their first vertex, so that equal partitions are equal tuples."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(part, len(numbers)) for part in assignment)


# The largest number of load distributions that are followed at once; up to this many the search is exhaustive.
_BEAM = 4000


def even_starts(weights: Sequence[int], parts: int, bounds: tuple[int, int]) -> Iterator[tuple[int, ...]]:
    """At most one assignment of vertices to parts within the bounds on the weights; none if the search finds none.

    The heaviest vertex comes first. Of the load distributions that can still be completed (no part above the upper
    bound, enough weight left to lift all to the lower bound) the ``_BEAM`` most even ones are followed. With two
    parts and a weight below 4000 the search is exhaustive.
    """
    low, high = bounds
    order = sorted(range(len(weights)), key=lambda vertex: (-weights[vertex], vertex))
    left = sum(weights)
    layers: list[dict[tuple[int, ...], tuple[tuple[int, ...], int]]] = []
    loads: list[tuple[int, ...]] = [(0,) * parts]
    for vertex in order:
        left -= weights[vertex]
        layer: dict[tuple[int, ...], tuple[tuple[int, ...], int]] = {}
        for load in loads:
            for part in range(parts):
                if part and load[part] == load[part - 1] and weights[vertex]:
                    continue
                raised = load[part] + weights[vertex]
                if raised > high:
                    continue
                after = (*load[:part], raised, *load[part + 1 :])
                if sum(max(0, low - weight) for weight in after) <= left:
                    layer.setdefault(tuple(sorted(after)), (load, part))
        layers.append(layer)
        loads = sorted(layer, key=lambda load: (sum(weight * weight for weight in load), load))[:_BEAM]
    if not loads:
        return
    # Loads are kept sorted, so the numbers of parts change on the way: follow one distribution back by its loads.
    load, assignment = loads[0], [0] * len(weights)
    steps = []
    for vertex, layer in zip(reversed(order), reversed(layers), strict=True):
        before, part = layer[load]
        steps.append((vertex, before[part]))
        load = before
    part_of = [0] * parts
    for vertex, onto in reversed(steps):
        part = part_of.index(onto)
        assignment[vertex] = part
        part_of[part] += weights[vertex]
    yield tuple(assignment)
