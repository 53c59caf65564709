"""One self-contained HTML page of results: it loads nothing, and its tables can be sorted and filtered.

Wrong verdicts come first. Plots are SVG elements; the script is short, and the data are texts in table cells.
"""

from __future__ import annotations

import json
import os
import os.path
from collections.abc import Iterator, Sequence
from html import escape
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

from symag.core.values import replace
from symag.suites.report import plots
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
    for path, word in row.outcome.pages().items():
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


def common_folder(rows: Sequence[Row]) -> str:
    """The deepest folder above all models; empty if that is the root or the current folder."""
    try:
        folder = os.path.commonpath([os.path.dirname(row.job.model) for row in rows])
    except ValueError:  # no rows, or absolute and relative paths
        return ""
    return "" if folder == os.sep else folder


def below(rows: Sequence[Row], folder: str) -> list[Row]:
    """The rows with the paths of models below ``folder``; their commands are unchanged."""
    if not folder:
        return list(rows)
    return [replace(row, job=replace(row.job, model=os.path.relpath(row.job.model, folder))) for row in rows]


"""The style sheet and the script of a report's page."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --faint: #5c6773; --line: #d5dbe2; --paper: #ffffff; --wash: #f3f6f9;
  --accent: #2f5f9e; --good: #14693d; --bad: #a3262a; --bad-wash: #fbeaea; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --faint: #9aa6b2; --line: #38424d; --paper: #14191f;
  --wash: #1c232b; --accent: #8db4e6; --good: #6fd39b; --bad: #ff9a94; --bad-wash: #3a1d1f; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
.facts, footer, figcaption, #shown { color: var(--faint); font-size: .87rem; margin: .15rem 0; }
.scroll { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.long { white-space: normal; overflow-wrap: anywhere; min-width: 13rem; }
tbody tr:last-child td { border-bottom: 0; }
th { background: var(--wash); position: sticky; top: 0; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 2px solid var(--accent); }
th[aria-sort=ascending] button::after { content: " \\25B2"; }
th[aria-sort=descending] button::after { content: " \\25BC"; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.wrong td, section.wrong { background: var(--bad-wash); color: var(--bad); }
section.wrong { margin-top: 1rem; border: 2px solid var(--bad); border-radius: 6px; padding: 0 1rem 1rem; }
section.wrong h2 { margin-top: 1rem; }
td.holds { color: var(--good); }
td.holds::before { content: "\\2713  "; }
td.violated { color: var(--bad); }
td.violated::before { content: "\\2717  "; }
td.unknown { color: var(--faint); }
td.unknown::before { content: "?  "; }
a { color: var(--accent); }
details summary { cursor: pointer; color: var(--accent); }
details code { display: block; white-space: normal; min-width: 16rem; }
code { font-size: .85rem; overflow-wrap: anywhere; }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; vertical-align: top; background: #ffffff; color: #1d2530;
  border: 1px solid var(--line); border-radius: 6px; padding: .5rem; max-width: 100%; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: #5c6773; }
@media (prefers-color-scheme: dark) { figure { background: var(--wash); color: var(--ink); }
  figure svg { filter: invert(.88) hue-rotate(180deg); } figcaption { color: var(--faint); } }
input[type=search] { font: inherit; padding: .25rem .5rem; min-width: 18rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--paper); color: var(--ink); }
"""

SCRIPT = """
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => heading.querySelector("button").addEventListener("click", () => {
    const descending = heading.getAttribute("aria-sort") === "ascending";
    const sign = descending ? -1 : 1;
    const numeric = heading.classList.contains("number");
    const value = row => row.cells[column].title || row.cells[column].textContent;
    const number = row => value(row) === "" || isNaN(value(row)) ? Infinity : Number(value(row));
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => {
      if (!numeric) return sign * value(one).localeCompare(value(other));
      const [left, right] = [number(one), number(other)];
      return left === right ? 0 : left === Infinity ? 1 : right === Infinity ? -1 : sign * (left - right);
    });
    table.tBodies[0].append(...rows);
    for (const each of headings) each.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  }));
}
const field = document.getElementById("filter");
const shown = document.getElementById("shown");
function filter() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll("#results tbody tr")];
  let count = 0;
  for (const row of rows) {
    const text = [...row.cells].map(cell => cell.title || cell.textContent).join(" ").toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
    if (!row.hidden) count += 1;
  }
  shown.textContent = `${count} of ${rows.length} rows`;
}
field.addEventListener("input", filter);
filter();
"""
