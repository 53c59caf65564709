"""NuSMV's trace plugins: the formats in which ``show_traces -p`` prints a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from symag.traces import plain
from symag.traces.report import TraceReport

NAMES = (
    "BASIC TRACE EXPLAINER - shows changes only",
    "BASIC TRACE EXPLAINER - shows all variables",
    "TRACE TABLE PLUGIN - symbols on column",
    "TRACE TABLE PLUGIN - symbols on row",
    "TRACE XML DUMP PLUGIN - an xml document",
    "TRACE COMPACT PLUGIN - Shows the trace in a compact tabular fashion",
    "TRACE XML EMBEDDED DUMP PLUGIN - an xml element",
    "Empty Trace Plugin",
)
#: The plugins that write XML: always the whole trace, without a heading.
XML = frozenset((4, 6))


def lines(report: TraceReport, plugin: int, first: int = 1, last: int | None = None) -> Iterator[str]:
    """The lines of a trace, from state ``first`` to ``last`` (counted from 1; None: to the end)."""
    if plugin in (0, 1):
        yield from plain.lines(report, full=plugin == 1, every_loop=True, first=first, last=last)
    elif plugin in XML:
        from symag.traces import xml  # Python's own XML is slow to import

        yield from xml.text(report, every_loop=True).splitlines()[plugin == 6 :]
    elif plugin != 7:
        yield from _table(report, plugin, first, last or len(list(report.positions())))


def _table(report: TraceReport, plugin: int, first: int, last: int) -> Iterator[str]:
    states = [dict(report.state_texts(position)) for position in report.positions()]
    inputs = [dict(report.input_texts(position)) for position in report.positions()]
    state_names = (*report.states, *(define.name for define in report.defines if define.moment == "state"))
    input_names = (*report.inputs, *(define.name for define in report.defines if define.moment == "input"))
    if plugin == 5:
        names = (*input_names, *state_names)
        yield _tabbed("Steps\\Vars", names) + "\t"
        for number in range(first, last + 1):
            before = inputs[number - 2] if number > first else {}
            yield _row(f"Step{number}", names, {**before, **states[number - 1]}) + "\t"
        return
    names = (*state_names, *input_names)
    rows: list[tuple[str, Mapping[str, str]]] = []
    for number in range(first, last + 1):
        if number > first:
            # NuSMV leaves the row of DEFINEs that read a whole transition empty.
            rows.extend(((f"C{number}", {}), (f"I{number}", inputs[number - 2])))
        rows.append((f"S{number}", states[number - 1]))
    if plugin == 2:
        yield _tabbed("Name", names) + "\t"
        for label, texts in rows:
            yield _row(label, names, texts) + "\t"
    else:
        yield _tabbed("Step", (label for label, _ in rows)) + "\t"
        for name in names:
            yield _tabbed(name, (texts.get(name, "-") for _, texts in rows))


def _row(label: str, names: Iterable[str], texts: Mapping[str, str]) -> str:
    return _tabbed(label, (texts.get(name, "-") for name in names))


def _tabbed(head: str, cells: Iterable[str]) -> str:
    return "\t".join((head, *cells))
