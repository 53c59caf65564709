"""Many runs of a circuit at once, which go on with random inputs.

Every machine word is 64 runs (see ``symag.smv.circuits.evaluation``). A run that constraints exclude goes on as a copy
of one that they allow: where they allow one in four, no run would be left after some steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symag.smv.circuits.evaluation import Evaluation
from symag.smv.circuits.transitions import TransitionCircuit

_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
_ONE = np.uint64(1)


class RandomRuns:
    """Runs in the columns of an evaluation; the same seed gives the same runs.

    ``start``, ``step`` and ``visit`` evaluate the circuit in one state of each run, with inputs drawn for it, and
    return the runs whose states count, as words: initial ones, those of ``visit``, and those that a step leads to from
    such a state, if the constraints on states allow them.
    """

    def __init__(self, circuit: TransitionCircuit, evaluation: Evaluation, inputs: Sequence[int], seed: int) -> None:
        self._random = np.random.default_rng(abs(seed))
        self._circuit = circuit
        self._evaluation = evaluation
        self._latches = np.array([latch.node for latch in circuit.latches], dtype=np.int64)
        self._inputs = np.array(inputs, dtype=np.int64)
        following = np.array([latch.next for latch in circuit.latches], dtype=np.int64)
        self._following = following >> 1
        self._negated = np.where(following & 1, _ALL, np.uint64(0))[:, None]
        self._counts = np.zeros(evaluation.values.shape[1], dtype=np.uint64)
        self._word = 0

    def start(self) -> Any:
        """Every run in a random state that the resets of latches allow."""
        values = self._evaluation.values
        values[self._latches] = self.words(len(self._latches))
        for latch in self._circuit.latches:
            if latch.reset is not None:
                values[latch.node] = _ALL if latch.reset else 0
        self._draw()
        self._evaluation.run()
        self._counts = self._where((*self._circuit.initial, *self._circuit.invariants))
        return self._counts

    def step(self) -> Any:
        """One step of every run; where constraints allow none, all stay in their states."""
        self._go_on()
        self._draw()
        self._evaluation.run()
        return self._counts & self._where(self._circuit.invariants)

    def visit(self, state: Any, inputs: Any) -> Any:
        """As ``step``, but 64 runs are now in this state, and one of them has these inputs, which are allowed.

        Both are arrays of truth values, in the order of the latches and of the inputs.
        """
        self._go_on()
        values, word = self._evaluation.values, self._word
        self._word = (word + 1) % len(self._counts)
        values[self._latches, word] = np.where(state, _ALL, np.uint64(0))
        self._counts[word] = _ALL
        self._draw()
        values[self._inputs, word] = values[self._inputs, word] & ~_ONE | inputs.astype(np.uint64)
        self._evaluation.run()
        allowed = self._counts & self._where(self._circuit.invariants)
        allowed[word] |= _ONE
        return allowed

    def words(self, rows: int) -> Any:
        """Random words."""
        return self._random.integers(0, 2**64, size=(rows, len(self._counts)), dtype=np.uint64)

    def _draw(self) -> None:
        self._evaluation.values[self._inputs] = self.words(len(self._inputs))

    def _where(self, literals: Sequence[int]) -> Any:
        """The runs in which all these literals are true."""
        words = np.full(len(self._counts), _ALL, dtype=np.uint64)
        for literal in literals:
            words &= self._evaluation.of(literal)
        return words

    def _go_on(self) -> None:
        """Set the latches to the next state of every run, or of another one where constraints allow no step."""
        values = self._evaluation.values
        going = self._counts & self._where((*self._circuit.invariants, *self._circuit.steps))
        if not going.any():
            return
        states = values[self._following] ^ self._negated
        is_going = np.unpackbits(going.view(np.uint8))
        stopped = np.flatnonzero(is_going == 0)
        if len(stopped):
            sources = np.arange(len(is_going))
            sources[stopped] = self._random.choice(np.flatnonzero(is_going), len(stopped))
            bits = np.unpackbits(states.view(np.uint8), axis=1)
            states = np.packbits(bits.take(sources, axis=1), axis=1).view(np.uint64)
        self._counts[:] = _ALL
        values[self._latches] = states
