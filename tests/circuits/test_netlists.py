"""Netlists that are added many gates at a time mean what they mean gate by gate."""

from __future__ import annotations

import random
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.smv.circuits import gates as gates_module
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.gates import GateBlaster
from symag.smv.circuits.graph import Graph
from symag.smv.model import gates as netlist_module
from symag.smv.model.gates import Gates, new_below


def random_gates(seed: int, count: int, leaves: int = 6) -> Gates:
    """Gates that read each other, with constants, equal operands and repeated pairs among them."""
    draw = random.Random(seed)
    first, second = array("i"), array("i")
    for gate in range(count):
        for operands in (first, second):
            near = draw.random() < 0.5
            operands.append(2 * draw.randrange(max(0, gate + leaves - 4) if near else 0, 1 + leaves + gate))
            operands[-1] ^= draw.randrange(2)
    names = tuple(f"v{k}" for k in range(leaves))
    return Gates(names, first, second, bytearray(b"\1" * count), "g", range(1, count + 1))


def blasted(gates: Gates) -> tuple[Graph, list[int]]:
    """The graph of all gates, and their literals; its first inputs are the variables."""
    graph = Graph()
    inputs = {name: graph.input() for name in gates.variables}
    blaster = GateBlaster(gates, graph, lambda name, primed: inputs[name])
    literals = [blaster.literal(f"g{number}", False) for number in gates.numbers]
    return graph, [literal for literal in literals if literal is not None]


def functions(graph: Graph, literals: list[int], leaves: int) -> list[int]:
    """The truth table of every literal."""
    evaluation = Evaluation(graph, literals)
    for leaf in range(leaves):
        pattern = sum(1 << row for row in range(64) if row >> leaf & 1)
        evaluation.values[1 + leaf] = np.uint64(pattern)
    evaluation.run()
    return [int(evaluation.of(literal)[0]) for literal in literals]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 120))
def test_gates_at_once_are_the_gates_one_by_one(seed: int, count: int) -> None:
    gates = random_gates(seed, count)
    graph, literals = blasted(gates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gates_module, "MANY", 0)
        patch.setattr(gates_module, "WIDE", 0)
        other, others = blasted(gates)
    assert functions(graph, literals, 6) == functions(other, others, 6)
    # Simplified and shared: no gate twice, none with a constant or equal operands, operands before gates.
    pairs = [(a, b) for a, b in zip(other.left, other.right, strict=True) if a >= 0]
    assert len(set(pairs)) == len(pairs)
    assert all(1 < a < b < 2 * node and a >> 1 != b >> 1 for node, (a, b) in _gates(other))
    uses = [0] * len(other)
    for a, b in pairs:
        uses[a >> 1] += 1
        uses[b >> 1] += 1
    assert list(other.uses) == uses
    # What is made later finds what is there.
    assert all(other.conjunction(a, b) == 2 * node for node, (a, b) in _gates(other))
    # Gates with the same operands are one.
    assert len(_by_operands(gates, others)) == len(set(_by_operands(gates, others)))


def _by_operands(gates: Gates, literals: list[int]) -> list[tuple[int, int]]:
    """The distinct combinations of the literals of a gate's operands and its own literal, without the latter."""
    below = [0, *(2 * node for node in range(1, 1 + len(gates.variables))), *literals]
    combinations = set()
    for a, b, own in zip(gates.first, gates.second, literals, strict=True):
        operands = sorted((below[a >> 1] ^ a & 1, below[b >> 1] ^ b & 1))
        combinations.add((operands[0], operands[1], own))
    return [(a, b) for a, b, _ in combinations]


def _gates(graph: Graph) -> list[tuple[int, tuple[int, int]]]:
    return [(node, (graph.left[node], graph.right[node])) for node in range(len(graph)) if graph.left[node] >= 0]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 200), st.integers(1, 5))
def test_wide_levels_are_walked_as_narrow_ones(seed: int, count: int, wide: int) -> None:
    gates = random_gates(seed, count)
    draw = random.Random(seed)
    offset, size = 1 + len(gates.variables), 1 + len(gates.variables) + count
    first, later = ([draw.randrange(size) for _ in range(draw.randrange(1, 4))] for _ in range(2))
    results = []
    for threshold in (size + 1, wide):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(netlist_module, "_WIDE", threshold)
            seen = bytearray(size)
            results.append([new_below(gates.first, gates.second, offset, roots, seen) for roots in (first, later)])
            results[-1].append([node for node in range(size) if seen[node]])
    assert results[0] == results[1]
    once, again, marked = results[0]
    assert sorted(once + again) == marked
    assert marked == sorted(_below(gates, offset, [*first, *later]))


def _below(gates: Gates, offset: int, roots: list[int]) -> set[int]:
    below: set[int] = set()
    pending = list(roots)
    while pending:
        node = pending.pop()
        if node not in below:
            below.add(node)
            if node >= offset:
                pending += [gates.first[node - offset] >> 1, gates.second[node - offset] >> 1]
    return below
