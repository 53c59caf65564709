"""An LPTS as a picture in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Sequence

from symag.lpts.lpts import Lpts


def distribution_graph(lpts: Lpts, names: Sequence[str] = ()) -> str:
    """One circle a state (with its name, if there are names, as a tooltip) and one arrow a transition.

    A transition to several states goes through a dot, from which an arrow with its probability leads to each.
    """
    lines = [
        f"digraph {_quoted(lpts.name)} {{",
        "  rankdir=LR;",
        "  node [shape=circle, fontsize=10];",
        "  edge [fontsize=10];",
        '  "" [shape=none, width=0, height=0];',
    ]
    for state in range(lpts.states):
        tooltip = f", tooltip={_quoted(names[state])}" if names else ""
        lines.append(f'  {state} [label="{state}"{tooltip}];')
    lines.append('  "" -> 0;')
    for number, (source, action, distribution) in enumerate(lpts.triples()):
        label = _quoted(lpts.alphabet[action])
        if len(distribution) == 1:
            lines.append(f"  {source} -> {next(iter(distribution))} [label={label}];")
            continue
        lines.append(f"  d{number} [shape=point];")
        lines.append(f"  {source} -> d{number} [label={label}, arrowhead=none];")
        lines += [f'  d{number} -> {target} [label="{p}"];' for target, p in distribution.items()]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
