"""Graphs in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterable


def quoted(text: str) -> str:
    """A name or a label."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def transition_system(name: str, states: Iterable[str], transitions: Iterable[str]) -> str:
    """A graph with circles from left to right; an arrow points at state 0."""
    lines = (
        f"digraph {quoted(name)} {{",
        "  rankdir=LR;",
        "  node [shape=circle, fontsize=10];",
        "  edge [fontsize=10];",
        '  "" [shape=none, width=0, height=0];',
        *states,
        '  "" -> 0;',
        *transitions,
        "}",
    )
    return "\n".join(lines) + "\n"
