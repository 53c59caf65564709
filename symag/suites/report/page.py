"""One self-contained HTML page of results: it loads nothing, and its tables can be sorted and filtered.

Wrong verdicts come first. Plots are SVG elements; the script is short, and the data are texts in table cells.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from html import escape
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

from symag.suites.report import plots
from symag.suites.report.names import below, common_folder
from symag.suites.report.page_style import SCRIPT, STYLE
from symag.suites.report.scores import MethodComparison, changes, is_solved, no_change_text
from symag.suites.report.tables import (
    TextTable,
    changes_table,
    disagreements_table,
    paper_tables,
    result_rows,
    results_table,
    scores_table,
)
from symag.suites.store import Row

#: Cells that begin with one of these have a mark and a colour.
_VERDICTS = ("holds", "violated", "unknown")
#: Longer texts are cut in a table; a tool tip has the whole text.
_LONGEST = 60
#: Longer texts are broken into lines, in a column with a minimal width.
_SHORT = 24
#: Scatter plots are drawn for this many pairs of methods, those with the most problems in common.
_PAIRS = 6


def page(title: str, rows: Sequence[Row], earlier: Sequence[Row] | None = None, where: Path | None = None) -> str:
    """The page; ``earlier`` are the rows of another file, with which a table compares.

    ``where`` is the folder of the page, at which the links to traces and proofs start.
    """
    folder = common_folder([*rows, *(earlier or ())])
    rows = below(rows, folder)
    earlier = None if earlier is None else below(earlier, folder)
    comparison = MethodComparison.of(rows)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
        f"<h1>{escape(title)}</h1>",
        *_facts(rows, comparison, folder),
        *_wrong(rows),
        *_section("Methods", _table(scores_table(comparison), "methods")),
        *_plots(comparison),
    ]
    if earlier is not None:
        table = changes_table(changes(earlier, rows))
        none = f"<p>{escape(no_change_text(earlier, rows).capitalize())}.</p>"
        parts += _section("What changed", _table(table.compact(), "changes") if table.rows else [none])
    disagreements = disagreements_table(comparison)
    if disagreements.rows:
        parts += _section("Disagreements between methods", _table(disagreements.compact(), "disagreements"))
    for table in paper_tables(rows):
        parts += _section(f"In the columns of {table.title}", _table(table.compact(), table.title))
    parts += _section("Results", [_FILTER, *_table(results_table(rows).compact(), "results", result_rows(rows), where)])
    parts += ["<footer>Written by symag.</footer></main>", f"<script>{SCRIPT}</script></body></html>"]
    return "\n".join(parts) + "\n"


_FILTER = (
    '<p class="filter"><label>Filter <input type="search" id="filter" placeholder="words, all of which a row has">'
    '</label> <output id="shown"></output></p>'
)


def _facts(rows: Sequence[Row], comparison: MethodComparison, folder: str) -> Iterator[str]:
    seconds = sum(row.outcome.cpu_seconds for row in rows)
    # Counted as in the table of methods: of jobs that differ only in their limits, the later one counts.
    counted = list(comparison.cells.values())
    facts = [
        f"{len(rows)} jobs on {len(comparison.problems)} problems",
        f"{sum(is_solved(row) for row in counted)} solved",
        f"{sum(row.outcome.verdict == 'unknown' for row in counted)} undecided",
        f"{sum(row.is_wrong for row in counted)} wrong",
        f"{seconds:.0f} s of CPU time",
    ]
    if len(counted) < len(rows):
        facts.insert(1, f"{len(rows) - len(counted)} asked again with other limits, and not counted")
    yield f'<p class="facts">{escape(" · ".join(facts))}</p>'
    for description in sorted({row.machine for row in rows}):
        machine = json.loads(description)
        libraries = ", ".join(f"{name} {version}" for name, version in machine["libraries"].items())
        yield (
            f'<p class="facts">symag {escape(machine["symag"])}, Python {escape(machine["python"])}; '
            f"{escape(libraries)}; "
            f"{escape(machine['processor'])}, {machine['cores']} cores, {machine['memory_mib']} MiB</p>"
        )
    finished = sorted(row.finished for row in rows)
    if finished:
        span = finished[0] if finished[0] == finished[-1] else f"{finished[0]} to {finished[-1]}"
        yield f'<p class="facts">Jobs ended {escape(span)}.</p>'
    limits = sorted({_limits_text(row) for row in rows})
    where = f" Models are below {folder}." if folder else ""
    yield f'<p class="facts">Limits of a job: {escape(" or ".join(limits))}.{escape(where)}</p>'


def _limits_text(row: Row) -> str:
    limits = row.limits
    texts = [
        f"{value:g} {unit}"
        for value, unit in ((limits.wall, "s"), (limits.cpu, "s of CPU time"), (limits.memory, "MiB"))
        if value is not None
    ]
    return ", ".join(texts) or "none"


def _wrong(rows: Sequence[Row]) -> Iterator[str]:
    wrong = [row for row in rows if row.is_wrong]
    if wrong:
        yield '<section class="wrong" id="wrong"><h2>Wrong verdicts</h2><ul>'
        for row in wrong:
            text = f"{row.outcome.answer()} instead of {row.job.expected}"
            yield f"<li><strong>{escape(text)}</strong>: <code>{escape(row.command)}</code></li>"
        yield "</ul></section>"


def _plots(comparison: MethodComparison) -> Iterator[str]:
    if not plots.is_available():
        yield f"<section><h2>Plots</h2><p>{escape(plots.MISSING)}</p></section>"
        return
    limits = {row.limits.cpu or row.limits.wall for row in comparison.cells.values()}
    limit = limits.pop() if len(limits) == 1 else None
    seconds = {method: comparison.seconds(method) for method in comparison.methods}
    figures = [("Problems solved within a time", plots.cactus(seconds, limit))]
    pairs = [(left, right, comparison.pairs(left, right)) for left, right in combinations(comparison.methods, 2)]
    for left, right, rows in sorted(pairs, key=lambda pair: -len(pair[2]))[:_PAIRS]:
        if rows:
            points = [(_seconds(one), _seconds(other), _group(one, other)) for one, other in rows]
            figures.append((f"{left} against {right}", plots.scatter(points, left, right, limit)))
    yield "<section><h2>Plots</h2>"
    for caption, picture in figures:
        yield f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>"
    yield "</section>"


def _seconds(row: Row) -> float | None:
    return row.outcome.cpu_seconds if is_solved(row) else None


def _group(one: Row, other: Row) -> str:
    return next((row.outcome.verdict for row in (one, other) if is_solved(row)), "unknown")


def _section(title: str, content: Sequence[str] | Iterator[str]) -> list[str]:
    return [f"<section><h2>{escape(title)}</h2>", *content, "</section>"]


def _table(table: TextTable, name: str, rows: Sequence[Row] | None = None, where: Path | None = None) -> Iterator[str]:
    """The table; with the ``rows`` that it shows, a last column has their commands and pages."""
    yield f'<div class="scroll" tabindex="0"><table id="{name}" class="sortable"><thead><tr>'
    for heading, number in zip(table.header, table.numbers, strict=True):
        style = ' class="number"' if number else ""
        yield f'<th{style} aria-sort="none"><button type="button">{escape(heading)}</button></th>'
    if rows is not None:
        yield '<th aria-sort="none"><button type="button">more</button></th>'
    yield "</tr></thead><tbody>"
    for index, row in enumerate(table.rows):
        wrong = any(cell.startswith("WRONG") for cell in row)
        more = "" if rows is None else _more(rows[index], where)
        yield f"<tr{' class=wrong' if wrong else ''}>" + "".join(_cells(table, row)) + more + "</tr>"
    yield "</tbody></table></div>"


def _more(row: Row, where: Path | None) -> str:
    """The pages of a row's trace and proof, if there are any, and the command that runs it again."""
    links = []
    for word, path in (("trace", row.outcome.trace), ("proof", row.outcome.certificate)):
        if isinstance(path, str) and path.endswith(".html"):
            target = os.path.relpath(path, where) if where is not None else path
            links.append(f'<a href="{escape(quote(target))}">{word}</a> ')
    return f"<td>{''.join(links)}<details><summary>command</summary><code>{escape(row.command)}</code></details></td>"


def _cells(table: TextTable, row: Sequence[str]) -> Iterator[str]:
    for cell, number in zip(row, table.numbers, strict=True):
        verdict = cell.removeprefix("WRONG ").partition(" ")[0]
        kind = "number" if number else "long" if len(cell) > _SHORT else verdict if verdict in _VERDICTS else ""
        style = f' class="{kind}"' if kind else ""
        if len(cell) > _LONGEST:
            yield f'<td{style} title="{escape(cell)}">{escape(cell[: _LONGEST - 1])}…</td>'
        else:
            yield f"<td{style}>{escape(cell)}</td>"
