"""A transition system as a graph: latches with next functions, inputs, and constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.core.values import replace
from symag.smv.circuits.graph import INPUT, TRUE, Graph
from symag.smv.model.gates import new_below

#: A literal of a circuit, and a step of a run.
AtStep = tuple[int, int]


class Latch(Struct, frozen=True):
    """A state bit: its node, the literal of its next value, its first value (None: any), and its bit in the model.

    ``bit`` is ``(variable, index)`` as in ``symag.smv.certificates``; None for a latch that is not in the model.
    """

    node: int
    next: int
    reset: bool | None
    bit: tuple[str, int] | None


class TransitionCircuit(Struct, frozen=True, eq=False):
    """A transition system over latches and inputs.

    In every state of a run ``invariants`` hold, in the first one ``initial`` and the resets too. On every step, that
    is in every state but the last, ``steps`` hold, and latches take the values of their next functions. ``initial``
    reads latches only. Inputs are free in every state. ``values`` are the literals of the bits of every variable of
    the model in the current state (of an input variable: on the step that leaves it).
    """

    graph: Graph
    latches: tuple[Latch, ...]
    inputs: tuple[int, ...]
    initial: tuple[int, ...]
    invariants: tuple[int, ...]
    steps: tuple[int, ...]
    values: Mapping[str, tuple[int, ...]]


def reduced(circuit: TransitionCircuit, roots: Iterable[int]) -> TransitionCircuit:
    """The cone of influence of some literals: their latches, and the constraints that read those or their inputs.

    Constraints that share nothing with the cone are left out, which allows more runs. Costs time linear in the graph.
    """
    graph = circuit.graph
    latches = {latch.node: latch for latch in circuit.latches}
    pending: list[tuple[str, int]] = [
        (kind, literal)
        for kind, literals in (("initial", circuit.initial), ("invariant", circuit.invariants), ("step", circuit.steps))
        for literal in dict.fromkeys(literals)
        if literal != TRUE
    ]
    supports = {literal: graph.support([literal]) for _, literal in pending}
    watchers: dict[int, list[int]] = {}
    for number, (_, literal) in enumerate(pending):
        for node in supports[literal]:
            watchers.setdefault(node, []).append(number)
    seen = bytearray(len(graph))
    seen[0] = 1
    chosen: set[int] = set()
    leaves: list[int] = []
    fresh = [root >> 1 for root in roots]
    # A constraint without any leaf is FALSE: there are no runs.
    for number, (_, literal) in enumerate(pending):
        if not supports[literal]:
            chosen.add(number)
    while fresh:
        new = [node for node in new_below(graph.left, graph.right, 0, fresh, seen) if graph.left[node] == INPUT]
        leaves += new
        fresh = [latches[node].next >> 1 for node in new if node in latches]
        for number in {number for node in new for number in watchers.get(node, ())} - chosen:
            chosen.add(number)
            fresh.append(pending[number][1] >> 1)
    inside = set(leaves)
    reached: dict[str, list[int]] = {"initial": [], "invariant": [], "step": []}
    for number in sorted(chosen):
        reached[pending[number][0]].append(pending[number][1])
    return replace(
        circuit,
        latches=tuple(latch for latch in circuit.latches if latch.node in inside),
        inputs=tuple(node for node in circuit.inputs if node in inside),
        initial=tuple(reached["initial"]),
        invariants=tuple(reached["invariant"]),
        steps=tuple(reached["step"]),
    )


def is_whole(circuit: TransitionCircuit, cone: TransitionCircuit) -> bool:
    """Whether the cone has all constraints of the circuit."""

    def constraints(circuit: TransitionCircuit) -> Sequence[set[int]]:
        return [set(literals) - {TRUE} for literals in (circuit.initial, circuit.invariants, circuit.steps)]

    return constraints(circuit) == constraints(cone)
