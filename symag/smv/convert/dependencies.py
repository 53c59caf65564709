"""The graph of which variable reads which, in the language of Graphviz."""

from __future__ import annotations

from symag.smv.model.dependencies import Supports, relations
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.types import bit_count
from symag.traces.graphviz import quoted

_SHAPES = {VariableKind.STATE: "box", VariableKind.INPUT: "invtriangle", VariableKind.FROZEN: "octagon"}


def dependency_graph(system: FlatSystem) -> str:
    """A node for each variable, with its bits if it has several: input variables are triangles, frozen ones octagons.

    An arrow leads from a variable to each variable whose assignment reads it. A constraint is a dot with lines to its
    variables, a property a double ellipse with arrows from its variables.
    """
    lines = ["digraph dependencies {", "  node [fontsize=10];"]
    for variable in system.variables:
        bits = bit_count(variable.type)
        label = variable.name if bits == 1 else f"{variable.name} [{bits}]"
        lines.append(f"  {quoted(variable.name)} [label={quoted(label)}, shape={_SHAPES[variable.kind]}];")
    rank = {variable.name: number for number, variable in enumerate(system.variables)}
    supports = Supports(system)
    arrows: dict[str, None] = {}
    for number, relation in enumerate(relations(system, supports)):
        read = sorted(relation.current | relation.next, key=rank.__getitem__)
        if relation.assigned is not None:
            arrows.update((f"  {quoted(name)} -> {quoted(relation.assigned)};", None) for name in read)
            continue
        lines.append(f'  "constraint {number}" [shape=point, xlabel={quoted(relation.kind.upper())}];')
        arrows.update((f'  {quoted(name)} -> "constraint {number}" [dir=none];', None) for name in read)
    for property_ in system.properties:
        if property_.expression is None:
            continue
        node = quoted(f"property {property_.index}")
        label = quoted(property_.name or f"{property_.kind} {property_.index}")
        lines.append(f"  {node} [label={label}, shape=ellipse, peripheries=2];")
        read = sorted(supports.of(property_.expression).variables, key=rank.__getitem__)
        arrows.update((f"  {quoted(name)} -> {node};", None) for name in read)
    return "\n".join([*lines, *arrows, "}"]) + "\n"
