"""The output of answers and reports, in the same form for every family of models; that of ``symag check`` for one."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from symag.cli.options.declared import ReportCommand, declared_parameters, family_options, request_of
from symag.cli.options.settings import limit_options, output_options, together
from symag.cli.output.streams import Output, ProgressLine, coloured, error_object, print_json, warn
from symag.cli.status import ALL_HOLD, UNDECIDED, VIOLATED
from symag.core.errors import InputError
from symag.core.limits import Limits
from symag.core.results import Reason, Verdict, kind_of, word_of
from symag.engine.answers import Answer, counted
from symag.engine.families import FAMILIES, families_named, family_of
from symag.process.family import Family

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


class ReportRequest(Struct, frozen=True):
    """A model on the command line; ``declared`` is its family's request, from the options that families declare."""

    model: str
    family: Family
    declared: Any
    limits: Limits
    progress: ProgressLine


def report_command(
    report: Callable[..., Report],
    name: str,
    short_help: str,
    options: Callable[[Sequence[Family]], Sequence[Callable[[Any], Any]]] = lambda _: (),
) -> Callable[[Sequence[str]], click.Command]:
    """The command that prints a report, for the words of its command line: with the options of the families that the
    words name (none: of all), its own ``options`` for these families and those of all reports.

    ``report`` gets a ``ReportRequest``, and the values of its own options; its docstring is the help.
    """

    def command(families: Sequence[Family]) -> click.Command:
        @functools.wraps(report)
        def called(context: click.Context, /, model: str, limits: Limits, output: Output, **given: Any) -> int:
            family = family_of(model)
            declared = declared_parameters(name, families)
            own = {key: value for key, value in given.items() if key not in declared}
            progress = output.progress()
            made = report(ReportRequest(model, family, request_of(family, context), limits, progress), **own)
            progress.clear()
            output.warn(made.warnings, model if family.warnings_have_lines else None)
            if output.as_json:
                print_json({"schema": 1, "model": model, **made.document})
            else:
                for line in made.lines:
                    print(line)
            if made.reason is not None:
                return UNDECIDED
            return VIOLATED if made.violated else ALL_HOLD

        of_all = functools.partial(command, FAMILIES)
        decorate: Callable[[Any], click.Command] = together(
            click.command(name, short_help=short_help, cls=ReportCommand, families=families, of_all=of_all),
            click.argument("model", type=click.Path()),
            *options(families),
            family_options(name, families),
            limit_options,
            output_options,
            click.pass_context,
        )
        return decorate(called)

    return lambda words: command(families_named(words))


class CheckedModel(Struct, frozen=True):
    """One model with its answers and exit status; ``error`` is why there are no answers, if there are none."""

    model: str
    status: int
    answers: tuple[Answer, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    error: Exception | None = None

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
        reason = answer.result.reason or ""
        if kind_of(reason) is Reason.BAD_INPUT:
            warn(reason.partition(": ")[2])
        if self._output.as_json:
            self.warnings.update(dict.fromkeys(filter(None, [answer.detail()])))
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


#: More properties than these are listed again in a table.
MOST_WITHOUT_TABLE = 5
#: Columns of a table in a file or pipe.
_WIDTH = 160
#: A hint says so if wall-clock seconds are more than this many times the CPU seconds, and more than this many.
_STARVED_FACTOR, _STARVED_SECONDS = 2.0, 5.0


def print_table(answers: Sequence[Answer]) -> None:
    """A line for each answer: number, name or else text, verdict, method, seconds; in colours on a terminal."""
    # For start-up: small runs need no table.
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("", justify="right")
    # The only column that may be wrapped gives way where the line is too short; its texts are cut off instead.
    table.add_column("property")
    table.add_column("verdict", no_wrap=True)
    table.add_column("method", no_wrap=True)
    table.add_column("s", justify="right", no_wrap=True)
    for answer in answers:
        question, result = answer.property, answer.result
        name = question.name or " ".join(question.text.split())
        seconds = result.statistics.get("seconds")
        table.add_row(
            str(question.index),
            Text(name if question.target is None else f"||{question.target} {name}", no_wrap=True, overflow="ellipsis"),
            Text(_verdict(answer), COLOURS[result.verdict]),
            Text(result.method),
            "" if seconds is None else f"{float(seconds):.2f}",
        )
    # Console respects NO_COLOR, and writes no colours to a file.
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else _WIDTH).print(table)


def _verdict(answer: Answer) -> str:
    """The verdict; for an undecided property with the kind of its reason, without the detail."""
    if answer.result.reason is not None:
        return f"unknown ({word_of(answer.result.reason)})"
    return answer.verdict_text().removeprefix("is ")


def hints(answers: Sequence[Answer]) -> Iterator[str]:
    """Lines about what may decide the unknown properties, one for each reason; and one if the CPU was starved."""
    reasons: dict[Reason, list[Answer]] = {}
    for answer in answers:
        kind = kind_of(answer.result.reason)
        if answer.result.verdict is Verdict.UNKNOWN and kind is not None:
            reasons.setdefault(kind, []).append(answer)
    for kind, unknown in reasons.items():
        family, used = unknown[0].family, {answer.result.method.partition(" ")[0] for answer in unknown}
        others = ", ".join(method for method in family.methods.names() if method not in used)
        advice = {
            Reason.TIMEOUT: f"a larger --timeout, or another --method ({others})",
            Reason.MEMORY: f"a larger --memory, or another --method ({others})",
            Reason.DISK: f"TMPDIR on a larger disk, a larger --memory, or another --method ({others})",
            Reason.BOUND: f"a larger --bound, or a --method that proves ({others})",
        }.get(kind)
        if advice is not None:
            count = "1 property is" if len(unknown) == 1 else f"{len(unknown)} properties are"
            yield f"{count} undecided ({kind.value}); to try next: {advice}"
    measured = [answer.result.statistics for answer in answers if "cpu_seconds" in answer.result.statistics]
    wall = sum(float(statistics.get("seconds", 0.0)) for statistics in measured)
    cpu = sum(float(statistics["cpu_seconds"]) for statistics in measured)
    if wall > _STARVED_SECONDS and wall > _STARVED_FACTOR * cpu:
        yield f"the CPU was starved: {wall:.0f} s passed, of which this command had {cpu:.0f} s of CPU time"
