"""``symag batch``: many models, under limits, resumable."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from msgspec import Struct

from symag.cli.forks import forked, import_for
from symag.cli.options.settings import batch_limit_options, packed
from symag.cli.output.batch_display import Display, current, summary
from symag.cli.output.streams import warn
from symag.cli.status import ALL_HOLD, BAD_INPUT, CONTRADICTION, INTERNAL_ERROR, INTERRUPTED, WRONG_USAGE
from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.suites.distributed import run as run_distributed
from symag.suites.jobs import Failure, Job, failure_of, unwritten
from symag.suites.run import Batch
from symag.suites.store import Results, Row, has_rows
from symag.suites.suites import Suite, jobs, shown, suite

#: The exit status of a batch with failed jobs: that of the first failure in this order.
_STATUS: Mapping[Failure, int] = {
    "crashed": INTERNAL_ERROR,
    "internal error": INTERNAL_ERROR,
    "re-check refused": INTERNAL_ERROR,
    "wrong usage": WRONG_USAGE,
    "bad input": BAD_INPUT,
}


class JobEvidence(Struct, frozen=True):
    """The folder for the evidence of all jobs (None: it is not written), and whether it is HTML pages.

    ``reuse``: the proof of an earlier version of a model in the folder is tried first.

    Raises UsageError for pages without a folder.
    """

    folder: Path | None
    pages: bool
    reuse: bool

    def __post_init__(self) -> None:
        if self.pages and self.folder is None:
            raise UsageError("--pages is for --evidence FOLDER")


class JobProcesses(Struct, frozen=True):
    """How many processes run at a time, whether one decides all properties of a model, and the scheduler for them.

    Without ``scheduler`` they run on this machine. Raises UsageError for ``together`` with a scheduler.
    """

    workers: int
    together: bool
    scheduler: str | None

    def __post_init__(self) -> None:
        if self.together and self.scheduler is not None:
            raise UsageError("--together is for local jobs: it cannot be used with --scheduler")


@click.command("batch", short_help="Decide all properties of many models.")
@click.argument("suite_given", metavar="SUITE", type=click.Path())
@click.option(
    "--output",
    "output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="RESULTS.sqlite",
    help="The file of results.",
)
@click.option("--resume", is_flag=True, help="Continue RESULTS.sqlite: run only the jobs that it does not have.")
@click.option(
    "--method", "methods", multiple=True, metavar="NAME", help="A method for every job (repeatable; default: auto)."
)
@click.option(
    "--expected", multiple=True, type=click.Path(path_type=Path), metavar="FILE.json", help="Verdicts of another tool."
)
@click.option(
    "--jobs", "workers", type=click.IntRange(min=1), default=2, show_default=True, help="Jobs that run at a time."
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write certificates and traces to this folder.",
)
@click.option("--pages", is_flag=True, help="Write the evidence as HTML pages, to which the report links.")
@click.option(
    "--reuse/--no-reuse",
    default=True,
    show_default=True,
    help="With --resume and --evidence: try the proof of a changed model's last version first, where it mostly pays.",
)
@click.option(
    "--together",
    is_flag=True,
    help="Decide the properties of a model in one process: faster, but their times are no independent measurements.",
)
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="Run the jobs on the workers of a dask scheduler.")
@batch_limit_options
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@packed("evidence", JobEvidence, "evidence", "pages", "reuse")
@packed("processes", JobProcesses, "workers", "together", "scheduler")
def command(
    suite_given: str,
    output: Path,
    resume: bool,
    methods: tuple[str, ...],
    expected: tuple[Path, ...],
    evidence: JobEvidence,
    processes: JobProcesses,
    limits: JobLimits,
    quiet: bool,
) -> int:
    """Run every property of every model of SUITE, each in a process of its own, and keep the results.

    With --together one process decides all properties of a model, as symag check MODEL does.

    SUITE is a folder, a pattern ('models/*.smv'), a model, a file of verdicts of another tool, or a .toml file that
    names models, properties, methods, options and expected verdicts. A folder's own verdict files are used.

    Exit status: 0 all jobs are done (decided or stopped by a limit), 20 a verdict contradicts an expected one,
    1 a job crashed, a re-check refused its evidence, or the results cannot be written, 2 wrong usage, of the batch or
    of a job, or evidence cannot be written, 3 a model cannot be read, 130 interrupted.

    \b
    Example:
      symag batch 'models/s*.smv' --output results.sqlite --timeout 60 --memory 4096
    """
    models = suite(suite_given, methods or ("auto",), expected)
    if not resume and has_rows(output):
        raise UsageError(f"{output} exists already: --resume continues it")
    if processes.scheduler is not None and evidence.folder is not None:
        raise UsageError("--evidence is for local jobs: it cannot be used with --scheduler")
    if models.left_out and not quiet:
        warn(f"warning: {len(models.left_out)} left out: {shown(models.left_out)}")
    display = Display(quiet)
    with Results(output, writing=True) as results:
        try:
            batch = _batch(results, limits, processes, evidence, display)
            waiting = _waiting(batch, models, display, quiet)
            display.begin(len(waiting))
            if processes.scheduler is None:
                import_for([job.model for job in waiting.values()], len(batch.processes(waiting)))
                batch.run(waiting)
            else:
                run_distributed(batch, waiting, processes.scheduler)
        except KeyboardInterrupt:
            display.close()
            warn(f"interrupted; symag batch with --resume continues it ({output})")
            return INTERRUPTED
        except UsageError:
            display.close()
            raise
        except (sqlite3.Error, OSError) as error:
            display.close()
            warn(f"{output}: cannot continue: {error}; committed results are kept, --resume continues")
            return INTERNAL_ERROR
        display.close()
        rows, left_out = current(results.rows())
    for line in summary(rows, left_out):
        print(line)
    return status_of(rows)


def status_of(rows: Sequence[Row]) -> int:
    """The exit status of a batch with these rows."""
    if any(row.is_wrong for row in rows):
        return CONTRADICTION
    failures = {failure_of(row.outcome.reason) for row in rows}
    if any(unwritten(row.outcome.warnings) is not None for row in rows):
        failures.add("wrong usage")
    return next((status for failure, status in _STATUS.items() if failure in failures), ALL_HOLD)


def _batch(
    results: Results, limits: JobLimits, processes: JobProcesses, evidence: JobEvidence, display: Display
) -> Batch:
    """The batch that the options describe."""
    return Batch(
        results,
        limits,
        processes.workers,
        evidence.folder,
        display.event,
        display.tick,
        evidence.pages,
        evidence.reuse,
        forked,
        together=processes.together,
    )


def _waiting(batch: Batch, models: Suite, display: Display, quiet: bool) -> dict[str, Job]:
    """The jobs of the suite that have no row."""
    names = [str(model) for model in models.models()]
    import_for(names, len(names))
    # The properties that are listed then are those of these contents, or of changed models.
    batch.contents.read(names)
    planned = jobs(models, batch.limits, batch.workers, display.line, forked)
    if not quiet:
        _warn_of_no_properties(models, planned)
    return batch.waiting(planned)


def _warn_of_no_properties(models: Suite, planned: Sequence[Job]) -> None:
    """Warn in one line of the models without jobs."""
    with_jobs = {job.model for job in planned}
    empty = list(dict.fromkeys(str(entry.model) for entry in models.entries if str(entry.model) not in with_jobs))
    if empty:
        has = "model has" if len(empty) == 1 else "models have"
        of_targets = " of the given targets" if any(entry.targets for entry in models.entries) else ""
        warn(f"warning: {len(empty)} {has} no properties{of_targets}: {shown(empty)}")
