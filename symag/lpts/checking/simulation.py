"""Walks through probabilistic systems: random by their distributions, along a guide, or by the user's choices."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct

from symag.core.errors import InputError
from symag.core.evidence.evidence_paths import run_file
from symag.core.files import write_file
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.core.source import text_of_file
from symag.core.trace import Step, Trace
from symag.core.walks import Ask, WalkPlan, WalkRequest
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.checking.trace_formats import FORMATS, MODELS, format_named
from symag.lpts.checking.written_traces import ProbabilisticWalk, WrittenWalk
from symag.lpts.language.reading import named_states
from symag.lpts.state_values import NamedStates, Value
from symag.process.race import limited


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


#: How many moves are listed.
MOST_MOVES = 40


def simulate_system(files: SimulationFiles, request: WalkRequest, limits: Limits, progress: Progress) -> Report:
    """A walk as ``request`` describes it, written to a file if it names one. Raises InputError and UsageError."""
    file = None if request.trace is None else run_file(request.trace, request.trace_format, tuple(FORMATS), MODELS)
    guide = guide_of(request.guide) if request.guide is not None else ()
    plan = WalkPlan(request.length(len(guide)), request.seed, guide)

    def states(report: Progress) -> NamedStates:
        return named_states(files.path, files.further, files.constants, files.alphabets, report)

    warnings: Sequence[str] = ()
    if request.ask is not None:
        system = states(progress)
        done, warnings = walk(system, plan, _Asker(system, request.ask)), system.warnings
    else:
        outcome = limited("simulate", lambda report: walk(states(report), plan), limits, progress)
        done = outcome.value or ProbabilisticWalk(None, reason=outcome.reason)
    document = done.document(
        files.path,
        request.seed,
        probabilities=[str(probability) for probability in done.probabilities],
        probability=str(math.prod(done.probabilities, start=Fraction(1))),
    )
    lines = done.lines(lambda trace: _steps(trace, done.probabilities, request.full))
    if file is not None and done.trace is not None:
        write_file(file[0], format_named(file[1]).walk_text(WrittenWalk(files, done, document)))
    return Report(document, tuple(lines), tuple(warnings), done.reason)


def guide_of(path: str) -> tuple[GuideStep, ...]:
    """The steps of a JSON file that ``simulate`` wrote, or actions one a line (``-``: any). Raises InputError."""
    content = text_of_file(path)
    if not content.lstrip().startswith("{"):
        words = [line.strip() for line in content.splitlines() if line.strip()]
        return tuple(GuideStep(None if word == "-" else word, {}) for word in words)
    try:
        steps = json.loads(content)["trace"]["steps"]
        actions = [step["action"] for step in steps[:-1]]
        values: list[dict[str, Value]] = [dict(step["state"]) for step in steps[1:]]
    except (ValueError, LookupError, TypeError):
        raise InputError("expected the JSON object that symag simulate writes", path) from None
    return tuple(GuideStep(action, value) for action, value in zip(actions, values, strict=True))


def _steps(trace: Trace, probabilities: Sequence[Fraction], full: bool) -> Iterator[str]:
    before: dict[str, object] = {}
    for number, step in enumerate(trace.steps):
        shown = {name: value for name, value in step.state.items() if full or before.get(name) != value}
        yield f"-> State: {number} <-"
        for name, value in shown.items():
            yield f"  {name} = {_spelled(value)}"
        if number < len(probabilities):
            yield f"[{step.action}] with probability {probabilities[number]}"
        before = dict(step.state)


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Asker:
    """Asks the user for the next move of a probabilistic system."""

    def __init__(self, system: NamedStates, ask: Ask) -> None:
        self._system = system
        self._ask = ask

    def __call__(self, moves: Sequence[ProbabilisticStep], state: int) -> ProbabilisticStep | None:
        texts = (f"[{move.action}] {move.probability}: {self._changes(state, move.target)}" for move in moves)
        number = self._ask(len(moves), texts, MOST_MOVES)
        return None if number is None else moves[number]

    def _changes(self, state: int, target: int) -> str:
        old, new = self._system.values.state(state), self._system.values.state(target)
        changed = [f"{name} = {_spelled(value)}" for name, value in new.items() if old[name] != value]
        return ", ".join(changed) or "nothing changes"
