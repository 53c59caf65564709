"""INVARSPECs over inputs and the next state: violated if a transition from a reachable state violates them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.certify.runs.interpreter import Program, value_set
from symag.smv.methods import bmc, k_induction, monolithic, sweeping
from symag.smv.methods.monolithic import session
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.pdr import decision as pdr
from symag.smv.model.flat import VariableKind
from symag.smv.model.supports import references
from tests.brute_force import Explicit
from tests.ctl.formulas import transition_models


def speaks_of_transitions(system, expression) -> bool:
    """It reads an input, or the next value of a variable that may change."""
    read = references(system, expression)
    changing = any(system.by_name[name].kind is VariableKind.STATE for name in read.next)
    return changing or any(system.by_name[name].kind is VariableKind.INPUT for name in read.current)


@settings(max_examples=60, deadline=None)
@given(transition_models(), st.sampled_from(("forward", "backward", "both")), st.booleans())
def test_every_reachable_transition_counts(text, direction, cone):
    system = read_text(text)
    explicit = Explicit(system)
    distances = explicit.reachable()
    edges = [edge for state in distances for edge in explicit.edges(state)]
    decide = session(system, SmvOptions(direction=direction, cone_of_influence=cone))
    for checked in system.properties:
        if not speaks_of_transitions(system, checked.expression):
            continue
        program = Program(system, [checked.expression])

        def violates(edge, program=program):
            source, inputs, target = edge
            return value_set(program.run(explicit.valuation(source, inputs), explicit.valuation(target))[0]) == {False}

        bad = [edge for edge in edges if violates(edge)]
        result = decide(checked, no_progress)
        assert (result.verdict is Verdict.HOLDS) == (not bad)
        if bad:
            states = [tuple(step.state[name] for name in explicit.names) for step in result.trace.steps]
            inputs = [tuple(step.inputs[name] for name in explicit.input_names) for step in result.trace.steps[:-1]]
            assert distances[states[0]] == 0
            taken = list(zip(states, inputs, states[1:], strict=False))
            assert all(there in explicit.successors(here, given) for here, given, there in taken)
            assert violates(taken[-1])
            if not cone:
                assert len(taken) == 1 + min(distances[source] for source, _, _ in bad)


def test_a_dead_end_satisfies_everything_about_its_transitions():
    text = (
        "MODULE main VAR x : boolean; INIT x TRANS x -> (next(x) & !next(x)) INVARSPEC next(x) INVARSPEC !x | next(x)"
    )
    system = read_text(text)
    decide = session(system, SmvOptions())
    assert all(decide(checked, no_progress).verdict is Verdict.HOLDS for checked in system.properties)


@pytest.mark.parametrize("method", [monolithic, bmc, k_induction, pdr, sweeping], ids=lambda module: module.__name__)
@pytest.mark.parametrize("invariant", ["next(f)", "next(f) | a", "after"])
def test_the_next_value_of_a_frozen_variable_is_one_of_the_state(method, invariant):
    """Once ``holds``, and refused by the re-check: the searches by SAT asked the states with a successor only."""
    system = read_text(
        "MODULE main FROZENVAR f : boolean; VAR a : boolean; DEFINE after := next(f); TRANS next(f)"
        f" INVARSPEC {invariant}"
    )
    (checked,) = system.properties
    result = accept(system, checked, method.decide(system, checked, SmvOptions(), no_progress), None)
    assert (result.verdict, result.certified) == (Verdict.VIOLATED, True)
    assert len(result.trace.steps) == 1
