"""Walks through composed labelled transition systems: random, along a guide, or chosen step by step."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from symag.core.errors import UsageError
from symag.core.evidence.documents import is_page, read_evidence
from symag.core.evidence.evidence_paths import run_file
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.core.source import text_of_file
from symag.core.trace import Step, Trace
from symag.core.walks import Ask, Walk, WalkPlan, WalkRequest
from symag.lts import ERROR, Model, System
from symag.lts.certify.product_on_demand import ProductOnDemand
from symag.lts.certify.traces import valuation
from symag.lts.checking.trace_formats import FORMATS, MODELS, WrittenRun, format_of
from symag.lts.checking.traces import write_trace
from symag.lts.language.evaluation import existing
from symag.process.race import limited
from symag.traces import actions

#: An action and the states of the components afterwards.
Move = tuple[str, tuple[int, ...]]
#: Chooses one of the moves from a state; None ends the walk.
Chooser = Callable[[Sequence[Move], tuple[int, ...]], Move | None]


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


#: The largest number of choices that are listed.
MOST_CHOICES = 40
#: A process with more states is drawn by the number of its state alone; longer names are truncated.
MOST_STATES = 20
MOST_LETTERS = 30


def simulate_composite(
    model: Model, targets: Sequence[str], request: WalkRequest, limits: Limits, progress: Progress
) -> Report:
    """A walk through the only composite or the target. Raises InputError and UsageError."""
    if len(targets) > 1 or (not targets and len(model.targets) != 1):
        raise UsageError(f"choose one composite process with --target; {existing(model.targets)}")
    (target,) = model.chosen_targets(targets)
    file = None if request.trace is None else run_file(request.trace, request.trace_format, tuple(FORMATS), MODELS)
    guide = () if request.guide is None else _guide(request.guide)
    plan = WalkPlan(request.length(len(guide)), request.seed, guide)

    def work(report: Progress) -> tuple[Walk, list[str]]:
        report("walking")
        return walk(model.composite(target), plan), model.warnings

    if request.ask is not None:
        system = model.composite(target)
        done, warnings = walk(system, plan, _Asker(system, request.ask)), model.warnings
    else:
        outcome = limited("simulate", work, limits, progress)
        done, warnings = outcome.value or (Walk(None, reason=outcome.reason or "timeout"), [])
    if done.trace is not None and file is not None:
        write_trace(file[0], WrittenRun(model, target, None, done.trace), file[1])
    lines = done.lines(lambda trace: [f"-- ||{target}:", *actions.lines(None, trace)])
    document = done.document(model.source.path, request.seed, target=target)
    return Report(document, tuple(lines), tuple(warnings), done.reason)


def _guide(path: str) -> tuple[str, ...]:
    """The actions of a trace file, JSON or text. Raises InputError."""
    content = text_of_file(path)
    if not content.lstrip().startswith("{") and not is_page(content):
        return format_of(path).parsed(content, path).actions
    steps = read_evidence(path, "trace").member("evidence").items("steps")
    members = [step.member("action") for step in steps]
    return tuple(step.has(str) for step in members if step.value is not None)


class _Asker:
    """Asks for the next move of a composite process."""

    def __init__(self, system: System, ask: Ask) -> None:
        self._components = system.components
        self._names = [lts.name for lts in system.components]
        self._ask = ask
        self._before: tuple[int, ...] | None = None

    def __call__(self, moves: Sequence[Move], state: tuple[int, ...]) -> Move | None:
        texts = (f"{label}{self._changes(state, after)}" for label, after in moves)
        number = self._ask(len(moves), texts, MOST_CHOICES, list(self._drawing(state)))
        self._before = state
        return None if number is None else moves[number]

    def _drawing(self, state: tuple[int, ...]) -> Iterator[str]:
        """A line for each process: its states, with the current one marked, and a star if it has just moved."""
        width = min(MOST_LETTERS, max(map(len, self._names)))
        for place, (name, component, local) in enumerate(zip(self._names, self._components, state, strict=True)):
            moved = self._before is not None and self._before[place] != local
            if component.states <= MOST_STATES:
                row = "".join(f"[{k}]" if k == local else f" {k} " for k in range(component.states))
            else:
                row = f"[{local}] of {component.states} states"
            yield f"{'*' if moved else ' '} {name[:width]:{width}}  {row}".rstrip()

    def _changes(self, state: tuple[int, ...], after: tuple[int, ...]) -> str:
        """The components that move, and their states afterwards."""
        pairs = zip(self._names, state, after, strict=True)
        moved = [f"{name} to {'ERROR' if new == ERROR else new}" for name, old, new in pairs if old != new]
        return f"  ({', '.join(moved)})" if moved else ""
