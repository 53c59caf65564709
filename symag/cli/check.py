"""``symag check``: decide the properties of a model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import click

from symag.cli.guarantees import guarantees_option, selectors_option
from symag.cli.reporting import print_answer, print_answers
from symag.cli.settings import (
    LPTS_SUFFIXES,
    LTS_SUFFIXES,
    alphabet_option,
    check_components,
    check_languages,
    check_no_alphabets,
    check_specification_file,
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
    whole_constants,
)
from symag.cli.status import INTERRUPTED, of_results
from symag.cli.streams import Output
from symag.engine.answers import Answer, counted, kind_word
from symag.engine.flat_models import read_flat_system
from symag.engine.lpts_methods import FUNCTIONS as LPTS_METHODS
from symag.engine.lpts_methods import ChosenLptsMethod
from symag.engine.lts_methods import ChosenMethod, LtsMethods
from symag.engine.registry import AUTO, default_registry
from symag.engine.trace_files import NAMES
from symag.limits import Limits
from symag.methods.lts.options import GuaranteeSets, LtsOptions
from symag.methods.smv.options import Options
from symag.results import PropertyResult, Verdict
from symag.smv.flat import FlatSystem, Property


@click.command("check")
@model_argument
@click.option(
    "--method",
    type=click.Choice(tuple(dict.fromkeys((*default_registry().names(), *LtsMethods().names(), *LPTS_METHODS)))),
    default=AUTO,
    show_default=True,
    help="auto races SMV's methods (monolithic, rule-s, rule-g) and says which one decided; for FSP it is monolithic.",
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
    type=click.Choice(NAMES),
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
    check_components(model, components)
    check_languages(click.get_current_context(), model)
    check_specification_file(model, specification, formula)
    if model.endswith(LPTS_SUFFIXES):
        if trace is not None:
            raise click.UsageError("--trace is not for PRISM models: --certificate writes their trees, too")
        if balance or wanted or targets:
            raise click.UsageError("--balance, --property and --target are not for PRISM models")
        from symag.cli.lpts_check import check_simulation
        from symag.engine.lpts_check import SimulationFiles

        files_of_system = SimulationFiles(model, components, specification, formula, constants, alphabets)
        told_lpts = ChosenLptsMethod(method, engine, groups, tuning["order_file"])
        limits = Limits(timeout, memory)
        return check_simulation(files_of_system, told_lpts, certificate, limits, certify, output)
    check_no_alphabets(alphabets)
    numbers = whole_constants(model, constants)
    if model.endswith(LTS_SUFFIXES):
        from symag.cli.lts_check import check_specification
        from symag.engine.lts_check import Chosen
        from symag.engine.lts_evidence import CertificateFiles
        from symag.engine.lts_traces import TraceFiles

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
        written, traces = CertificateFiles(certificate), TraceFiles(trace, trace_format)
        return check_specification(model, components, numbers, asked, how, written, traces, limits, certify, output)
    if groups or balance:
        raise click.UsageError("--group is for FSP and PRISM models" if groups else "--balance is for FSP")
    if guarantees != "maximal" or selectors:
        raise click.UsageError("--guarantees and --selectors are for FSP")
    if steps is not None or abstraction is not None:
        raise click.UsageError("--steps and --abstraction are for FSP")
    # What decides SMV takes time to import, which other models do not wait for.
    from symag.engine.check import decisions, select
    from symag.engine.evidence_files import EvidenceFiles

    start = time.monotonic()
    system = read_flat_system(model)
    chosen = select(system, wanted)
    files = EvidenceFiles(certificate, trace, trace_format, len(chosen) == 1)
    report = _Report(system, output, full)
    report.warn_all(system.warnings)
    if not chosen:
        report.warn_all(["the model has no properties"])
    interrupted = False
    options = Options(**tuning, evidence=certify or certificate is not None)
    stream = decisions(system, chosen, method, options, Limits(timeout, memory), certify, report.progress)
    try:
        for item, result in stream:
            report.show(Answer(item, result, files.write(system, item, result)))
    except KeyboardInterrupt:
        interrupted = True
        for item in chosen[len(report.answers) :]:
            report.show(Answer(item, PropertyResult(Verdict.UNKNOWN, method, reason="interrupted")))
    report.close(model, time.monotonic() - start)
    return INTERRUPTED if interrupted else of_results([answer.result for answer in report.answers])


class _Report:
    """Prints answers as they come, or all at the end as JSON."""

    def __init__(self, system: FlatSystem, output: Output, full: bool) -> None:
        self.progress = output.progress()
        self.answers: list[Answer] = []
        self._system = system
        self._output = output
        self._full = full
        self._warnings: dict[str, None] = {}
        self._traces = 0

    def warn_all(self, warnings: Sequence[str]) -> None:
        """Each warning once: on standard error now, in the JSON object at the end."""
        for warning in warnings:
            if warning not in self._warnings:
                self._warnings[warning] = None
                self._output.warn([warning])

    def show(self, answer: Answer) -> None:
        self.progress.clear()
        self.answers.append(answer)
        self.warn_all(answer.result.warnings)
        if self._output.as_json:
            reason = answer.result.reason or ""
            if ":" in reason:
                self._warnings[f"property {answer.property.index}: {reason}"] = None
            return
        print_answer(_nusmv_line(answer), answer, self._output.verbose)
        if answer.result.trace is not None:
            from symag.engine.trace_report import trace_report
            from symag.traces import plain

            self._traces += 1
            print("-- as demonstrated by the following execution sequence")
            item = answer.property
            assert isinstance(item, Property)
            report = trace_report(self._system, answer.result.trace, item, number=self._traces)
            for line in plain.lines(report, self._full):
                print(line.rstrip())
        # A reader of a pipe sees each answer when it is known.
        print(end="", flush=True)

    def close(self, model: str, seconds: float) -> None:
        self.progress.clear()
        if self._output.as_json:
            print_answers(model, seconds, self._warnings, self.answers)
        elif len(self.answers) > 1:
            print(f"-- {counted(self.answers)}")


def _nusmv_line(answer: Answer) -> str:
    """The line that NuSMV prints for the property, so that scripts that read NuSMV's output can read it."""
    words = {Verdict.HOLDS: "true", Verdict.VIOLATED: "false", Verdict.UNKNOWN: "unknown"}
    verdict = words.get(answer.result.verdict, str(answer.result.value))
    return f"-- {kind_word(answer.property)} {answer.property.text}  is {verdict}"
