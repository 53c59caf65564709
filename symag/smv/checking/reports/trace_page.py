"""What the page of a trace of an SMV model shows besides values: parts of the property, lanes, where to look first."""

from __future__ import annotations

import shlex
from pathlib import Path

from symag.core.trace import Trace
from symag.smv.checking.reports.trace_core import core_of
from symag.smv.checking.reports.trace_formulas import parts_of, shown_parts
from symag.smv.checking.reports.trace_lanes import cuts
from symag.smv.checking.reports.trace_opening import opening
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.model.flat import FlatSystem, Property
from symag.traces.page.content import Explanation
from symag.traces.report import TraceReport


def explained_report(system: FlatSystem, checked: Property, trace: Trace, path: str | Path) -> TraceReport:
    """The report of a counterexample for the page in a file of this name. Raises CertificationError."""
    parts = parts_of(system, checked, trace)
    step, because = opening(system, checked, trace, parts)
    wanted = str(checked.index) if checked.name is None else checked.name
    explanation = Explanation(
        shown=step,
        because=because,
        cuts=cuts(system, checked),
        core=core_of(system, checked, trace),
        command=shlex.join(["symag", "check", system.source.path, "--property", wanted, "--trace", str(path)]),
    )
    return trace_report(system, trace, checked, formulas=shown_parts(parts), explanation=explanation)


def run_report(system: FlatSystem, trace: Trace) -> TraceReport:
    """The report of a run that answers nothing."""
    return trace_report(system, trace, purpose="Simulation", explanation=Explanation(cuts=cuts(system, None)))
