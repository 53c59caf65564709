"""Random runs of a circuit: the states that count are reachable, and strict constraints do not end the runs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.graph import Graph
from symag.smv.circuits.random_runs import RandomRuns
from symag.smv.circuits.transitions import Latch, TransitionCircuit
from tests.circuits.test_cone_clauses import LEAVES, random_graph, value

_LATCHES = (1, 2, 3)
_INPUTS = tuple(range(4, LEAVES + 1))
State = tuple[bool, ...]


def _runs(circuit: TransitionCircuit, columns: int, seed: int) -> tuple[RandomRuns, Evaluation]:
    roots = [latch.next for latch in circuit.latches]
    evaluation = Evaluation(circuit.graph, [*roots, *circuit.initial, *circuit.invariants, *circuit.steps], columns)
    return RandomRuns(circuit, evaluation, circuit.inputs, seed), evaluation


def _states(evaluation: Evaluation, allowed: Any) -> set[State]:
    """The states of the allowed runs."""
    rows = np.unpackbits(evaluation.values[list(_LATCHES)].view(np.uint8), axis=1)
    chosen = rows[:, np.unpackbits(allowed.view(np.uint8)) == 1]
    return {tuple(map(bool, column)) for column in chosen.T.tolist()}


def _allowed(circuit: TransitionCircuit, state: State, literals: tuple[int, ...]) -> list[int]:
    """The valuations of the leaves, as rows, in which the literals are true in a state."""
    start = sum(bit << number for number, bit in enumerate(state))
    rows = [start + (inputs << len(_LATCHES)) for inputs in range(1 << len(_INPUTS))]
    return [row for row in rows if all(value(circuit.graph, literal, row) for literal in literals)]


def _reachable(circuit: TransitionCircuit, starts: list[State]) -> set[State]:
    reached, waiting = set(starts), list(starts)
    while waiting:
        for row in _allowed(circuit, waiting.pop(), (*circuit.invariants, *circuit.steps)):
            after = tuple(bool(value(circuit.graph, latch.next, row)) for latch in circuit.latches)
            if after not in reached:
                reached.add(after)
                waiting.append(after)
    return reached


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_states_that_count_are_reachable(seed: int, data: st.DataObject) -> None:
    graph, literals = random_graph(seed, 25)
    literal_of = st.sampled_from(literals).flatmap(lambda literal: st.sampled_from([literal, literal ^ 1]))
    few = st.lists(literal_of, max_size=2)
    nexts = data.draw(st.lists(literal_of, min_size=3, max_size=3), "nexts")
    resets = data.draw(st.lists(st.sampled_from([True, False, None]), min_size=3, max_size=3), "resets")
    circuit = TransitionCircuit(
        graph,
        tuple(Latch(node, after, reset, None) for node, after, reset in zip(_LATCHES, nexts, resets, strict=True)),
        _INPUTS,
        tuple(data.draw(st.lists(st.integers(2, 7), max_size=1), "initial")),
        tuple(data.draw(few, "invariants")),
        tuple(data.draw(few, "steps")),
        {},
    )
    runs, evaluation = _runs(circuit, data.draw(st.integers(1, 3), "columns"), seed)
    starts = [
        state
        for state in itertools.product((False, True), repeat=3)
        if all(reset is None or bit == reset for bit, reset in zip(state, resets, strict=True))
        and _allowed(circuit, state, (*circuit.initial, *circuit.invariants))
    ]
    reached = _reachable(circuit, starts)
    assert _states(evaluation, runs.start()) <= set(starts)
    for _ in range(6):
        assert _states(evaluation, runs.step()) <= reached
    # From then on the successors of the visited state count too.
    state = tuple(data.draw(st.lists(st.booleans(), min_size=3, max_size=3), "state"))
    inputs = data.draw(st.lists(st.booleans(), min_size=len(_INPUTS), max_size=len(_INPUTS)), "inputs")
    visited = _states(evaluation, runs.visit(np.array(state), np.array(inputs)))
    assert state in visited
    reached |= _reachable(circuit, [state])
    assert visited <= reached
    for _ in range(4):
        assert _states(evaluation, runs.step()) <= reached


def test_runs_go_on_where_one_step_in_sixteen_is_allowed() -> None:
    graph = Graph()
    bits, coins = [graph.input() for _ in range(3)], [graph.input() for _ in range(4)]
    # A counter of three steps, in unary.
    latches = tuple(Latch(bit >> 1, before, False, None) for bit, before in zip(bits, [1, *bits[:2]], strict=True))
    steps = tuple(coins)
    circuit = TransitionCircuit(graph, latches, tuple(coin >> 1 for coin in coins), (), (), steps, {})
    runs, evaluation = _runs(circuit, 2, 0)
    depths = [_states(evaluation, runs.start())] + [_states(evaluation, runs.step()) for _ in range(3)]
    assert depths == [{(False,) * 3}, {(True, False, False)}, {(True, True, False)}, {(True,) * 3}]
