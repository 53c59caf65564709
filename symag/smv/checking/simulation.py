"""Random, guided and interactive runs, as ``symag simulate`` prints them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from symag.core.errors import InputError, UsageError
from symag.core.evidence.evidence_paths import run_file
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.core.trace import Step, Trace, Value
from symag.core.walks import Ask, Walk, WalkPlan, WalkRequest
from symag.process.race import limited
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.checking.reports.trace_page import dumped_report, run_report
from symag.smv.checking.reports.trace_report import domain_of, shown_report, trace_report
from symag.smv.checking.run_steps import MOST_CHOICES, CountedSteps, RunSteps, SolvedSteps, is_counted
from symag.smv.checking.trace_files import ALL_NAMES, DUMP, MODELS, PAGE, WITNESSES, read_guide, write_trace
from symag.smv.expression_reader import expression
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.typed import Expression
from symag.smv.model.types import BooleanType, code_of, value_of
from symag.smv.traversal.simulation import Choices, StepChoice
from symag.smv.traversal.trace import Valuation
from symag.traces import plain


class SimulationPlan(WalkPlan[Step], frozen=True):
    """``constraint`` is true in every state or on every step; the guide gives values of some variables."""

    constraint: Expression | None = None


class _StoppedError(Exception):
    """The user ends the run."""


def run(system: FlatSystem, plan: SimulationPlan, memory: int | None = None, ask: Ask | None = None) -> Walk:
    """A run in this process, whose steps ``ask`` asks for, by default at random.

    Raises InputError for a model without initial states or with expressions that can fail, UsageError for a constraint
    or a guide that no initial state agrees with.
    """
    _check_guide(system, plan.guide)
    generator = random.Random(plan.seed)
    asker = None if ask is None else _Asker(system, ask)
    source: RunSteps
    if is_counted(system):
        choose = (lambda choices, state: choices.draw(generator)) if asker is None else asker.of_all
        source = CountedSteps(system, plan.constraint, memory, choose)
    else:
        source = SolvedSteps(system, plan.constraint, generator, None if asker is None else asker.of_some)
    steps: list[Step] = []
    try:
        ending = _extend(steps, source, plan, system)
    except _StoppedError:
        ending = "stopped"
    return Walk(Trace("finite", tuple(steps)) if steps else None, ending if steps else None, None if steps else ending)


def _extend(steps: list[Step], source: RunSteps, plan: SimulationPlan, system: FlatSystem) -> str | None:
    """Add the steps of a run; say why it has fewer than planned."""
    choice = source.initial(plan.guide[0].state if plan.guide else {})
    if choice is None:
        if not source.has_initial_state():
            raise InputError("the model has no initial state", system.source.path)
        raise UsageError("no initial state agrees with " + ("the guide" if plan.guide else "the constraint"))
    steps.append(Step(choice.state))
    for count in range(1, plan.steps + 1):
        state = steps[-1].state
        inputs = plan.guide[count - 1].inputs if count <= len(plan.guide) else {}
        given = plan.guide[count].state if count < len(plan.guide) else {}
        choice = source.following(state, inputs, given)
        if choice is None:
            if source.is_dead_end(state):
                return f"state {count} has no successor"
            followed = (inputs or given) and source.goes_on(state)
            return f"no successor of state {count} agrees with " + ("the guide" if followed else "the constraint")
        steps[-1] = Step(state, choice.inputs)
        steps.append(Step(choice.state))
    return None


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


#: How many values of a choice are listed.
MOST_VALUES = 12


def simulate_model(
    system: FlatSystem,
    constraint: str | None,
    walk: WalkRequest,
    limits: Limits,
    progress: Progress,
    assumptions: str | None,
) -> Report:
    """A run in which ``constraint`` holds; its page shows the ``assumptions`` of a certificate in a file.

    Raises InputError and UsageError.
    """
    file = None
    if walk.trace is not None:
        file = run_file(walk.trace, walk.trace_format, ALL_NAMES, MODELS)
        if file[1] in WITNESSES:
            raise UsageError(
                f"{walk.trace}: a witness claims a violation, and this run claims none: write .xml or .json"
            )
    proof = None
    if assumptions is not None:
        if file is None or file[1] != PAGE:
            raise UsageError("--assumptions is for a page: --trace FILE.html")
        proof = _proof(assumptions, system)
    followed = read_guide(walk.guide, system) if walk.guide is not None else ()
    wished = None if constraint is None else expression(system, constraint, "<constraint>")
    if wished is not None and not isinstance(wished.type, BooleanType):
        raise UsageError(f"the constraint '{constraint}' is not boolean")
    length = 0 if walk.steps is None and len(followed) == 1 else walk.length(max(len(followed) - 1, 0))
    plan = SimulationPlan(length, walk.seed, followed, wished)

    def work(report: Progress) -> Walk:
        report("encoding")
        return run(system, plan, limits.memory)

    if walk.ask is not None:
        done = run(system, plan, limits.memory, walk.ask)
    else:
        outcome = limited("simulate", work, limits, progress)
        done = outcome.value or Walk(None, None, outcome.reason or "timeout")
    if done.trace is not None and file is not None:
        if file[1] == PAGE:
            report = run_report(system, done.trace, proof)
        elif file[1] == DUMP:
            report = dumped_report(system, None, done.trace)
        else:
            report = trace_report(system, done.trace, purpose="Simulation")
        write_trace(file[0], system, None, report, file[1])
    reason = None if done.reason == "stopped" else done.reason
    lines = done.lines(lambda trace: _steps(system, trace, walk.full))
    return Report(done.document(system.source.path, walk.seed), tuple(lines), tuple(system.warnings), reason)


def _proof(path: str, system: FlatSystem) -> tuple[Property, AssumeGuarantee]:
    """A certificate by parts and its property. Raises InputError."""
    from symag.smv.certify import read_certificate  # with its SAT solver, slow to import

    item, certificate = read_certificate(path, system)
    if not isinstance(certificate, AssumeGuarantee):
        raise InputError("this certificate has no assumptions", path)
    return item, certificate


def _steps(system: FlatSystem, trace: Trace, full: bool) -> Iterator[str]:
    for line in plain.lines(shown_report(system, trace, purpose="Simulation"), full):
        yield line.rstrip()


class _Asker:
    """Asks for the next state of an SMV model."""

    def __init__(self, system: FlatSystem, ask: Ask) -> None:
        self._system = system
        self._ask = ask

    def of_all(self, choices: Choices, state: Valuation | None) -> StepChoice:
        """One of all choices."""
        texts = (self._text(choice, state) for choice in choices.first(MOST_CHOICES))
        number = self._ask(choices.count, texts, MOST_CHOICES)
        if number is None:
            raise _StoppedError
        return choices.at(number)

    def of_some(self, listed: Sequence[StepChoice], are_all: bool, state: Valuation | None) -> StepChoice:
        """One of the listed choices."""
        texts = (self._text(choice, state) for choice in listed)
        number = self._ask(len(listed), texts, MOST_CHOICES, are_all=are_all)
        if number is None:
            raise _StoppedError
        return listed[number]

    def _text(self, choice: StepChoice, state: Valuation | None) -> str:
        """The inputs, and what changes."""
        inputs = list(self._values(choice.inputs))
        changed = {name: value for name, value in choice.state.items() if state is None or state[name] != value}
        values = list(self._values(changed))
        more = [f"and {len(values) - MOST_VALUES} more"] if len(values) > MOST_VALUES else []
        parts = [", ".join(inputs)] if inputs else []
        return " -> ".join([*parts, ", ".join([*values[:MOST_VALUES], *more]) or "nothing changes"])

    def _values(self, values: Mapping[str, Value]) -> Iterator[str]:
        for name, value in values.items():
            yield f"{name} = {domain_of(self._system.by_name[name].type).text(value)}"
