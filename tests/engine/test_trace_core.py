"""What matters in a counterexample: every run that has the chosen values violates the property too."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from symag.core.trace import Step, Trace, Value
from symag.smv import read_text
from symag.smv.checking.reports.trace_core import core_of
from symag.smv.expression_reader import expression
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.types import BooleanType, values
from symag.traces.report import Domain
from tests.small_systems import Explored, denotes, explore, small_systems

Run = tuple[tuple[Value, ...], ...]


def runs(explored: Explored, length: int) -> list[tuple[Run, Run]]:
    """All runs with so many steps: their states, and the inputs between them."""
    found: list[tuple[Run, Run]] = [((state,), ()) for state in explored.initial]
    for _ in range(length):
        found = [
            ((*states, after), (*inputs, letter))
            for states, inputs in found
            for before, letter, after in explored.steps
            if before == states[-1]
        ]
    return found


def violations(flat: FlatSystem, checked: Property, explored: Explored, found: list[tuple[Run, Run]]) -> list[bool]:
    """Whether the property is false in the last state of each run."""
    assert checked.expression is not None
    names = explored.names
    return [
        denotes(flat, checked.expression, dict(zip(names, states[-1], strict=True)), None) == {False}
        for states, _ in found
    ]


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(small_systems(), st.data())
def test_every_run_with_the_chosen_values_violates(flat: FlatSystem, data: st.DataObject) -> None:
    """Against all runs of the system, one after the other."""
    states = [v for v in flat.variables if v.kind is not VariableKind.INPUT]
    literals = []
    for variable in data.draw(st.lists(st.sampled_from(states), min_size=1, max_size=2)):
        value = Domain("boolean" if isinstance(variable.type, BooleanType) else "integer")
        literals.append(f"!({variable.name} = {value.text(data.draw(st.sampled_from(values(variable.type))))})")
    text = " | ".join(literals)
    checked = Property(0, "INVARSPEC", None, text, 1, expression(flat, text), None, None)
    inputs = tuple(v.name for v in flat.variables if v.kind is VariableKind.INPUT)
    explored = explore(flat)
    assume(len(explored.steps) < 400)
    for length in range(3):
        found = runs(explored, length)
        if len(found) > 3000:
            return
        bad = violations(flat, checked, explored, found)
        for (states, letters), wrong in zip(found, bad, strict=True):
            if not wrong:
                continue
            steps = [Step(dict(zip(explored.names, state, strict=True))) for state in states]
            steps = [
                Step(step.state, dict(zip(inputs, letters[k], strict=True)) if k < length else {})
                for k, step in enumerate(steps)
            ]
            core = core_of(flat, checked, Trace("finite", tuple(steps)))
            if core is None:
                continue
            names = [*((n, k, "s") for n, of in core.chosen.items() if n in explored.names for k in of)]
            names += [(n, k, "i") for n, of in core.chosen.items() if n in inputs for k in of]
            event(f"{length} steps, {len(core.steps)} variables")
            for (others, chosen), also in zip(found, bad, strict=True):
                same = all(
                    others[k][explored.names.index(n)] == states[k][explored.names.index(n)]
                    if kind == "s"
                    else chosen[k][inputs.index(n)] == letters[k][inputs.index(n)]
                    for n, k, kind in names
                )
                assert also or not same, (core, others, chosen)
            return


def test_a_chain_is_followed_and_the_rest_is_left_out() -> None:
    system = read_text(
        """MODULE main
        VAR a : boolean; b : boolean; c : 0..3; noise : 0..7; copy : boolean;
        IVAR go : boolean; other : boolean;
        ASSIGN init(b) := FALSE; next(b) := go; next(c) := b ? 3 : 0; copy := c = 3; next(noise) := {noise, 0};
        INVARSPEC !(copy & a)
        """
    )
    states = [
        {"a": False, "b": False, "c": 0, "noise": 5, "copy": False},
        {"a": True, "b": True, "c": 0, "noise": 0, "copy": False},
        {"a": True, "b": False, "c": 3, "noise": 0, "copy": True},
    ]
    letters = [{"go": True, "other": False}, {"go": False, "other": True}, {}]
    trace = Trace("finite", tuple(Step(dict(s), dict(i)) for s, i in zip(states, letters, strict=True)))
    core = core_of(system, system.properties[0], trace)
    assert core is not None
    assert dict(core.steps) == {"a": (2,), "copy": (2,), "c": (2,), "b": (1,), "go": (0,)}
    assert dict(core.chosen) == {"a": (2,), "go": (0,)}


def test_a_property_of_transitions() -> None:
    system = read_text("MODULE main VAR x : 0..3; y : boolean; ASSIGN init(x) := 0; INVARSPEC next(x) <= x + 1")
    trace = Trace("finite", (Step({"x": 0, "y": True}), Step({"x": 3, "y": False})))
    core = core_of(system, system.properties[0], trace)
    assert core is not None
    assert dict(core.steps) == {"x": (0, 1)}
    assert dict(core.chosen) == {"x": (1,)}


def test_no_core_of_what_some_run_keeps_and_none_out_of_time() -> None:
    system = read_text("MODULE main VAR x : 0..3; CTLSPEC EF x = 1; INVARSPEC x = 0; LTLSPEC F x = 1")
    trace = Trace("lasso", (Step({"x": 2}),), 0)
    assert core_of(system, system.properties[0], trace) is None
    assert core_of(system, system.properties[1], trace, seconds=-1.0) is None
    assert core_of(system, system.properties[2], trace, seconds=-1.0) is None
