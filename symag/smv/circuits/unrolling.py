"""A transition circuit copied step by step into one graph, where constants fold and equal gates are merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symag.smv.circuits.graph import FALSE, INPUT, TRUE, Graph
from symag.smv.circuits.transitions import TransitionCircuit


class Unrolling:
    """The states at the steps 0, 1, .. of a run, over fresh inputs of ``graph``.

    With ``from_start`` step 0 has the reset values (but no constraints yet); otherwise it is any state. ``literal``
    translates literals of the circuit: those of its latches and constraints, and ``roots``. ``inputs`` are the
    circuit's input nodes that any of these read.
    """

    def __init__(self, circuit: TransitionCircuit, roots: Iterable[int], *, from_start: bool) -> None:
        self.circuit = circuit
        self.graph = Graph()
        self._from_start = from_start
        own = circuit.graph
        needed = [latch.next for latch in circuit.latches]
        needed += [*circuit.initial, *circuit.invariants, *circuit.steps, *roots]
        nodes = own.cone(needed)
        self._gates = [
            (node, own.left[node] >> 1, own.left[node] & 1, own.right[node] >> 1, own.right[node] & 1)
            for node in nodes
            if own.left[node] != INPUT
        ]
        latches = {latch.node for latch in circuit.latches}
        self.inputs = [node for node in nodes if own.left[node] == INPUT and node not in latches]
        self._frames: list[list[int]] = []

    def __len__(self) -> int:
        return len(self._frames)

    def literal(self, literal: int, step: int) -> int:
        """A literal of the circuit at a step, as a literal of ``graph``; steps are made as needed."""
        while len(self._frames) <= step:
            self._extend()
        return self._frames[step][literal >> 1] ^ (literal & 1)

    def literals(self, literals: Sequence[int], step: int) -> list[int]:
        """``literal`` of all these literals."""
        return [self.literal(literal, step) for literal in literals]

    def _extend(self) -> None:
        graph = self.graph
        frame = [FALSE] * len(self.circuit.graph)
        last = self._frames[-1] if self._frames else None
        for latch in self.circuit.latches:
            if last is not None:
                frame[latch.node] = last[latch.next >> 1] ^ (latch.next & 1)
            elif self._from_start and latch.reset is not None:
                frame[latch.node] = TRUE if latch.reset else FALSE
            else:
                frame[latch.node] = graph.input()
        for node in self.inputs:
            frame[node] = graph.input()
        conjunction = graph.conjunction
        for node, a, negate_a, b, negate_b in self._gates:
            x, y = frame[a] ^ negate_a, frame[b] ^ negate_b
            if x <= 1:
                frame[node] = y if x else FALSE
            elif y <= 1:
                frame[node] = x if y else FALSE
            else:
                frame[node] = conjunction(x, y)
        self._frames.append(frame)
