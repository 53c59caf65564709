"""A circuit with one signal for all that are equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.core.values import replace
from symag.smv.circuits.graph import FALSE, INPUT
from symag.smv.circuits.transitions import TransitionCircuit, reduced


class MergedCircuit(Struct, frozen=True):
    """A circuit with one signal for all equal ones; ``roots`` are the given ones there."""

    circuit: TransitionCircuit
    roots: tuple[int, ...]


def merged(circuit: TransitionCircuit, equal: Mapping[int, int], roots: Sequence[int]) -> MergedCircuit:
    """The circuit without the signals that ``equal`` replaces, and the cone of influence of the roots. Linear."""
    graph = circuit.graph
    image: dict[int, int] = {0: FALSE}
    for node in ordered_nodes(circuit, roots):
        older = equal.get(node)
        if older is not None:
            image[node] = image[older >> 1] ^ (older & 1)
        elif graph.left[node] == INPUT:
            image[node] = 2 * node
        else:
            a, b = graph.left[node], graph.right[node]
            image[node] = graph.conjunction(image[a >> 1] ^ (a & 1), image[b >> 1] ^ (b & 1))

    def images(literals: Sequence[int]) -> tuple[int, ...]:
        return tuple(image[literal >> 1] ^ (literal & 1) for literal in literals)

    latches = [replace(latch, next=images([latch.next])[0]) for latch in circuit.latches]
    whole = replace(
        circuit,
        latches=tuple(latch for latch in latches if latch.node not in equal),
        initial=images(circuit.initial),
        invariants=images(circuit.invariants),
        steps=images(circuit.steps),
    )
    return MergedCircuit(reduced(whole, images(roots)), images(roots))


def ordered_nodes(circuit: TransitionCircuit, roots: Sequence[int]) -> list[int]:
    """The nodes, leaves first, operands before gates."""
    graph = circuit.graph
    needed = [latch.next for latch in circuit.latches] + [2 * latch.node for latch in circuit.latches]
    nodes = graph.cone([*needed, *circuit.initial, *circuit.invariants, *circuit.steps, *roots])
    leaves = [node for node in nodes if graph.left[node] == INPUT]
    return leaves + [node for node in nodes if graph.left[node] != INPUT]
