"""Answers as a SARIF 2.1.0 file, which code hosts and editors show beside the lines of the model.

Each property is a result at its line: ``pass`` if it holds, an error if it is violated, with the counterexample
as a flow of steps, and a warning if it is undecided. A model that cannot be read is an error at its line and column.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import symag
from symag.cli.output.check_report import CheckedModel
from symag.core.errors import InputError
from symag.core.results import Verdict
from symag.core.trace import Trace
from symag.engine.answers import Answer

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_RULES = {
    "violated": "A property is violated: there is a counterexample.",
    "undecided": "A property is not decided within the limits, or by any method.",
    "holds": "A property holds.",
    "not-read": "A model cannot be read.",
}
#: For each verdict the rule, the kind of result and its level.
_KINDS: Mapping[Verdict, tuple[str, str, str]] = {
    Verdict.HOLDS: ("holds", "pass", "none"),
    Verdict.COMPUTED: ("holds", "informational", "none"),
    Verdict.VIOLATED: ("violated", "fail", "error"),
    Verdict.UNKNOWN: ("undecided", "fail", "warning"),
}
#: The most steps of a counterexample.
_LONGEST_TRACE = 500


def sarif_text(checked: Sequence[CheckedModel]) -> str:
    """The content of the file."""
    results = [result for model in checked for result in _results(model)]
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in _RULES.items()]
    driver = {"name": "symag", "semanticVersion": symag.__version__, "rules": rules}
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(document, indent=2) + "\n"


def _results(checked: CheckedModel) -> list[dict[str, Any]]:
    if checked.error is not None:
        input_error = checked.error if isinstance(checked.error, InputError) else None
        line, column = (None, None) if input_error is None else (input_error.line, input_error.column)
        location = _location(checked.model, line, column)
        return [_result("not-read", "fail", "error", str(checked.error), location)]
    return [_answer(checked.model, answer) for answer in checked.answers]


def _answer(model: str, answer: Answer) -> dict[str, Any]:
    question, result = answer.property, answer.result
    rule, kind, level = _KINDS[result.verdict]
    text = f"{answer.family.sentence(question)} {answer.verdict_text()}: {answer.evidence_text()}"
    entry = _result(rule, kind, level, text, _location(model, question.line))
    if question.name is not None:
        entry["properties"] = {"name": question.name}
    if result.trace is not None:
        steps = [{"location": {"message": {"text": step}}} for step in _steps(result.trace)]
        entry["codeFlows"] = [{"threadFlows": [{"locations": steps[:_LONGEST_TRACE]}]}]
    return entry


def _steps(trace: Trace) -> list[str]:
    """A text for each step: its action, and the values that change."""
    texts, before = [], dict[str, Any]()
    for number, step in enumerate(trace.steps, start=1):
        changed = [f"{name} = {_text(value)}" for name, value in step.state.items() if before.get(name, ...) != value]
        action = "" if step.action is None else f" by {step.action}"
        loop = " (the loop starts here)" if trace.loop == number - 1 else ""
        texts.append(f"state {number}{action}{loop}: {', '.join(changed) or 'as before'}")
        before = dict(step.state)
    return texts


def _text(value: object) -> str:
    """A value as models spell it."""
    return str(value).upper() if isinstance(value, bool) else str(value)


def _result(rule: str, kind: str, level: str, text: str, location: dict[str, Any]) -> dict[str, Any]:
    return {"ruleId": rule, "kind": kind, "level": level, "message": {"text": text}, "locations": [location]}


def _location(model: str, line: int | None, column: int | None = None) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": Path(model).as_posix()}}
    if line is not None:
        region: dict[str, Any] = {"startLine": line}
        if column is not None:
            region["startColumn"] = column
        text = _line_of(model, line)
        if text is not None:
            region["snippet"] = {"text": text}
        location["region"] = region
    return {"physicalLocation": location}


def _line_of(model: str, line: int) -> str | None:
    if not Path(model).is_file():
        return None
    try:
        lines = Path(model).read_text(errors="replace").splitlines()
    except (OSError, ValueError):
        return None
    return lines[line - 1] if line <= len(lines) else None
