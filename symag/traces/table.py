"""A trace as a table within another page, such as a notebook: a column for each state, formulas above.

It loads nothing and needs no JavaScript: its two switches are check boxes that the style sheet reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from html import escape

from symag.traces.html import content_of
from symag.traces.page.content import Content, Signal
from symag.traces.report import TraceReport
from symag.traces.table_style import STYLE

#: Longer texts are cut in the table and the heading; a tool tip has the whole text.
_LONGEST = 160
#: A table with more rows first shows only those that change.
_MANY_ROWS = 40


def fragment(report: TraceReport, note: str) -> str:
    """The heading, the table and a note with their style, to be put into another page, such as a notebook."""
    content = content_of(report)
    parts = [f"<style>{STYLE}</style>", '<div class="symag-trace">', *_heading(report, content)]
    return "\n".join([*parts, *_table(report, content), f"<footer>{escape(note)}</footer>", "</div>"])


def _heading(report: TraceReport, content: Content) -> Iterator[str]:
    yield f'<p class="kicker">{report.purpose}</p>'
    if report.property:
        badge = '<span class="badge">violated</span>'
        yield f'<h1 title="{escape(report.property)}"><code>{escape(_cut(report.property))}</code>{badge}</h1>'
    else:
        yield f"<h1>{escape(report.description)}</h1>"
    yield f'<p class="facts">{escape(" · ".join(content.facts))}</p>'


def _table(report: TraceReport, content: Content) -> Iterator[str]:
    kinds = ("formula", "state", "frozen", "input", "define")
    rows = sorted(content.signals, key=lambda row: kinds.index(row.kind))
    crowded = " checked" if len(rows) > _MANY_ROWS else ""
    # A notebook may show several tables, each with switches of its own.
    own = hashlib.sha256(json.dumps(report.trace.to_json()).encode()).hexdigest()[:8]
    yield f'<input type="checkbox" class="only-changes" id="changes-{own}"{crowded}>'
    yield f'<label for="changes-{own}">Only rows that change</label>'
    if report.defines:
        yield f'<input type="checkbox" class="no-defines" id="defines-{own}">'
        yield f'<label for="defines-{own}">Without DEFINEs</label>'
    yield '<span class="key"><span class="sample">value</span> changed from the state before</span>'
    yield '<div class="scroll" tabindex="0"><table>'
    yield from _head(report)
    group = None
    for row in rows:
        if row.group != group:
            if group is not None:
                yield "</tbody>"
            group = row.group
            yield f'<tbody class="{row.kind + "s" if row.kind in ("formula", "define") else "variables"}">'
            span = len(report.trace.steps) + 1 + (report.trace.loop is not None)
            yield f'<tr class="group"><th scope="rowgroup" colspan="{span}"><span>{escape(group)}</span></th></tr>'
        yield _line(row, report)
    if group is not None:
        yield "</tbody>"
    yield "</table></div>"


def _head(report: TraceReport) -> Iterator[str]:
    main = next((formula for formula in report.formulas if formula.depth == 0), None)
    loop = report.trace.loop
    cells = ['<th scope="col">state</th>']
    for index in range(len(report.trace.steps)):
        marks = []
        if main is not None and main.truths[index] is False:
            marks.append("bad")
        if loop is not None and index >= loop:
            marks.append("in-loop")
        classes = f' class="{" ".join(marks)}"' if marks else ""
        cells.append(f'<th scope="col"{classes}>{index + 1}</th>')
    if loop is not None:
        cells.append(f'<th scope="col" class="back" title="the loop: back to state {loop + 1}">&#8617; {loop + 1}</th>')
    yield f"<thead><tr>{''.join(cells)}</tr></thead>"


def _line(row: Signal, report: TraceReport) -> str:
    before: str | None = None
    cells = []
    for index, shown in enumerate(row.column):
        changed = index > 0 and shown is not None and before is not None and shown != before
        cells.append(_cell(shown, row, changed))
        before = shown if shown is not None else before
    if report.trace.loop is not None:
        again = row.column[report.trace.loop]
        cells.append(_cell(again, row, again != before))
    changes = len({*row.column, None}) > 2
    still = "" if changes or row.kind == "formula" else ' class="still"'
    indent = f' style="padding-left:{0.7 + 1.1 * row.depth:.1f}rem"' if row.depth else ""
    path, _, last = ("", "", row.name) if row.kind == "formula" else row.name.rpartition(".")
    name = (f'<span class="path">{escape(path)}.</span>' if path else "") + escape(_cut(last))
    return f'<tr{still}><th scope="row"{indent} title="{escape(row.name)}">{name}</th>{"".join(cells)}</tr>'


def _cell(shown: str | None, row: Signal, changed: bool) -> str:
    if shown is None:
        return '<td class="none">&middot;</td>'
    mark = ' class="changed"' if changed else ""
    if row.kind == "formula":
        weight = "" if row.depth else " whole"
        return f'<td class="yes{weight}">true</td>' if shown == "TRUE" else f'<td class="no{weight}">false</td>'
    value = f'<span class="f">{escape(shown)}</span>' if shown == "FALSE" else escape(shown)
    return f"<td{mark}>{value}</td>"


def _cut(shown: str) -> str:
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + " ..."
