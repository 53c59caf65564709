"""``symag replay``: re-run a counterexample."""

from __future__ import annotations

import click

import symag
from symag.cli.settings import json_option, limit_options, model_argument, verbosity_options
from symag.cli.status import UNDECIDED, VIOLATED
from symag.cli.streams import ProgressLine, print_json
from symag.cli.trace_text import trace_lines
from symag.engine.evidence import recheck_trace
from symag.limits import Limits
from symag.traces import Trace


@click.command("replay")
@model_argument
@click.argument("trace", type=click.Path())
@click.option("--full", is_flag=True, help="Every variable in every state, not only what changes.")
@limit_options
@json_option
@verbosity_options
def command(
    model: str,
    trace: str,
    full: bool,
    timeout: float | None,
    memory: int | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Re-run TRACE on MODEL with an interpreter, and show it.

    Exit status: 10 it is a run that violates the property, 1 it is not, 30 the replay came to no end,
    3 the file is no trace of MODEL.

    \b
    Example:
      symag check models/counter.smv --property below_five --trace /tmp/five.json
      symag replay models/counter.smv /tmp/five.json
    """
    system = symag.read(model)
    line = ProgressLine(quiet, verbose)
    checked = recheck_trace(trace, system, Limits(timeout, memory), line)
    line.clear()
    accepted = checked.reason is None
    if as_json:
        print_json(
            {
                "schema": 1,
                "model": model,
                "trace": trace,
                "index": checked.property.index,
                "name": checked.property.name,
                "text": checked.property.text,
                "certified": accepted,
                "reason": checked.reason,
            }
        )
    else:
        if isinstance(checked.evidence, Trace):
            for text in trace_lines(system, checked.evidence, 1, full):
                print(text)
        verdict = "accepted: the property is violated" if accepted else f"undecided ({checked.reason})"
        print(f"trace against {checked.property.text}  {verdict}")
    return VIOLATED if accepted else UNDECIDED
