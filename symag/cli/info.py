"""``symag info``: the size of a model, and its properties."""

from __future__ import annotations

from typing import Any

import click

from symag.cli.options.declared import family_options, request_of
from symag.cli.options.settings import limit_options, model_argument, output_options
from symag.cli.output.reporting import print_report
from symag.cli.output.streams import Output
from symag.core.limits import Limits
from symag.engine.families import family_of


@click.command("info", short_help="Show the size of a model, and its properties.")
@model_argument
@family_options("info")
@limit_options
@output_options
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str,
    limits: Limits,
    output: Output,
    **declared: Any,
) -> int:
    """Count the variables, bits and properties of MODEL; with --reachable, also its states.

    For labelled transition systems (FSP: .lts, .fsp; Aldebaran: .aut), count the states and transitions of every
    process and composite; without composites, DEFAULT is the composition of all processes.

    For a PRISM model (.nm, .pm, .prism; explicit: .tra), count the reachable states, choices and transitions, with a
    self-loop for each deadlock state as Storm does; for several files (--component), those of their composition.

    The diameter is counted as NuSMV does: the initial states are the first of its steps. Exit status 30
    means that the count, or the search for the diameter, did not finish.

    \b
    Example:
      symag info --reachable models/counter.smv
      symag info models/lpts/client_server3.nm
    """
    family = family_of(model)
    request = request_of(family, context)
    progress = output.progress()
    report = family.info(model, request, limits, progress)
    progress.clear()
    return print_report({"schema": 1, "model": model, **report.document}, report, output, family, model)
