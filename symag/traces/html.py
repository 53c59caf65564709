"""Traces of SMV models as self-contained HTML pages, which are trace files too: ``read`` reads them back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symag.core.trace import Step, Value
from symag.traces.page.content import Column, Content, Explanation, Signal
from symag.traces.page.reading import PageData, read_page
from symag.traces.page.writing import page_text
from symag.traces.reading import TraceReading, described_trace, value_of
from symag.traces.report import Domain, TraceReport

PROPERTY = "Property and its parts"


def text(report: TraceReport) -> str:
    """The page."""
    return page_text(content_of(report))


def content_of(report: TraceReport) -> Content:
    """The content of the page of a trace."""
    steps = report.trace.steps
    facts = [f"{report.word} of {report.model}" if report.property else report.model]
    facts.append(f"{len(steps)} state{'s' if len(steps) != 1 else ''}")
    if report.trace.loop is not None:
        facts.append(f"then again from state {report.trace.loop + 1} for ever")
    about = {
        "purpose": report.purpose,
        "description": report.description,
        "number": report.number,
        "word": report.word,
        "property": report.property,
    }
    return Content(
        title=report.property or report.description,
        purpose=report.purpose,
        steps=len(steps),
        signals=tuple(_signals(report)),
        loop=report.trace.loop,
        verdict="violated" if report.property else "",
        facts=tuple(fact for fact in facts if fact),
        explanation=report.explanation or Explanation(),
        about=about,
    )


def _signals(report: TraceReport) -> Iterator[Signal]:
    steps = report.trace.steps
    for formula in report.formulas:
        truths = tuple(None if truth is None else str(truth).upper() for truth in formula.truths)
        yield Signal(formula.text, "formula", PROPERTY, truths, formula.depth)
    for name, domain in report.states.items():
        texts = _column(domain, [step.state.get(name) for step in steps])
        frozen = name in report.frozen
        yield Signal(name, "frozen" if frozen else "state", "Frozen" if frozen else "State", texts)
    for name, domain in report.inputs.items():
        texts = _column(domain, [step.inputs.get(name) for step in steps])
        yield Signal(name, "input", "Inputs, on the way to the next state", texts)
    for define in report.defines:
        yield Signal(define.name, "define", "DEFINEs", define.texts)


def _column(domain: Domain, values: Sequence[Value | None]) -> Column:
    """Each value is spelled once, however often it occurs: there may be millions."""
    texts = {value: domain.text(value) for value in set(values) if value is not None}
    if domain.kind == "symbol" and (True in texts or False in texts):
        # In Python 1 equals True and 0 equals False; in a model they differ.
        return tuple(None if value is None else domain.text(value) for value in values)
    return tuple([None if value is None else texts[value] for value in values])


def read(content: str, file: str) -> list[TraceReading]:
    """The trace of a page that symag wrote. Raises InputError, with the line, for any other text."""
    page = read_page(content, file)
    return [described_trace(file, list(_steps(page)), page.loop, page.about)]


def _steps(page: PageData) -> Iterator[Step]:
    states: list[dict[str, Value]] = [{} for _ in range(page.steps)]
    inputs: list[dict[str, Value]] = [{} for _ in range(page.steps)]
    for signal in page.signals:
        rows: Any = {"state": states, "frozen": states, "input": inputs}.get(signal.kind)
        if rows is None:
            continue
        for row, shown in zip(rows, signal.column, strict=True):
            if shown is not None:
                row[signal.name] = value_of(shown)
    return map(Step, states, inputs)
