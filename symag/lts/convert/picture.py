"""A labelled transition system as a picture in the language of Graphviz."""

from __future__ import annotations

from symag.lts.lts import ERROR, TAU, Lts
from symag.traces.graphviz import quoted, transition_system

#: The largest number of labels of one arrow that are listed; then comes the number of the others.
MOST_LABELS = 12


def transition_graph(lts: Lts) -> str:
    """A node for each state: an arrow points at the initial one, END has two rings, ERROR is a filled box.

    One arrow from a state to another has the labels of all transitions between them.
    """
    states = []
    for state in range(lts.states):
        rings = ", peripheries=2" if state == lts.end else ""
        states.append(f'  {state} [label="{state}"{rings}];')
    if lts.has_error:
        states.append('  ERROR [shape=box, style=filled, fillcolor="#f4b6b6"];')
    arrows = []
    labels: dict[tuple[int, int], list[str]] = {}
    silent: set[tuple[int, int]] = set()
    for source, action, target in lts.triples():
        labels.setdefault((source, target), []).append(lts.alphabet[action])
        if action == TAU:
            silent.add((source, target))
    for (source, target), names in labels.items():
        text = ", ".join(names[:MOST_LABELS])
        if len(names) > MOST_LABELS:
            text += f", and {len(names) - MOST_LABELS} more"
        dashed = ", style=dashed" if (source, target) in silent and len(names) == 1 else ""
        arrows.append(f"  {source} -> {'ERROR' if target == ERROR else target} [label={quoted(text)}{dashed}];")
    return transition_system(lts.name, states, arrows)
