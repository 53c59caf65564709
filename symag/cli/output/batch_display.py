"""The display of a running batch, and the summary at its end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from symag.suites.jobs import Job, failure_of, unwritten
from symag.suites.run import JobEvent
from symag.suites.store import JobOutcome, Row
from symag.suites.words import one_line

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

#: The most finished jobs in the table on a terminal.
_RECENT = 8
_LONGEST = 60
#: The most reasons of failed jobs in the summary.
_MOST_FAILURES = 10
#: Lines of the table other than jobs, and one below it.
_FRAME = 5
#: The largest width of the table, and the width of its column of seconds.
_WIDEST, _SECONDS = 160, 7
_SECONDS_BETWEEN_PICTURES = 0.1
_SECONDS_BETWEEN_TICKS = 0.8


class Display:
    """On standard error: on a terminal a live table with the remaining time, else one line for each finished job.

    It never starts a thread, because jobs are forked while it is shown.
    """

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._live: Live | None = None
        self._terminal = sys.stderr.isatty() and not quiet
        self._started = time.monotonic()
        self._shown_at = 0.0
        self._total = 0
        self._done = 0
        #: The time of the start, and the number of further jobs in the same process.
        self._running: dict[Job, tuple[float, int]] = {}
        self._recent: list[tuple[Job, JobOutcome]] = []
        self._wrong = 0
        self._counted: dict[str, int] = {}

    def line(self, text: str) -> None:
        """Show a line about the work before the jobs."""
        if self._terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def begin(self, total: int) -> None:
        """Begin the display of this many jobs."""
        self.line("")
        self._total = total
        self._started = time.monotonic()
        if self._terminal:
            # For start-up: only on a terminal.
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        elif not self._quiet:
            print(f"{_jobs(total)} to run", file=sys.stderr, flush=True)

    def event(self, event: JobEvent) -> None:
        """A job starts or ends."""
        now = time.monotonic()
        if event.outcome is None:
            self._running[event.job] = now, event.others
        else:
            self._done += 1
            self._running.pop(event.job, None)
            self._recent = [*self._recent, (event.job, event.outcome)][-_RECENT:]
            self._wrong += event.outcome.contradicts(event.job.expected)
            word = event.outcome.verdict
            self._counted[word] = self._counted.get(word, 0) + 1
            if not self._terminal and not self._quiet:
                print(f"[{self._done}/{self._total}] {_line(event.job, event.outcome)}", file=sys.stderr, flush=True)
        if self._live is not None and (now - self._shown_at > _SECONDS_BETWEEN_PICTURES or self._done == self._total):
            self._refresh(now)

    def tick(self) -> None:
        """Update the times of running jobs."""
        now = time.monotonic()
        if self._live is not None and now - self._shown_at > _SECONDS_BETWEEN_TICKS:
            self._refresh(now)

    def close(self) -> None:
        """Remove the table, or the line of :meth:`line`."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        else:
            self.line("")

    def _refresh(self, now: float) -> None:
        assert self._live is not None
        self._shown_at = now
        self._live.update(self._picture(now, *self._live.console.size), refresh=True)

    def _picture(self, now: float, width: int, height: int) -> Table:
        # For start-up: only on a terminal.
        from rich import box
        from rich.table import Table
        from rich.text import Text

        widths = _widths(width, max((len(_method(row)) for row in self._shown()), default=0))
        table = Table(
            title=Text(self._title(now), "bold", no_wrap=True, overflow="ellipsis"),
            caption=Text(self._counts(), "bold red" if self._wrong else "", no_wrap=True, overflow="ellipsis"),
            title_justify="left",
            caption_justify="left",
            box=box.SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
            pad_edge=False,
            show_edge=False,
        )
        for name, room in widths.items():
            justify: Literal["left", "right"] = "right" if name == "seconds" else "left"
            table.add_column(name, width=room, no_wrap=True, overflow="ellipsis", justify=justify)
        room = widths["model"]
        running = list(self._running.items())[: max(1, height - _FRAME)]
        for job, outcome in self._recent[: max(0, height - _FRAME - len(running))]:
            style = "bold red" if outcome.contradicts(job.expected) else "dim"
            cells = (_model(job, room), _property(job), _method(job), _answer(job, outcome))
            table.add_row(*map(Text, cells), f"{outcome.wall_seconds:.1f}", style=style)
        for job, (since, others) in running:
            subject = f"{_jobs(others + 1)} from {_property(job)} on" if others else _property(job)
            table.add_row(*map(Text, (_model(job, room), subject, _method(job), "...")), f"{now - since:.0f}")
        return table

    def _shown(self) -> list[Job]:
        return [*(job for job, _ in self._recent), *self._running]

    def _title(self, now: float) -> str:
        done = f"{self._done} of {self._total} jobs"
        if not self._done:
            return done
        left = (now - self._started) / self._done * (self._total - self._done)
        return f"{done}, about {_duration(left)} left"

    def _counts(self) -> str:
        counts = ", ".join(f"{count} {word}" for word, count in sorted(self._counted.items()))
        return f"{self._wrong} WRONG, {counts}" if self._wrong else counts


