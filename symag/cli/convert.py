"""``symag convert``: a model in another format."""

from __future__ import annotations

import sys
from typing import Any

import click

from symag.cli.options.declared import family_options, request_of
from symag.cli.options.settings import model_argument, verbosity_options
from symag.cli.output.streams import Output, warn
from symag.core.files import write_file
from symag.core.input_files import refuse_input
from symag.engine.families import FAMILIES, family_of
from symag.engine.library import conversion_format

_FORMATS = tuple(dict.fromkeys(form for family in FAMILIES for form in family.conversions.values()))


@click.command("convert", short_help="Write a model in another format.")
@model_argument
@click.argument("destination", metavar="OUTPUT", type=click.Path())
@click.option("--to", "form", type=click.Choice(_FORMATS), help="The format (default: by OUTPUT's suffix).")
@family_options("convert")
@verbosity_options
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str,
    destination: str,
    form: str | None,
    output: Output,
    **declared: Any,
) -> int:
    """Write MODEL to OUTPUT (``-`` for standard output) as flat SMV, AIGER, JSON or a Graphviz picture.

    A labelled transition system (.lts, .fsp, .aut) is written as .aut (Aldebaran's format), .dot or FSP text: the
    only composite process, or the process that --target names; in FSP text its components stay apart. In an .aut
    file ERROR is a state without transitions. With --quotient all parts of the composite process but the first
    are replaced by the quotient that --method quotient finds within --steps and --timeout.

    A PRISM model (.nm, .pm, .prism, .tra) is written as PRISM's explicit files (.tra with exact fractions, .lab,
    .sta), as Storm's .drn (with a self-loop for each deadlock state) or as .dot; several components as one.

    AIGER is written in its binary form, or as text to a name that ends in .aag and to standard output. Its
    bad states are the invariants and, if no fairness matters, AG p; with fairness, AG p is a justice
    property, and so are LTL !((G F p) & ... & (G F q)), as which AIGER's and BTOR2's justice properties are
    read, and any LTL property that --property chooses alone. All others are left out with a warning; if
    --property names one of them, that is an error. The symbol table names the bits of the variables.
    (ABC's command "read" gives latches without a reset the value 0; "&r FILE; &put; fold; pdr" gives them any value,
    as the format demands.)

    \b
    Example:
      symag convert models/counter.smv - --to aiger
      symag convert models/lpts/client_server3.nm - --to drn
    """
    family = family_of(model)
    kind = conversion_format(family, model, destination, form)
    request = request_of(family, context)
    refuse_input(destination, [model])
    progress = output.progress()
    converted = family.convert(model, request, kind, destination, progress)
    progress.clear()
    for note in () if output.quiet else converted.notes:
        warn(note)
    output.warn(converted.warnings)
    if destination == "-":
        sys.stdout.buffer.write(converted.content)
        sys.stdout.buffer.flush()
        return 0
    write_file(destination, converted.content)
    if not output.quiet:
        print(f"{destination}: {kind}, {len(converted.content)} bytes")
    return 0
