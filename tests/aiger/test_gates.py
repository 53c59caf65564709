"""Gates in arrays: every reader of them agrees with the graph itself, and none makes an object for each gate."""

from __future__ import annotations

import itertools
from random import Random

import numpy as np
import pytest

from symag.core.source import SourceText
from symag.core.values import replace
from symag.smv.aiger import Aiger, AigerLatch, ascii_text, binary_bytes, parse, to_system
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.defined_bits import DefinedBits
from symag.smv.certify.circuits.paths import Path
from symag.smv.certify.runs.interpreter import Program
from symag.smv.certify.runs.operators import Failure
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.evaluation import Evaluation
from symag.smv.convert.aiger import to_aiger
from symag.smv.methods.sat.posing import posed
from symag.smv.model.dependencies import influencing
from symag.smv.model.supports import Supports, references


def random_graph(random, gates, shuffled=False):
    """Two inputs and two latches; of the ``gates`` all are read. With ``shuffled`` numbers and order mean nothing."""
    number = list(range(1, 5 + gates))
    if shuffled:
        random.shuffle(number)
    literal = [2 * n for n in number]
    known, ands = [0, *literal[:4]], []
    for left in literal[4:]:
        a, b = (random.choice(known) ^ random.randint(0, 1) for _ in range(2))
        ands.append((left, max(a, b), min(a, b)))
        known.append(left)
    if shuffled:
        random.shuffle(ands)
    latches = tuple(AigerLatch(own, random.choice(known) ^ 1, 0) for own in literal[2:4])
    return Aiger(max(number), tuple(literal[:2]), latches, (), tuple(ands), bad=tuple(literal[4:]))


def values_of(graph, leaves):
    """The values of all literals under those of inputs and latches."""
    values = {0: False, 1: True}
    values.update(leaves)
    values.update({literal ^ 1: not value for literal, value in leaves.items()})
    rest = list(graph.ands)
    while rest:
        ready = [gate for gate in rest if gate[1] in values and gate[2] in values]
        for left, a, b in ready:
            values[left] = values[a] and values[b]
            values[left ^ 1] = not values[left]
        rest = [gate for gate in rest if gate[0] not in values]
    return values


@pytest.mark.parametrize("seed", range(12))
def test_all_readers_agree_with_the_graph(seed):
    random = Random(seed)
    graph = random_graph(random, random.randint(1, 12), shuffled=seed % 2 == 1)
    graph = parse(ascii_text(graph).encode(), "random.aag")
    system = to_system(graph, SourceText.of("random.aag", ascii_text(graph)))
    own = [*graph.inputs, *(latch.literal for latch in graph.latches)]
    names = dict(zip(own, ("i0", "i1", "l0", "l1"), strict=True))
    blasting, encoder = Blasting(system), Encoder(system, Circuit())
    claims = [checked.expression for checked in system.properties]
    literals = [blasting.truth(claim) for claim in claims]
    signals = [encoder.truth(claim) for claim in claims]
    exported = to_aiger(system, system.properties)
    for chosen in itertools.product((False, True), repeat=4):
        values = values_of(graph, dict(zip(own, chosen, strict=True)))
        expected = [not values[literal] for literal in graph.bad]
        valuation = {names[literal]: value for literal, value in zip(own, chosen, strict=True)}
        assert Program(system, claims).run(valuation) == expected
        evaluation = Evaluation(blasting.graph, literals)
        for name, value in valuation.items():
            evaluation.values[blasting.bits(name)[0] >> 1] = np.uint64(value)
        evaluation.run()
        assert [bool(evaluation.of(literal)[0] & np.uint64(1)) for literal in literals] == expected
        assert _signal_values(encoder, valuation, signals) == expected
        place = {symbol: graph_literal for graph_literal, symbol in _leaf_names(exported.graph).items()}
        again = values_of(exported.graph, {place[name]: value for name, value in valuation.items()})
        assert [not again[literal] for literal in exported.graph.bad] == expected
    together = Supports(system)
    plain = Supports(replace(system, defines=dict(system.defines)))
    for claim in claims:
        support = together.of(claim)
        assert plain.of(claim) == support == Supports(system).of(claim)
        assert references(system, claim) == support
        assert influencing(system, [claim]) >= support.variables


def _leaf_names(graph):
    named = {literal: graph.symbols["i", k] for k, literal in enumerate(graph.inputs)}
    return named | {latch.literal: graph.symbols["l", k] for k, latch in enumerate(graph.latches)}


def _signal_values(encoder, valuation, signals):
    known = {1: True}
    known.update({encoder.bits(name, False)[0]: value for name, value in valuation.items()})

    def value(signal):
        gate = encoder.circuit.gates[abs(signal)]
        if abs(signal) not in known:
            assert gate[0] == "and"
            known[abs(signal)] = value(gate[1]) and value(gate[2])
        return known[abs(signal)] == (signal > 0)

    return [value(signal) for signal in signals]


def test_a_gate_of_a_variable_without_a_value_has_none_unless_the_rest_decides():
    text = "aag 3 2 0 0 1 2\n2\n4\n6\n7\n6 4 2\n"
    system = to_system(parse(text.encode(), "x.aag"), SourceText.of("x.aag", text))
    program = Program(system, [checked.expression for checked in system.properties])
    assert program.run({"i0": False}) == [True, False]
    undecided = program.run({"i0": True})
    assert isinstance(undecided[0], Failure)
    assert "i1" in undecided[0].message


def test_numbers_of_several_bytes_are_written_and_read():
    inputs = tuple(range(2, 2 * 20_000 + 2, 2))
    left = 2 * 20_001
    ands = ((left, 4, 2), (left + 2, left, 300), (left + 4, left + 3, left - 400), (left + 6, left + 4, 0))
    graph = Aiger(20_004, inputs, (), (left + 6,), ands)
    assert parse(binary_bytes(graph), "x.aig") == graph


def test_names_that_look_like_gates_are_left_alone():
    text = "aag 3 2 0 0 1 1\n2\n4\n6\n6 4 2\ni0 __a3\nb0 __a_3\n"
    system = to_system(parse(text.encode(), "x.aag"), SourceText.of("x.aag", text))
    assert [variable.name for variable in system.variables] == ["__a3", "i1"]
    assert len({*system.by_name, *system.defines}) == 3
    assert references(system, system.properties[0].expression).current == {"__a3", "i1"}


def test_engines_make_no_object_for_a_gate():
    graph = random_graph(Random(1), 2_000)
    system = to_system(graph, SourceText.of("x.aag", ""))
    problem = posed(system, system.properties[-1])
    encoder = Encoder(system, Circuit())
    bad = encoder.truth(system.properties[-1].expression)
    Path(encoder, ["l0"], DefinedBits(encoder), (), ()).at(bad, 1)
    Program(system, [system.properties[-1].expression])
    assert len(problem.blasting.graph) > 0
    assert len(system.defines) == 2_000
    assert not system.defines._made
