"""``symag replay``: re-run a counterexample."""

from __future__ import annotations

import click

from symag.cli.output.reporting import ReportRequest, report_command
from symag.core.reports import Report
from symag.core.results import word_of
from symag.core.values import replace


def _replay(request: ReportRequest, trace: str, full: bool) -> Report:
    """Re-run TRACE on MODEL with an interpreter, and show it.

    The suffix of TRACE determines its format: .json, .txt and .xml (also NuSMV's own), .vcd, .html, .wit: a BTOR2
    witness of MODEL.btor2, or .cex: an AIGER witness of MODEL.aig, or of the graph that symag convert makes of
    another MODEL. For labelled transition systems: .json, and texts in LTSA's form. For PRISM models: the .json file
    that --trace or --certificate wrote, with the --specification or --formula that its tree refutes. If neither the
    file nor --property names the property, all properties are tried.

    Exit status: 10 it is a run that violates the property, 0 it is a run that violates none, 1 it is not
    a run or not a counterexample, 30 the replay did not finish or the run alone does not refute the property (CTL),
    3 the file is not a trace of MODEL.

    \b
    Example:
      symag check models/counter.smv --property below_five --trace /tmp/five.json
      symag replay models/counter.smv /tmp/five.json
    """
    report = request.family.replay(request.model, request.declared, trace, full, request.limits, request.progress)
    end = {"certified": report.reason is None, "reason": report.reason and word_of(report.reason)}
    return replace(report, document={"trace": trace, **report.document, **end})


command_for = report_command(
    _replay,
    "replay",
    "Run a trace again, and show it.",
    lambda _: (
        click.argument("trace", type=click.Path()),
        click.option("--full", is_flag=True, help="Every variable in every state, not only what changes."),
    ),
)
