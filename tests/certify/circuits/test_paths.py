"""Paths of a circuit: what conditions define of a state is what they say, no more and no less."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.limits import Deadline
from symag.smv import read_text
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import TRUE, Circuit
from symag.smv.certify.circuits.cnf import Satisfiability
from symag.smv.certify.circuits.constraints import VariableReads, requirements
from symag.smv.certify.circuits.defined_bits import DefinedBits
from symag.smv.certify.circuits.paths import Path
from symag.smv.model.flat import FlatSystem
from tests.strategies import models

#: Next values that are functions of the state, of other next values, of each other, and twice defined.
WITH_TRANS = [
    "TRANS next(x) = y & next(y) = !x",
    "TRANS next(x) = next(y) & next(y) = !x",
    "TRANS next(x) = next(y)",
    "TRANS next(y) = !next(x) & next(x) = !next(y)",
    "TRANS next(x) & !next(y)",
    "TRANS next(x) = (y ? next(z) : x) & next(z) = y",
    "TRANS next(x) = (y ? x : next(z)) & next(z) = y",
    "TRANS next(x) = y & next(x) = z & next(y) = x",
    "TRANS next(x) = y & next(x) = !y",
    "TRANS !(next(x) = y) & !(next(y) = (x & z))",
    "TRANS !(next(x) & y) & next(z) = (x xor y)",
    "INIT x & !y TRANS next(x) = z",
    "INIT x = y & z TRANS next(x) = z & next(f) = f",
    "INIT f & x = f TRANS next(x) = (f & y)",
]


def same_answers(system: FlatSystem, data: st.DataObject, length: int) -> list[bool]:
    """Whether values of the variables in the states of a path are possible: with definitions as without."""
    encoder = Encoder(system, Circuit())
    constraints = requirements(system, VariableReads(system))
    initial, transitions, always = (
        [item.signal(encoder) for item in constraints if item.moment == moment]
        for moment in ("initial", "transition", "state")
    )
    names = sorted(system.by_name)
    always += [encoder.in_range(name, False) for name in names]
    bits = [bit for name in names for bit in encoder.bits(name, False)]
    from_start = data.draw(st.booleans())
    with_definitions = Path(encoder, names, DefinedBits(encoder), initial if from_start else (), transitions)
    without = Path(encoder, names, DefinedBits(encoder), (), ())
    answers = []
    with (
        Satisfiability(with_definitions.circuit, Deadline(None)) as first,
        Satisfiability(without.circuit, Deadline(None)) as second,
    ):
        for path, solver in ((with_definitions, first), (without, second)):
            for step in range(length + 1):
                solver.require(path.all_at(always, step))
                if step > 0:
                    solver.require(path.all_at(transitions, step - 1))
            if from_start:
                solver.require(path.all_at(initial, 0))
        for _ in range(12):
            literals = st.tuples(st.sampled_from(bits), st.integers(0, length), st.booleans())
            asked = data.draw(st.lists(literals, max_size=6))
            of_paths = [
                solver.is_satisfiable([path.at(bit if value else -bit, step) for bit, step, value in asked])
                for path, solver in ((with_definitions, first), (without, second))
            ]
            assert of_paths[0] == of_paths[1], asked
            answers.append(of_paths[0])
    return answers


@pytest.mark.parametrize("constraints", WITH_TRANS)
def test_transitions_of_all_kinds(constraints: str) -> None:
    system = read_text(f"MODULE main VAR x : boolean; y : boolean; z : boolean; FROZENVAR f : boolean; {constraints}")

    @settings(max_examples=25, deadline=None)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        same_answers(system, data, 3)

    run()


def test_random_systems() -> None:
    answers: Counter[bool] = Counter()

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        try:
            system = read_text(data.draw(models(largest=64)))
        except InputError:
            assume(False)
        answers.update(same_answers(system, data, data.draw(st.integers(1, 3))))

    run()
    assert answers[True] > 50
    assert answers[False] > 50


def test_a_defined_bit_is_no_variable_of_the_path() -> None:
    system = read_text(
        "MODULE main VAR x : boolean; y : boolean;"
        "ASSIGN init(x) := TRUE; next(x) := !x; init(y) := FALSE; next(y) := x;"
    )
    encoder = Encoder(system, Circuit())
    constraints = requirements(system, VariableReads(system))
    initial = [item.signal(encoder) for item in constraints if item.moment == "initial"]
    transitions = [item.signal(encoder) for item in constraints if item.moment == "transition"]
    path = Path(encoder, system.by_name, DefinedBits(encoder), initial, transitions)
    (x,), (y,) = (encoder.bits(name, False) for name in ("x", "y"))
    assert [path.all_at([x, y], step) for step in range(4)] == [
        [TRUE, -TRUE],
        [-TRUE, TRUE],
        [TRUE, -TRUE],
        [-TRUE, TRUE],
    ]
