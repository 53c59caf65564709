"""The output of answers and reports, in the same form for every family of models."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symag.cli.output.streams import Output, coloured, print_json
from symag.cli.status import ALL_HOLD, UNDECIDED, VIOLATED
from symag.core.results import Verdict
from symag.engine.answers import Answer
from symag.engine.family import Family

if TYPE_CHECKING:
    # Only a type: `check` prints no reports.
    from symag.core.reports import Report

#: The colour of each verdict; its word says the same.
COLOURS = {Verdict.HOLDS: "green", Verdict.COMPUTED: "green", Verdict.VIOLATED: "red", Verdict.UNKNOWN: "yellow"}


def print_answer(heading: str, answer: Answer, verbose: bool) -> None:
    """Print the property, the verdict with its evidence, and, if ``verbose``, the statistics and the race."""
    print(heading)
    name = answer.property.name
    subject = f"{name} " if name and name not in heading.split() else ""
    print(f"     {subject}{coloured(answer.verdict_text(), COLOURS[answer.result.verdict])}: {answer.evidence_text()}")
    if answer.certificate_file is not None:
        print(f"     certificate in {answer.certificate_file}")
    if answer.trace_file is not None:
        print(f"     trace in {answer.trace_file}")
    if verbose:
        for name, value in sorted(answer.result.statistics.items()):
            print(f"     {name} = {value}")
        for line in answer.race_lines():
            print(f"     {line}")
    # Each answer is written at once, also to a pipe; it remains if the process is killed later.
    sys.stdout.flush()


def answers_object(model: str, seconds: float, warnings: Iterable[str], answers: Sequence[Answer]) -> dict[str, Any]:
    """The JSON object of ``symag check``; ``seconds`` is the wall-clock time for the whole model."""
    return {
        "schema": 1,
        "model": model,
        "seconds": round(seconds, 4),
        "warnings": list(warnings),
        "results": [answer.to_json() for answer in answers],
    }


def print_report(document: Mapping[str, Any], report: Report, output: Output, family: Family, model: str) -> int:
    """Print a report, as ``document`` with ``--json``; the exit status."""
    output.warn(report.warnings, model if family.warnings_have_lines else None)
    if output.as_json:
        print_json(document)
    else:
        for line in report.lines:
            print(line)
    if report.reason is not None:
        return UNDECIDED
    return VIOLATED if report.violated else ALL_HOLD
