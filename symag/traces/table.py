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


STYLE = """
.symag-trace { color-scheme: light dark;
  --card: #ffffff; --ink: #1d2329; --soft: #69727c; --faint: #a6adb5; --line: #e4e2dd;
  --head: #f4f2ee; --changed: #ffe9b8; --changed-ink: #6b4700; --bad: #b42318; --bad-soft: #fde7e4;
  --good: #1a7f4b; --loop: #5b5bd6; --loop-soft: #ececfc; color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
  .symag-trace { --card: #1b1f23; --ink: #e6e8ea; --soft: #9aa4ae; --faint: #626b74; --line: #30363c;
    --head: #22272c; --changed: #4a3a12; --changed-ink: #ffdf9a; --bad: #ff8a7d; --bad-soft: #4a1f1b;
    --good: #6fd39b; --loop: #a5a5ff; --loop-soft: #2a2a4d; }
}
.symag-trace * { box-sizing: border-box; }
.symag-trace code, .symag-trace table, .symag-trace .value { font-family: ui-monospace, SFMono-Regular, Menlo,
  Consolas, "DejaVu Sans Mono", monospace; }
.symag-trace h1 { margin: .1rem 0 .3rem; font-size: 1.35rem; font-weight: 600; line-height: 1.35;
  overflow-wrap: anywhere; }
.symag-trace h1 code { font-weight: 600; }
.symag-trace .kicker { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .06em;
  text-transform: uppercase; }
.symag-trace .facts { margin: 0 0 1.1rem; color: var(--soft); }
.symag-trace .badge { display: inline-block; margin-left: .5rem; padding: .05rem .55rem; border-radius: 1rem;
  vertical-align: 2px; background: var(--bad-soft); color: var(--bad); font-size: .78rem; font-weight: 600;
  white-space: nowrap; }
.symag-trace label, .symag-trace .key { margin-right: 1.4rem; color: var(--soft); font-size: .88rem; }
.symag-trace label { cursor: pointer; }
.symag-trace input { margin: 0 .4rem 0 0; vertical-align: -1px; accent-color: var(--loop); }
.symag-trace .sample { padding: 0 .35rem; border-radius: 3px; background: var(--changed); color: var(--changed-ink); }
.symag-trace .scroll { margin-top: .7rem; overflow: auto; max-width: 100%; width: fit-content;
  border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.symag-trace table { margin: 0; border: 0; background: none; border-collapse: separate; border-spacing: 0;
  font-size: 13px; line-height: 1.35; }
.symag-trace th, .symag-trace td { padding: .28rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap;
  vertical-align: top; }
.symag-trace tbody:last-child tr:last-child > * { border-bottom: 0; }
.symag-trace thead th { position: sticky; top: 0; z-index: 2; background: var(--head); color: var(--soft);
  font-weight: 600; }
.symag-trace tbody th { position: sticky; left: 0; z-index: 1; max-width: 26rem; overflow: hidden;
  text-overflow: ellipsis;
  background: var(--card); border-right: 1px solid var(--line); font-weight: 500; }
.symag-trace thead th:first-child { left: 0; z-index: 3; border-right: 1px solid var(--line); }
.symag-trace .group th { padding-top: .75rem; border-right: 0; max-width: none;
  color: var(--soft); font: 600 .72rem/1.3 system-ui, sans-serif; letter-spacing: .06em; text-transform: uppercase; }
.symag-trace .group span { position: sticky; left: 0; }
.symag-trace .path { color: var(--faint); }
.symag-trace td.changed { background: var(--changed); color: var(--changed-ink); font-weight: 600; }
.symag-trace td.none { color: var(--faint); }
.symag-trace .f { color: var(--faint); }
.symag-trace td.changed .f { color: inherit; }
.symag-trace .yes { color: var(--good); }
.symag-trace .no { color: var(--bad); }
.symag-trace .no.whole { font-weight: 700; }
.symag-trace thead th.bad { background: var(--bad-soft); color: var(--bad); }
.symag-trace thead th.in-loop { box-shadow: inset 0 3px 0 var(--loop); }
.symag-trace thead th.back { background: var(--loop-soft); color: var(--loop); }
.symag-trace input.only-changes:checked ~ .scroll tr.still { display: none; }
.symag-trace input.no-defines:checked ~ .scroll .defines { display: none; }
.symag-trace footer { margin-top: .9rem; color: var(--soft); font-size: .8rem; }
"""
