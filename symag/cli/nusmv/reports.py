"""Traces as NuSMV shows them under the present settings; single states as texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.execution import missing_values
from symag.core.trace import Step, Trace, Value
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.model.dependencies import Supports, cone_of_influence
from symag.smv.model.flat import FlatSystem, Property
from symag.traces.report import Purpose, TraceReport

Valuation = Mapping[str, Value]


def counterexample_report(
    system: FlatSystem, trace: Trace, checked: Property, number: int, environment: Environment
) -> TraceReport:
    """A counterexample; with ``-coi`` only the variables in the cone of influence, as in NuSMV."""
    report = trace_report(
        system, trace, checked, number=number, defines=environment.enabled("traces_show_defines"), hidden=None
    )
    if checked.kind == "CTL" and environment.enabled("ag_only_search"):
        report = replace(report, description="AG Only counterexample")
    if environment.enabled("cone_of_influence") and checked.expression is not None:
        cone = cone_of_influence(system, checked.expression, fairness=checked.kind != "INVARSPEC")
        report = _only(report, system, frozenset(cone.by_name))
    return _without_prefix(report, environment)


def run_report(
    system: FlatSystem, trace: Trace, number: int, environment: Environment, purpose: Purpose, description: str = ""
) -> TraceReport:
    """A run that is no counterexample; if values are missing, it is shown without DEFINEs."""
    defines = environment.enabled("traces_show_defines") and not any(missing_values(system, trace))
    report = trace_report(system, trace, number=number, purpose=purpose, defines=defines, hidden=None)
    return _without_prefix(replace(report, description=description or report.description), environment)


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


def _without_prefix(report: TraceReport, environment: Environment) -> TraceReport:
    """The report without the names that begin with NuSMV's prefix of hidden names."""
    prefix = environment.text("traces_hiding_prefix")
    names = (*report.states, *report.inputs, *(define.name for define in report.defines))
    if not prefix or not any(name.startswith(prefix) for name in names):
        return report
    return replace(
        report,
        states={name: domain for name, domain in report.states.items() if not name.startswith(prefix)},
        inputs={name: domain for name, domain in report.inputs.items() if not name.startswith(prefix)},
        defines=tuple(define for define in report.defines if not define.name.startswith(prefix)),
    )
