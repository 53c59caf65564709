"""One model of ``symag check``: read it, decide its properties, print the answers."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from symag.cli.options.declared import options_of, request_of
from symag.cli.output.reporting import AnswerReport, CheckedModel
from symag.cli.output.streams import Output, warn
from symag.cli.status import BAD_INPUT, INTERRUPTED, WRONG_USAGE, of_results
from symag.core.errors import InputError, UnsupportedError, UsageError
from symag.core.limits import Limits
from symag.core.results import PropertyResult, Reason, Verdict
from symag.engine.answers import Answer
from symag.engine.check import EvidenceFiles, answers
from symag.engine.families import FAMILIES, family_of
from symag.process.family import Family


class EvidenceRequest(Struct, frozen=True):
    """The paths for certificates and traces (None: not written) and the format of traces (None: by the suffix)."""

    certificate: str | None
    trace: str | None
    trace_format: str | None

    def __post_init__(self) -> None:
        if self.trace_format is not None and self.trace is None:
            raise click.UsageError("--trace-format is for --trace PATH")


class CheckPlan(Struct, frozen=True):
    """The settings of the command line for every model. ``context`` has the families' options."""

    context: click.Context
    method: str
    limits: Limits
    certify: bool
    full: bool
    evidence: EvidenceRequest
    output: Output


def checked_models(names: Sequence[str], plan: CheckPlan) -> Iterator[CheckedModel]:
    """Check and print one model after the other; a model that cannot be checked is yielded with its error.

    If it is the only model, the error is raised afterwards.
    """
    several = len(names) > 1
    for number, (name, prefix) in enumerate(zip(names, prefixes(names), strict=True)):
        if several and not plan.output.as_json:
            print(*([""] if number else []), f"{name}:", sep="\n", flush=True)
        try:
            checked = checked_model(name, prefix, plan)
        except (InputError, UsageError, UnsupportedError, click.UsageError) as error:
            status = BAD_INPUT if isinstance(error, InputError) else WRONG_USAGE
            known = UsageError(error.format_message()) if isinstance(error, click.UsageError) else error
            yield CheckedModel(name, status, error=known)
            if not several:
                raise
            warn(str(known))
            continue
        yield checked
        if checked.status == INTERRUPTED:
            return


def checked_model(name: str, prefix: str | None, plan: CheckPlan) -> CheckedModel:
    """Check and print one model; if there are several, the names of its files begin with ``prefix``.

    Raises InputError, UsageError and UnsupportedError for errors before the first answer.
    """
    started = time.monotonic()
    with file_of(name) as path:
        family = family_of(path)
        _check_method(plan.method, family)
        request = request_of(family, plan.context)
        writes_evidence = plan.certify or plan.evidence.certificate is not None
        options = options_of(family, plan.method, plan.context, evidence=writes_evidence)
        system = family.read(path, request)
        report = AnswerReport(plan.output, plan.full, name if family.warnings_have_lines else None, plan.limits.seconds)
        report.warn(family.warnings(system))
        questions = family.questions(system, request)
        decided = [question for question in questions if family.decides(plan.method, question)]
        where = plan.evidence
        paths = (where.certificate, where.trace, where.trace_format)
        files = EvidenceFiles.of(family, system, decided, *paths, prefix)
        status = _decide(plan, family, system, questions, options, files, report)
        if not questions:
            report.warn([*family.unasked(system, plan.limits, report.progress), family.without_questions])
    report.close(family.not_asked(system, request))
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
    """Show every answer as soon as it is known; the exit status."""
    report.begin(len(questions))
    try:
        decided = answers(
            family, system, questions, plan.method, options, plan.limits, plan.certify, report.progress, files
        )
        for answer in decided:
            report.show(answer)
    except KeyboardInterrupt:
        for question in questions[len(report.answers) :]:
            result = PropertyResult(
                Verdict.UNKNOWN, family.methods.resolved(plan.method), reason=Reason.INTERRUPTED.text()
            )
            report.show(Answer(question, result, family))
        return INTERRUPTED
    errors = dict.fromkeys(error for answer in report.answers for error in answer.evidence_errors)
    report.fail(errors)
    return WRONG_USAGE if errors else of_results([answer.result for answer in report.answers])


def _check_method(method: str, family: Family) -> None:
    """Raises UsageError for a method of other families, which names these families and the family's own methods."""
    if method not in family.methods.names():
        others = " and ".join(other.name for other in FAMILIES if method in other.methods.names())
        methods = ", ".join(family.methods.names())
        raise click.UsageError(f"--method {method} is for {others}; for {family.name} there are {methods}")


def prefixes(models: Sequence[str]) -> list[str | None]:
    """The prefix of each model's files: None for a single model, else its name, with a number if that repeats."""
    if len(models) == 1:
        return [None]
    stems = ["standard-input" if name == "-" else Path(name).stem for name in models]
    return [stem if stems.count(stem) == 1 else f"{stem}-{index}" for index, stem in enumerate(stems)]


#: The name that stands for standard input.
STANDARD_INPUT = "-"

_COMMENT = rb"\s+|--[^\n]*|//[^\n]*|/\*.*?\*/|;[^\n]*"


@contextmanager
def file_of(name: str) -> Iterator[str]:
    """The path of the model with this name; for ``-`` a copy of standard input, which errors call ``-``."""
    if name != STANDARD_INPUT:
        yield name
        return
    # For start-up: only for standard input.
    import tempfile

    content = sys.stdin.buffer.read()
    with tempfile.TemporaryDirectory(prefix="symag-input-") as folder:
        path = Path(folder) / f"standard-input{suffix_of(content)}"
        path.write_bytes(content)
        try:
            yield str(path)
        except InputError as error:
            if error.file != str(path):
                raise
            raise InputError(error.message, STANDARD_INPUT, error.line, error.column) from None


def suffix_of(content: bytes) -> str:
    """The suffix for the language of a text, from its beginning after comments; by default that of the first family.

    The families declare how texts in their languages begin.
    """
    offset, comments = 0, re.compile(_COMMENT, re.DOTALL)
    while (comment := comments.match(content, offset)) is not None and comment.end() > offset:
        offset = comment.end()
    beginnings = (beginning for family in FAMILIES for beginning in family.beginnings.items())
    suffixes = (suffix for begin, suffix in beginnings if re.compile(begin).match(content, offset))
    return next(suffixes, FAMILIES[0].suffixes[0])
