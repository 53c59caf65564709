"""Answers as a JUnit XML file for continuous integration: a suite for each model, a case for each property.

A violated property is a failure with its counterexample. An undecided one, and a model that cannot be read, is an
error: a green build means that every property holds.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from symag.cli.output.check_report import CheckedModel
from symag.core.results import Verdict, word_of
from symag.engine.answers import Answer

#: The most lines of a counterexample.
_LONGEST_TRACE = 500


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
