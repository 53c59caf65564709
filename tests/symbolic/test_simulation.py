"""Simulated runs against brute force: every choice is there, each with the same chance, and no other."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.bdd.engines import new_context
from symag.core.errors import InputError, UsageError
from symag.core.trace import Step, Trace, Value
from symag.smv import read_text
from symag.smv.certify.runs.replay import check_run
from symag.smv.checking.run_steps import is_counted
from symag.smv.checking.simulation import SimulationPlan, run
from symag.smv.expression_reader import expression
from symag.smv.methods.sat.simulator import SatSimulator, Valuation
from symag.smv.model.typed import Expression
from symag.smv.symbolic.counting import Valuations
from symag.smv.traversal.simulation import Choices, Simulator
from tests.brute_force import Explicit
from tests.strategies import models


def found(choices: Choices) -> set[tuple[tuple[tuple[str, object], ...], ...]]:
    listed = [choices.at(index) for index in range(choices.count)]
    result = {(tuple(sorted(one.inputs.items())), tuple(sorted(one.state.items()))) for one in listed}
    assert len(result) == choices.count
    return result


@settings(max_examples=60, deadline=None)
@given(models(largest=32), st.integers(0, 5))
def test_the_choices_are_those_of_brute_force(text: str, seed: int) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    simulator = Simulator(system)
    starts = explicit.initial_states()
    assert found(simulator.initial()) == {((), tuple(sorted(explicit.valuation(state).items()))) for state in starts}
    if not starts:
        with pytest.raises(InputError, match="no initial state"):
            run(system, SimulationPlan(3, seed))
        return
    done = run(system, SimulationPlan(6, seed))
    assert done.trace is not None
    assert done == run(system, SimulationPlan(6, seed))
    check_run(system, done.trace)
    for step in done.trace.steps[:3]:
        state = tuple(step.state[name] for name in explicit.names)
        expected = {
            (
                tuple(sorted(zip(explicit.input_names, inputs, strict=True))),
                tuple(sorted(explicit.valuation(target).items())),
            )
            for _, inputs, target in explicit.edges(state)
        }
        assert found(simulator.following(step.state)) == expected
    last = tuple(done.trace.steps[-1].state[name] for name in explicit.names)
    stuck = not list(explicit.edges(last))
    if len(done.trace.steps) < 7:
        assert stuck
        assert done.ending == f"state {len(done.trace.steps)} has no successor"
    else:
        assert done.ending is None


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(models(largest=32), st.integers(0, 5))
def test_a_run_guides_its_own_repetition(text: str, seed: int) -> None:
    system = read_text(text)
    assume(Explicit(system).initial_states())
    done = run(system, SimulationPlan(4, seed))
    assert done.trace is not None
    again = run(system, SimulationPlan(len(done.trace.steps) - 1, seed + 1, guide=done.trace.steps))
    assert again.trace == done.trace


@given(st.lists(st.booleans(), min_size=16, max_size=16))
def test_valuations_are_numbered_in_order(table: list[bool]) -> None:
    context = new_context()
    context.declare([("a",), ("b",), ("c",), ("d",)])
    names = ("a", "b", "c", "d")
    rows = [tuple(bool(place >> shift & 1) for shift in (3, 2, 1, 0)) for place in range(16)]
    chosen = [row for row, member in zip(rows, table, strict=True) if member]
    diagram = context.disjunction(context.cube(dict(zip(names, row, strict=True))) for row in chosen)
    valuations = Valuations(context, diagram, names)
    assert [tuple(valuations.at(index)[name] for name in names) for index in range(valuations.count)] == chosen
    with pytest.raises(IndexError):
        valuations.at(len(chosen))


MODEL = """MODULE main
VAR x : 0..3; b : boolean; w : signed word[3];
FROZENVAR f : 1..2;
IVAR go : boolean;
ASSIGN init(x) := 0; next(x) := case go & x < 3 : x + 1; TRUE : x; esac;
TRANS x < 3
"""
SYSTEM = read_text(MODEL)


def constraint(text: str) -> Expression:
    return expression(SYSTEM, text, "<constraint>")


def test_a_constraint_holds_all_along() -> None:
    done = run(SYSTEM, SimulationPlan(5, 3, (), constraint("b & f = 2")))
    assert done.trace is not None
    assert {(step.state["b"], step.state["f"]) for step in done.trace.steps} == {(True, 2)}
    done = run(SYSTEM, SimulationPlan(9, 3, (), constraint("go -> next(b)")))
    assert done.trace is not None
    pairs = zip(done.trace.steps, done.trace.steps[1:], strict=False)
    assert all(step.inputs["go"] <= after.state["b"] for step, after in pairs)
    assert any(step.inputs.get("go") for step in done.trace.steps)


def test_every_choice_is_drawn() -> None:
    choices = Simulator(SYSTEM).initial()
    generator = random.Random(1)
    drawn = {tuple(choices.draw(generator).state.items()) for _ in range(600)}
    assert len(drawn) == choices.count == 2 * 8 * 2


@pytest.mark.parametrize(
    ("plan", "ending"),
    [
        (SimulationPlan(9, 0, (), constraint("go")), "state 4 has no successor"),
        (
            SimulationPlan(9, 0, (), constraint("go & x < 1")),
            "no successor of state 2 agrees with the constraint",
        ),
        (SimulationPlan(5, 0, (Step({}), Step({"x": 3}))), "no successor of state 1 agrees with the guide"),
        (SimulationPlan(5, 0, (Step({"f": 1}), Step({"f": 2}))), "no successor of state 1 agrees with the guide"),
        (SimulationPlan(0, 0), None),
    ],
)
def test_why_a_run_ends(plan: SimulationPlan, ending: str | None) -> None:
    assert run(SYSTEM, plan).ending == ending


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (SimulationPlan(1, 0, (), constraint("x = 2")), "no initial state agrees with the constraint"),
        (SimulationPlan(1, 0, (Step({"x": 2}),)), "no initial state agrees with the guide"),
        (
            SimulationPlan(1, 0, (Step({"w": 7}),)),
            "the guide gives w the value 7 at state 1, which it cannot have",
        ),
        (
            SimulationPlan(1, 0, (Step({"x": True}),)),
            "the guide gives x the value True at state 1, which it cannot have",
        ),
        (
            SimulationPlan(1, 0, (Step({"b": 1}),)),
            "the guide gives b the value 1 at state 1, which it cannot have",
        ),
    ],
)
def test_what_no_run_can_follow(plan: SimulationPlan, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(SYSTEM, plan)


def test_a_guide_may_leave_variables_out() -> None:
    guide = (Step({"b": True}, {"go": True}), Step({"b": False}), Step({"b": True}))
    done = run(SYSTEM, SimulationPlan(3, 1, guide=guide))
    assert done.trace is not None
    assert [step.state["b"] for step in done.trace.steps[:3]] == [True, False, True]
    assert done.trace.steps[1].state["x"] == 1
    check_run(SYSTEM, Trace("finite", done.trace.steps))


def test_a_constraint_that_can_fail_is_bad_input() -> None:
    with pytest.raises(InputError, match="the constraint can fail: division by zero"):
        run(SYSTEM, SimulationPlan(1, 0, (), constraint("2 / x = 1")))


def edges_of(explicit: Explicit, state: Valuation) -> set[tuple[tuple[tuple[str, Value], ...], ...]]:
    """Inputs and next states of all steps from a state."""
    here = tuple(state[name] for name in explicit.names)
    return {
        (
            tuple(sorted(zip(explicit.input_names, inputs, strict=True))),
            tuple(sorted(explicit.valuation(target).items())),
        )
        for _, inputs, target in explicit.edges(here)
    }


@settings(max_examples=60, deadline=None)
@given(models(largest=32), st.integers(0, 5))
def test_a_solver_draws_steps_of_brute_force_and_finds_every_end(text: str, seed: int) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    simulator, generator = SatSimulator(system), random.Random(seed)
    starts = [explicit.valuation(state) for state in explicit.initial_states()]
    drawn = {tuple(sorted((simulator.initial(generator) or {}).items())) for _ in range(40)}
    if not starts:
        assert drawn == {()}
        return
    assert drawn <= {tuple(sorted(start.items())) for start in starts}
    assert simulator.initial(None) in starts
    assert simulator.initial(generator, starts[-1]) == starts[-1]
    for state in starts[:3]:
        edges = edges_of(explicit, state)
        for draw in [None, *[generator] * 20]:
            step = simulator.following(state, draw)
            assert (step is None) == (not edges)
            if step is not None:
                assert tuple(tuple(sorted(part.items())) for part in step) in edges
        for inputs, target in sorted(edges, key=repr)[:3]:
            assert simulator.following(state, generator, dict(inputs), dict(target)) == (dict(inputs), dict(target))
        listed = simulator.some(state, generator, 12)
        as_edges = [tuple(tuple(sorted(part.items())) for part in step) for step in listed]
        assert len(set(as_edges)) == len(listed) == min(12, len(edges))
        assert set(as_edges) <= edges
        again = simulator.some(state, generator, 400, *map(dict, min(edges, key=repr))) if edges else None
        assert again is None or len(again) == 1
    listed_starts = [first for _, first in simulator.some(None, generator, 400)]
    assert sorted(map(repr, listed_starts)) == sorted(map(repr, starts))
    simulator.close()


@settings(max_examples=60, deadline=None)
@given(models(largest=32), st.integers(0, 5), st.integers(0, 4))
def test_a_path_is_found_where_one_exists(text: str, seed: int, length: int) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    simulator = SatSimulator(system, length)
    for start in explicit.initial_states()[:3]:
        reached = {start}
        for _ in range(length):
            reached = {target for state in reached for _, _, target in explicit.edges(state)}
        state = explicit.valuation(start)
        for draw in (None, random.Random(seed)):
            path = simulator.path(state, draw)
            assert (path is None) == (not reached)
            if path is not None:
                befores = [state, *(after for _, after in path)]
                steps = [Step(before, inputs) for before, (inputs, _) in zip(befores, path, strict=False)]
                check_run(system, Trace("finite", (*steps, Step(befores[-1]))))
                assert len(path) == length
    simulator.close()


def test_a_solver_draws_every_step() -> None:
    simulator, generator = SatSimulator(SYSTEM), random.Random(1)
    starts = [simulator.initial(generator) for _ in range(600)]
    assert len({repr(start) for start in starts}) == Simulator(SYSTEM).initial().count
    assert starts[0] is not None
    steps = {repr(simulator.following(starts[0], generator)) for _ in range(600)}
    assert len(steps) == Simulator(SYSTEM).following(starts[0]).count


LARGE = MODEL.replace("FROZENVAR", "free : unsigned word[90];\nFROZENVAR")


@pytest.mark.parametrize(
    ("steps", "guide", "wished", "ending"),
    [
        (9, (), "go", "state 4 has no successor"),
        (9, (), "go & x < 1", "no successor of state 2 agrees with the constraint"),
        (5, (Step({}), Step({"x": 3})), None, "no successor of state 1 agrees with the guide"),
        (5, (Step({"f": 1}), Step({"f": 2})), None, "no successor of state 1 agrees with the guide"),
        (2, (Step({"x": 0}, {"go": True}), Step({"x": 1, "w": -3})), "b & f = 2", None),
        (0, (), None, None),
    ],
)
def test_runs_of_large_models_end_for_the_same_reasons(
    steps: int, guide: tuple[Step, ...], wished: str | None, ending: str | None
) -> None:
    system = read_text(LARGE)
    said = None if wished is None else expression(system, wished, "<constraint>")
    done = run(system, SimulationPlan(steps, 3, guide, said))
    assert done.ending == ending
    assert done.trace is not None
    check_run(system, done.trace)
    assert done == run(system, SimulationPlan(steps, 3, guide, said))
    for wanted, step in zip(guide, done.trace.steps, strict=False):
        assert wanted.state.items() <= step.state.items()
    if wished == "b & f = 2":
        assert all(step.state["b"] and step.state["f"] == 2 for step in done.trace.steps)


@pytest.mark.parametrize(
    ("text", "wished", "error", "message"),
    [
        (LARGE + "INIT x = 1\n", None, InputError, "the model has no initial state"),
        (LARGE, "x = 1", UsageError, "no initial state agrees with the constraint"),
        (LARGE, "3 / x > 0", InputError, "the constraint can fail: division by zero"),
        (LARGE + "INVAR 3 / x > 0\n", "b", InputError, "division by zero"),
    ],
)
def test_no_run_of_a_large_model(text: str, wished: str | None, error: type[Exception], message: str) -> None:
    system = read_text(text)
    said = None if wished is None else expression(system, wished, "<constraint>")
    with pytest.raises(error, match=message):
        run(system, SimulationPlan(3, 0, (), said))


@pytest.mark.parametrize("width", [20, 64])
def test_products_of_wide_words_are_simulated_at_once(width: int) -> None:
    word = f"unsigned word[{width}]"
    system = read_text(
        f"MODULE main VAR a : {word}; b : {word}; p : {word}; DEFINE product := a * b;"
        f"ASSIGN init(p) := 0ud{width}_1; next(p) := product;"
    )
    assert not is_counted(system)
    done = run(system, SimulationPlan(3, 1))
    assert done.trace is not None
    for step, after in zip(done.trace.steps, done.trace.steps[1:], strict=False):
        assert after.state["p"] == step.state["a"] * step.state["b"] % 2**width
    assert len({step.state["a"] for step in done.trace.steps}) == 4


@pytest.mark.parametrize(
    ("relation", "counted"), [("a * 3", True), ("a + b", True), ("3 / b", True), ("a mod b", False)]
)
def test_which_models_are_counted(relation: str, counted: bool) -> None:
    system = read_text(
        f"MODULE main VAR a : 1..4095; b : 1..4095; ASSIGN next(a) := case {relation} < 9 : 1; TRUE : 2; esac;"
    )
    assert is_counted(system) == counted
