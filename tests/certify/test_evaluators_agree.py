"""certify's interpreter and the oracle's evaluator, which share no code, agree on every expression of random models."""

from __future__ import annotations

from hypothesis import given, settings

from symag.smv import read_text
from symag.smv.certify.runs import interpreter
from tests.brute_force import Explicit, reads_next
from tests.evaluator import EvaluationError, Evaluator
from tests.strategies import models


@settings(max_examples=30, deadline=None)
@given(models(largest=16))
def test_both_give_the_same_values_and_errors(text: str) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    expressions = [item.expression for item in (*system.init, *system.invar)] + [
        item.value for item in system.assignments
    ]
    for expression in expressions:
        if reads_next(system, expression):
            continue
        for state in explicit.all_states():
            for inputs in explicit.all_inputs():
                valuation = explicit.valuation(state, inputs)
                try:
                    expected = set(Evaluator(system, valuation).values(expression))
                except EvaluationError as error:
                    expected = error.message
                try:
                    found = set(interpreter.evaluate(system, expression, valuation))
                except interpreter.EvaluationError as error:
                    found = error.message
                assert found == expected, (text, valuation)
