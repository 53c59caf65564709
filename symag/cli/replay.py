"""``symag replay``: re-run a counterexample."""

from __future__ import annotations

from typing import Any

import click

from symag.cli.options.declared import family_options, request_of
from symag.cli.options.settings import limit_options, model_argument, output_options
from symag.cli.output.reporting import print_report
from symag.cli.output.streams import Output
from symag.core.limits import Limits
from symag.core.results import word_of
from symag.engine.families import family_of


@click.command("replay", short_help="Run a trace again, and show it.")
@model_argument
@click.argument("trace", type=click.Path())
@click.option("--full", is_flag=True, help="Every variable in every state, not only what changes.")
@family_options("replay")
@limit_options
@output_options
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str,
    trace: str,
    full: bool,
    limits: Limits,
    output: Output,
    **declared: Any,
) -> int:
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
    family = family_of(model)
    request = request_of(family, context)
    progress = output.progress()
    report = family.replay(model, request, trace, full, limits, progress)
    progress.clear()
    end = {"certified": report.reason is None, "reason": report.reason and word_of(report.reason)}
    document = {"schema": 1, "model": model, "trace": trace, **report.document, **end}
    return print_report(document, report, output, family, model)
