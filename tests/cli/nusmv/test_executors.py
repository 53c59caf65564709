"""Both executors of traces against enumeration of all runs."""

from __future__ import annotations

import itertools
import random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.cli.nusmv.executors import execute, execute_by_solver
from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.certify.runs.replay import check_run
from symag.smv.checking.simulation import SimulationPlan, run
from symag.smv.symbolic.system import encode
from tests.brute_force import Explicit
from tests.strategies import models


def explicit_execution(explicit: Explicit, steps: tuple[Step, ...]) -> tuple[bool, int]:
    """Whether some initial state has the first values, and how many steps have theirs."""

    def fits(state: tuple[object, ...], step: Step) -> bool:
        return step.state.items() <= explicit.valuation(state).items()

    reached = {state for state in explicit.initial_states() if fits(state, steps[0])}
    if not reached:
        return False, 0
    for number, (step, after) in enumerate(itertools.pairwise(steps)):
        reached = {
            target
            for state in reached
            for _, inputs, target in explicit.edges(state)
            if step.inputs.items() <= dict(zip(explicit.input_names, inputs, strict=True)).items()
            and fits(target, after)
        }
        if not reached:
            return True, number
    return True, len(steps) - 1


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(models(largest=32), st.randoms(use_true_random=False), st.integers(0, 3))
def test_traces_with_missing_and_wrong_values(text: str, draw: random.Random, wrong: int) -> None:
    system = read_text(text)
    explicit = Explicit(system)
    assume(explicit.initial_states())
    made = run(system, SimulationPlan(4, draw.randrange(100))).trace
    assert made is not None
    steps = []
    for step in made.steps:
        state = {name: value for name, value in step.state.items() if draw.random() < 0.7}
        inputs = {name: value for name, value in step.inputs.items() if draw.random() < 0.7}
        if wrong and draw.random() < wrong / 6:
            other = draw.choice(explicit.initial_states())
            state = dict(explicit.valuation(other))
        steps.append(Step(state, inputs))
    trace = Trace("finite", tuple(steps))
    starts, count = explicit_execution(explicit, trace.steps)
    for executed in (execute(encode(system), trace, _ignore), execute_by_solver(system, trace, _ignore)):
        assert (executed.starts, executed.steps) == (starts, count)
        assert (executed.run is not None) == (starts and count == len(steps) - 1)
        if executed.run is not None:
            check_run(system, executed.run)
            for kept, step in zip(trace.steps, executed.run.steps, strict=True):
                assert kept.state.items() <= step.state.items()
                assert kept.inputs.items() <= step.inputs.items()


def _ignore(number: int, exists: bool) -> None:
    pass
