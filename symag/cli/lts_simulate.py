"""``symag simulate`` for labelled transition systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output, print_json
from symag.cli.walking import Chooser, ending_line, run_object
from symag.core.errors import UsageError
from symag.core.evidence_paths import run_file
from symag.core.limits import Limits
from symag.core.source import text_of_file
from symag.lts import ERROR, Model, System
from symag.lts.checking.simulation import Move, Walk, WalkPlan, simulate, walk
from symag.lts.checking.traces import FORMATS, MODELS, write_trace
from symag.traces import actions

#: How many choices are listed.
MOST_CHOICES = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for besides the model."""

    targets: tuple[str, ...]
    steps: int | None
    seed: int
    guide: str | None
    interactive: bool
    trace: str | None
    trace_format: str | None


def simulate_composite(model: Model, asked: Asked, limits: Limits, output: Output) -> int:
    """Walk and print; the exit status. Raises InputError and UsageError."""
    if len(asked.targets) > 1 or (not asked.targets and len(model.targets) != 1):
        raise UsageError(f"choose one composite process with --target; there are {', '.join(model.targets)}")
    target = asked.targets[0] if asked.targets else model.targets[0]
    if target not in model.targets:
        raise UsageError(f"no composite '{target}'; there are {', '.join(model.targets)}")
    file = None if asked.trace is None else run_file(asked.trace, asked.trace_format, FORMATS, MODELS)
    guide = () if asked.guide is None else _guide(asked.guide)
    plan = WalkPlan(asked.steps if asked.steps is not None else len(guide) or 10, asked.seed, guide)
    warnings: Sequence[str]
    if asked.interactive:
        system = model.composite(target)
        done, warnings = walk(system, plan, _Asker(system, asked.seed)), model.warnings
    else:
        line = output.progress()
        done, warnings = simulate(model, target, plan, limits, line)
        line.clear()
    output.warn(warnings, model.source.path)
    if done.trace is not None and file is not None:
        write_trace(file[0], model, target, None, done.trace, file[1])
    if output.as_json:
        path, reason = model.source.path, done.reason
        print_json(run_object(path, asked.seed, done.trace, done.ending, reason, target=target))
    else:
        _print(target, done)
    return UNDECIDED if done.reason is not None else ALL_HOLD


def _guide(path: str) -> tuple[str, ...]:
    """The actions of a trace file, JSON or text. Raises InputError."""
    content = text_of_file(path)
    if not content.lstrip().startswith("{"):
        return actions.parsed(content, path).actions
    from symag.core.documents import read_evidence

    steps = read_evidence(path, "trace").member("evidence").items("steps")
    found = [each.member("action") for each in steps]
    return tuple(each.has(str) for each in found if each.value is not None)


def _print(target: str, done: Walk) -> None:
    if done.trace is None:
        print(f"-- no run ({done.reason})")
        return
    print(f"-- ||{target}:")
    for text in actions.lines(None, done.trace):
        print(text)
    if done.ending is not None:
        print(ending_line(len(done.trace.steps) - 1, done.ending))


class _Asker:
    """Asks for the next move of a composite process."""

    def __init__(self, system: System, seed: int) -> None:
        self._names = [lts.name for lts in system.components]
        self._chooser = Chooser(seed, MOST_CHOICES)

    def __call__(self, moves: Sequence[Move], state: tuple[int, ...]) -> Move | None:
        texts = (f"{label}{self._changes(state, after)}" for label, after in moves)
        number = self._chooser.chosen(len(moves), texts)
        return None if number is None else moves[number]

    def _changes(self, state: tuple[int, ...], after: tuple[int, ...]) -> str:
        """Which components move, and where to."""
        pairs = zip(self._names, state, after, strict=True)
        moved = [f"{name} to {'ERROR' if new == ERROR else new}" for name, old, new in pairs if old != new]
        return f"  ({', '.join(moved)})" if moved else ""
