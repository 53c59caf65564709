"""Gates as clauses: a recognised gate has the value of the conjunctions that it replaces."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline
from symag.smv.certify.circuits import gate_shapes
from symag.smv.certify.circuits.circuit import AND, ITE, TRUE, XOR, Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.gate_shapes import GateShapes

LEAVES = 4


def value(circuit: Circuit, signal: int, row: int) -> bool:
    """The value of a signal of conjunctions, where row has the bits of the inputs."""
    positive = abs(signal)
    match circuit.gates[positive]:
        case ("input",):
            of_gate = positive == TRUE or bool(row >> (positive - 2) & 1)
        case (_, a, b):
            of_gate = value(circuit, a, row) and value(circuit, b, row)
    return of_gate != (signal < 0)


def assert_clauses_mean(circuit: Circuit, signals: list[int]) -> None:
    """Each signal is as the solver has it, under every valuation of the inputs."""
    inputs = list(range(2, 2 + LEAVES))
    with Satisfiability(circuit, Deadline(None)) as solver:
        for signal in signals:
            for row in range(1 << LEAVES):
                leaves = [number if row >> (number - 2) & 1 else -number for number in inputs]
                assert solver.is_satisfiable([signal, *leaves]) == value(circuit, signal, row)


def new_circuit() -> Circuit:
    circuit = Circuit()
    for _ in range(LEAVES):
        circuit.input()
    return circuit


def test_every_conjunction_of_two_negated_products() -> None:
    """Also those that are built as they are: of equal, opposite and constant factors."""
    literals = [sign * number for number in (1, 2, 3, 4) for sign in (1, -1)]
    kinds = set()
    for x, y, u, v in product(literals, repeat=4):
        circuit = new_circuit()
        first, second = circuit.gates.append(AND, x, y), circuit.gates.append(AND, u, v)
        root = circuit.gates.append(AND, -first, -second)
        kind, operands = GateShapes(circuit).of(root, ())
        kinds.add(kind)
        for row in range(8):
            values = [value(circuit, operand, row) for operand in operands]
            match kind:
                case gate_shapes.XOR:
                    expected = values[0] != values[1]
                case gate_shapes.ITE:
                    expected = values[1] if values[0] else values[2]
                case _:
                    expected = all(values)
            assert value(circuit, root, row) == expected, (x, y, u, v, kind, operands)
    assert kinds == {AND, XOR, ITE}


def test_the_shapes_of_a_sum_a_choice_and_a_product() -> None:
    circuit = new_circuit()
    a, b, c, d = range(2, 6)
    total = circuit.conjunction(-circuit.conjunction(a, b), -circuit.conjunction(-a, -b))
    chosen = -circuit.conjunction(-circuit.conjunction(a, b), -circuit.conjunction(-a, c))
    inner = circuit.conjunction(c, d)
    wide = circuit.conjunction(circuit.conjunction(a, -b), inner)
    assert GateShapes(circuit).of(total, ())[0] == XOR
    assert GateShapes(circuit).of(-chosen, ())[0] == ITE
    assert sorted(GateShapes(circuit).of(wide, ())[1]) == [-b, a, c, d]
    assert sorted(GateShapes(circuit).of(wide, {inner})[1]) == [-b, a, inner]
    circuit.conjunction(inner, -a)
    assert sorted(GateShapes(circuit).of(wide, ())[1]) == [-b, a, inner]


@pytest.mark.parametrize("widest", [2, 3, 24])
def test_random_conjunctions(widest: int) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 2**32))
    def run(seed: int) -> None:
        random = Random(seed)
        circuit = new_circuit()
        signals = list(range(1, 2 + LEAVES))
        for _ in range(random.randint(1, 25)):
            a, b = (random.choice(signals[-9:]) * random.choice((1, -1)) for _ in range(2))
            is_raw = random.random() < 0.5
            signals.append(circuit.gates.append(AND, a, b) if is_raw else circuit.conjunction(a, b))
        assert_clauses_mean(circuit, random.sample(signals, min(4, len(signals))))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gate_shapes, "_WIDEST", widest)
        run()


def test_a_gate_may_be_asked_for_after_the_product_that_it_is_a_factor_of() -> None:
    circuit = new_circuit()
    a, b, c, d = range(2, 6)
    inner = circuit.conjunction(a, b)
    outer = circuit.conjunction(inner, circuit.conjunction(c, d))
    with Satisfiability(circuit, Deadline(None)) as solver:
        assert solver.is_satisfiable([outer])
        assert not solver.is_satisfiable([outer, -inner])
        later = circuit.conjunction(inner, -c)
        assert solver.is_satisfiable([later])
        assert not solver.is_satisfiable([later, outer])
        assert not solver.is_satisfiable([later, -a])
