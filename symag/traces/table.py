"""A table of a trace for a page of somebody else, such as a notebook: a column for each state, formulas above.

It loads nothing and needs no JavaScript: its two switches are check boxes that style sheets read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from symag.traces.report import TraceReport
from symag.traces.table_style import STYLE

#: Longer texts are cut in the table and the heading; the whole stands in a tool tip.
_LONGEST = 160
#: From this many rows on, the page first shows only those that change.
_MANY_ROWS = 40


def fragment(report: TraceReport, note: str) -> str:
    """The heading, the table and a note with their style, for a page of somebody else: a notebook."""
    parts = [f"<style>{STYLE}</style>", '<div class="symag-trace">', *_heading(report), *_table(report)]
    return "\n".join([*parts, f"<footer>{escape(note)}</footer>", "</div>"])


def _heading(report: TraceReport) -> Iterator[str]:
    count = len(report.trace.steps)
    facts = [f"{report.word} of {report.model}" if report.property else report.model]
    facts.append(f"{count} state{'s' if count != 1 else ''}")
    if report.trace.loop is not None:
        facts.append(f"then again from state {report.trace.loop + 1} for ever")
    yield f'<p class="kicker">{report.purpose}</p>'
    if report.property:
        badge = '<span class="badge">violated</span>'
        yield f'<h1 title="{escape(report.property)}"><code>{escape(_cut(report.property))}</code>{badge}</h1>'
    else:
        yield f"<h1>{escape(report.description)}</h1>"
    yield f'<p class="facts">{escape(" · ".join(fact for fact in facts if fact))}</p>'


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the table; ``truth`` rows hold ``TRUE``/``FALSE`` of formulas."""

    group: str
    kind: str
    name: str
    texts: tuple[str | None, ...]
    depth: int = 0

    @property
    def changes(self) -> bool:
        known = [shown for shown in self.texts if shown is not None]
        return len(set(known)) > 1


def _rows(report: TraceReport) -> Iterator[_Row]:
    steps = report.trace.steps
    for formula in report.formulas:
        truths = tuple(None if truth is None else str(truth).upper() for truth in formula.truths)
        yield _Row("Property and its parts", "formula", formula.text, truths, formula.depth)
    for frozen, group in ((False, "State"), (True, "Frozen")):
        for name, domain in report.states.items():
            if (name in report.frozen) is frozen:
                texts = [None if name not in step.state else domain.text(step.state[name]) for step in steps]
                yield _Row(group, "variable", name, tuple(texts))
    for name, domain in report.inputs.items():
        texts = [None if name not in step.inputs else domain.text(step.inputs[name]) for step in steps]
        yield _Row("Inputs, on the way to the next state", "variable", name, tuple(texts))
    for define in report.defines:
        yield _Row("DEFINEs", "define", define.name, define.texts)


def _table(report: TraceReport) -> Iterator[str]:
    rows = list(_rows(report))
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
            yield f'<tbody class="{"defines" if row.kind == "define" else row.kind + "s"}">'
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


def _line(row: _Row, report: TraceReport) -> str:
    texts: Sequence[str | None] = row.texts
    before: str | None = None
    cells = []
    for index, shown in enumerate(texts):
        changed = index > 0 and shown is not None and before is not None and shown != before
        cells.append(_cell(shown, row, changed))
        before = shown if shown is not None else before
    if report.trace.loop is not None:
        cells.append(_cell(texts[report.trace.loop], row, texts[report.trace.loop] != before))
    still = "" if row.changes or row.kind == "formula" else ' class="still"'
    indent = f' style="padding-left:{0.7 + 1.1 * row.depth:.1f}rem"' if row.depth else ""
    path, _, last = ("", "", row.name) if row.kind == "formula" else row.name.rpartition(".")
    name = (f'<span class="path">{escape(path)}.</span>' if path else "") + escape(_cut(last))
    return f'<tr{still}><th scope="row"{indent} title="{escape(row.name)}">{name}</th>{"".join(cells)}</tr>'


def _cell(shown: str | None, row: _Row, changed: bool) -> str:
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
