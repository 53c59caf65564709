"""``symag check``: decide the properties of a model."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import click

from symag.cli.declared import family_options, options_of, request_of
from symag.cli.grouped_help import GroupedCommand
from symag.cli.interrupts import ended_as_by_ctrl_c
from symag.cli.reporting import print_answer, print_answers
from symag.cli.settings import json_option, limit_options, model_argument, settings_option, verbosity_options
from symag.cli.status import INTERRUPTED, of_results
from symag.cli.streams import Output
from symag.core.limits import Limits
from symag.core.methods import AUTO
from symag.core.reasons import Reason
from symag.core.results import PropertyResult, Verdict
from symag.engine.answers import Answer, counted
from symag.engine.check import answers
from symag.engine.evidence_files import EvidenceFiles
from symag.engine.families import FAMILIES, family_of

_METHODS = tuple(dict.fromkeys(name for family in FAMILIES for name in family.methods()))
_TRACE_FORMATS = tuple(dict.fromkeys(name for family in FAMILIES for name in family.trace_formats))


@click.command("check", cls=GroupedCommand)
@model_argument
@click.option(
    "--method",
    type=click.Choice(_METHODS),
    default=AUTO,
    show_default=True,
    help="auto races SMV's methods (monolithic, rule-g) and says which one decided; for FSP it is monolithic.",
)
@settings_option
@limit_options
@json_option
@click.option("--certify/--no-certify", default=True, help="Have separate code re-check every answer.")
@click.option("--full", is_flag=True, help="Counterexamples with every variable in every state.")
@click.option(
    "--certificate", type=click.Path(), metavar="PATH", help="Write certificates to this file, or into this folder/."
)
@click.option(
    "--trace", type=click.Path(), metavar="PATH", help="Write counterexamples to this file, or into this folder/."
)
@click.option(
    "--trace-format",
    type=click.Choice(_TRACE_FORMATS),
    help="Format of --trace (default: the suffix of the file says it; json in a folder).",
)
@family_options("check", methods=True)
@verbosity_options
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str,
    method: str,
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
    **declared: Any,
) -> int:
    """Decide the properties of MODEL.

    Of labelled transition systems (FSP: .lts, .fsp; Aldebaran: .aut) decide deadlock, safety, progress and
    assertions of every composite process; DEFAULT is the composition of all processes where there is no composite.

    Of a PRISM model (.nm, .pm, .prism; explicit: .tra) decide whether --specification simulates it strongly, or
    whether it satisfies --formula.

    Several counterexamples or certificates in one file name get the names of their properties: t-NAME.json.

    Exit status: 0 every property holds, 10 one is violated, 30 none is violated but one is undecided,
    2 wrong usage, 3 bad input, 130 interrupted.

    \b
    Example:
      symag check models/counter.smv
    """
    started = time.monotonic()
    context.with_resource(ended_as_by_ctrl_c())
    if trace_format is not None and trace is None:
        raise click.UsageError("--trace-format is for --trace PATH")
    family = family_of(model)
    if method not in family.methods():
        others = " and ".join(other.name for other in FAMILIES if method in other.methods())
        known = ", ".join(family.methods())
        raise click.UsageError(f"--method {method} is for {others}; for {family.name} there are {known}")
    request = request_of(family, context)
    evidence = certify or certificate is not None
    options = options_of(family, method, context, evidence=evidence)
    system = family.read(model, request)
    report = Report(Output(as_json, quiet, verbose), full, model if family.warnings_have_lines else None)
    report.warn(family.warnings(system))
    asked = family.questions(system, request)
    if not asked:
        report.warn([family.without_questions])
    decided = [question for question in asked if family.decides(method, question)]
    files = EvidenceFiles.of(family, system, decided, certificate, trace, trace_format)
    interrupted = False
    try:
        limits = Limits(timeout, memory)
        for answer in answers(family, system, asked, method, options, limits, certify, report.progress, files):
            report.show(answer)
    except KeyboardInterrupt:
        interrupted = True
        for question in asked[len(report.answers) :]:
            result = PropertyResult(Verdict.UNKNOWN, family.resolved(method), reason=Reason.INTERRUPTED.text())
            report.show(Answer(question, result, family))
    report.close(model, time.monotonic() - started)
    return INTERRUPTED if interrupted else of_results([answer.result for answer in report.answers])


class Report:
    """Prints answers as they come, or all at the end as JSON."""

    def __init__(self, output: Output, full: bool, file: str | None) -> None:
        """``file`` is what warnings are about."""
        self.progress = output.progress()
        self.answers: list[Answer] = []
        self._output = output
        self._full = full
        self._file = file
        self._warnings: dict[str, None] = {}
        self._traces = 0

    def warn(self, warnings: Iterable[str]) -> None:
        """Each warning once: on standard error now, in the JSON object at the end."""
        for warning in warnings:
            if warning not in self._warnings:
                self._warnings[warning] = None
                self._output.warn([warning], self._file)

    def show(self, answer: Answer) -> None:
        """Print an answer, with its trace."""
        self.progress.clear()
        self.answers.append(answer)
        self.warn(answer.result.warnings)
        if self._output.as_json:
            reason = answer.result.reason or ""
            if ":" in reason:
                self._warnings[f"{answer.family.subject(answer.property)}: {reason}"] = None
            return
        print_answer(answer.family.heading(answer.property, answer.result), answer, self._output.verbose)
        trace = answer.result.trace
        if trace is not None:
            self._traces += 1
            for line in answer.family.trace_lines(answer.model, answer.property, trace, self._traces, self._full):
                print(line)
        # A reader of a pipe sees each answer when it is known.
        print(end="", flush=True)

    def close(self, model: str, seconds: float) -> None:
        """Print what comes after the last answer."""
        self.progress.clear()
        if self._output.as_json:
            print_answers(model, seconds, self._warnings, self.answers)
        elif len(self.answers) > 1:
            print(f"-- {counted(self.answers)}")
