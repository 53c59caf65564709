"""The nodes below others in a graph of gates in arrays: level by level, wide levels with numpy."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

#: Levels of fewer nodes are walked through one by one, which costs less than numpy's calls.
_WIDE = 100


def new_below(first: array[int], second: array[int], offset: int, roots: Iterable[int], seen: bytearray) -> list[int]:
    """The nodes that ``roots`` depend on and that are not marked in ``seen``, in increasing order; they are marked.

    Node n is a gate if n - ``offset`` is an index of ``first`` and ``second`` where they are not negative: these are
    its operands, literals (twice the node, plus one for negation). Linear in the nodes that are new, and sorting.
    """
    frontier = []
    for root in roots:
        if not seen[root]:
            seen[root] = 1
            frontier.append(root)
    nodes = list(frontier)
    while frontier:
        if len(frontier) >= _WIDE:
            return _below_many(first, second, offset, frontier, seen, nodes)
        frontier = _operands(first, second, offset, frontier, seen)
        nodes += frontier
    nodes.sort()
    return nodes


def _operands(first: array[int], second: array[int], offset: int, nodes: list[int], seen: bytearray) -> list[int]:
    """The operands of nodes that are not marked yet."""
    following = []
    for node in nodes:
        gate = node - offset
        if gate >= 0 and first[gate] >= 0:
            for operand in (first[gate] >> 1, second[gate] >> 1):
                if not seen[operand]:
                    seen[operand] = 1
                    following.append(operand)
    return following


def _below_many(
    first: array[int], second: array[int], offset: int, frontier: list[int], seen: bytearray, nodes: list[int]
) -> list[int]:
    """``new_below`` where levels may be wide: ``frontier`` are the last of the ``nodes`` so far."""
    # Most models have no netlist, and start without numpy.
    import numpy as np

    marks = np.frombuffer(seen, dtype=np.uint8)
    one, other = (np.frombuffer(operands, dtype=np.int32) for operands in (first, second))
    levels = [np.array(nodes, dtype=np.int64)]
    #: Of every node, its last place among some operands: those that have another one are duplicates.
    last = np.zeros(len(seen), dtype=np.int32)
    while frontier:
        if len(frontier) < _WIDE:
            frontier = _operands(first, second, offset, frontier, seen)
            levels.append(np.array(frontier, dtype=np.int64))
            continue
        wide = levels[-1][-len(frontier) :]
        while len(wide) >= _WIDE:
            gates = wide[wide >= offset] - offset
            operands = np.concatenate([one[gates], other[gates]])
            operands = operands[operands >= 0].astype(np.int64) >> 1
            operands = operands[marks[operands] == 0]
            places = np.arange(len(operands), dtype=np.int32)
            last[operands] = places
            wide = operands[last[operands] == places]
            marks[wide] = 1
            levels.append(wide)
        frontier = wide.tolist()
    below: list[int] = np.sort(np.concatenate(levels)).tolist()
    return below
