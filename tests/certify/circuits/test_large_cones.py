"""The re-check of large circuits: near clauses first, of all gates at once, mean what those of single gates mean."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.circuits.random_aiger import random_graph
from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.source import SourceText
from symag.core.values import replace
from symag.smv.aiger import ascii_text, to_system
from symag.smv.certificates.invariants import Induction
from symag.smv.certify.acceptance import check_certificate
from symag.smv.certify.circuits import bit_blasting, cnf
from symag.smv.certify.circuits.circuit import TRUE, Circuit
from symag.smv.certify.circuits.large_cones import LargeCones
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr.decision import decide
from symag.smv.model.flat import FlatSystem, Property

INPUTS = 5

SIZES = st.sampled_from([(None,), (1, None), (2, 7, None)])


def _random_circuit(random: Random, count: int) -> tuple[Circuit, list[int]]:
    circuit = Circuit()
    signals = [TRUE, *(circuit.input() for _ in range(INPUTS))]
    for _ in range(count):
        a, b, c = (random.choice(signals[-8:]) * random.choice((1, -1)) for _ in range(3))
        match random.randrange(3):
            case 0:
                signals.append(circuit.conjunction(a, b))
            case 1:
                signals.append(circuit.exclusive(a, b))
            case _:
                signals.append(circuit.choice(a, b, c))
    return circuit, signals


def _value(circuit: Circuit, signal: int, row: int) -> bool:
    positive = abs(signal)
    match circuit.gates[positive]:
        case ("input",):
            value = positive == TRUE or bool(row >> (positive - 2) & 1)
        case ("and", a, b):
            value = _value(circuit, a, row) and _value(circuit, b, row)
        case ("xor", a, b):
            value = _value(circuit, a, row) != _value(circuit, b, row)
        case (_, condition, a, b):
            value = _value(circuit, a if _value(circuit, condition, row) else b, row)
    return value != (signal < 0)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 30), SIZES)
def test_answers_are_those_of_all_valuations(seed: int, count: int, sizes: tuple[int | None, ...]) -> None:
    random = Random(seed)
    circuit, signals = _random_circuit(random, count)
    rows = list(range(1 << INPUTS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cnf, "LARGE", 0)
        patch.setattr(LargeCones, "sizes", sizes)
        with cnf.Satisfiability(circuit, Deadline(None)) as solver:
            for _ in range(8):
                asked = [random.choice(signals) * random.choice((1, -1)) for _ in range(random.randint(0, 3))]
                expected = any(all(_value(circuit, signal, row) for signal in asked) for row in rows)
                assert solver.is_satisfiable(asked) == expected
                assert solver.is_satisfiable_within(asked, 1_000_000) == expected
                if random.random() < 0.3:
                    required = random.choice(signals)
                    solver.require([required])
                    rows = [row for row in rows if _value(circuit, required, row)]
                if random.random() < 0.3:
                    # A circuit may grow between two questions.
                    signals.append(circuit.exclusive(random.choice(signals), random.choice(signals)))


def _accepted(system: FlatSystem, checked: Property, certificate: Induction) -> bool:
    try:
        return check_certificate(system, checked, certificate)
    except CertificationError:
        return False


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), SIZES, st.sampled_from([0, 1_000_000]))
def test_large_netlists_are_judged_as_small_ones(seed: int, sizes: tuple[int | None, ...], many: int) -> None:
    random = Random(seed)
    graph = random_graph(random, 4)
    system = to_system(graph, SourceText.of("random.aag", ascii_text(graph)))
    for checked in system.properties:
        result = decide(system, checked, SmvOptions(), no_progress)
        certificate = result.certificate if isinstance(result.certificate, Induction) else Induction(1, (), ())
        clauses = list(certificate.clauses)
        latches = [variable.name for variable in system.variables if variable.kind.value == "VAR"]
        guessed = tuple((name, 0, random.random() < 0.5) for name in random.sample(latches, min(2, len(latches))))
        others = [
            replace(certificate, clauses=tuple(clauses[1:])),
            replace(certificate, clauses=(*clauses, guessed)),
            replace(certificate, steps=2),
        ]
        expected = [_accepted(system, checked, each) for each in (certificate, *others)]
        assert expected[0] == (result.verdict is Verdict.HOLDS)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cnf, "LARGE", 0)
            patch.setattr(bit_blasting, "MANY", many)
            patch.setattr(LargeCones, "sizes", sizes)
            assert [_accepted(system, checked, each) for each in (certificate, *others)] == expected
