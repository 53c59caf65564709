"""Answers as files: SARIF 2.1.0, JUnit XML, and a table in CSV.

SARIF, which code hosts and editors show beside the lines of the model: each property is a result at its line,
``pass`` if it holds, an error if it is violated, with the counterexample as a flow of steps, and a warning if it is
undecided. A model that cannot be read is an error at its line and column.

JUnit, for continuous integration: a suite for each model, a case for each property. An undecided one is an error, as a
model that cannot be read: a green build means that every property holds.
"""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import symag
from symag.cli.output.reporting import CheckedModel
from symag.core.errors import InputError
from symag.core.results import Verdict, word_of
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
#: The most steps, or lines, of a counterexample.
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


def junit_text(checked: Sequence[CheckedModel]) -> str:
    """The content of the file."""
    root = ElementTree.Element("testsuites", name="symag")
    for model in checked:
        failures = sum(answer.result.verdict is Verdict.VIOLATED for answer in model.answers)
        errors = sum(answer.result.verdict is Verdict.UNKNOWN for answer in model.answers)
        cases = len(model.answers) if model.error is None else 1
        suite = ElementTree.SubElement(root, "testsuite", name=_legal(model.model), tests=str(cases))
        suite.set("failures", str(failures))
        suite.set("errors", str(errors + (model.error is not None)))
        suite.set("time", f"{model.seconds:.3f}")
        if model.error is not None:
            case = ElementTree.SubElement(suite, "testcase", classname=_legal(model.model), name="the model is read")
            ElementTree.SubElement(case, "error", message=_legal(str(model.error)), type=type(model.error).__name__)
        for answer in model.answers:
            _add_case(suite, model.model, answer)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ElementTree.Element, model: str, answer: Answer) -> None:
    question, result = answer.property, answer.result
    name = f"{question.name}: {question.text}" if question.name else question.text
    if question.target is not None:
        name = f"||{question.target} {name}"
    case = ElementTree.SubElement(suite, "testcase", classname=_legal(model), name=_legal(name))
    case.set("time", f"{float(result.statistics.get('seconds', 0.0)):.3f}")
    if question.line is not None:
        case.set("line", str(question.line))
    message = f"{answer.verdict_text()}: {answer.evidence_text()}"
    if result.verdict is Verdict.VIOLATED:
        failure = ElementTree.SubElement(case, "failure", message=_legal(message), type="violated")
        if result.trace is not None:
            lines = list(answer.family.trace_lines(answer.model, question, result.trace, 1, False))
            failure.text = _legal("\n".join(lines[:_LONGEST_TRACE]))
    elif result.verdict is Verdict.UNKNOWN:
        reason = word_of(result.reason or "unknown")
        ElementTree.SubElement(case, "error", message=_legal(message), type=_legal(reason))
    else:
        ElementTree.SubElement(case, "system-out").text = _legal(message)


def _legal(text: str) -> str:
    """The text with ``?`` for every character that XML 1.0 does not allow."""
    return "".join(
        character if character in "\t\n\r" or " " <= character < "\ud800" or character >= "\ue000" else "?"
        for character in text
    )


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
