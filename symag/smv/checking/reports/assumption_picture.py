"""Learned assumptions as a picture: an automaton drawn in SVG, with nothing but text and lines.

Every state is a line of text with what it forbids, and under it one line for each edge with its condition;
from there an arc runs along the left side to the state that the edge leads to. Each arc has a lane of its
own wherever two would overlap, so texts and arcs never cross each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption
from symag.smv.checking.reports.assumption_text import Formulas
from symag.smv.model.flat import FlatSystem

#: Larger automata are shown by their first states.
MOST_STATES = 40
_LONGEST = 100
_LINE = 22
_LANE = 11
_MARGIN = 16
_CHARACTER = 7.3
_STYLE = """
.symag-picture { color-scheme: light dark; font: 12.5px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.symag-picture .card { fill: #ffffff; stroke: #e4e2dd; }
.symag-picture text { fill: #1d2329; }
.symag-picture .title { font-weight: 600; font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.symag-picture .soft { fill: #69727c; }
.symag-picture .forbids { fill: #b42318; }
.symag-picture .badge { fill: #ececfc; stroke: #5b5bd6; }
.symag-picture .first { stroke-width: 2.2; }
.symag-picture path { fill: none; stroke: #8b93c9; stroke-width: 1.4; }
.symag-picture path.up { stroke: #c98b5a; }
.symag-picture path.head { fill: #8b93c9; stroke: none; }
.symag-picture path.head.up { fill: #c98b5a; }
@media (prefers-color-scheme: dark) {
  .symag-picture .card { fill: #1b1f23; stroke: #30363c; }
  .symag-picture text { fill: #e6e8ea; }
  .symag-picture .soft { fill: #9aa4ae; }
  .symag-picture .forbids { fill: #ff8a7d; }
  .symag-picture .badge { fill: #2a2a4d; stroke: #a5a5ff; }
}
"""


@dataclass(frozen=True, slots=True)
class _Edge:
    """From a line (where its text stands) to the line of its target."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of text: a state's (``state`` is its number) or an edge's."""

    text: str
    state: int | None
    target: int | None = None


def picture(system: FlatSystem, certificate: AssumeGuarantee) -> str:
    """All assumptions of a certificate below each other, as one SVG element."""
    formulas = Formulas(system, certificate.table)
    drawn: list[str] = []
    top = _MARGIN
    widest = 320.0
    for number, assumption in enumerate(certificate.assumptions):
        lines, omitted = _lines(formulas, assumption)
        edges, lanes = _arcs(lines)
        left = _MARGIN + _LANE * (max(lanes, default=0) + 1) + 22
        part = ", ".join(certificate.parts[number].variables)
        title = f"assumption {number}, for part {number}: {part}"
        drawn.append(f'<text class="title" x="{_MARGIN}" y="{top + 14}">{_text(title)}</text>')
        top += _LINE + 6
        drawn += [_arc(edge, lane, left, top) for edge, lane in zip(edges, lanes, strict=True)]
        drawn += [_shown(line, left, top + _LINE * place) for place, line in enumerate(lines)]
        top += _LINE * len(lines)
        if omitted:
            drawn.append(f'<text class="soft" x="{left}" y="{top + 15}">... and {omitted} more states</text>')
            top += _LINE
        top += _MARGIN
        longest = max(len(_cut(line.text)) for line in lines)
        widest = max(widest, left + 90 + _CHARACTER * longest, 2 * _MARGIN + _CHARACTER * len(_cut(title)))
    width = round(widest + _MARGIN)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="symag-picture" width="{width}" height="{top}" '
            f'viewBox="0 0 {width} {top}" role="img" aria-label="learned assumptions">',
            f"<style>{_STYLE}</style>",
            f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{top - 1}" rx="8"/>',
            *drawn,
            "</svg>",
        ]
    )


def _lines(formulas: Formulas, assumption: Assumption) -> tuple[list[_Line], int]:
    """The lines of an automaton, states in breadth-first order, and how many states they leave out."""
    order = [0]
    for state in order:
        order += [target for target, _ in assumption.edges[state] if target not in order]
    lines = []
    for state in order[:MOST_STATES]:
        forbidden = formulas.text(assumption.rejects[state])
        lines.append(_Line("forbids " + forbidden, state))
        for target, label in assumption.edges[state]:
            lines.append(_Line(formulas.text(label), None, target))
    return lines, len(order[MOST_STATES:])


def _arcs(lines: Sequence[_Line]) -> tuple[list[_Edge], list[int]]:
    """The edges between lines, and for each the least lane that no overlapping arc has; short arcs come first."""
    place_of = {line.state: place for place, line in enumerate(lines) if line.state is not None}
    edges = [
        _Edge(place, place_of[line.target])
        for place, line in enumerate(lines)
        if line.target is not None and line.target in place_of
    ]
    taken: list[list[tuple[int, int]]] = []
    lanes = dict.fromkeys(range(len(edges)), 0)
    for number in sorted(lanes, key=lambda number: (abs(edges[number].end - edges[number].start), number)):
        low, high = sorted((edges[number].start, edges[number].end))
        lane = 0
        while lane < len(taken) and any(low <= other[1] and other[0] <= high for other in taken[lane]):
            lane += 1
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        lanes[number] = lane
    return edges, [lanes[number] for number in range(len(edges))]


def _arc(edge: _Edge, lane: int, left: int, top: int) -> str:
    """From the edge's text left to its lane, along it, and right to the target's badge."""
    start, end = top + _LINE * edge.start + 11, top + _LINE * edge.end + 11
    x = left - 14 - _LANE * (lane + 1)
    turn = 5 if end > start else -5
    way = "" if end > start else " up"
    tip = left - 8
    return (
        f'<path class="{way.strip()}" d="M {left + 12} {start} H {x + 5} Q {x} {start} {x} {start + turn} '
        f'V {end - turn} Q {x} {end} {x + 5} {end} H {tip - 4}"/>'
        f'<path class="head{way}" d="M {tip} {end} l -7 -3.5 v 7 z"/>'
    )


def _shown(line: _Line, left: int, top: int) -> str:
    if line.state is None:
        return f'<text x="{left + 18}" y="{top + 15}">{_text(line.text)}{_tip(line.text)}</text>'
    first = " first" if line.state == 0 else ""
    soft = "soft" if line.text == "forbids nothing" else "forbids"
    return (
        f'<rect class="badge{first}" x="{left - 6}" y="{top + 2}" width="34" height="18" rx="9"/>'
        f'<text x="{left + 11}" y="{top + 15}" text-anchor="middle">{line.state}</text>'
        f'<text class="{soft}" x="{left + 40}" y="{top + 15}">{_text(line.text)}{_tip(line.text)}</text>'
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def _text(text: str) -> str:
    return escape(_cut(text))


def _tip(text: str) -> str:
    """The whole text as a tool tip, where it was cut."""
    return f"<title>{escape(text)}</title>" if len(text) > _LONGEST else ""


def fragments(certificate: AssumeGuarantee) -> Iterator[str]:
    """What stands beside the picture: the rule, and the wires that the parts were cut at."""
    yield f"{certificate.rule}: {len(certificate.parts)} parts, {len(certificate.assumptions)} assumptions"
    for name, text in certificate.wires:
        role = " (the property)" if name == certificate.property_wire else ""
        yield f"wire {name}{role} := {text}"
