"""An LPTS as a picture in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Sequence

from symag.lpts.lpts import Lpts
from symag.traces.graphviz import quoted, transition_system


def distribution_graph(lpts: Lpts, names: Sequence[str] = ()) -> str:
    """One circle a state (with its name, if there are names, as a tooltip) and one arrow a transition.

    A transition to several states goes through a dot, from which an arrow with its probability leads to each.
    """
    states = []
    for state in range(lpts.states):
        tooltip = f", tooltip={quoted(names[state])}" if names else ""
        states.append(f'  {state} [label="{state}"{tooltip}];')
    lines = []
    for number, (source, action, distribution) in enumerate(lpts.triples()):
        label = quoted(lpts.alphabet[action])
        if len(distribution) == 1:
            lines.append(f"  {source} -> {next(iter(distribution))} [label={label}];")
            continue
        lines.append(f"  d{number} [shape=point];")
        lines.append(f"  {source} -> d{number} [label={label}, arrowhead=none];")
        lines += [f'  d{number} -> {target} [label="{p}"];' for target, p in distribution.items()]
    return transition_system(lpts.name, states, lines)