def _widths(width: int, method: int) -> dict[str, int]:
    """Characters for each column of a table that is as wide as the terminal, at most ``_WIDEST``."""
    outcome = 17 if width < 100 else 28
    method = max(6, min(method, width // 6))
    # Two blanks after each column but the last; three at the right so that "^C" does not begin a line.
    rest = max(20, min(width - 3, _WIDEST) - outcome - method - _SECONDS - 8)
    model = min(rest * 2 // 5, 40)
    return {"model": model, "property": rest - model, "method": method, "outcome": outcome, "seconds": _SECONDS}


def current(rows: Iterable[Row]) -> tuple[list[Row], int]:
    """The rows that are about the present contents of their files, and the number of the others."""
    every = list(rows)
    kept = [row for row in every if row.is_current]
    return kept, len(every) - len(kept)


def summary(rows: Sequence[Row], left_out: int = 0) -> Iterator[str]:
    """The last lines of a batch: wrong verdicts, failures, and the number of jobs for each outcome.

    ``left_out`` is the number of jobs about earlier contents of their files.
    """
    wrong = [row for row in rows if row.is_wrong]
    for row in wrong:
        yield f"WRONG VERDICT: {_line(row.job, row.outcome)}"
        yield f"    {row.command}"
    yield from _failures(rows)
    missing = [warning for row in rows if (warning := unwritten(row.outcome.warnings)) is not None]
    if missing:
        yield one_line(f"NO EVIDENCE: {_jobs(len(missing))}: {missing[0]}")
    counts: dict[str, int] = {}
    for row in rows:
        outcome = row.outcome
        word = outcome.verdict
        if word == "unknown":
            word = f"unknown ({(outcome.reason or '').partition(':')[0]})"
        elif not outcome.certified and row.job.kind != "count":
            word += " (not certified)"
        counts[word] = counts.get(word, 0) + 1
    expected = sum(
        row.job.expected is not None and row.outcome.verdict != "unknown" and not row.is_wrong for row in rows
    )
    outcomes = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    yield f"{_jobs(len(rows))}: {outcomes}" if rows else "0 jobs: there is nothing to decide"
    seconds = sum(row.outcome.cpu_seconds for row in rows)
    yield f"{len(wrong)} wrong, {expected} as expected; {seconds:.0f} s of CPU time"
    if left_out:
        yield f"{_jobs(left_out)} about earlier contents of changed files left out"


def _jobs(count: int) -> str:
    return f"{count} job{'' if count == 1 else 's'}"


def _failures(rows: Sequence[Row]) -> Iterator[str]:
    """The reasons of failed jobs, each with the command of its first job."""
    failed: dict[str, list[Row]] = {}
    for row in rows:
        if failure_of(row.outcome.reason) is not None:
            failed.setdefault(row.outcome.reason or "", []).append(row)
    for reason, jobs in list(failed.items())[:_MOST_FAILURES]:
        yield one_line(f"FAILED: {_jobs(len(jobs))}: {reason}")
        yield f"    {jobs[0].command}"
    if len(failed) > _MOST_FAILURES:
        yield f"FAILED: {len(failed) - _MOST_FAILURES} more reasons, in symag report"


def _line(job: Job, outcome: JobOutcome) -> str:
    mark = "WRONG " if outcome.contradicts(job.expected) else ""
    problem = f"{_model(job)}: {_property(job)[:_LONGEST]} [{_method(job)}]"
    return one_line(f"{problem}: {mark}{_answer(job, outcome)}, {outcome.wall_seconds:.1f} s")


def _answer(job: Job, outcome: JobOutcome) -> str:
    text = f"unknown ({outcome.reason})" if outcome.verdict == "unknown" else outcome.answer()
    if outcome.contradicts(job.expected):
        text += f" instead of {job.expected}"
    return text


def _model(job: Job, room: int | None = None) -> str:
    """The name of the model's file, with its folder if both fit into ``room`` characters."""
    text = one_line("/".join(Path(job.model).parts[-2:]))
    return text if room is None or len(text) <= room else one_line(Path(job.model).name)


def _property(job: Job) -> str:
    text = " ".join(job.title().split())
    return text if job.target is None else f"||{job.target} {text}"


def _method(job: Job) -> str:
    return " ".join((job.method, *job.options))


def _duration(seconds: float) -> str:
    rounded = round(seconds)
    return f"{rounded} s" if rounded < 120 else f"{rounded // 60} min" if rounded < 7200 else f"{rounded / 3600:.1f} h"
