"""A picture of a partition as Graphviz text: one coloured cluster for each part."""

from __future__ import annotations

from collections.abc import Collection

from symag.core.grouping import group_of
from symag.smv.model.flat import VariableKind
from symag.smv.model.types import bit_count
from symag.smv.partition.hypergraph import owners
from symag.smv.partition.parts import Partition
from symag.traces.graphviz import quoted

# Pairs of a light and a dark colour; if there are more parts than pairs, colours repeat.
_COLOURS = (
    ("#dbe9f6", "#2171b5"),
    ("#fde0c5", "#d94801"),
    ("#e0f3db", "#238b45"),
    ("#efedf5", "#6a51a3"),
    ("#fee0d2", "#cb181d"),
    ("#f0f0f0", "#525252"),
)

_SHAPES = {VariableKind.STATE: "box", VariableKind.INPUT: "invtriangle", VariableKind.FROZEN: "octagon"}


def dot_text(partition: Partition, marked: Collection[str] = ()) -> str:
    """The dependency hypergraph of a partition's system in the language of Graphviz.

    There is a node for each variable, with its number of bits if there are several; input variables are triangles,
    frozen ones octagons. An arrow leads from a variable to each one that reads it. I/O variables and the arrows that
    leave their part are bold, in the colour of the part that owns them. The ``marked`` variables, those of a
    property, have a double border.
    """
    system = partition.system
    part_of = group_of(partition.parts)
    shared = set(partition.io)
    lines = [
        "digraph partition {",
        f'  label="{len(partition.parts)} parts, {partition.io_bits} I/O bits, max |X + IO| = {partition.mx} bits";',
        "  node [style=filled, fontsize=10];",
    ]
    for number, names in enumerate(partition.parts):
        light, dark = _COLOURS[number % len(_COLOURS)]
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f'    label="part {number}: {partition.sizes[number]} bits with I/O"; color="{dark}";')
        for name in names:
            variable = system.by_name[name]
            bits = bit_count(variable.type)
            label = name if bits == 1 else f"{name} [{bits}]"
            look = f'fillcolor="{light}", color="{dark}", penwidth={3 if name in shared else 1}'
            look += ", peripheries=2" if name in marked else ""
            lines.append(f"    {quoted(name)} [label={quoted(label)}, shape={_SHAPES[variable.kind]}, {look}];")
        lines.append("  }")
    for source, target in _arrows(partition):
        if part_of[source] == part_of[target]:
            lines.append(f'  {quoted(source)} -> {quoted(target)} [color="#bbbbbb"];')
        else:
            dark = _COLOURS[part_of[source] % len(_COLOURS)][1]
            lines.append(f'  {quoted(source)} -> {quoted(target)} [color="{dark}", penwidth=2];')
    lines.append("}")
    return "\n".join(lines) + "\n"


def _arrows(partition: Partition) -> list[tuple[str, str]]:
    """Pairs (variable, its reader), in the system's order; a constraint is read by the first variable of its owner."""
    position = {variable.name: index for index, variable in enumerate(partition.system.variables)}
    arrows = set()
    for part, owned in zip(partition.parts, partition.owned, strict=True):
        for relation in owned:
            own = sorted(owners(relation) & set(part), key=position.__getitem__)
            arrows |= {(source, own[0]) for source in relation.variables if own and source != own[0]}
    return sorted(arrows, key=lambda arrow: (position[arrow[0]], position[arrow[1]]))
