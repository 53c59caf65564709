"""Walks through probabilistic systems: random by their distributions, along a guide, or by the user's choices."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct

from symag.core.limits import Limits, Progress, no_progress
from symag.core.trace import Step, Trace
from symag.core.walks import Walk, WalkPlan
from symag.lpts.checking.sizes import under_limits
from symag.lpts.named_states import NamedStates
from symag.lpts.state_values import Value


class ProbabilisticStep(Struct, frozen=True):
    """An action, one of the states that its distribution may lead to, and how likely that is."""

    action: str
    target: int
    probability: Fraction


#: Chooses one of the moves from a state; None ends the walk.
Chooser = Callable[[Sequence[ProbabilisticStep], int], ProbabilisticStep | None]


class GuideStep(Struct, frozen=True):
    """A step of a guide: its action, and values of variables after it, as far as they are known."""

    action: str | None
    values: Mapping[str, Value]


class ProbabilisticWalk(Walk, frozen=True):
    """A run with the probability of each step, given its choice."""

    probabilities: tuple[Fraction, ...] = ()


def simulate(
    states: Callable[[Progress], NamedStates],
    plan: WalkPlan[GuideStep],
    limits: Limits,
    progress: Progress = no_progress,
) -> ProbabilisticWalk:
    """A walk in a child process under limits. The same seed gives the same walk. Raises InputError, UsageError."""
    walked, reason = under_limits("simulate", lambda report: walk(states(report), plan), limits, progress)
    return ProbabilisticWalk(None, reason=reason) if walked is None else walked


def walk(system: NamedStates, plan: WalkPlan[GuideStep], choose: Chooser | None = None) -> ProbabilisticWalk:
    """A walk from state 0. All choices of a state are equally likely, its targets as their distribution says."""
    generator = random.Random(plan.seed)
    state = 0
    steps: list[Step] = []
    probabilities: list[Fraction] = []
    ending = None
    while len(steps) < plan.steps:
        guided = plan.guide[len(steps)] if len(steps) < len(plan.guide) else None
        choices = [_fitting(system, choice, guided) for choice in choices_of(system, state)]
        possible = [choice for choice in choices if choice]
        if not possible:
            ending = "a deadlock" if not choices else "the guide's step is not possible"
            break
        if choose is not None and guided is None:
            move = choose([move for choice in possible for move in choice], state)
        else:
            move = _drawn(generator.choice(possible), generator)
        if move is None:
            ending = "stopped"
            break
        steps.append(Step(system.values.state(state), action=move.action))
        probabilities.append(move.probability)
        state = move.target
    trace = Trace("finite", (*steps, Step(system.values.state(state))))
    return ProbabilisticWalk(trace, ending, probabilities=tuple(probabilities))


def choices_of(system: NamedStates, state: int) -> list[list[ProbabilisticStep]]:
    """The moves of a state, those of one transition together."""
    lpts = system.lpts
    first, last = np.searchsorted(lpts.source, (state, state + 1)).tolist()
    return [
        [ProbabilisticStep(lpts.alphabet[lpts.action[k]], target, p) for target, p in lpts.distribution(k).items()]
        for k in range(first, last)
    ]


def _fitting(system: NamedStates, choice: list[ProbabilisticStep], guided: GuideStep | None) -> list[ProbabilisticStep]:
    if guided is None:
        return choice
    if guided.action not in (None, choice[0].action):
        return []
    fitting = []
    for move in choice:
        values = system.values.state(move.target)
        if all(values.get(name) == value for name, value in guided.values.items()):
            fitting.append(move)
    return fitting


def _drawn(moves: Sequence[ProbabilisticStep], generator: random.Random) -> ProbabilisticStep:
    """One of the moves, drawn exactly by their probabilities: by a random integer, no decimals."""
    total = sum((move.probability for move in moves), Fraction(0))
    shares = [move.probability / total for move in moves]
    common = np.lcm.reduce(np.array([share.denominator for share in shares], dtype=object))
    left = generator.randrange(int(common))
    for move, share in zip(moves, shares, strict=True):
        left -= int(share * common)
        if left < 0:
            return move
    raise AssertionError("the shares of a distribution sum to 1")
