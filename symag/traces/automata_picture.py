"""Automata as a picture in SVG, made of text and lines only.

Every state is a line of text; below it is one line for each edge with its condition. From there an arc runs along the
left side to the target of the edge. Arcs that would overlap have different lanes, so texts and arcs never cross.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType

from msgspec import Struct

_NO_NAMES: Mapping[int, str] = MappingProxyType({})
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


class AutomatonLine(Struct, frozen=True):
    """One line of text: of the state with number ``state``, or of an edge to the state ``target``.

    ``emphasised`` marks a text about something that must not happen.
    """

    text: str
    state: int | None
    target: int | None = None
    emphasised: bool = False


class DrawnAutomaton(Struct, frozen=True):
    """The lines that show an automaton; ``omitted`` counts the states without a line."""

    title: str
    lines: tuple[AutomatonLine, ...]
    omitted: int = 0


class ArcSpan(Struct, frozen=True):
    """An arc from the line of an edge to the line of its target."""

    start: int
    end: int


def drawn_system(
    title: str, states: int, transitions: Iterable[tuple[int, str, int]], names: Mapping[int, str] = _NO_NAMES
) -> DrawnAutomaton:
    """States 0 .. ``states`` - 1 in breadth-first order, with the labels of the steps to each target.

    ``names`` gives some states a name. A target with another number, such as an error state, has no transitions.
    """
    moves: dict[int, dict[int, list[str]]] = {}
    for source, label, target in transitions:
        moves.setdefault(source, {}).setdefault(target, []).append(label)
    order = [0]
    known = {0}
    for state in order:
        fresh = [target for target in moves.get(state, {}) if target not in known]
        known.update(fresh)
        order += fresh
    lines = []
    for state in order[:MOST_STATES]:
        lines.append(AutomatonLine(names.get(state, ""), state, emphasised=not 0 <= state < states))
        for target, labels in moves.get(state, {}).items():
            lines.append(AutomatonLine(", ".join(sorted(labels)), None, target))
    return DrawnAutomaton(title, tuple(lines), len(order[MOST_STATES:]))


def automata_svg(automata: Sequence[DrawnAutomaton], label: str) -> str:
    """Automata below each other, as one SVG element; ``label`` describes them to readers who cannot see it."""
    drawn: list[str] = []
    top = _MARGIN
    widest = 320.0
    for automaton in automata:
        lines = automaton.lines
        spans, lanes = arcs(lines)
        left = _MARGIN + _LANE * (max(lanes, default=0) + 1) + 22
        drawn.append(f'<text class="title" x="{_MARGIN}" y="{top + 14}">{_text(automaton.title)}</text>')
        top += _LINE + 6
        drawn += [_arc(span, lane, left, top) for span, lane in zip(spans, lanes, strict=True)]
        drawn += [_shown(line, left, top + _LINE * index) for index, line in enumerate(lines)]
        top += _LINE * len(lines)
        if automaton.omitted:
            drawn.append(f'<text class="soft" x="{left}" y="{top + 15}">... and {automaton.omitted} more states</text>')
            top += _LINE
        top += _MARGIN
        longest = max((len(_cut(line.text)) for line in lines), default=0)
        widest = max(widest, left + 90 + _CHARACTER * longest, 2 * _MARGIN + _CHARACTER * len(_cut(automaton.title)))
    width = round(widest + _MARGIN)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="symag-picture" width="{width}" height="{top}" '
            f'viewBox="0 0 {width} {top}" role="img" aria-label="{escape(label)}">',
            f"<style>{_STYLE}</style>",
            f'<rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{top - 1}" rx="8"/>',
            *drawn,
            "</svg>",
        ]
    )


def arcs(lines: Sequence[AutomatonLine]) -> tuple[list[ArcSpan], list[int]]:
    """The edges between lines, and for each the least lane without an overlapping arc; short arcs come first."""
    line_of = {line.state: index for index, line in enumerate(lines) if line.state is not None}
    edges = [
        ArcSpan(index, line_of[line.target])
        for index, line in enumerate(lines)
        if line.target is not None and line.target in line_of
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


def _arc(edge: ArcSpan, lane: int, left: int, top: int) -> str:
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


def _shown(line: AutomatonLine, left: int, top: int) -> str:
    if line.state is None:
        return f'<text x="{left + 18}" y="{top + 15}">{_text(line.text)}{_tip(line.text)}</text>'
    first = " first" if line.state == 0 else ""
    tone = "forbids" if line.emphasised else "soft"
    return (
        f'<rect class="badge{first}" x="{left - 6}" y="{top + 2}" width="34" height="18" rx="9"/>'
        f'<text x="{left + 11}" y="{top + 15}" text-anchor="middle">{line.state}</text>'
        f'<text class="{tone}" x="{left + 40}" y="{top + 15}">{_text(line.text)}{_tip(line.text)}</text>'
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " ..."


def _text(text: str) -> str:
    return escape(_cut(text))


def _tip(text: str) -> str:
    """The whole text as a tool tip, if it was cut."""
    return f"<title>{escape(text)}</title>" if len(text) > _LONGEST else ""
