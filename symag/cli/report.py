"""``symag report``: tables and plots of a batch's results."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import click

from symag.cli.output.batch_display import current, summary
from symag.cli.output.streams import warn
from symag.cli.status import ALL_HOLD, CONTRADICTION
from symag.core.errors import UsageError
from symag.core.files import write_file
from symag.core.input_files import add_input
from symag.suites.report import plots
from symag.suites.report.page import below, common_folder, page
from symag.suites.report.scores import MethodComparison, changes, no_change_text
from symag.suites.report.tables import (
    TextTable,
    changes_table,
    disagreements_table,
    paper_tables,
    results_table,
    scores_table,
)
from symag.suites.store import Results, Row

_FILE = click.Path(path_type=Path)


@click.command("report", short_help="Show the results of a batch.")
@click.argument("results", metavar="RESULTS.sqlite", type=_FILE)
@click.option("--html", type=_FILE, metavar="PAGE.html", help="One self-contained page.")
@click.option("--csv", type=_FILE, metavar="FOLDER", help="Every table as comma-separated values.")
@click.option("--latex", type=_FILE, metavar="FOLDER", help="Every table for LaTeX (longtable, array).")
@click.option("--compare", type=_FILE, metavar="OTHER.sqlite", help="What changed since these results.")
@click.option("--title", help="The page's title (default: the file's name).")
def command(
    results: Path, html: Path | None, csv: Path | None, latex: Path | None, compare: Path | None, title: str | None
) -> int:
    """Show the results of a batch: scores of the methods, plots, and a table of all jobs, wrong verdicts first.

    --csv and --latex also write a table with the columns of each of the five papers whose methods were run.

    Exit status: 0, or 20 if a verdict contradicts an expected one.

    \b
    Example:
      symag report results.sqlite --html results.html --csv tables
    """
    rows, left_out = _rows(results)
    if not rows:
        raise UsageError(f"{results}: there are no results in it yet")
    earlier = None if compare is None else _rows(compare)[0]
    if html is not None:
        if not plots.is_available():
            warn(f"warning: {plots.MISSING}")
        _warn_of_missing(rows)
        _write(html, page(title or results.stem, rows, earlier, html.resolve().parent))
    if csv is not None:
        for table in _tables(rows, earlier):
            _write(csv / f"{table.title.lower()}.csv", table.csv())
    if latex is not None:
        # For print: short names of models, no empty columns.
        shared = common_folder([*rows, *(earlier or ())])
        for table in _tables(below(rows, shared), None if earlier is None else below(earlier, shared)):
            _write(latex / f"{table.title.lower()}.tex", table.compact().latex())
    for line in summary(rows, left_out):
        print(line)
    for score in MethodComparison.of(rows).scores():
        par2 = "-" if score.par2 is None else f"{score.par2:.2f}"
        print(f"{score.method}: {score.solved} of {score.answers} solved, {score.wins} wins, PAR-2 {par2}")
    if earlier is not None:
        problem_changes = changes(earlier, rows)
        for change in problem_changes:
            print(f"{change.what}: {' '.join(filter(None, change.problem[:4]))} [{change.method}]")
        if not problem_changes:
            print(no_change_text(earlier, rows))
    return CONTRADICTION if any(row.is_wrong for row in rows) else ALL_HOLD


def _warn_of_missing(rows: Sequence[Row]) -> None:
    """Warn of pages of evidence that are not there: their paths start where the batch was started."""
    pages = {path for row in rows for path in row.outcome.pages()}
    missing = sorted(path for path in pages if not Path(path).exists())
    if missing:
        count = f"{len(missing)} of {len(pages)} pages of evidence are"
        warn(f"warning: {count} not there, such as {missing[0]}; relative paths start at the folder of the batch")


def _rows(path: Path) -> tuple[list[Row], int]:
    """The rows that count, and the number of those that are superseded."""
    add_input(str(path))
    with Results(path, writing=False) as results:
        return current(results.rows())


def _tables(rows: Sequence[Row], earlier: Sequence[Row] | None) -> list[TextTable]:
    comparison = MethodComparison.of(rows)
    tables = [scores_table(comparison), disagreements_table(comparison), results_table(rows), *paper_tables(rows)]
    return tables if earlier is None else [*tables, changes_table(changes(earlier, rows))]


def _write(path: Path, text: str) -> None:
    """Write a file and its folder. Raises UsageError."""
    with contextlib.suppress(FileExistsError):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text)
