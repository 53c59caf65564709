"""The gates of a large circuit that are nearest to some of its signals, over the steps of a run.

What is far away is left open: values of its signals are arbitrary. So a question that has no model with the nearest
gates has none with all of them (localization: Kurshan, "Computer-aided verification of coordinating processes", 1994).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symag.smv.circuits.graph import INPUT, Graph

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
