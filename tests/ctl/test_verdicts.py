"""CTL verdicts and counterexamples against the explicit-state judge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.trace import Trace
from symag.smv import read_text
from symag.smv.methods.monolithic import session
from symag.smv.methods.options import SmvOptions
from symag.smv.model.typed import Operation
from tests.ctl.formulas import ctl_models
from tests.explicit_ctl import ExplicitCtl


@pytest.mark.long
@settings(max_examples=120, deadline=None)
@given(ctl_models(), st.sampled_from(("forward", "backward")), st.booleans())
def test_verdicts_and_traces(text, direction, cone):
    system = read_text(text)
    judge = ExplicitCtl(system)
    decide = session(system, SmvOptions(direction=direction, cone_of_influence=cone))
    for checked in system.properties:
        result = decide(checked, no_progress)
        expected = judge.holds(checked.expression)
        assert (result.verdict is Verdict.HOLDS) == expected, checked.text
        if not expected:
            check_trace(judge, checked.expression, result.trace)


def check_trace(judge: ExplicitCtl, expression: Operation, trace: Trace) -> None:
    """It is a run from a state that violates the formula, through fair states, and shows the top operator."""
    graph = judge.graph
    states = [tuple(step.state[name] for name in graph.names) for step in trace.steps]
    assert states[0] in judge.initial
    assert states[0] in judge.fair - judge.satisfying(expression)
    assert set(states) <= judge.fair
    if trace.loop is not None:
        states.append(states[trace.loop])
    edges = []
    for step, here, there in zip(trace.steps, states, states[1:], strict=False):
        inputs = tuple(step.inputs[name] for name in graph.input_names)
        assert there in graph.successors(here, inputs)
        edges.append((here, inputs, there))
    if trace.loop is not None:
        cycle = edges[trace.loop :]
        for item in judge.system.justice:
            assert graph._edges_where(item.expression, cycle)
        for often, answer in judge.system.compassion:
            assert not graph._edges_where(often.expression, cycle) or graph._edges_where(answer.expression, cycle)
    assert shows(judge, expression, states, trace.loop is not None)


def shows(judge: ExplicitCtl, expression: Operation, states, is_lasso: bool) -> bool:
    """Whether a path refutes the formula's top operator, given where its operands hold."""
    if not isinstance(expression, Operation):
        return True
    sets = [judge.satisfying(each) for each in expression.operands[:2] if expression.operator in PATH_OPERATORS]
    match expression.operator:
        case "AX":
            # Every state has a successor, so one state is enough where no successor can be good.
            return not sets[0] or states[1] not in sets[0]
        case "AG":
            return any(state not in sets[0] for state in states)
        case "AF":
            return is_lasso and all(state not in sets[0] for state in states)
        case "AU":
            hold, goal = sets
            first = next((k for k, state in enumerate(states) if state in goal), len(states))
            broken = any(state not in hold for state in states[:first])
            return broken or (is_lasso and first == len(states))
        case "implies":
            left, right = expression.operands
            return states[0] in judge.satisfying(left) and shows(judge, right, states, is_lasso)
    return True


PATH_OPERATORS = ("AX", "AG", "AF", "AU")


def test_what_is_vacuous_is_said():
    """AG EX TRUE holds in NuSMV's logic of infinite runs although x = 1 has no successor."""
    text = "MODULE main VAR x : 0..1; INIT x = 0 TRANS x = 0 SPEC AG EX TRUE COMPASSION (x = 0, x = 0) SPEC EG x = 0"
    system = read_text(text)
    decide = session(system, SmvOptions())
    vacuous, other = (decide(checked, no_progress) for checked in system.properties)
    assert vacuous.verdict is other.verdict is Verdict.HOLDS
    assert "does not see states without a successor" in vacuous.warnings[0]
    assert any("x = 1" in warning for warning in other.warnings)
    assert any("COMPASSION is honoured" in warning for warning in other.warnings)
