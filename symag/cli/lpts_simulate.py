"""``symag simulate`` for probabilistic systems."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output, print_json
from symag.cli.walking import Chooser, ending_line, run_object
from symag.core.errors import InputError
from symag.core.evidence_paths import run_file
from symag.core.files import write_file
from symag.core.limits import Limits, Progress
from symag.core.source import text_of_file
from symag.lpts.checking.simulation import GuideStep, Move, Walk, WalkPlan, simulate, walk
from symag.lpts.checking.traces import FORMATS, MODELS
from symag.lpts.state_values import Value
from symag.lpts.valuations import NamedStates

#: How many moves are listed.
MOST_MOVES = 40


def simulate_system(
    path: str,
    states: Callable[[Progress], NamedStates],
    plan: WalkPlan,
    interactive: bool,
    trace: tuple[str | None, str | None],
    full: bool,
    limits: Limits,
    output: Output,
) -> int:
    """Walk and print; the exit status. ``trace``: a file for the walk, its format. Raises InputError, UsageError."""
    path_given, form = trace
    file = None if path_given is None else run_file(path_given, form, FORMATS, MODELS)[0]
    line = output.progress()
    if interactive:
        system = states(line)
        line.clear()
        done = walk(system, plan, _Asker(system, plan.seed))
    else:
        done = simulate(states, plan, limits, line)
        line.clear()
    if file is not None and done.trace is not None:
        write_file(file, json.dumps(_json(path, plan.seed, done), indent=2) + "\n")
    if output.as_json:
        print_json(_json(path, plan.seed, done))
    else:
        _print(done, full)
    return UNDECIDED if done.reason is not None else ALL_HOLD


def guide_of(path: str) -> tuple[GuideStep, ...]:
    """The steps of a JSON file that ``simulate`` wrote, or actions one a line (``-``: any). Raises InputError."""
    content = text_of_file(path)
    if not content.lstrip().startswith("{"):
        words = [line.strip() for line in content.splitlines() if line.strip()]
        return tuple(GuideStep(None if word == "-" else word, {}) for word in words)
    try:
        found = json.loads(content)["trace"]["steps"]
        actions = [each["action"] for each in found[:-1]]
        values: list[dict[str, Value]] = [dict(each["state"]) for each in found[1:]]
    except (ValueError, LookupError, TypeError):
        raise InputError("expected the JSON object that symag simulate writes", path) from None
    return tuple(GuideStep(action, value) for action, value in zip(actions, values, strict=True))


def _json(path: str, seed: int, done: Walk) -> dict[str, object]:
    return run_object(
        path,
        seed,
        done.trace,
        done.ending,
        done.reason,
        probabilities=[str(each) for each in done.probabilities],
        probability=str(math.prod(done.probabilities, start=Fraction(1))),
    )


def _print(done: Walk, full: bool) -> None:
    if done.trace is None:
        print(f"-- no run ({done.reason})")
        return
    before: dict[str, object] = {}
    for number, step in enumerate(done.trace.steps):
        shown = {name: value for name, value in step.state.items() if full or before.get(name) != value}
        print(f"-> State: {number} <-")
        for name, value in shown.items():
            print(f"  {name} = {_spelled(value)}")
        if number < len(done.probabilities):
            print(f"[{step.action}] with probability {done.probabilities[number]}")
        before = dict(step.state)
    if done.ending is not None:
        print(ending_line(len(done.probabilities), done.ending))


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Asker:
    """Asks for the next move of a probabilistic system."""

    def __init__(self, system: NamedStates, seed: int) -> None:
        self._system = system
        self._chooser = Chooser(seed, MOST_MOVES)

    def __call__(self, moves: Sequence[Move], state: int) -> Move | None:
        texts = (f"[{move.action}] {move.probability}: {self._changes(state, move.target)}" for move in moves)
        number = self._chooser.chosen(len(moves), texts)
        return None if number is None else moves[number]

    def _changes(self, state: int, target: int) -> str:
        old, new = self._system.values.state(state), self._system.values.state(target)
        changed = [f"{name} = {_spelled(value)}" for name, value in new.items() if old[name] != value]
        return ", ".join(changed) or "nothing changes"


def system_reader(
    path: str, further: Sequence[str], constants: dict[str, str], alphabets: dict[str, list[str]], output: Output
) -> Callable[[Progress], NamedStates]:
    """What reads and explores the system when it is called, and prints its warnings."""

    def read(progress: Progress) -> NamedStates:
        from symag.lpts.valuations import named_states

        found = named_states(path, further, constants, alphabets, progress)
        output.warn(found.warnings)
        return found

    return read
