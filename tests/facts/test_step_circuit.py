"""The circuit of a step has exactly the first states and the steps of the explicit system; random runs stay in it."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given, settings

from symag.smv import read_text
from symag.smv.facts.circuit import StepCircuit, step_circuit
from symag.smv.facts.simulation import visited_states
from symag.smv.facts.solving import GraphSolver
from symag.smv.model.types import bit_count, code_of
from tests.brute_force import Explicit
from tests.strategies import models

SETS = """MODULE main
VAR a : {p, q, 3}; n : 0..4; m : 0..3; w : unsigned word[2]; d : boolean; e : 2..3;
IVAR i : boolean;
ASSIGN init(a) := {p, 3}; next(a) := i ? {q, a} : p;
n := {1, 3} union (d ? 2 : 4); init(m) := 0; next(m) := {m, (m + 1) mod 3, 2};
init(w) := 0ud2_1; next(w) := d ? w : w + 0ud2_1; e := d ? 2 : 3;
"""


def bits_of(circuit: StepCircuit, names: Sequence[str], state: Sequence[object]) -> tuple[bool, ...]:
    """The values of the latches in a state."""
    known = {}
    for name, value in zip(names, state, strict=True):
        kind = circuit.system.by_name[name].type
        for k in range(bit_count(kind)):
            known[circuit.bits[name, False][k]] = bool(code_of(kind, value) >> k & 1)
    return tuple(known[latch] for latch in circuit.latches)


def solutions(circuit: StepCircuit, required: Sequence[int], literals: Sequence[int]) -> set[tuple[bool, ...]]:
    """The values that some literals can have together where others are true."""
    result = set()
    with GraphSolver(circuit.graph) as solving:
        solving.require(required)
        solving.define(literals)
        while solving.solve(()):
            values = tuple(solving.values(literals))
            result.add(values)
            solving.require([circuit.graph.any(a ^ value for a, value in zip(literals, values, strict=True))])
    return result


@settings(max_examples=40, deadline=None)
@given(models(fairness=False, processes=False, largest=48))
@example(SETS)
@example("MODULE main VAR large : 0..80; ASSIGN init(large) := 0; next(large) := 1..70;")
def test_the_circuit_has_the_first_states_and_steps_of_the_system(text: str) -> None:
    system = read_text(text)
    explicit, circuit = Explicit(system), step_circuit(system)
    first = {bits_of(circuit, explicit.names, state) for state in explicit.initial_states()}
    assert solutions(circuit, (*circuit.first, *circuit.always), circuit.latches) == first
    reachable = list(explicit.reachable())
    for state in reachable[:12]:
        now = bits_of(circuit, explicit.names, state)
        here = [latch ^ (not value) for latch, value in zip(circuit.latches, now, strict=True)]
        required = [*here, *circuit.always, *circuit.steps, *circuit.always_next]
        following = {bits_of(circuit, explicit.names, target) for _, _, target in explicit.edges(state)}
        assert solutions(circuit, required, circuit.following) == following
    visited = visited_states(circuit, 0)
    assert (visited is None) == (not first)
    known = {bits_of(circuit, explicit.names, state) for state in reachable}
    assert visited is None or set(map(tuple, visited.tolist())) <= known
