"""The clauses of whole cones mean what those of single gates mean, and what the gates compute."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.replay import replay
from symag.smv.circuits.clauses import GateClauses
from symag.smv.circuits.cone_clauses import ConeClauses, ConeLoading
from symag.smv.circuits.graph import INPUT, Graph
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import encoding
from symag.smv.methods.pdr.decision import decide
from tests.brute_force import Explicit
from tests.strategies import models

LEAVES = 5


def random_graph(seed: int, count: int) -> tuple[Graph, list[int]]:
    """A graph with XORs, choices and long conjunctions, and all literals that were made."""
    draw = random.Random(seed)
    graph = Graph()
    literals = [graph.input() for _ in range(LEAVES)]

    def one() -> int:
        near = draw.random() < 0.5
        return draw.choice(literals[-4:] if near else literals) ^ draw.randrange(2)

    for _ in range(count):
        match draw.randrange(5):
            case 0:
                literals.append(graph.exclusive(one(), one()))
            case 1:
                literals.append(graph.choice(one(), one(), one()))
            case 2:
                chain = one()
                for _ in range(draw.randrange(40)):
                    chain = graph.conjunction(chain, one())
                literals.append(chain)
            case _:
                literals.append(graph.conjunction(one(), one()))
    return graph, literals


def value(graph: Graph, literal: int, row: int) -> bool:
    """What a literal is where the bits of ``row`` are the inputs' values."""
    values = [False]
    for node in range(1, (literal >> 1) + 1):
        a, b = graph.left[node], graph.right[node]
        if a == INPUT:
            values.append(bool(row >> node - 1 & 1))
        else:
            values.append((values[a >> 1] != bool(a & 1)) and (values[b >> 1] != bool(b & 1)))
    return values[literal >> 1] != bool(literal & 1)


def forced(clauses: Iterable[list[int]], inputs: list[int], literal: int) -> list[bool]:
    """For every valuation of the inputs, the only value of a solver literal."""
    answers = forced_or_free(clauses, inputs, literal)
    assert all(len(possible) == 1 for possible in answers)
    return [True in possible for possible in answers]


def forced_or_free(clauses: Iterable[list[int]], inputs: list[int], literal: int) -> list[set[bool]]:
    """For every valuation of the inputs, the possible values of a solver literal."""
    with Solver(name="minisat22", bootstrap_with=[[1], *clauses]) as solver:
        answers = []
        for row in range(1 << LEAVES):
            fixed = [node if row >> number & 1 else -node for number, node in enumerate(inputs)]
            answers.append({own > 0 for own in (1, -1) if solver.solve([*fixed, own * literal])})
        return answers


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_every_root_has_the_value_of_its_gate(seed: int, count: int) -> None:
    graph, literals = random_graph(seed, count)
    draw = random.Random(seed)
    roots = [draw.choice(literals) ^ draw.randrange(2) for _ in range(3)]
    inputs = list(range(2, 2 + LEAVES))
    cone = ConeClauses(graph, roots, list(enumerate(inputs, start=1)), 2 + LEAVES)
    all_clauses: list[list[int]] = []
    one_by_one = GateClauses(graph, all_clauses.append)
    others = [one_by_one.of_input(node) for node in range(1, 1 + LEAVES)]
    loading = cone.loading()
    loaded: list[list[int]] = []
    for root in roots:
        own = cone.literal(root)
        for most in draw.choice([(None,), (1, None), (2, 9, None)]):
            for clauses in loading.new_clauses([own], most):
                loaded += clauses
            if most is not None:
                # What is not loaded yet is free.
                rows = forced_or_free(loaded, inputs, own)
                assert all(value(graph, root, row) in possible for row, possible in enumerate(rows))
        expected = [value(graph, root, row) for row in range(1 << LEAVES)]
        assert forced(loaded, inputs, own) == expected
        other = one_by_one.literal(root)
        assert forced(all_clauses, others, other) == expected
    owns = [cone.literal(root) for root in roots]
    assert not list(loading.new_clauses(owns, None))
    at_once = [clause for some in cone.loading().new_clauses(owns, None) for clause in some]
    assert sorted(at_once) == sorted(loaded)
    assert all(0 < abs(literal) <= cone.largest for clause in loaded for literal in clause)


def test_wide_conjunctions_are_cut() -> None:
    graph = Graph()
    leaves = [graph.input() for _ in range(300)]
    chain, balanced = leaves[0], graph.all(literal ^ 1 for literal in leaves)
    for leaf in leaves[1:]:
        chain = graph.conjunction(chain, leaf)
    inputs = [(leaf >> 1, number) for number, leaf in enumerate(leaves, start=2)]
    cone = ConeClauses(graph, [chain, balanced], inputs, 302)
    clauses = [
        clause
        for some in cone.loading().new_clauses([cone.literal(chain), cone.literal(balanced)], None)
        for clause in some
    ]
    assert max(map(len, clauses)) <= 25
    assert cone.largest < 302 + 300  # of 598 gates
    with Solver(name="minisat22", bootstrap_with=[[1], *clauses]) as solver:
        everything = [number for _, number in inputs]
        assert not solver.solve([*everything, -cone.literal(chain)])
        assert not solver.solve([*everything[1:], -everything[0], cone.literal(chain)])
        assert not solver.solve([*(-number for number in everything), -cone.literal(balanced)])
        assert not solver.solve([everything[150], cone.literal(balanced)])
        assert not solver.solve([cone.literal(chain), cone.literal(balanced)])


def test_small_parts_are_merged_and_xors_recognised() -> None:
    graph = Graph()
    a, b, c, d = (graph.input() for _ in range(4))
    inputs = [(a >> 1, 2), (b >> 1, 3), (c >> 1, 4), (d >> 1, 5)]
    conjunction = graph.all([a, b, c, d])
    assert ConeClauses(graph, [conjunction], inputs, 6).largest == 6
    assert ConeClauses(graph, [graph.exclusive(a, b)], inputs, 6).largest == 6
    assert ConeClauses(graph, [graph.choice(a, b, c)], inputs, 6).largest == 6


def test_an_input_without_a_variable_is_refused() -> None:
    graph = Graph()
    a, b = graph.input(), graph.input()
    with pytest.raises(ValueError, match="no variable"):
        ConeClauses(graph, [graph.conjunction(a, b)], [(a >> 1, 2)], 3)


@settings(max_examples=40, deadline=None)
@given(models(fairness=False), st.sampled_from([(None,), (1, None), (3, 12, None)]))
def test_pdr_with_cones_agrees_with_the_judge(text: str, sizes: tuple[int | None, ...]) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(encoding, "MANY", 0)
            patch.setattr(ConeLoading, "sizes", sizes)
            result = decide(system, checked, SmvOptions(), no_progress)
        if explicit.shortest_violation(checked) is None:
            assert result.verdict is Verdict.HOLDS
            assert result.certificate is not None
            assert check_certificate(system, checked, result.certificate)
        else:
            assert result.verdict is Verdict.VIOLATED
            assert result.trace is not None
            replay(system, checked, result.trace)
