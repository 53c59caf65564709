"""The latches that recognise a loop: an input chooses its first state, and what must come back has a copy of that time.

Source: Biere, Artho, Schuppan, "Liveness checking as safety checking" (FMICS 2002).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symag.core.values import replace
from symag.smv.certificates.temporal import CONCLUSION, COPY, MET, PREMISE, SAVED
from symag.smv.circuits.graph import Graph
from symag.smv.circuits.transitions import Latch, TransitionCircuit


class LoopLatches:
    """Latches beside a circuit, over its graph.

    ``save`` is the node of the input that begins the loop in the current state, once. ``inside`` is true from that
    state on; ``latches`` grow with what is asked for.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        save, self._saved = graph.input(), graph.input()
        self.save = save >> 1
        self._now = graph.conjunction(save, self._saved ^ 1)
        self.inside = graph.disjunction(self._saved, save)
        self.latches = [Latch(self._saved >> 1, self.inside, False, (SAVED, 0))]
        self._closed = [self._saved]

    def require_met(self, conditions: Iterable[int], pairs: Iterable[tuple[int, int]]) -> None:
        """A loop meets every condition, and of each pair the second if the first is met."""
        for number, condition in enumerate(conditions):
            self._closed.append(self._met(condition, MET, number))
        for number, (often, answer) in enumerate(pairs):
            premise, conclusion = self._met(often, PREMISE, number), self._met(answer, CONCLUSION, number)
            self._closed.append(self._graph.disjunction(premise ^ 1, conclusion))

    def _met(self, condition: int, name: str, number: int) -> int:
        graph = self._graph
        seen = graph.input()
        following = graph.disjunction(seen, graph.conjunction(self.inside, condition))
        self.latches.append(Latch(seen >> 1, following, False, (name, number)))
        return seen

    def require_same(self, latches: Sequence[Latch]) -> tuple[tuple[str, int], ...]:
        """At the end of a loop these latches of the model have the values that they had at its start; their bits."""
        copied = []
        for latch in latches:
            assert latch.bit is not None
            name, index = latch.bit
            self.require_equal(2 * latch.node, self.at_start(2 * latch.node, (COPY + name, index)))
            copied.append(latch.bit)
        return tuple(copied)

    def at_start(self, literal: int, bit: tuple[str, int] | None = None) -> int:
        """The value that a literal had in the first state of the loop; before that, any."""
        shadow = self._graph.input()
        self.latches.append(Latch(shadow >> 1, self._graph.choice(self._now, literal, shadow), None, bit))
        return shadow

    def require_equal(self, one: int, other: int) -> None:
        """At the end of a loop two literals have the same value."""
        self._closed.append(self._graph.equal(one, other))

    def closed(self) -> int:
        """The literal that the current state ends a loop: all that is required holds."""
        return self._graph.all(self._closed)

    def beside(self, circuit: TransitionCircuit) -> TransitionCircuit:
        """The circuit with the latches and the input ``save``."""
        return replace(circuit, latches=(*circuit.latches, *self.latches), inputs=(*circuit.inputs, self.save))
