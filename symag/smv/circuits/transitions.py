"""A transition system as a graph: latches with next functions, inputs, and constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from symag.smv.circuits.graph import INPUT, TRUE, Graph


@dataclass(frozen=True, slots=True)
class Latch:
    """A state bit: its node, the literal that it becomes, its first value (None: any), and which bit it is.

    ``bit`` is ``(variable, index)`` as in ``symag.smv.certificates``; None for a latch that the model does not have.
    """

    node: int
    next: int
    reset: bool | None
    bit: tuple[str, int] | None


@dataclass(frozen=True, slots=True, eq=False)
class TransitionCircuit:
    """Runs: in every state all of ``invariants`` hold, in the first one ``initial`` and the resets too; a state that
    is left satisfies ``steps`` with the inputs of that step; latches take the values of their next functions.

    The last state of a run needs no inputs that satisfy ``steps``. ``initial`` reads latches only. Inputs are fresh at
    every state. ``values`` are the literals of the bits of every variable of the model in the present state
    (of an input variable: on the step that leaves it).
    """

    graph: Graph
    latches: tuple[Latch, ...]
    inputs: tuple[int, ...]
    initial: tuple[int, ...]
    invariants: tuple[int, ...]
    steps: tuple[int, ...]
    values: Mapping[str, tuple[int, ...]]

    def next_of(self) -> dict[int, int]:
        """The literal that each latch becomes, by its node."""
        return {latch.node: latch.next for latch in self.latches}


def reduced(circuit: TransitionCircuit, roots: Iterable[int]) -> TransitionCircuit:
    """The cone of influence of some literals: their latches, and the constraints that touch those or their inputs.

    Constraints that share nothing with the cone are left out, which allows more runs. Linear in the graph.
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
    chosen: set[int] = set()
    leaves: list[int] = []
    stack = [root >> 1 for root in roots]
    # A constraint without any leaf is FALSE: there are no runs.
    for number, (_, literal) in enumerate(pending):
        if not supports[literal]:
            chosen.add(number)
    while stack:
        node = stack.pop()
        if seen[node] or node == 0:
            continue
        seen[node] = 1
        if graph.left[node] != INPUT:
            stack.append(graph.left[node] >> 1)
            stack.append(graph.right[node] >> 1)
            continue
        leaves.append(node)
        if node in latches:
            stack.append(latches[node].next >> 1)
        for number in watchers.get(node, ()):
            if number not in chosen:
                chosen.add(number)
                stack.append(pending[number][1] >> 1)
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
    """Whether the cone has all constraints."""

    def constraints(circuit: TransitionCircuit) -> Sequence[set[int]]:
        return [set(literals) - {TRUE} for literals in (circuit.initial, circuit.invariants, circuit.steps)]

    return constraints(circuit) == constraints(cone)
