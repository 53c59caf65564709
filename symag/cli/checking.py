"""One model of ``symag check``: read, asked, decided, printed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from symag.cli.options.declared import options_of, request_of
from symag.cli.output.check_report import AnswerReport, CheckedModel
from symag.cli.output.streams import Output
from symag.cli.standard_input import file_of
from symag.cli.status import INTERRUPTED, of_results
from symag.core.limits import Limits
from symag.core.reasons import Reason
from symag.core.results import PropertyResult, Verdict
from symag.engine.answers import Answer
from symag.engine.check import answers
from symag.engine.evidence_files import EvidenceFiles
from symag.engine.families import FAMILIES, family_of
from symag.engine.family import Family


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """What the command line says about every model.

    ``evidence``: where certificates and traces go, and the format of traces. ``context`` has the families' options.
    """

    context: click.Context
    method: str
    limits: Limits
    certify: bool
    full: bool
    evidence: tuple[str | None, str | None, str | None]
    output: Output


def checked_model(name: str, prefix: str | None, plan: CheckPlan) -> CheckedModel:
    """Decide and print; ``prefix`` begins the names of files where there are several models.

    Raises InputError, UsageError and UnsupportedError for what is wrong before the first answer.
    """
    started = time.monotonic()
    with file_of(name) as path:
        family = family_of(path)
        _check_method(plan.method, family)
        request = request_of(family, plan.context)
        options = options_of(family, plan.method, plan.context, evidence=plan.certify or plan.evidence[0] is not None)
        system = family.read(path, request)
        report = AnswerReport(plan.output, plan.full, name if family.warnings_have_lines else None)
        report.warn(family.warnings(system))
        questions = family.questions(system, request)
        if not questions:
            report.warn([family.without_questions])
        decided = [question for question in questions if family.decides(plan.method, question)]
        files = EvidenceFiles.of(family, system, decided, *plan.evidence, prefix)
        status = _decide(plan, family, system, questions, options, files, report)
    report.close()
    return CheckedModel(name, status, tuple(report.answers), tuple(report.warnings), time.monotonic() - started)


def _decide(
    plan: CheckPlan,
    family: Family,
    system: Any,
    questions: Sequence[Any],
    options: Any,
    files: EvidenceFiles,
    report: AnswerReport,
) -> int:
    """Every answer as it comes; the exit status."""
    report.begin(len(questions))
    try:
        decided = answers(
            family, system, questions, plan.method, options, plan.limits, plan.certify, report.progress, files
        )
        for answer in decided:
            report.show(answer)
    except KeyboardInterrupt:
        for question in questions[len(report.answers) :]:
            result = PropertyResult(Verdict.UNKNOWN, family.resolved(plan.method), reason=Reason.INTERRUPTED.text())
            report.show(Answer(question, result, family))
        return INTERRUPTED
    return of_results([answer.result for answer in report.answers])


def _check_method(method: str, family: Family) -> None:
    """Raises UsageError for a method of other families, with theirs and with the family's own."""
    if method not in family.methods():
        others = " and ".join(other.name for other in FAMILIES if method in other.methods())
        methods = ", ".join(family.methods())
        raise click.UsageError(f"--method {method} is for {others}; for {family.name} there are {methods}")


def prefixes(models: Sequence[str]) -> list[str | None]:
    """How the names of each model's files begin: nothing for one model, else its name, numbered where that repeats."""
    if len(models) == 1:
        return [None]
    stems = ["standard-input" if name == "-" else Path(name).stem for name in models]
    return [stem if stems.count(stem) == 1 else f"{stem}-{index}" for index, stem in enumerate(stems)]
