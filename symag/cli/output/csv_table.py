"""Answers as a table in CSV: a row for each property and each value of the constants, for spreadsheets and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from symag.cli.output.check_report import CheckedModel

_BEGIN = ("model", "index", "property")
_END = ("verdict", "value", "lower", "upper", "certified", "seconds")


def csv_text(checked: Sequence[CheckedModel]) -> str:
    """The content of the file; a column for each constant that has several values."""
    answers = [(model.model, answer) for model in checked for answer in model.answers]
    names = tuple(dict.fromkeys(name for _, answer in answers for name, _ in answer.result.constants))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow((*_BEGIN, *names, *_END))
    for model, answer in answers:
        question, result = answer.property, answer.result
        given = dict(result.constants)
        value = result.value if result.bounds is None else result.bounds.number()
        lower, upper = ("", "") if result.bounds is None else result.bounds.texts()
        table.writerow(
            (
                *(model, question.index, question.name or question.text),
                *(given.get(name, "") for name in names),
                *(result.verdict.value, "" if value is None else value, lower, upper),
                *(str(result.certified).lower(), result.statistics.get("seconds", "")),
            )
        )
    return text.getvalue()
