"""Steps whose clauses are copied have the same runs as steps in one graph, and as the system itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.runs.replay import replay
from symag.smv.circuits import cloned_steps, steps_as_clauses
from symag.smv.circuits.clauses import SatSolver
from symag.smv.circuits.cloned_steps import ClonedSteps
from symag.smv.circuits.graph import Graph
from symag.smv.circuits.transitions import Latch, TransitionCircuit
from symag.smv.methods import bmc, k_induction
from symag.smv.methods.options import SmvOptions
from tests.brute_force import Explicit
from tests.circuits.test_cone_clauses import LEAVES, random_graph, value


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 25), st.data())
def test_every_literal_has_its_value_at_every_step(seed: int, count: int, data: st.DataObject) -> None:
    graph, literals = random_graph(seed, count)
    literal_of = st.sampled_from(literals).flatmap(lambda literal: st.sampled_from([literal, literal ^ 1]))
    nexts = data.draw(st.lists(literal_of, min_size=3, max_size=3), "nexts")
    resets = data.draw(st.lists(st.sampled_from([True, False, None]), min_size=3, max_size=3), "resets")
    roots = data.draw(st.lists(literal_of, min_size=1, max_size=3), "roots")
    from_start = data.draw(st.booleans(), "from_start")
    circuit = TransitionCircuit(
        graph,
        tuple(Latch(node, after, reset, None) for node, after, reset in zip((1, 2, 3), nexts, resets, strict=True)),
        (4, 5),
        (),
        (),
        (),
        {},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cloned_steps, "WIDE", data.draw(st.sampled_from([0, 1 << 20]), "constants"))
        solver = SatSolver("cadical153")
        steps = ClonedSteps(circuit, [*nexts, *roots], solver.add, from_start=from_start)
    near = data.draw(st.sampled_from([(), (1,), (2, 9)]), "near")
    # A run: the first state, and the inputs of three steps.
    state = [data.draw(st.booleans()) if reset is None or not from_start else reset for reset in resets]
    fixed: list[int] = []
    for step in range(3):
        inputs = [data.draw(st.booleans()) for _ in range(LEAVES - 3)]
        row = sum(bit << number for number, bit in enumerate([*state, *inputs]))
        for node, bit in enumerate([*state, *inputs], start=1):
            if node > 3 or step == 0:
                fixed.append(steps.literal(2 * node + (not bit), step))
        for root in roots:
            own = steps.literal(root, step)
            expected = value(graph, root, row)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(cloned_steps, "NEAR", near)
                for _ in steps.loads([(root, step)]):
                    # What is not loaded yet is free.
                    assert solver.solve([*fixed, own if expected else -own])
            assert not solver.solve([*fixed, -own if expected else own])
        state = [value(graph, after, row) for after in nexts]
    solver.close()


def test_what_nothing_needs_is_not_copied() -> None:
    graph = Graph()
    a, b, i = graph.input(), graph.input(), graph.input()
    gate = graph.exclusive(b, i)
    circuit = TransitionCircuit(
        graph, (Latch(a >> 1, i, False, None), Latch(b >> 1, gate, False, None)), (i >> 1,), (), (), (), {}
    )
    clauses: list[list[int]] = []
    steps = ClonedSteps(circuit, [i, gate, graph.conjunction(a, b)], clauses.append, from_start=True)
    assert steps.literal(a, 0) == steps.literal(b, 0) == -1  # by the resets
    assert steps.literal(a, 3) > 1
    assert clauses == [[1]]
    list(steps.loads([(a, 3)]))
    assert clauses == [[1]]
    assert steps.known(b >> 1, 3) == 0
    assert steps.literal(b, 2) > 1
    assert clauses == [[1]]
    assert len(list(steps.loads([(b, 2)]))) == 1  # all of it is near
    assert len(clauses) > 1
    assert len(list(steps.loads([(b, 2)]))) == 1  # nothing is left, and one look is due


def test_chains_of_latches_across_many_steps() -> None:
    graph = Graph()
    chain = [graph.input() for _ in range(3_000)]
    latches = tuple(Latch(latch >> 1, after, None, None) for latch, after in zip(chain, [*chain[1:], 1], strict=True))
    steps = ClonedSteps(TransitionCircuit(graph, latches, (), (), (), (), {}), [], lambda _: None, from_start=True)
    assert steps.literal(chain[0], 2_999) == steps.literal(chain[2_999], 0) > 1
    assert steps.literal(chain[0], 3_000) == 1


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_bmc_and_k_induction_with_copies_agree_with_the_judge(data: st.DataObject) -> None:
    from tests.strategies import models

    system = read_text(data.draw(models(fairness=False)))
    explicit = Explicit(system)
    for checked in system.properties:
        if checked.kind != "INVARSPEC":
            continue
        expected = explicit.shortest_violation(checked)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(steps_as_clauses, "MANY", 0)
            patch.setattr(cloned_steps, "WIDE", 0)
            patch.setattr(cloned_steps, "NEAR", data.draw(st.sampled_from([(), (1,), (3, 12)]), "near"))
            found = bmc.decide(system, checked, SmvOptions(bound=4), no_progress)
            proved = k_induction.decide(system, checked, SmvOptions(bound=4), no_progress)
        if found.verdict is Verdict.VIOLATED:
            assert expected is not None
            assert found.trace is not None
            replay(system, checked, found.trace)
            assert len(found.trace.steps) == len(expected.steps)
        else:
            assert expected is None or len(expected.steps) > 5
        if proved.verdict is Verdict.HOLDS:
            assert expected is None
            assert proved.certificate is not None
            assert check_certificate(system, checked, proved.certificate)
        elif proved.verdict is Verdict.VIOLATED:
            assert expected is not None
