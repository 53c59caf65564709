"""Traces as NuSMV's plugins show them under the present settings; single states as texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from symag.cli.nusmv.environment import Environment
from symag.core.trace import Step, Trace, Value
from symag.core.values import replace
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.model.dependencies import cone_of_influence
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.supports import Supports
from symag.traces import plain
from symag.traces.report import Purpose, TraceReport

Valuation = Mapping[str, Value]


def counterexample_report(
    system: FlatSystem, trace: Trace, checked: Property, number: int, environment: Environment
) -> TraceReport:
    """A counterexample; with ``-coi`` only the variables in the cone of influence, as in NuSMV."""
    report = trace_report(system, trace, checked, number=number, defines=True, hidden=None)
    if checked.kind == "CTL" and environment.enabled("ag_only_search"):
        report = replace(report, description="AG Only counterexample")
    if environment.enabled("cone_of_influence") and checked.expression is not None:
        cone = cone_of_influence(system, checked.expression, fairness=checked.kind != "INVARSPEC")
        report = _only(report, system, frozenset(cone.by_name))
    return report


def run_report(system: FlatSystem, trace: Trace, number: int, purpose: Purpose, description: str = "") -> TraceReport:
    """A run that is no counterexample; if values are missing, it has no DEFINEs."""
    defines = not any(missing_values(system, trace))
    report = trace_report(system, trace, number=number, purpose=purpose, defines=defines, hidden=None)
    return replace(report, description=description or report.description)


def unrolled(trace: Trace) -> Trace:
    """The trace as NuSMV stores it: a lasso repeats at its end the state that it returns to."""
    if trace.kind != "lasso" or trace.loop is None:
        return trace
    return Trace("finite", (*trace.steps, Step(trace.steps[trace.loop].state)))


def state_texts(system: FlatSystem, states: Sequence[Valuation], defines: bool) -> Iterator[dict[str, str]]:
    """The values of each state by name: first its DEFINEs if ``defines``, then its variables."""
    report = trace_report(system, Trace("finite", tuple(Step(state) for state in states)), defines=defines, hidden=None)
    for position in range(len(states)):
        texts = dict(report.state_texts(position))
        defined = {name: text for name, text in texts.items() if name not in report.states}
        yield {**defined, **{name: text for name, text in texts.items() if name in report.states}}


def input_texts(system: FlatSystem, inputs: Valuation) -> dict[str, str]:
    """The input variables with their values."""
    return dict(trace_report(system, Trace("finite", (Step({}, inputs),)), defines=False).input_texts(0))


def _only(report: TraceReport, system: FlatSystem, names: frozenset[str]) -> TraceReport:
    """The report with only these variables, and the DEFINEs that read no others."""
    supports = Supports(system)
    return replace(
        report,
        states={name: domain for name, domain in report.states.items() if name in names},
        inputs={name: domain for name, domain in report.inputs.items() if name in names},
        defines=tuple(
            define for define in report.defines if supports.of(system.defines[define.name]).variables <= names
        ),
    )


def _displayed(report: TraceReport, system: FlatSystem, environment: Environment) -> TraceReport:
    """The report with the names that the ``traces_`` options let through."""
    prefix = environment.text("traces_hiding_prefix") or ""
    pattern = environment.text("traces_regexp")

    def is_shown(name: str) -> bool:
        # NuSMV compares the last part of a name, and of an array its name.
        last = name.rpartition(".")[2].partition("[")[0]
        return not (prefix and last.startswith(prefix)) and (pattern is None or re.search(pattern, last) is not None)

    supports = Supports(system)
    with_next = environment.enabled("traces_show_defines_with_next")
    defines = report.defines if environment.enabled("traces_show_defines") else ()
    return replace(
        report,
        states={name: domain for name, domain in report.states.items() if is_shown(name)},
        inputs={name: domain for name, domain in report.inputs.items() if is_shown(name)},
        defines=tuple(
            define
            for define in defines
            if is_shown(define.name) and (with_next or not supports.of(system.defines[define.name]).next)
        ),
    )


PLUGIN_NAMES = (
    "BASIC TRACE EXPLAINER - shows changes only",
    "BASIC TRACE EXPLAINER - shows all variables",
    "TRACE TABLE PLUGIN - symbols on column",
    "TRACE TABLE PLUGIN - symbols on row",
    "TRACE XML DUMP PLUGIN - an xml document",
    "TRACE COMPACT PLUGIN - Shows the trace in a compact tabular fashion",
    "TRACE XML EMBEDDED DUMP PLUGIN - an xml element",
    "Empty Trace Plugin",
)
#: The plugins that write XML: always the whole trace, without a heading.
XML_PLUGINS = frozenset((4, 6))


def plugin_lines(
    report: TraceReport,
    system: FlatSystem,
    environment: Environment,
    plugin: int,
    first: int = 1,
    last: int | None = None,
) -> Iterator[str]:
    """The lines of a trace, from state ``first`` to ``last`` (counted from 1; None: to the end)."""
    if plugin not in XML_PLUGINS:
        report = _displayed(report, system, environment)
    if plugin in (0, 1):
        yield from plain.lines(report, full=plugin == 1, every_loop=True, first=first, last=last)
    elif plugin in XML_PLUGINS:
        from symag.traces import xml  # Python's own XML is slow to import

        yield from xml.text(report, every_loop=True).splitlines()[plugin == 6 :]
    elif plugin != 7:
        yield from _table(report, plugin, first, last or len(list(report.positions())))


def _table(report: TraceReport, plugin: int, first: int, last: int) -> Iterator[str]:
    states = [dict(report.state_texts(position)) for position in report.positions()]
    inputs = [dict(report.input_texts(position)) for position in report.positions()]
    state_names = (*report.states, *(define.name for define in report.defines if define.moment == "state"))
    input_names = (*report.inputs, *(define.name for define in report.defines if define.moment == "input"))
    if plugin == 5:
        names = (*input_names, *state_names)
        yield _tabbed("Steps\\Vars", names) + "\t"
        for number in range(first, last + 1):
            before = inputs[number - 2] if number > first else {}
            yield _row(f"Step{number}", names, {**before, **states[number - 1]}) + "\t"
        return
    names = (*state_names, *input_names)
    rows: list[tuple[str, Mapping[str, str]]] = []
    for number in range(first, last + 1):
        if number > first:
            # NuSMV leaves the row of DEFINEs that read a whole transition empty.
            rows.extend(((f"C{number}", {}), (f"I{number}", inputs[number - 2])))
        rows.append((f"S{number}", states[number - 1]))
    if plugin == 2:
        yield _tabbed("Name", names) + "\t"
        for label, texts in rows:
            yield _row(label, names, texts) + "\t"
    else:
        yield _tabbed("Step", (label for label, _ in rows)) + "\t"
        for name in names:
            yield _tabbed(name, (texts.get(name, "-") for _, texts in rows))


def _row(label: str, names: Iterable[str], texts: Mapping[str, str]) -> str:
    return _tabbed(label, (texts.get(name, "-") for name in names))


def _tabbed(head: str, cells: Iterable[str]) -> str:
    return "\t".join((head, *cells))


def missing_values(system: FlatSystem, trace: Trace) -> Iterator[tuple[int, str]]:
    """Every variable without a value in some step, with the first such step, from 1."""
    for variable in system.variables:
        is_input = variable.kind is VariableKind.INPUT
        steps = trace.steps[:-1] if is_input and trace.kind == "finite" else trace.steps
        for number, step in enumerate(steps, 1):
            if variable.name not in (step.inputs if is_input else step.state):
                yield number, variable.name
                break
