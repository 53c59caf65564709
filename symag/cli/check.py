"""``symag check``: decide the properties of a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click
from msgspec import Struct

from symag.cli.checking import CheckPlan, EvidenceRequest, checked_models
from symag.cli.options.declared import GroupedCommandOfFamilies, family_options
from symag.cli.options.settings import limit_options, output_options, packed, settings_option, together
from symag.cli.output.reporting import CheckedModel
from symag.cli.output.streams import Output, print_json
from symag.cli.status import of_models
from symag.core.evidence.evidence_paths import planned
from symag.core.files import write_file
from symag.core.input_files import refuse_input
from symag.core.limits import Limits
from symag.core.tables import AUTO
from symag.engine.answers import counted
from symag.engine.families import FAMILIES, families_named
from symag.process.family import Family


class Documents(Struct, frozen=True):
    """The files of answers for other programs; None: not written."""

    junit: str | None
    sarif: str | None
    csv: str | None

    def check(self, models: Sequence[str]) -> None:
        """Raises UsageError for a file that cannot be written, or is a model; called before the models are checked."""
        for path in (self.junit, self.sarif, self.csv):
            if path is not None:
                planned(path, "", [(0, None)])
                refuse_input(path, models)

    def write(self, checked: Sequence[CheckedModel]) -> None:
        """Write the answers about the models. Raises UsageError."""
        if self.junit is not None:
            # For start-up: only with its option.
            from symag.cli.output.answer_files import junit_text

            write_file(self.junit, junit_text(checked))
        if self.sarif is not None:
            # For start-up: only with its option.
            from symag.cli.output.answer_files import sarif_text

            write_file(self.sarif, sarif_text(checked))
        if self.csv is not None:
            # For start-up: only with its option.
            from symag.cli.output.answer_files import csv_text

            write_file(self.csv, csv_text(checked))


def _auto_help(families: Sequence[Family]) -> str:
    """The help about ``auto`` in each family, from the tables of methods."""
    single: dict[str, list[str]] = {}
    racing = [family.label for family in families if family.methods.races(AUTO)]
    for family in families:
        if family.label not in racing:
            rival = family.methods.rival(AUTO)
            beside = f" (with {rival} beside it where it can decide all that is asked)" if rival else ""
            single.setdefault(family.methods.resolved(AUTO) + beside, []).append(family.label)
    texts = [f"for {' and '.join(labels)} it is {method}" for method, labels in single.items()]
    if racing:
        texts.insert(0, f"it races the methods for {' and '.join(racing)} and says which one decided")
    return f"auto: {'; '.join(texts)}."


def _check(
    context: click.Context,
    /,
    models: tuple[str, ...],
    method: str,
    limits: Limits,
    certify: bool,
    full: bool,
    evidence: EvidenceRequest,
    documents: Documents,
    output: Output,
    **declared: Any,
) -> int:
    """Decide the properties of each MODEL; ``-`` is standard input, ``--component`` names more files of one system.

    For labelled transition systems (FSP: .lts, .fsp; Aldebaran: .aut), decide deadlock, safety, progress and
    assertions of every composite process; without composites, DEFAULT is the composition of all processes.

    For a PRISM model (.nm, .pm, .prism; explicit: .tra), decide whether --specification simulates it strongly, or
    whether it satisfies --formula or each of --properties; Pmax=? and R=? compute probabilities and rewards.

    Several counterexamples or certificates in one file name get the names of their properties: t-NAME.json.

    Exit status: 0 every property holds, 10 one is violated, 30 none is violated but one is undecided,
    2 wrong usage, 3 bad input, 1 internal error, 130 interrupted. For several models: the first of 130, 1, 2, 3, 10,
    30 that one of them gives.

    \b
    Example:
      symag check models/counter.smv
      symag check models/counter.smv models/lts/mutual_exclusion.lts --junit answers.xml
    """
    documents.check(models)
    plan = CheckPlan(context, method, limits, certify, full, evidence, output)
    checked: list[CheckedModel] = []
    try:
        for model in checked_models(models, plan):
            checked.append(model)
    finally:
        documents.write(checked)
    if output.as_json:
        print_json(_several_object(checked) if len(models) > 1 else checked[0].to_json())
    elif len(models) > 1:
        answers = [answer for model in checked for answer in model.answers]
        print(f"\n-- {len(checked)} models, {counted(answers)}")
    return of_models([model.status for model in checked])


def command_for(words: Sequence[str]) -> click.Command:
    """The command for these words, with the options of the families that they name (none: of all)."""
    return _command(families_named(words))


def _command(families: Sequence[Family]) -> click.Command:
    """The command with the options and the methods of these families."""
    methods = dict.fromkeys(name for family in families for name in family.methods.names())
    trace_formats = dict.fromkeys(name for family in families for name in family.trace_formats)
    decorate: Callable[[Any], click.Command] = together(
        click.command(
            "check",
            short_help="Decide the properties of models.",
            cls=GroupedCommandOfFamilies,
            families=families,
            of_all=partial(_command, FAMILIES),
        ),
        click.argument("models", metavar="MODEL...", nargs=-1, required=True, type=click.Path()),
        click.option(
            "--method",
            type=click.Choice(tuple(methods)),
            default=AUTO,
            show_default=True,
            help=_auto_help(families),
        ),
        settings_option,
        limit_options,
        click.option("--certify/--no-certify", default=True, help="Have separate code re-check every answer."),
        click.option("--full", is_flag=True, help="Counterexamples with every variable in every state."),
        _path("--certificate", "PATH", "Write certificates to this file, or into this folder/."),
        _path("--trace", "PATH", "Write counterexamples to this file, or into this folder/."),
        click.option(
            "--trace-format",
            type=click.Choice(tuple(trace_formats)),
            help="Format of --trace (default: the suffix of the file says it; json in a folder).",
        ),
        _path("--junit", "FILE.xml", "Write the answers as JUnit XML."),
        _path("--sarif", "FILE.sarif", "Write the answers as SARIF 2.1.0."),
        _path("--csv", "FILE.csv", "Write the answers as a table, a row for each."),
        family_options("check", families, methods=True),
        output_options,
        packed("evidence", EvidenceRequest, "certificate", "trace", "trace_format"),
        packed("documents", Documents, "junit", "sarif", "csv"),
        click.pass_context,
    )
    return decorate(_check)


def _path(flag: str, metavar: str, help: str) -> Callable[[Any], Any]:
    return click.option(flag, type=click.Path(), metavar=metavar, help=help)


def _several_object(checked: Sequence[CheckedModel]) -> dict[str, Any]:
    """The JSON object for several models, with the object of each in the given order."""
    return {"schema": 1, "models": [model.to_json() for model in checked]}
