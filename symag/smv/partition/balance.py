"""Assignments that are balanced by weight alone, for systems where no partitioner meets the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
