"""A walk through a probabilistic system, as ``symag simulate`` prints it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from symag.core.errors import InputError
from symag.core.evidence.evidence_paths import run_file
from symag.core.files import write_file
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.core.source import text_of_file
from symag.core.trace import Trace
from symag.core.walks import Ask, WalkPlan, WalkRequest
from symag.lpts.checking.check import SimulationFiles
from symag.lpts.checking.simulation import GuideStep, ProbabilisticStep, simulate, walk
from symag.lpts.checking.trace_formats import FORMATS, MODELS, format_named
from symag.lpts.checking.written_traces import WrittenWalk
from symag.lpts.named_states import NamedStates
from symag.lpts.state_values import Value
from symag.lpts.valuations import named_states

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
        done = simulate(states, plan, limits, progress)
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
