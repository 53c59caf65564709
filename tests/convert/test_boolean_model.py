"""Boolean models: the same states, inputs and transitions, by the brute-force explorer."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings

from symag.smv import read_text
from symag.smv.certify.runs.interpreter import Program
from symag.smv.convert.boolean_model import boolean_text
from symag.smv.model.typed import DefineReference, VariableReference
from symag.smv.model.types import BooleanType
from tests.brute_force import Explicit, find_error
from tests.strategies import models

QUIET = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _transitions(system, names, inputs):
    """Reachable states, and transitions between them, by the values of some variables and defines."""

    def reference(name):
        if name in system.by_name:
            return VariableReference(name, False, system.by_name[name].type, 0)
        return DefineReference(name, False, system.defines[name].type, 0)

    explicit = Explicit(system)
    shown = Program(system, [reference(name) for name in names])
    given_inputs = Program(system, [reference(name) for name in inputs])
    states = explicit.reachable()
    found = set()
    for state in states:
        for _, step, target in explicit.edges(state):
            before, after = explicit.valuation(state, step), explicit.valuation(target)
            found.add((tuple(shown.run(before)), tuple(given_inputs.run(before)), tuple(shown.run(after))))
    return {tuple(shown.run(explicit.valuation(state))) for state in states}, found


@pytest.mark.long
@QUIET
@given(models(properties=1, largest=32))
def test_the_boolean_model_has_the_same_transitions(text):
    system = read_text(text)
    assume(find_error(system) is None)
    again = read_text(boolean_text(system))
    assert all(isinstance(variable.type, BooleanType) for variable in again.variables)
    explicit = Explicit(system)
    names, inputs = explicit.names, explicit.input_names
    assert _transitions(again, names, inputs) == _transitions(system, names, inputs), text
    assert [checked.text for checked in again.properties] != [] or not system.properties


def test_fairness_words_and_symbols_stay():
    system = read_text(
        "MODULE main VAR w : signed word[2]; e : {a, b, c}; FROZENVAR f : 2..4;"
        " ASSIGN next(w) := w + 0sd2_1; next(e) := e = a ? {b, c} : a;"
        " JUSTICE w = 0sd2_1; COMPASSION (e = a, f = 3); LTLSPEC G F w = 0sd2_1; SPEC AG f = 3"
    )
    again = read_text(boolean_text(system))
    names = Explicit(system).names
    assert _transitions(again, names, ()) == _transitions(system, names, ())
    assert len(again.justice) == len(again.compassion) == 1
    assert [checked.kind for checked in again.properties] == ["CTL", "LTL"]


def test_a_case_without_a_last_branch_that_is_exhaustive() -> None:
    system = read_text(
        "MODULE main VAR x : 0..2; m : array 0..2 of boolean; ASSIGN next(m[0]) := m[x];"
        " next(m[1]) := case x = 0 : m[2]; x = 1 : TRUE; x = 2 : FALSE; esac;"
    )
    again = read_text(boolean_text(system))
    names = ["x", "m[0]", "m[1]", "m[2]"]
    assert _transitions(again, names, []) == _transitions(system, names, [])
