"""Walks through composed labelled transition systems: random, along a guide, or chosen step by step."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from symag.core.limits import Limits, Progress, no_progress
from symag.core.trace import Step, Trace
from symag.core.walks import Walk, WalkPlan
from symag.lts import ERROR, Model, System
from symag.lts.certify.properties import ProductOnDemand
from symag.lts.certify.traces import valuation
from symag.process.limited import limited

#: An action and the states of the components afterwards.
Move = tuple[str, tuple[int, ...]]
#: Chooses one of the moves from a state; None ends the walk.
Chooser = Callable[[Sequence[Move], tuple[int, ...]], Move | None]


def simulate(
    model: Model, target: str, plan: WalkPlan[str], limits: Limits, progress: Progress = no_progress
) -> tuple[Walk, tuple[str, ...]]:
    """A walk through a composite process in a child process under limits, and warnings of its compilation.

    The same seed gives the same walk. Raises InputError.
    """

    def work(report: Progress) -> tuple[Walk, tuple[str, ...]]:
        report("walking")
        return walk(model.composite(target), plan), tuple(model.warnings)

    outcome = limited("simulate", work, limits, progress)
    if outcome.value is None:
        return Walk(None, reason=outcome.reason or "timeout"), ()
    walked: tuple[Walk, tuple[str, ...]] = outcome.value
    return walked


def walk(system: System, plan: WalkPlan[str], choose: Chooser | None = None) -> Walk:
    """Walk step by step; only the states on the way are computed. All moves of a state have the same probability."""
    product = ProductOnDemand(system)
    order = {label: index for index, label in enumerate(("tau", *product.labels))}
    generator = random.Random(plan.seed)
    state = product.start
    states = [state]
    labels: list[str] = []
    ending = None
    while len(labels) < plan.steps:
        moves = sorted(product.moves(state), key=lambda move: (order[move[0]], move[1]))
        if not moves:
            ending = "everything has ended" if product.has_ended(state) else "a deadlock"
            break
        guided = plan.guide[len(labels)] if len(labels) < len(plan.guide) else None
        moves = [move for move in moves if guided in (None, move[0])]
        if not moves:
            ending = f"the guide's action {guided} is not possible"
            break
        move = choose(moves, state) if choose is not None and guided is None else generator.choice(moves)
        if move is None:
            ending = "stopped"
            break
        label, state = move
        labels.append(label)
        states.append(state)
        if ERROR in state:
            ending = "ERROR is reached"
            break
    steps = [Step(valuation(system, local), action=label) for local, label in zip(states, [*labels, None], strict=True)]
    return Walk(Trace("finite", tuple(steps)), ending)
