"""NuSMV's trace plugins: the ways in which ``show_traces -p`` writes a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from symag.cli.nusmv.shown import ShownTrace, Texts

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
#: Those that write XML.
XML = frozenset((4, 6))


def lines(trace: ShownTrace, plugin: int, first: int = 1, last: int | None = None) -> Iterator[str]:
    """The trace's lines, from state ``first`` to ``last`` (from 1; None: the end)."""
    writers: Sequence[Callable[[ShownTrace, int, int], Iterator[str]]] = (
        _changes, _everything, _columns, _rows, _document, _compact, _element, _nothing,
    )  # fmt: skip
    return writers[plugin](trace, first, len(trace.rows) if last is None else last)


def heading(trace: ShownTrace) -> Iterator[str]:
    """The two lines before the states."""
    yield f"Trace Description: {trace.description} "
    yield f"Trace Type: {'Counterexample' if trace.counterexample else 'Simulation'} "


def _changes(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    return _plain(trace, first, last, full=False)


def _everything(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    return _plain(trace, first, last, full=True)


def _plain(trace: ShownTrace, first: int, last: int, full: bool) -> Iterator[str]:
    yield from heading(trace)
    yield from state_lines(trace, first, last, full)


def state_lines(trace: ShownTrace, first: int, last: int, full: bool) -> Iterator[str]:
    """The states with the inputs before them; changes only, or everything."""
    shown: dict[str, str] = {}
    for position in range(first - 1, last):
        row = trace.rows[position]
        if position > 0:
            before = trace.rows[position - 1]
            yield from _assignments(before.combinatorial, shown, full)
            if trace.columns.inputs:
                yield f"  -> Input: {trace.number}.{position + 1} <-"
                yield from _assignments(before.inputs, shown, full)
        if row.loop:
            yield "  -- Loop starts here"
        yield f"  -> State: {trace.number}.{position + 1} <-"
        yield from _assignments(row.state, shown, full)


def _assignments(texts: Texts, shown: dict[str, str], full: bool) -> Iterator[str]:
    for name, text in texts.items():
        if full or shown.get(name) != text:
            yield f"    {name} = {text}"
        shown[name] = text


def _columns(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    names = (*trace.columns.state, *trace.columns.inputs)
    yield _tabbed("Name", names) + "\t"
    for label, texts in _labelled(trace, first, last):
        yield _tabbed(label, (texts.get(name, "-") for name in names)) + "\t"


def _rows(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    labelled = list(_labelled(trace, first, last))
    yield _tabbed("Step", (label for label, _ in labelled)) + "\t"
    for name in (*trace.columns.state, *trace.columns.inputs):
        yield _tabbed(name, (texts.get(name, "-") for _, texts in labelled))


def _labelled(trace: ShownTrace, first: int, last: int) -> Iterator[tuple[str, Texts]]:
    """The steps of the tables: S a state, C what NuSMV leaves empty there, I the inputs before a state."""
    for position in range(first - 1, last):
        if position >= first:
            yield f"C{position + 1}", {}
            yield f"I{position + 1}", trace.rows[position - 1].inputs
        yield f"S{position + 1}", trace.rows[position].state


def _tabbed(head: str, cells: Sequence[str] | Iterator[str]) -> str:
    return "\t".join((head, *cells))


def _compact(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    names = (*trace.columns.inputs, *trace.columns.state)
    yield _tabbed("Steps\\Vars", names) + "\t"
    for position in range(first - 1, last):
        inputs = trace.rows[position - 1].inputs if position >= first else {}
        texts = {**inputs, **trace.rows[position].state}
        yield _tabbed(f"Step{position + 1}", (texts.get(name, "-") for name in names)) + "\t"


def _document(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield from _element(trace, first, last)


def _element(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    kind = 0 if trace.counterexample else 1
    yield f'<counter-example type="{kind}" id="{trace.number}" desc="{escape(trace.description)}" >'
    for position in range(first - 1, last):
        row = trace.rows[position]
        yield "\t<node>"
        yield from _values("state", position + 1, row.state)
        if position + 1 < last:
            yield from _values("combinatorial", position + 2, row.combinatorial)
            yield from _values("input", position + 2, row.inputs)
        yield "\t</node>"
    loops = ",".join(str(number) for number, row in enumerate(trace.rows, 1) if row.loop)
    yield f"\t<loops> {loops} </loops>" if loops else "\t<loops> </loops>"
    yield "</counter-example>"


def _values(tag: str, number: int, texts: Texts) -> Iterator[str]:
    if not texts and tag != "state":
        return
    yield f'\t\t<{tag} id="{number}">'
    for name, text in texts.items():
        yield f'\t\t\t<value variable="{escape(name)}">{escape(text, quote=False)}</value>'
    yield f"\t\t</{tag}>"


def _nothing(trace: ShownTrace, first: int, last: int) -> Iterator[str]:
    return iter(())
