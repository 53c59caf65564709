"""What a running batch shows, and the summary at its end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symag.batch.jobs import Job
from symag.batch.run import Event
from symag.batch.store import Outcome, Row

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

#: Finished jobs that the table on a terminal shows.
_RECENT = 8
_LONGEST = 60
_SECONDS_BETWEEN_PICTURES = 0.1


class Display:
    """On a terminal a table that changes, with the time left; else one line for each finished job. On standard error.

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
        self._running: dict[Job, float] = {}
        self._recent: list[tuple[Job, Outcome]] = []
        self._wrong = 0

    def line(self, text: str) -> None:
        """Something that happens before the jobs."""
        if self._terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def begin(self, total: int) -> None:
        """The jobs begin; there are so many."""
        self.line("")
        self._total = total
        self._started = time.monotonic()
        if self._terminal:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
            self._live.start()
        elif not self._quiet:
            print(f"{total} jobs to run", file=sys.stderr, flush=True)

    def event(self, event: Event) -> None:
        """A job starts or ends."""
        now = time.monotonic()
        if event.outcome is None:
            self._running[event.job] = now
        else:
            self._done += 1
            self._running.pop(event.job, None)
            self._recent = [*self._recent, (event.job, event.outcome)][-_RECENT:]
            self._wrong += event.outcome.contradicts(event.job.expected)
            if not self._terminal and not self._quiet:
                print(f"[{self._done}/{self._total}] {_line(event.job, event.outcome)}", file=sys.stderr, flush=True)
        if self._live is not None and (now - self._shown_at > _SECONDS_BETWEEN_PICTURES or self._done == self._total):
            self._shown_at = now
            self._live.update(self._picture(now), refresh=True)

    def close(self) -> None:
        """Remove the table."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _picture(self, now: float) -> Table:
        from rich.table import Table

        left = (now - self._started) / self._done * (self._total - self._done) if self._done else None
        title = f"{self._done} of {self._total} jobs"
        if left is not None:
            title += f", about {_duration(left)} left"
        if self._wrong:
            title += f", [bold red]{self._wrong} WRONG[/]"
        table = Table(title=title, expand=False)
        for name in ("model", "property", "method", "outcome", "seconds"):
            table.add_column(name, no_wrap=True, overflow="ellipsis")
        for job, outcome in self._recent:
            style = "bold red" if outcome.contradicts(job.expected) else "dim"
            table.add_row(*_cells(job), _found(job, outcome), f"{outcome.wall_seconds:.1f}", style=style)
        for job, since in self._running.items():
            table.add_row(*_cells(job), "...", f"{now - since:.0f}")
        return table


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """The lines that end a batch: wrong verdicts first, then how many of each outcome."""
    wrong = [row for row in rows if row.is_wrong]
    for row in wrong:
        yield f"WRONG VERDICT: {_line(row.job, row.outcome)}"
        yield f"    {row.command}"
    counts: dict[str, int] = {}
    for row in rows:
        found = row.outcome
        word = found.verdict
        if word == "unknown":
            word = f"unknown ({(found.reason or '').partition(':')[0]})"
        elif not found.certified and row.job.kind != "count":
            word += " (not certified)"
        counts[word] = counts.get(word, 0) + 1
    expected = sum(
        row.job.expected is not None and row.outcome.verdict != "unknown" and not row.is_wrong for row in rows
    )
    yield f"{len(rows)} jobs: " + ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    seconds = sum(row.outcome.cpu_seconds for row in rows)
    yield f"{len(wrong)} wrong, {expected} as expected; {seconds:.0f} s of CPU time"


def _line(job: Job, outcome: Outcome) -> str:
    model, text, method = _cells(job)
    mark = "WRONG " if outcome.contradicts(job.expected) else ""
    return f"{model}: {text} [{method}]: {mark}{_found(job, outcome)}, {outcome.wall_seconds:.1f} s"


def _found(job: Job, outcome: Outcome) -> str:
    found = f"unknown ({outcome.reason})" if outcome.verdict == "unknown" else outcome.answer()
    if outcome.contradicts(job.expected):
        found += f" instead of {job.expected}"
    return found


def _cells(job: Job) -> tuple[str, str, str]:
    text = " ".join(job.text.split())
    if job.target is not None:
        text = f"||{job.target} {text}"
    method = " ".join((job.method, *job.options))
    return "/".join(Path(job.model).parts[-2:]), text[:_LONGEST], method


def _duration(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min" if whole < 7200 else f"{whole / 3600:.1f} h"
