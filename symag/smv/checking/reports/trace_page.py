"""The content of a trace's page besides its values: parts of the property, groups of variables, where to look first."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from symag.core.trace import Trace
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.checking.reports.trace_assumptions import assumption_signals, known_runs
from symag.smv.checking.reports.trace_core import core_of
from symag.smv.checking.reports.trace_formulas import parts_of, shown_parts
from symag.smv.checking.reports.trace_lanes import cuts
from symag.smv.checking.reports.trace_opening import opening
from symag.smv.checking.reports.trace_report import trace_report
from symag.smv.model.flat import FlatSystem, Property
from symag.traces.page.content import Explanation
from symag.traces.report import Purpose, TraceReport

#: A dump has the truths of at most this many properties.
_MOST_PROPERTIES = 100


def explained_report(
    system: FlatSystem,
    checked: Property,
    trace: Trace,
    path: str | Path,
    assumption_runs: Sequence[Sequence[str]] = (),
) -> TraceReport:
    """The report of a counterexample for the page in a file of this name. Raises CertificationError.

    ``assumption_runs`` are the states of assumptions along the trace (``PropertyResult.assumption_runs``).
    """
    parts = parts_of(system, checked, trace)
    step, because = opening(system, checked, trace, parts)
    key = str(checked.index) if checked.name is None else checked.name
    explanation = Explanation(
        shown=step,
        because=because,
        cuts=cuts(system, checked),
        core=core_of(system, checked, trace),
        assumptions=known_runs(assumption_runs, len(trace.steps)),
        command=shlex.join(["symag", "check", system.source.path, "--property", key, "--trace", str(path)]),
    )
    return trace_report(system, trace, checked, formulas=shown_parts(parts), explanation=explanation)


def dumped_report(system: FlatSystem, checked: Property | None, trace: Trace) -> TraceReport:
    """The report of a trace for a dump, with the truth of every property. Raises CertificationError."""
    truths = {}
    for item in system.properties[:_MOST_PROPERTIES]:
        parts = parts_of(system, item, trace)
        if parts:
            truths[item.name or str(item.index)] = (item.text, parts[0].truths)
    purpose: Purpose = "Simulation" if checked is None else "Counterexample"
    return replace(trace_report(system, trace, checked, purpose=purpose), properties=truths)


def run_report(system: FlatSystem, trace: Trace, proof: tuple[Property, AssumeGuarantee] | None = None) -> TraceReport:
    """The report of a run that answers nothing; with the assumptions of a proof. Raises CertificationError."""
    rows = () if proof is None else assumption_signals(system, *proof, trace)
    explanation = Explanation(cuts=cuts(system, None), assumptions=rows)
    return trace_report(system, trace, purpose="Simulation", explanation=explanation)
