"""``symag check``: decide the properties of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from symag.cli.guarantees import guarantees_option, selectors_option
from symag.cli.interrupts import ended_as_by_ctrl_c
from symag.cli.languages import (
    LABELLED,
    LPTS_SUFFIXES,
    LTS_SUFFIXES,
    PROBABILISTIC,
    SMV,
    check_components,
    check_languages,
    check_method,
    check_no_alphabets,
    check_specification_file,
    whole_constants,
)
from symag.cli.settings import (
    alphabet_option,
    component_option,
    const_option,
    engine_option,
    formula_option,
    json_option,
    labelled_options,
    limit_options,
    method_options,
    model_argument,
    partition_options,
    property_option,
    settings_option,
    specification_option,
    verbosity_options,
)
from symag.cli.streams import Output
from symag.core.limits import Limits
from symag.lpts.checking.methods import FUNCTIONS as LPTS_METHODS
from symag.lpts.checking.methods import ChosenLptsMethod
from symag.lts.checking.methods import ChosenMethod, LtsMethods
from symag.lts.methods.options import GuaranteeSets, LtsOptions
from symag.smv.checking.registry import AUTO, default_registry
from symag.smv.checking.trace_files import ALL_NAMES
from symag.smv.methods.options import Options

#: The methods of each language.
_METHODS: Mapping[str, Sequence[str]] = {
    SMV: default_registry().names(),
    LABELLED: LtsMethods().names(),
    PROBABILISTIC: (AUTO, *LPTS_METHODS),
}


@click.command("check")
@model_argument
@click.option(
    "--method",
    type=click.Choice(tuple(dict.fromkeys(name for names in _METHODS.values() for name in names))),
    default=AUTO,
    show_default=True,
    help="auto races SMV's methods (monolithic, rule-g) and says which one decided; for FSP it is monolithic.",
)
@specification_option
@formula_option
@engine_option
@alphabet_option
@property_option
@settings_option
@limit_options
@json_option
@click.option("--certify/--no-certify", default=True, help="Have separate code re-check every answer.")
@click.option("--full", is_flag=True, help="Counterexamples with every variable in every state.")
@click.option("--certificate", type=click.Path(), metavar="PATH", help="Write certificates to this file or folder/.")
@click.option("--trace", type=click.Path(), metavar="PATH", help="Write counterexamples to this file or folder/.")
@click.option(
    "--trace-format",
    type=click.Choice(ALL_NAMES),
    help="Format of --trace (default: the suffix of the file says it; json in a folder).",
)
@click.option("--target", "targets", multiple=True, metavar="NAME", help="Only this composite process (LTS).")
@component_option
@const_option
@method_options
@partition_options
@labelled_options
@guarantees_option
@selectors_option
@verbosity_options
def command(
    model: str,
    method: str,
    specification: str | None,
    formula: str | None,
    engine: str,
    alphabets: dict[str, list[str]],
    targets: tuple[str, ...],
    components: tuple[str, ...],
    constants: dict[str, str],
    wanted: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    as_json: bool,
    certify: bool,
    full: bool,
    certificate: str | None,
    trace: str | None,
    trace_format: str | None,
    quiet: bool,
    verbose: bool,
    alphabet_refinement: bool,
    groups: tuple[str, ...],
    balance: bool,
    steps: int | None,
    abstraction: bool | None,
    guarantees: GuaranteeSets,
    selectors: bool,
    **tuning: Any,
) -> int:
    """Decide the properties of MODEL.

    Of labelled transition systems (FSP: .lts, .fsp; Aldebaran: .aut) decide deadlock, safety, progress and
    assertions of every composite process; DEFAULT is the composition of all processes where there is no composite.

    Of a PRISM model (.nm, .pm, .prism; explicit: .tra) decide whether --specification simulates it strongly, or
    whether it satisfies --formula.

    Exit status: 0 every property holds, 10 one is violated, 30 none is violated but one is undecided,
    2 wrong usage, 3 bad input, 130 interrupted.

    \b
    Example:
      symag check models/counter.smv
    """
    output = Output(as_json, quiet, verbose)
    click.get_current_context().with_resource(ended_as_by_ctrl_c())
    check_components(model, components)
    check_languages(click.get_current_context(), model)
    if trace_format is not None and trace is None:
        raise click.UsageError("--trace-format is for --trace PATH")
    check_method(method, model, _METHODS)
    check_specification_file(model, specification, formula)
    if model.endswith(LPTS_SUFFIXES):
        from symag.cli.lpts_check import check_simulation
        from symag.lpts.checking.check import SimulationFiles

        files_of_system = SimulationFiles(model, components, specification, formula, constants, alphabets)
        told_lpts = ChosenLptsMethod(method, engine, groups, tuning["order_file"])
        limits = Limits(timeout, memory)
        return check_simulation(files_of_system, told_lpts, (certificate, trace, trace_format), limits, certify, output)
    check_no_alphabets(alphabets)
    numbers = whole_constants(model, constants)
    if model.endswith(LTS_SUFFIXES):
        from symag.cli.lts_check import check_specification
        from symag.lts.checking.check import Chosen

        limits = Limits(timeout, memory)
        asked = Chosen(targets, wanted)
        if balance and (groups or tuning["order_file"]):
            raise click.UsageError("--balance finds the parts; it excludes --group and --order")
        told = LtsOptions(
            alphabet_refinement,
            seed=tuning["seed"],
            steps=steps,
            seconds=timeout,
            abstraction=abstraction,
            guarantee_sets=guarantees,
            selectors=selectors,
        )
        how = ChosenMethod(method, told, groups, tuning["order_file"], balance)
        places = (certificate, trace, trace_format)
        return check_specification(model, components, numbers, asked, how, places, limits, certify, output)
    # What decides SMV takes time to import, which other models do not wait for.
    from symag.cli.smv_check import check_model

    options = Options(**tuning, evidence=certify or certificate is not None)
    places = (certificate, trace, trace_format)
    return check_model(model, wanted, method, options, places, Limits(timeout, memory), certify, full, output)
