"""The output of ``symag check`` for one model: answers as they are decided, and their copy for files and JSON."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from symag.cli.output.closing import MOST_WITHOUT_TABLE, hints, print_table
from symag.cli.output.reporting import answers_object, print_answer
from symag.cli.output.streams import Output, error_object, warn
from symag.core.errors import InputError
from symag.engine.answers import Answer, counted


@dataclass(frozen=True, slots=True)
class CheckedModel:
    """One model with its answers and exit status; ``error`` is why there are no answers, if there are none."""

    model: str
    status: int
    answers: tuple[Answer, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    error: Exception | None = field(default=None, repr=False)

    def to_json(self) -> dict[str, Any]:
        """The JSON object of ``symag check`` for this model."""
        if self.error is None:
            return answers_object(self.model, self.seconds, self.warnings, self.answers)
        input_error = self.error if isinstance(self.error, InputError) else None
        return {"schema": 1, "model": self.model, **error_object(str(self.error), input_error)}


class AnswerReport:
    """Prints answers as they are decided; with ``--json`` it prints nothing."""

    def __init__(self, output: Output, full: bool, file: str | None, seconds: float | None = None) -> None:
        """``file`` is named before warnings, ``seconds`` is the limit of time for each property."""
        self.answers: list[Answer] = []
        self.warnings: dict[str, None] = {}
        self._line = output.progress()
        self._questions = 0
        self._seconds = seconds
        self._started = time.monotonic()
        self._output = output
        self._full = full
        self._file = file
        self._traces = 0

    def begin(self, questions: int) -> None:
        """Set the number of properties that will be decided; the first one starts now."""
        self._questions = questions
        self._started = time.monotonic()

    def progress(self, line: str) -> None:
        """Show a line of progress, after the number of the property, its time so far and the time that is left."""
        number = min(len(self.answers) + 1, self._questions)
        subject = f"property {number} of {self._questions}, " if self._questions > 1 else ""
        self._line(f"{subject}{_time(time.monotonic() - self._started, self._seconds)}: {line}")

    def warn(self, warnings: Iterable[str]) -> None:
        """Print each new warning on standard error, and keep it for the JSON object."""
        for warning in warnings:
            if warning not in self.warnings:
                self.warnings[warning] = None
                self._output.warn([warning], self._file)

    def fail(self, errors: Iterable[str]) -> None:
        """Print why files were not written, and keep it for the JSON object."""
        for error in errors:
            self._line.clear()
            warn(error)
            self.warnings[error] = None

    def show(self, answer: Answer) -> None:
        """Print an answer, with its trace."""
        self._line.clear()
        self._started = time.monotonic()
        self.answers.append(answer)
        self.warn(answer.result.warnings)
        if self._output.as_json:
            reason = answer.result.reason or ""
            if ":" in reason:
                self.warnings[f"{answer.family.subject(answer.property)}: {reason}"] = None
            return
        print_answer(answer.family.heading(answer.property, answer.result), answer, self._output.verbose)
        trace = answer.result.trace
        if trace is not None:
            self._traces += 1
            for line in answer.family.trace_lines(answer.model, answer.property, trace, self._traces, self._full):
                print(line)
        for line in answer.result.notes:
            print(f"     {line}" if trace is None else line)
        # A reader of a pipe sees each answer at once.
        print(end="", flush=True)

    def close(self, not_asked: Iterable[str]) -> None:
        """Print the lines after the last answer, with those about questions that were ``not_asked``."""
        self._line.clear()
        if self._output.as_json:
            return
        if len(self.answers) > MOST_WITHOUT_TABLE:
            print_table(self.answers)
        if len(self.answers) > 1:
            print(f"-- {counted(self.answers)}")
        if not self._output.quiet:
            sys.stdout.flush()
            for hint in (*hints(self.answers), *not_asked):
                warn(hint)


def _time(passed: float, limit: float | None) -> str:
    """The time so far and the time that is left: ``12 s, 48 s left``."""
    return f"{passed:.0f} s, " + ("no --timeout" if limit is None else f"{max(0.0, limit - passed):.0f} s left")
