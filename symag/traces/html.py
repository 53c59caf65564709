"""Traces of SMV models as self-contained HTML pages, which are trace files too: ``read`` reads them back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any, get_args

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.trace import Step, Value
from symag.traces.page.content import Column, Content, Explanation, Kind, Signal
from symag.traces.page.writing import ELEMENT, page_text, unpacked
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


_KINDS: Mapping[str, Kind] = {kind: kind for kind in get_args(Kind)}
#: A page gives its number of steps; one with more values than this is taken for damaged.
_MOST_VALUES = 100_000_000


class PageData(Struct, frozen=True):
    """The data of a page: ``about`` is the whole object, ``signals`` are its rows; a lasso returns to step ``loop``."""

    about: dict[str, Any]
    steps: int
    loop: int | None
    signals: tuple[Signal, ...]


def read_page(content: str, file: str) -> PageData:
    """The data of a page. Raises InputError, with the line, for a text that is not a page with a trace."""
    finder = _Finder()
    finder.feed(content)
    finder.close()
    if not finder.text or not finder.closed:
        raise InputError("not a page of symag's with a trace, or a truncated one", file)
    try:
        return _data(json.loads(finder.text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"the trace in the page is malformed: {error}", file, finder.line) from None


def _data(about: Any) -> PageData:
    """The data in an object of JSON. Raises ValueError if it is not a trace."""
    if not isinstance(about, dict) or about.get("symag") != "trace":
        raise ValueError("it is not a trace")
    steps, loop, listed, groups = (about.get(key) for key in ("steps", "loop", "signals", "groups"))
    if type(steps) is not int or steps < 1:
        raise ValueError("it has no steps")
    if loop is not None and (type(loop) is not int or not 0 <= loop < steps):
        raise ValueError(f"there is no step {loop} to return to")
    if not isinstance(listed, list) or not isinstance(groups, list):
        raise ValueError("it has no list of signals")
    if steps * len(listed) > _MOST_VALUES:
        raise ValueError(f"it has {steps} steps of {len(listed)} signals, which is too much for a page")
    return PageData(about, steps, loop, tuple(_signal(signal, groups, steps) for signal in listed))


def _signal(signal: Any, groups: list[Any], steps: int) -> Signal:
    if not isinstance(signal, dict):
        raise ValueError("a signal is not an object")
    name, kind, group = (signal.get(key) for key in ("name", "kind", "group"))
    if (
        not isinstance(name, str)
        or not isinstance(kind, str)
        or kind not in _KINDS
        or type(group) is not int
        or group not in range(len(groups))
    ):
        raise ValueError("a signal has no name, kind or group")
    return Signal(name, _KINDS[kind], str(groups[group]), unpacked(signal, steps))


class _Finder(HTMLParser):
    """Finds the element with the data."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.line: int | None = None
        self.closed = False
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script" and ("id", ELEMENT) in attrs:
            self._inside = True
            self.line = self.getpos()[0]

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._inside:
            self._inside = False
            self.closed = True
