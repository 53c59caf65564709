"""COMPUTE MIN and MAX against shortest and longest paths in the explicit state graph."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symag.core.limits import no_progress
from symag.smv import read_text
from symag.smv.methods.monolithic import session
from symag.smv.methods.options import SmvOptions
from tests.ctl.formulas import ctl_models
from tests.explicit_ctl import ExplicitCtl


def least(judge: ExplicitCtl, start, final) -> int | str:
    """Breadth first, through fair states."""
    distance = dict.fromkeys(start, 0)
    queue = list(start)
    for state in queue:
        if state in final:
            return distance[state]
        for target in sorted(judge.successors[state], key=str):
            if target not in distance:
                distance[target] = distance[state] + 1
                queue.append(target)
    return "infinity"


def greatest(judge: ExplicitCtl, start, final) -> int | str:
    """The most states in a row outside ``final``, from a state of ``start``; by induction over the length."""
    if not start or not final:
        return "undefined"
    going_on = judge.fair - final
    for length in range(len(judge.states) + 1):
        if not going_on & start:
            return length
        going_on = {state for state in judge.fair - final if judge.successors[state] & going_on}
    return "infinity"


@settings(max_examples=80, deadline=None)
@given(ctl_models(compute=True))
def test_values(text):
    system = read_text(text)
    judge = ExplicitCtl(system)
    decide = session(system, SmvOptions())
    for checked in system.properties:
        start, final = (judge.satisfying(operand) for operand in checked.expression.operands)
        if not judge.fair and checked.expression.operator == "MAX":
            continue  # see test_no_fair_state
        expected = (least if checked.expression.operator == "MIN" else greatest)(judge, start, final)
        assert decide(checked, no_progress).value == expected, checked.text


COUNTER = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {next_x}; COMPUTE {compute}"


@pytest.mark.parametrize(
    ("next_x", "compute", "value"),
    [
        ("x < 3 ? x + 1 : x", "MIN [x = 0, x = 3]", 3),
        ("x < 3 ? x + 1 : x", "MAX [x = 0, x = 3]", 3),
        ("x < 3 ? x + {0, 1} : x", "MAX [x = 0, x = 3]", "infinity"),
        ("x < 3 ? x + 1 : x", "MIN [x = 3, x = 0]", "infinity"),
        ("x < 2 ? x + 1 : x", "MAX [x = 0, x = 3]", "undefined"),
    ],
)
def test_values_as_nusmv_gives_them(next_x, compute, value):
    text = COUNTER.format(next_x=next_x, compute=compute).replace("x + {0, 1}", "{x, x + 1}")
    system = read_text(text)
    assert session(system, SmvOptions())(system.properties[0], no_progress).value == value


@pytest.mark.parametrize(("start", "value"), [("x", 0), ("x & !x", "undefined"), ("AG !x", 0), ("EF x", "undefined")])
def test_no_fair_state(start, value):
    """NuSMV's answers where nothing is fair."""
    text = f"MODULE main VAR x : boolean; INIT x TRANS next(x) = x FAIRNESS !x COMPUTE MAX [{start}, x]"
    system = read_text(text)
    assert session(system, SmvOptions())(system.properties[0], no_progress).value == value
