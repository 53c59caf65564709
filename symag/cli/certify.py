"""``symag certify``: re-check a certificate."""

from __future__ import annotations

import click

from symag.cli.certificate_text import certificate_lines
from symag.cli.languages import (
    LPTS_SUFFIXES,
    LTS_SUFFIXES,
    check_components,
    check_no_alphabets,
    check_specification_file,
    whole_constants,
)
from symag.cli.reporting import print_recheck
from symag.cli.settings import (
    alphabet_option,
    component_option,
    const_option,
    formula_option,
    json_option,
    limit_options,
    model_argument,
    specification_option,
    verbosity_options,
)
from symag.cli.status import ALL_HOLD, UNDECIDED
from symag.cli.streams import Output
from symag.core.certificates import AssumeGuarantee, Certificate
from symag.core.errors import UsageError
from symag.core.limits import Limits
from symag.core.trace import Trace
from symag.smv.checking.assumption_picture import picture as assumption_picture
from symag.smv.checking.evidence import recheck_certificate
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.trace_files import write_text
from symag.smv.model.flat import FlatSystem


@click.command("certify")
@model_argument
@click.argument("certificate", type=click.Path())
@specification_option
@formula_option
@component_option
@const_option
@alphabet_option
@click.option("--show", is_flag=True, help="Print the inductive set's size, or the parts and learned assumptions.")
@click.option("--picture", type=click.Path(), metavar="FILE.svg", help="Draw the learned assumptions (SMV).")
@limit_options
@json_option
@verbosity_options
def command(
    model: str,
    certificate: str,
    specification: str | None,
    formula: str | None,
    components: tuple[str, ...],
    constants: dict[str, str],
    alphabets: dict[str, list[str]],
    show: bool,
    picture: str | None,
    timeout: float | None,
    memory: int | None,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Re-check, premise by premise, that CERTIFICATE proves a property of MODEL.

    Of a PRISM model re-check that --specification simulates it (or that --formula is true of it), or that a tree
    shows the contrary.

    Exit status: 0 it does, 1 it does not, 30 the re-check came to no end, 3 the file is no certificate
    for MODEL.

    \b
    Example:
      symag check models/counter.smv --property parity_right --certificate /tmp/parity.json
      symag certify models/counter.smv /tmp/parity.json --show
    """
    output = Output(as_json, quiet, verbose)
    check_components(model, components)
    if picture is not None and model.endswith((*LPTS_SUFFIXES, *LTS_SUFFIXES)):
        raise click.UsageError("--picture draws the assumptions of SMV models")
    check_specification_file(model, specification, formula)
    if model.endswith(LPTS_SUFFIXES):
        from symag.cli.lpts_certify import certify_simulation
        from symag.lpts.checking.check import SimulationFiles

        files = SimulationFiles(model, components, specification, formula, constants, alphabets)
        return certify_simulation(files, certificate, show, Limits(timeout, memory), output)
    check_no_alphabets(alphabets)
    numbers = whole_constants(model, constants)
    if model.endswith(LTS_SUFFIXES):
        from symag.cli.lts_certify import certify_specification

        limits = Limits(timeout, memory)
        return certify_specification(model, components, numbers, certificate, show, limits, output)
    system = read_flat_system(model)
    line = output.progress()
    checked = recheck_certificate(certificate, system, Limits(timeout, memory), line)
    line.clear()
    accepted = checked.reason is None
    if picture is not None:
        _draw(system, checked.evidence, picture)
    if as_json:
        print_recheck(model, certificate, checked.property, checked.reason)
    else:
        if show and not isinstance(checked.evidence, Trace):
            for text in certificate_lines(system, checked.evidence):
                print(text)
        verdict = "accepted: the property holds" if accepted else f"undecided ({checked.reason})"
        print(f"certificate of {checked.property.text}  {verdict}")
    return ALL_HOLD if accepted else UNDECIDED


def _draw(system: FlatSystem, evidence: Trace | Certificate, path: str) -> None:
    """Raises UsageError for evidence without assumptions, or if the file cannot be written."""
    if not isinstance(evidence, AssumeGuarantee):
        raise UsageError("there is no picture of this certificate: it has no learned assumptions")
    write_text(path, assumption_picture(system, evidence) + "\n")
