"""NuSMV's plain text of traces: changes only (its default, plugin 0) or all values (plugin 1).

The order is that of NuSMV 2.6's ``TraceExplainer.c``: before each state but the first the DEFINEs that
read the transition, then ``-> Input: n.k <-`` with the inputs, ``-- Loop starts here``, and the state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from symag.core.errors import InputError
from symag.core.trace import Step, Value
from symag.traces.reading import TraceReading, value_of
from symag.traces.report import TraceReport


def lines(
    report: TraceReport, full: bool = False, every_loop: bool = False, first: int = 1, last: int | None = None
) -> Iterator[str]:
    """The lines of a trace, from ``Trace Description`` on, with NuSMV's trailing blanks there.

    ``full`` repeats unchanged values; ``every_loop`` marks all states that equal the one that a lasso returns
    to, as NuSMV does, instead of only the start of the loop. The states from ``first`` to ``last`` are shown,
    counted from 1 (None: to the end), with the inputs before the first of them.
    """
    yield f"Trace Description: {report.description} "
    yield f"Trace Type: {report.purpose} "
    yield from steps(report, full, every_loop, first, last)


def steps(
    report: TraceReport, full: bool, every_loop: bool = False, first: int = 1, last: int | None = None
) -> Iterator[str]:
    """The states and inputs alone."""
    shown: dict[str, str] = {}

    def section(assignments: Iterator[tuple[str, str]]) -> Iterator[str]:
        for name, text in assignments:
            if full or shown.get(name) != text:
                shown[name] = text
                yield f"    {name} = {text}"

    loops = report.loops(every_loop)
    before: int | None = None
    for count, position in enumerate(report.positions()):
        if not first - 1 <= count < (count + 1 if last is None else last):
            before = position
            continue
        if before is not None:
            yield from section(report.transition_texts(before))
            if any(True for _ in report.input_texts(before)):
                yield f"  -> Input: {report.number}.{count + 1} <-"
                yield from section(report.input_texts(before))
        if count in loops:
            yield "  -- Loop starts here"
        yield f"  -> State: {report.number}.{count + 1} <-"
        yield from section(report.state_texts(position))
        before = position


def text(report: TraceReport, full: bool = False) -> str:
    """A file with one trace, headed by the lines that NuSMV prints before a counterexample."""
    heading = []
    if report.property:
        heading = [
            f"-- {report.word} {report.property}  is false",
            "-- as demonstrated by the following execution sequence",
        ]
    return "\n".join([*heading, *lines(report, full)]) + "\n"


# Texts, compiled when they are first used: for start-up.
_VERDICT = r"-- (specification|invariant) (.*?)\s+is (?:false|true|unknown)"
_PURPOSE = r"Trace Type: (\w+)"
_STEP = r"-> (State|Input): ([0-9]{1,9})\.([0-9]{1,9}) <-"
_LOOP = "-- Loop starts here"


def read(content: str, file: str) -> list[TraceReading]:
    """All traces of a text, which symag or a whole session of NuSMV printed.

    Lines that belong to no trace are ignored. Raises InputError, with the line, for a malformed trace and for
    a text without a trace.
    """
    readings: list[TraceReading] = []
    current: _Reader | None = None
    property_: tuple[str, str] | None = None
    for number, line in enumerate(content.splitlines(), start=1):
        stripped = line.strip()
        verdict = re.fullmatch(_VERDICT, stripped)
        if stripped.startswith("Trace Description:") or verdict is not None:
            if current is not None:
                readings.append(current.finish(number))
                current = None
                property_ = None
            if verdict is not None:
                property_ = (verdict[1], verdict[2].strip())
            else:
                current = _Reader(file, property_, stripped.partition(":")[2].strip())
        elif current is not None and stripped and not current.take(stripped, number):
            readings.append(current.finish(number))
            current = None
            property_ = None
    if current is not None:
        readings.append(current.finish(len(content.splitlines())))
    if not readings:
        raise InputError("no trace in this file: expected a line 'Trace Description: ...'", file, 1)
    return readings


class _Reader:
    """The lines of one trace; ``take`` returns False for the first line after it."""

    def __init__(self, file: str, property_: tuple[str, str] | None, description: str) -> None:
        self._file = file
        self._claim = property_
        self._description = description
        self._purpose: Literal["Counterexample", "Simulation"] = "Counterexample"
        self._number: int | None = None
        self._states: list[dict[str, Value]] = []
        self._inputs: list[dict[str, Value]] = []
        self._between: dict[str, Value] = {}
        self._section: dict[str, Value] | None = None
        self._loops: list[int] = []
        self._lines: dict[str, int] = {}

    def take(self, line: str, number: int) -> bool:
        step = re.fullmatch(_STEP, line)
        if step is not None:
            self._start(step[1], int(step[2]), int(step[3]), number)
        elif line == _LOOP:
            self._loops.append(len(self._states))
        elif (purpose := re.fullmatch(_PURPOSE, line)) is not None:
            self._purpose = "Simulation" if purpose[1] == "Simulation" else "Counterexample"
        elif " = " in line and self._section is not None:
            name, _, value = line.partition(" = ")
            self._lines.setdefault(name, number)
            self._section[name] = value_of(value)
        elif self._states and not line.startswith(("->", "#")) and " = " not in line:
            return False
        else:
            expected = "'-> State: n.k <-', '-> Input: n.k <-' or 'name = value'"
            raise InputError(f"'{line[:60]}' is not a line of a trace: expected {expected}", self._file, number)
        return True

    def _start(self, section: str, trace: int, count: int, number: int) -> None:
        expected = len(self._states) + 1
        if self._number not in (None, trace) or count != expected or (section == "Input" and not self._states):
            raise InputError(
                f"{section} {trace}.{count} is out of order: expected State {self._number or trace}.{expected}",
                self._file,
                number,
            )
        self._number = trace
        if section == "Input":
            self._between = dict(self._inputs[-1]) if self._inputs else {}
            self._section = self._between
            return
        if self._states:
            self._inputs.append(self._between)
        self._states.append(dict(self._states[-1]) if self._states else {})
        self._between = dict(self._between)
        self._section = self._states[-1]

    def finish(self, number: int) -> TraceReading:
        if not self._states:
            raise InputError("the trace has no states: expected '-> State: n.1 <-'", self._file, number)
        steps = [Step(state, inputs) for state, inputs in zip(self._states, [*self._inputs, {}], strict=True)]
        if self._loops and self._loops[-1] >= len(steps) - 1:
            raise InputError("the loop has no states: expected a state after its start", self._file, number)
        return TraceReading(
            self._file,
            tuple(steps),
            tuple(self._loops),
            self._purpose,
            self._description,
            self._number,
            None if self._claim is None else self._claim[1],
            None if self._claim is None else self._claim[0],
            self._lines,
        )
