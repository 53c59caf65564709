"""Many runs of a circuit at once, which go on with random inputs.

Every machine word is 64 runs (see ``symag.smv.circuits.evaluation``). A run that constraints exclude goes on as a copy
of one that they allow: where they allow one in four, no run would be left after some steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.transitions import TransitionCircuit

#: A row for each signal, 64 runs in each word.
Words = NDArray[np.uint64]

ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
_ONE = np.uint64(1)


class RandomRuns:
    """Runs in the columns of an evaluation; the same seed gives the same runs.

    ``start``, ``step`` and ``visit`` evaluate the circuit in one state of each run, with inputs that ``draw`` gives,
    fair coins by default, and return the runs that count, as words: those in initial states, in one of ``visit``, or in
    one that a step leads to from there, if the constraints on states allow them.

    ``sources`` has for each run the one whose last step it made; None if each made its own. Runs are numbered by words,
    and in a word by the bits as ``numpy.unpackbits`` orders them. ``has_stopped``: the constraints allowed no step to
    any run, and all have stayed in their states with other inputs.
    """

    def __init__(
        self,
        circuit: TransitionCircuit,
        evaluation: Evaluation,
        inputs: Sequence[int],
        seed: int,
        draw: Callable[[], Words] | None = None,
    ) -> None:
        self.random = np.random.default_rng(abs(seed))
        self.sources: Any = None
        self.has_stopped = False
        self._draw = draw or (lambda: self.words(len(inputs)))
        self._circuit = circuit
        self._evaluation = evaluation
        self._latches = np.array([latch.node for latch in circuit.latches], dtype=np.int64)
        self._inputs = np.array(inputs, dtype=np.int64)
        following = np.array([latch.next for latch in circuit.latches], dtype=np.int64)
        self._following = following >> 1
        self._negated = np.where(following & 1, ALL, np.uint64(0))[:, None]
        self._counts = np.zeros(evaluation.values.shape[1], dtype=np.uint64)
        self._word = 0

    def start(self, states: Words | None = None) -> Words:
        """Every run in a state, a row for each latch; a random one that the resets of latches allow by default."""
        values = self._evaluation.values
        if states is None:
            states = self.words(len(self._latches))
            for row, latch in enumerate(self._circuit.latches):
                if latch.reset is not None:
                    states[row] = ALL if latch.reset else 0
        values[self._latches] = states
        values[self._inputs] = self._draw()
        self._evaluation.run()
        self._counts = self.where(self._circuit.initial)
        self.sources, self.has_stopped = None, False
        return self._counts & self.where(self._circuit.invariants)

    def step(self) -> Words:
        """One step of every run."""
        self._go_on()
        self._evaluation.values[self._inputs] = self._draw()
        self._evaluation.run()
        return self._counts & self.where(self._circuit.invariants)

    def visit(self, state: Any, inputs: Any) -> Words:
        """As ``step``, but 64 runs are now in this state, and one of them has these inputs, which are allowed.

        Both are arrays of truth values, in the order of the latches and of the inputs.
        """
        self._go_on()
        values, word = self._evaluation.values, self._word
        self._word = (word + 1) % len(self._counts)
        values[self._latches, word] = np.where(state, ALL, np.uint64(0))
        self._counts[word] = ALL
        values[self._inputs] = self._draw()
        values[self._inputs, word] = values[self._inputs, word] & ~_ONE | inputs.astype(np.uint64)
        self._evaluation.run()
        allowed = self._counts & self.where(self._circuit.invariants)
        allowed[word] |= _ONE
        return allowed

    def words(self, rows: int) -> Words:
        """Random words."""
        return self.random.integers(0, 2**64, size=(rows, len(self._counts)), dtype=np.uint64)

    def where(self, literals: Sequence[int]) -> Words:
        """The runs in which all these literals are true."""
        words = np.full(len(self._counts), ALL, dtype=np.uint64)
        for literal in literals:
            words &= self._evaluation.of(literal)
        return words

    def _go_on(self) -> None:
        """Set the latches to the next state of every run, or of another one where constraints allow no step."""
        values = self._evaluation.values
        going = self._counts & self.where((*self._circuit.invariants, *self._circuit.steps))
        self.has_stopped = not going.any()
        if self.has_stopped:
            return
        states = values[self._following] ^ self._negated
        self.sources = None
        is_going = np.unpackbits(going.view(np.uint8))
        stopped = np.flatnonzero(is_going == 0)
        if len(stopped):
            self.sources = np.arange(len(is_going))
            self.sources[stopped] = self.random.choice(np.flatnonzero(is_going), len(stopped))
            bits = np.unpackbits(states.view(np.uint8), axis=1)
            states = np.packbits(bits.take(self.sources, axis=1), axis=1).view(np.uint64)
        self._counts[:] = ALL
        values[self._latches] = states
