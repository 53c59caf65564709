"""Random, guided and interactive runs."""

from __future__ import annotations

import random
from collections.abc import Callable

from symag.core.errors import InputError, UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.core.trace import Step, Trace
from symag.core.walks import Walk, WalkPlan
from symag.process.race import limited
from symag.smv.model.flat import FlatSystem
from symag.smv.model.typed import Expression
from symag.smv.model.types import code_of, value_of
from symag.smv.traversal.simulation import Choice, Choices, Simulator
from symag.smv.traversal.trace import Valuation

#: Chooses one of the choices for the next state, given the state before (None at the start); None ends the run.
Chooser = Callable[[Choices, Valuation | None], Choice | None]


class SimulationPlan(WalkPlan[Step], frozen=True):
    """``constraint`` is true in every state or on every step; the guide gives values of some variables."""

    constraint: Expression | None = None


def simulate(system: FlatSystem, plan: SimulationPlan, limits: Limits, progress: Progress = no_progress) -> Walk:
    """A run in a child process under limits; each step is drawn uniformly from those that the guide allows.

    The same seed gives the same run. Raises InputError and UsageError as ``run`` does.
    """

    def work(report: Progress) -> Walk:
        report("encoding")
        return run(system, plan, limits.memory)

    outcome = limited("simulate", work, limits, progress)
    simulated: Walk | None = outcome.value
    return Walk(None, None, outcome.reason or "timeout") if simulated is None else simulated


def run(system: FlatSystem, plan: SimulationPlan, memory: int | None = None, choose: Chooser | None = None) -> Walk:
    """A run in this process, whose steps ``choose`` chooses, by default at random.

    Raises InputError for a model without initial states or with expressions that can fail, UsageError for a constraint
    or a guide that no initial state agrees with.
    """
    _check_guide(system, plan.guide)
    generator = random.Random(plan.seed)
    simulator = Simulator(system, plan.constraint, memory)

    def drawn(choices: Choices, state: Valuation | None) -> Choice | None:
        return choices.draw(generator)

    pick = choose or drawn
    first = plan.guide[0] if plan.guide else Step({})
    choices = simulator.initial(first.state)
    if choices.count == 0:
        if not simulator.has_initial_state():
            raise InputError("the model has no initial state", system.source.path)
        raise UsageError("no initial state agrees with " + ("the guide" if plan.guide else "the constraint"))
    choice = pick(choices, None)
    if choice is None:
        return Walk(None, None, "stopped")
    steps = [Step(choice.state)]
    for count in range(1, plan.steps + 1):
        choices, ending = _next_choices(simulator, plan, steps[-1].state, count)
        if ending is not None:
            return Walk(Trace("finite", tuple(steps)), ending)
        choice = pick(choices, steps[-1].state)
        if choice is None:
            return Walk(Trace("finite", tuple(steps)), "stopped")
        steps[-1] = Step(steps[-1].state, choice.inputs)
        steps.append(Step(choice.state))
    return Walk(Trace("finite", tuple(steps)))


def _next_choices(
    simulator: Simulator, plan: SimulationPlan, state: Valuation, count: int
) -> tuple[Choices, str | None]:
    """The choices for state ``count + 1``, or why there are none."""
    inputs = plan.guide[count - 1].inputs if count <= len(plan.guide) else {}
    given = plan.guide[count].state if count < len(plan.guide) else {}
    choices = simulator.following(state, inputs, given)
    if choices.count:
        return choices, None
    if simulator.is_dead_end(state):
        return choices, f"state {count} has no successor"
    followed = (inputs or given) and simulator.following(state).count
    return choices, f"no successor of state {count} agrees with " + ("the guide" if followed else "the constraint")


def _check_guide(system: FlatSystem, guide: tuple[Step, ...]) -> None:
    """Raises UsageError for a value that its variable cannot have."""
    for count, step in enumerate(guide, start=1):
        for name, value in (*step.state.items(), *step.inputs.items()):
            of = system.by_name[name].type
            try:
                back = value_of(of, code_of(of, value))
            except ValueError:
                back = None
            if back != value or isinstance(back, bool) != isinstance(value, bool):
                raise UsageError(f"the guide gives {name} the value {value} at state {count}, which it cannot have")
