"""Graphs, clauses and evaluation against truth tables of four variables."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.graph import FALSE, TRUE, Graph

ROWS = 16
Table = tuple[bool, ...]


def random_functions(random: Random, gates: int) -> tuple[Graph, list[int], list[tuple[int, Table]]]:
    """A graph over four inputs, and literals with their truth tables."""
    graph = Graph()
    inputs = [graph.input() for _ in range(4)]
    functions: list[tuple[int, Table]] = [(FALSE, (False,) * ROWS)]
    functions += [(one, tuple(bool(row >> place & 1) for row in range(ROWS))) for place, one in enumerate(inputs)]
    for _ in range(gates):
        picked = []
        for literal, table in random.choices(functions, k=3):
            negated = random.random() < 0.5
            picked.append((literal ^ negated, tuple(value != negated for value in table)))
        (a, first), (b, second), (c, third) = picked
        rows = list(zip(first, second, third, strict=True))
        match random.randrange(5):
            case 0:
                made = graph.conjunction(a, b), [x and y for x, y, _ in rows]
            case 1:
                made = graph.disjunction(a, b), [x or y for x, y, _ in rows]
            case 2:
                made = graph.exclusive(a, b), [x != y for x, y, _ in rows]
            case 3:
                made = graph.equal(a, b), [x == y for x, y, _ in rows]
            case _:
                made = graph.choice(c, a, b), [x if z else y for x, y, z in rows]
        functions.append((made[0], tuple(made[1])))
    return graph, inputs, functions


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 25))
def test_gates_mean_what_they_are_built_from(random, gates):
    graph, inputs, functions = random_functions(random, gates)
    evaluation = Evaluation(graph, [literal for literal, _ in functions])
    for place, one in enumerate(inputs):
        evaluation.values[one >> 1] = np.uint64(sum(1 << row for row in range(ROWS) if row >> place & 1))
    evaluation.run()
    for literal, table in functions:
        assert [bool(int(evaluation.of(literal)[0]) >> row & 1) for row in range(ROWS)] == list(table)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 25), st.sampled_from(["cadical153", "minisat22"]))
def test_clauses_mean_the_gates(random, gates, name):
    graph, inputs, functions = random_functions(random, gates)
    solver = SatSolver(name)
    clauses = GateClauses(graph, solver.add)
    for literal, table in random.sample(functions, k=min(4, len(functions))):
        wanted = clauses.literal(literal)
        signals = [clauses.of_input(one >> 1) for one in inputs]
        for row in range(ROWS):
            valuation = [signal if row >> place & 1 else -signal for place, signal in enumerate(signals)]
            assert solver.solve([*valuation, wanted]) is table[row]
            assert solver.solve([*valuation, -wanted]) is not table[row]
    solver.close()


def test_equal_structure_is_one_node():
    graph = Graph()
    a, b = graph.input(), graph.input()
    assert graph.conjunction(a, b) == graph.conjunction(b, a)
    assert graph.exclusive(a, b) == graph.exclusive(a ^ 1, b ^ 1)
    assert graph.conjunction(a, graph.disjunction(a, b)) == a
    assert graph.conjunction(a, a ^ 1) == FALSE
    assert graph.all([]) == TRUE


def test_a_cone_has_operands_first():
    graph = Graph()
    a, b, c = graph.input(), graph.input(), graph.input()
    top = graph.conjunction(graph.conjunction(a, b), graph.exclusive(b, c))
    cone = graph.cone([top])
    assert cone[-1] == top >> 1
    assert graph.support([top]) == [a >> 1, b >> 1, c >> 1]
    assert graph.support([graph.conjunction(a, b)]) == [a >> 1, b >> 1]


@pytest.mark.parametrize("wide", [3, 24, 25, 100])
def test_wide_conjunctions(wide):
    graph = Graph()
    inputs = [graph.input() for _ in range(wide)]
    solver = SatSolver("minisat22")
    clauses = GateClauses(graph, solver.add)
    together = clauses.literal(graph.all(inputs))
    signals = [clauses.of_input(one >> 1) for one in inputs]
    assert solver.solve([together, *signals])
    assert not solver.solve([together, -signals[wide // 2]])
    assert not solver.solve([-together, *signals])
    solver.close()
