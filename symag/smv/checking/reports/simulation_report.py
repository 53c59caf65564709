"""A run through an SMV model, as ``symag simulate`` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symag.core.errors import InputError, UsageError
from symag.core.evidence.evidence_paths import run_file
from symag.core.limits import Limits, Progress
from symag.core.reports import Report
from symag.core.trace import Trace, Value
from symag.core.walks import Ask, WalkRequest
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.checking.reports.trace_page import dumped_report, run_report
from symag.smv.checking.reports.trace_report import domain_of, shown_report, trace_report
from symag.smv.checking.simulation import SimulationPlan, run, simulate
from symag.smv.checking.trace_files import ALL_NAMES, DUMP, MODELS, PAGE, read_guide, write_trace
from symag.smv.checking.witness_files import check_language
from symag.smv.expression_reader import expression
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.types import BooleanType
from symag.smv.traversal.simulation import Choice, Choices
from symag.traces import plain

#: How many choices are listed, and how many values of each.
MOST_CHOICES = 20
MOST_VALUES = 12


def simulate_model(
    system: FlatSystem,
    constraint: str | None,
    walk: WalkRequest,
    limits: Limits,
    progress: Progress,
    assumptions: str | None = None,
) -> Report:
    """A run in which ``constraint`` holds; its page shows the ``assumptions`` of a certificate in a file.

    Raises InputError and UsageError.
    """
    file = None
    if walk.trace is not None:
        file = run_file(walk.trace, walk.trace_format, ALL_NAMES, MODELS)
        check_language(walk.trace, file[1], system)
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
    if walk.ask is not None:
        done = run(system, plan, limits.memory, _Asker(system, walk.ask))
    else:
        done = simulate(system, plan, limits, progress)
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

    def __call__(self, choices: Choices, state: Mapping[str, Value] | None) -> Choice | None:
        texts = (self._text(choice, state) for choice in choices.first(MOST_CHOICES))
        number = self._ask(choices.count, texts, MOST_CHOICES)
        return None if number is None else choices.at(number)

    def _text(self, choice: Choice, state: Mapping[str, Value] | None) -> str:
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
