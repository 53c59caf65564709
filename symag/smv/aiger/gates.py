"""The gates of a graph with their operands before them, and which of them anything reads."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from symag.smv.aiger.format import Aiger
from symag.smv.model.gates import Gates


def gates_of_graph(graph: Aiger, variables: Mapping[int, str], inverted: Collection[int], prefix: str) -> Gates:
    """``variables`` are the names of inputs and latches by literal; those ``inverted`` stand for their negation.

    Linear. A gate has its name of ``prefix`` and its number in the graph.
    """
    rows, leaves = graph.rows, list(variables)
    canonical = graph.is_canonical()
    if not canonical:
        rows = rows[_order(graph)]
        node_of = _renumbering(leaves, rows)
        operands = np.array([node_of[number] for number in (rows[:, 1:] >> 1).reshape(-1).tolist()], dtype=np.int64)
        rows = np.column_stack([rows[:, 0], operands.reshape(-1, 2) << 1 | rows[:, 1:] & 1])
    sign = np.zeros(1 + len(leaves) + len(rows), dtype=np.int64)
    for number, literal in enumerate(leaves, start=1):
        sign[number] = literal in inverted
    first, second = (column ^ sign[column >> 1] for column in (rows[:, 1], rows[:, 2]))
    numbers = (rows[:, 0] >> 1).tolist()
    gates = Gates(
        tuple(variables.values()),
        array("i", first.astype(np.int32).tobytes()),
        array("i", second.astype(np.int32).tobytes()),
        bytearray(),
        prefix,
        range(len(leaves) + 1, len(leaves) + 1 + len(rows)) if canonical else numbers,
        None if canonical else {number: gate for gate, number in enumerate(numbers)},
    )
    nodes = nodes_by_number(graph, gates)
    border = 1 + len(leaves)
    roots = [root >> 1 if nodes is None else nodes[root >> 1] for root in graph.roots()]
    marks = gates.fresh_marks()
    gates.new_nodes(roots, marks)
    return replace(gates, used=marks[border:])


def nodes_by_number(graph: Aiger, gates: Gates) -> Mapping[int, int] | None:
    """The nodes of the graph's numbers; None where they are equal."""
    if gates.gate_of is None:
        return None
    leaves = [*graph.inputs, *(latch.literal for latch in graph.latches)]
    return {
        0: 0,
        **{literal >> 1: number for number, literal in enumerate(leaves, start=1)},
        **{number: 1 + len(leaves) + gate for number, gate in gates.gate_of.items()},
    }


def _renumbering(leaves: list[int], rows: NDArray[np.int64]) -> Mapping[int, int]:
    known = {0: 0, **{literal >> 1: number for number, literal in enumerate(leaves, start=1)}}
    known.update({number: 1 + len(leaves) + gate for gate, number in enumerate((rows[:, 0] >> 1).tolist())})
    return known


def _order(graph: Aiger) -> list[int]:
    """The gates, operands before those that read them, by number where that is one; they depend on no circle."""
    rows = graph.rows
    place = {left: index for index, left in enumerate(rows[:, 0].tolist())}
    below = (rows[:, 1:] & ~np.int64(1)).tolist()
    done = bytearray(len(rows))
    order = []
    for start in np.argsort(rows[:, 0]).tolist():
        stack = [start]
        while stack:
            top = stack[-1]
            missing = [place[operand] for operand in below[top] if operand in place and not done[place[operand]]]
            if done[top] or missing:
                stack.pop() if done[top] else stack.extend(missing)
                continue
            done[top] = 1
            order.append(top)
            stack.pop()
    return order
