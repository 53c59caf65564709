"""Transitions that are right only from some states: the same answers there, whatever they are elsewhere."""

from __future__ import annotations

import random

import pytest

from symag.core.limits import Deadline
from symag.smv.certify.circuits.circuit import Circuit
from symag.smv.certify.circuits.decision_diagrams import Bdd, DecisionDiagrams
from symag.smv.certify.circuits.packages import Package
from symag.smv.certify.transitions import Transitions

BITS = 3


def formula(circuit: Circuit, bits: list[int], choice: random.Random) -> int:
    """Three or four random rows of a truth table over the bits, or their complement."""
    rows = [
        circuit.all(bit if choice.random() < 0.5 else -bit for bit in bits if choice.random() < 0.7)
        for _ in range(choice.randint(3, 4))
    ]
    return circuit.any(rows) * choice.choice((1, -1))


@pytest.mark.parametrize("package", ["dd", "oxidd"])
@pytest.mark.parametrize("seed", range(25))
def test_they_agree_with_all_transitions(seed: int, package: Package) -> None:
    choice = random.Random(seed)
    circuit = Circuit(package)
    now, after = ([circuit.input() for _ in range(BITS)] for _ in range(2))
    context = DecisionDiagrams(circuit)
    context.declare(bit for pair in zip(now, after, strict=True) for bit in pair)
    pairs = {context.name(one): context.name(other) for one, other in zip(now, after, strict=True)}
    conjuncts = [context.of(formula(circuit, [*now, *after], choice)) for _ in range(3)]
    care = context.of(formula(circuit, now, choice))
    choices = choice.choice(([{}], [{context.name(now[0]): value} for value in (False, True)]))

    def made(care: Bdd) -> Transitions:
        return Transitions.of(context, Deadline(None), conjuncts, pairs, choices, pairs.keys(), care)

    every, some = made(context.true), made(care)
    for _ in range(5):
        target = context.of(formula(circuit, now, choice))
        assert every.before(target) & care == some.before(target) & care
        source = context.of(formula(circuit, now, choice)) & care
        assert every.leads(source, target) == some.leads(source, target)
        within = context.of(formula(circuit, now, choice)) & care
        assert every.reaching(target & care, within) == some.reaching(target & care, within)
        assert every.trimmed(within) == some.trimmed(within)
