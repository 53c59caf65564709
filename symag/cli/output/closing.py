"""The output of ``symag check`` after the last answer: a table of many answers, and hints for undecided ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from symag.cli.output.reporting import COLOURS
from symag.core.reasons import Reason, kind_of, word_of
from symag.core.results import Verdict
from symag.engine.answers import Answer

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
