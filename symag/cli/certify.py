"""``symag certify``: re-check a certificate."""

from __future__ import annotations

from typing import Any

import click

from symag.cli.options.declared import family_options, request_of
from symag.cli.options.settings import limit_options, model_argument, output_options
from symag.cli.output.reporting import print_report
from symag.cli.output.streams import Output
from symag.core.limits import Limits
from symag.engine.families import family_of


@click.command("certify", short_help="Check a certificate again.")
@model_argument
@click.argument("certificate", type=click.Path())
@family_options("certify")
@click.option("--show", is_flag=True, help="Print the inductive set's size, or the parts and learned assumptions.")
@limit_options
@output_options
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str,
    certificate: str,
    show: bool,
    limits: Limits,
    output: Output,
    **declared: Any,
) -> int:
    """Re-check, premise by premise, that CERTIFICATE proves a property of MODEL.

    For a PRISM model, re-check that --specification simulates it (or that it satisfies --formula), or that a tree
    refutes this.

    Exit status: 0 it does, 1 it does not, 30 the re-check did not finish, 3 the file is not a certificate
    for MODEL.

    \b
    Example:
      symag check models/counter.smv --property parity_right --certificate /tmp/parity.json
      symag certify models/counter.smv /tmp/parity.json --show
    """
    family = family_of(model)
    request = request_of(family, context)
    progress = output.progress()
    report = family.recheck(model, request, certificate, show, limits, progress)
    progress.clear()
    end = {"certified": report.reason is None, "reason": report.reason}
    document = {"schema": 1, "model": model, "certificate": certificate, **report.document, **end}
    return print_report(document, report, output, family, model)
