"""Replay accepts the runs that brute force finds, and refuses what differs from them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.trace import Step, Trace, Value
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certify.runs.replay import check_run, replay
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.types import values
from tests.brute_force import Explicit
from tests.strategies import models


def is_run(explicit: Explicit, trace: Trace) -> bool:
    """The definition, by enumeration of successors."""
    states = [tuple(step.state[name] for name in explicit.names) for step in trace.steps]
    inputs = [tuple(step.inputs.get(name) for name in explicit.input_names) for step in trace.steps]
    targets = states[1:] + ([states[trace.loop]] if trace.loop is not None else [])
    return states[0] in explicit.initial_states() and all(
        target in explicit.successors(state, given)
        for state, given, target in zip(states, inputs, targets, strict=False)
    )


@settings(max_examples=60, deadline=None)
@given(models(largest=32), st.data())
def test_runs_are_accepted_and_changed_ones_judged_by_the_definition(text: str, data: st.DataObject) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    for checked in system.properties:
        trace = explicit.shortest_violation(checked)
        if trace is None:
            continue
        if checked.kind == "INVARSPEC":
            replay(system, checked, trace)
        else:
            check_run(system, trace)
        changed = data.draw(changes(system, trace))
        try:
            check_run(system, changed)
            accepted = True
        except CertificationError:
            accepted = False
        assert accepted is is_run(explicit, changed)


@st.composite
def changes(draw: st.DrawFn, system: FlatSystem, trace: Trace) -> Trace:
    """The trace with one variable changed in one step, or made a lasso."""
    steps = list(trace.steps)
    place = draw(st.integers(0, len(steps) - 1))
    variables = [item for item in system.variables if item.kind is not VariableKind.INPUT or place < len(steps) - 1]
    if variables and draw(st.booleans()):
        variable = draw(st.sampled_from(variables))
        value = draw(st.sampled_from(list(values(variable.type))))
        if variable.kind is VariableKind.INPUT:
            steps[place] = replace(steps[place], inputs={**steps[place].inputs, variable.name: value})
        else:
            steps[place] = replace(steps[place], state={**steps[place].state, variable.name: value})
        return Trace("finite", tuple(steps))
    inputs = {
        item.name: draw(st.sampled_from(list(values(item.type))))
        for item in system.variables
        if item.kind is VariableKind.INPUT
    }
    steps[-1] = replace(steps[-1], inputs=inputs)
    return Trace("lasso", tuple(steps), place)


COUNTER = """
MODULE main
VAR x : 0..3; w : signed word[2];
FROZENVAR limit : 2..3;
IVAR go : boolean;
DEFINE small := x < limit;
ASSIGN init(x) := 0; next(x) := case go & small : x + 1; TRUE : x; esac; w := resize(0sd2_1, 2);
INVAR x != 3
TRANS next(x) = x | go
INVARSPEC x < 2
"""


def step(number: Value, given: Value | None, **other: Value) -> Step:
    state: Mapping[str, Value] = {"x": number, "w": 1, "limit": 2, **other}
    return Step(state, {} if given is None else {"go": given})


GOOD = (step(0, True), step(1, False), step(1, True), step(2, None))


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((*GOOD[:3], step(2, False)), None),
        (GOOD[1:], "state 1: the assignment to init(x) of line 7 forbids 1"),
        ((GOOD[0], GOOD[2]), "the property holds in the last state (state 2)"),
        ((step(0, True), step(2, None)), "state 1: the assignment to next(x) of line 7 forbids 2"),
        ((step(0, True), step(1, False), step(2, None)), "state 2: the TRANS of line 9 is violated"),
        ((*GOOD[:3], step(2, None, w=-1)), "state 4: the assignment to w of line 7 forbids -1"),
        ((*GOOD[:3], step(2, None, w=2)), "state 4: 2 is not a value of w"),
        ((*GOOD[:3], step(2, None, limit=3)), "state 3: the frozen variable limit changes"),
        ((*GOOD[:3], step(True, None)), "state 4: True is not a value of x"),
        ((*GOOD[:3], step(2, None, z=1)), "state 4: the system has no such variable: z"),
        ((*GOOD[:3], step(2, None, go=True)), "state 4: the system has no such variable: go"),
        ((*GOOD[:3], Step({"x": 2, "limit": 2})), "state 4: w has no value"),
        ((*GOOD[:2], step(1, None), GOOD[3]), "state 3: go has no value"),
        ((*GOOD[:3], step(3, None, limit=3)), "state 4: the INVAR of line 8 is violated"),
        ((), "the trace has no states"),
    ],
)
def test_every_reason_is_one_line(steps: tuple[Step, ...], reason: str | None) -> None:
    system = read_text(COUNTER)
    if reason is None:
        replay(system, system.properties[0], Trace("finite", steps))
        return
    with pytest.raises(CertificationError) as caught:
        replay(system, system.properties[0], Trace("finite", steps))
    assert str(caught.value).startswith(reason)


FAIR = """
MODULE main
VAR x : 0..3;
ASSIGN init(x) := 0; next(x) := {0, 1, 2, 3};
FAIRNESS x = 2
COMPASSION (x = 3, x = 1)
SPEC AG x != 1
"""


def walk(*numbers: int, loop: int | None = None) -> Trace:
    return Trace("finite" if loop is None else "lasso", tuple(Step({"x": number}) for number in numbers), loop)


@pytest.mark.parametrize(
    ("trace", "reason"),
    [
        (walk(0, 1, 2, loop=2), None),
        (walk(0, 1, 2, loop=0), None),
        (walk(0, 1, 2, 3, 1, loop=2), None),
        (walk(0, 1), "the trace shows no fair path"),
        (walk(0, 2, loop=1), "the property holds in every state"),
        (walk(0, 2, 1, 3, loop=3), "the loop never satisfies the fairness constraint of line 5"),
        (walk(0, 1, 2, 3, loop=2), "the loop violates the COMPASSION of line 6"),
        (walk(0, 1, 2, loop=3), "the loop of the trace starts at step 3"),
    ],
)
def test_a_violation_of_ag_lies_on_a_fair_path(trace: Trace, reason: str | None) -> None:
    system = read_text(FAIR)
    if reason is None:
        replay(system, system.properties[0], trace)
        return
    with pytest.raises(CertificationError, match=reason):
        replay(system, system.properties[0], trace)


def test_a_finite_trace_refutes_ag_where_nothing_can_block_it() -> None:
    system = read_text("MODULE main VAR x : boolean; ASSIGN next(x) := !x; SPEC AG x")
    replay(system, system.properties[0], Trace("finite", (Step({"x": False}),)))


NEGATED = "MODULE main VAR x : boolean; ASSIGN next(x) := !x;"


def test_a_finite_trace_refutes_globally_where_nothing_can_block_it() -> None:
    """Witnesses of AIGER's bad literals are finite, also where the literal is that of LTL."""
    system = read_text(f"{NEGATED} LTLSPEC G x")
    replay(system, system.properties[0], Trace("finite", (Step({"x": False}),)))


@pytest.mark.parametrize("rest", ["LTLSPEC F G x", "INVAR x | TRUE; LTLSPEC G x", "JUSTICE x; LTLSPEC G x"])
def test_no_finite_trace_refutes_ltl_elsewhere(rest: str) -> None:
    system = read_text(f"{NEGATED} {rest}")
    with pytest.raises(CertificationError, match="infinite run, but the trace is finite"):
        replay(system, system.properties[0], Trace("finite", (Step({"x": False}),)))
