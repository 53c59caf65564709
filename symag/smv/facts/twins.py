"""Finds bits that hold the same datum, by pairs of runs that differ in one input of one step.

A twin takes the same inputs as its original, except one input in one step. The bits in which the two differ later hold
that datum, as long as no counter or flag differs. So queues and data need no annotation in the model.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.smv.facts.candidates import Truths
from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.simulation import CircuitSimulation, Evaluator, different, packed, unpacked

#: The number of parallel pairs of runs.
RUNS = 1024
#: The number of steps of a pair, and of the moments at which pairs begin.
FOLLOWED = 32
MOMENTS = 8
#: The number of steps between two moments.
APART = 12
#: The largest numbers of states for one pair of bits: in all, and from one step.
MOST = 8_000
AT_ONCE = 64
#: The number of random inputs tried in every state to see whether a bit matters.
OFTEN = 3
#: The largest number of bits of data that are compared with each other.
BITS = 128


class TwinStates(Struct, frozen=True):
    """States (a row for each, a column for each latch) in which two latches hold the same datum, or one its negation.

    ``one`` and ``other`` are the columns of the two latches; ``is_equal``: neither holds the negation.
    """

    one: int
    other: int
    is_equal: bool
    states: Truths


class Twins:
    """Pairs of runs of a circuit. Latches are numbers of its ``latches``; ``data`` are those that may hold data."""

    def __init__(self, circuit: StepCircuit, data: Sequence[int], seed: int) -> None:
        self._circuit = circuit
        self._seed = seed
        self.data = tuple(data[:BITS])
        may_hold_data = set(data)
        self._control = [index for index in range(len(circuit.latches)) if index not in may_hold_data]
        self._pairs = _StateGroups()
        self._arrivals = _StateGroups()
        self._earlier: set[tuple[int, int]] = set()
        simulation = CircuitSimulation.of(circuit, RUNS, seed)
        if len(self.data) < 2 or not simulation.start():
            return
        for _ in range(MOMENTS):
            simulation.bias()
            for _ in range(APART):
                simulation.step()
            start = list(simulation.present)
            for number in sorted(simulation.inputs()):
                self._follow(simulation, start, number)

    def pairs(self) -> Iterator[TwinStates]:
        """The states in which two latches hold the same datum, for each such pair of latches."""
        for one, other in combinations(self.data, 2):
            states = self._pairs.of((one, other))
            if states is None:
                continue
            agree = states[:, one] == states[:, other]
            if agree.all() or not agree.any():
                yield TwinStates(one, other, bool(agree.all()), states)

    def is_later(self, one: int, other: int) -> bool:
        """Whether a datum came to the second latch after the first at least once, and never the other way round."""
        return (one, other) in self._earlier and (other, one) not in self._earlier

    def arrivals(self, latch: int) -> Truths:
        """The states in which a datum has just come to a latch."""
        states = self._arrivals.of(latch)
        return np.zeros((0, len(self._circuit.latches)), dtype=np.bool_) if states is None else states

    def _follow(self, simulation: CircuitSimulation, start: Sequence[int], flipped: int) -> None:
        """Follow runs and their twins, which differ in one input of the first step."""
        every = simulation.every
        original, twin, alike = list(start), list(start), every
        before = dict.fromkeys(self.data, 0)
        arrived = dict.fromkeys(self.data, 0)
        for step in range(FOLLOWED):
            inputs = simulation.inputs()
            changed = {**inputs, flipped: inputs[flipped] ^ every} if step == 0 else inputs
            original, allowed = simulation.following(original, inputs)
            twin, allowed_too = simulation.following(twin, changed)
            alike &= allowed & allowed_too
            for latch in self._control:
                alike &= every ^ original[latch] ^ twin[latch]
            now = {latch: (original[latch] ^ twin[latch]) & alike for latch in self.data}
            marked = [(latch, runs) for latch, runs in now.items() if runs]
            if not marked:
                return
            states = unpacked(original, simulation.runs)
            for latch, runs in marked:
                new = runs & ~before[latch]
                if new and step > 0:
                    self._arrivals.add(latch, states, new, simulation.runs)
            first_time = {latch: runs & ~arrived[latch] for latch, runs in marked}
            self._earlier.update(
                (one, other) for one, runs in arrived.items() for other, new in first_time.items() if runs & new
            )
            for latch, runs in first_time.items():
                arrived[latch] |= runs
            for (one, first), (other, second) in combinations(marked, 2):
                if first & second:
                    self._pairs.add((one, other), states, first & second, simulation.runs)
            before = now

    def matters(self, states: Truths, seen: int) -> tuple[dict[int, int], list[tuple[Truths, dict[int, int]]]]:
        """For each latch of ``data`` the bit set of the states in which it matters; and some steps from the states.

        It matters where the next value of another latch, or the literal ``seen``, changes with it under some random
        input. A step is the states after it, and for each latch the bit set of those whose value of it is kept.
        """
        circuit = self._circuit
        simulation = CircuitSimulation.of(circuit, len(states), self._seed)
        present, every = packed(states), simulation.every
        observer = Evaluator(circuit.graph, [seen])

        def observed(latches: Sequence[int]) -> int:
            return observer.run(dict(zip(circuit.latches, latches, strict=True)), every)[seen]

        differences = dict.fromkeys(self.data, 0)
        steps = []
        for _ in range(OFTEN):
            simulation.bias()
            inputs = simulation.inputs()
            after, _ = simulation.following(present, inputs)
            kept = {}
            for latch in self.data:
                changed = [runs ^ every if number == latch else runs for number, runs in enumerate(present)]
                other, _ = simulation.following(changed, inputs)
                differences[latch] |= observed(present) ^ observed(changed)
                for number, (one, two) in enumerate(zip(after, other, strict=True)):
                    if number != latch:
                        differences[latch] |= one ^ two
                kept[latch] = after[latch] ^ other[latch]
            steps.append((unpacked(after, simulation.runs), kept))
        return differences, steps


class _StateGroups:
    """States in groups: each call adds a few, until the group has ``MOST``."""

    def __init__(self) -> None:
        self._parts: dict[Hashable, list[Truths]] = {}
        self._counts: dict[Hashable, int] = {}

    def add(self, key: Hashable, states: Truths, runs: int, count: int) -> None:
        """Add some of the states (a row for each of ``count`` runs) of the runs in a bit set to a group."""
        seen = self._counts.get(key, 0)
        if seen < MOST:
            numbers = _numbers(runs, count)[:AT_ONCE]
            self._parts.setdefault(key, []).append(states[numbers])
            self._counts[key] = seen + len(numbers)

    def of(self, key: Hashable) -> Truths | None:
        """The different states of a group."""
        parts = self._parts.get(key)
        return None if parts is None else different(np.concatenate(parts))


def _numbers(runs: int, count: int) -> NDArray[np.int64]:
    """The numbers of the bits that are set."""
    packed_runs = np.frombuffer(runs.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
    return np.nonzero(np.unpackbits(packed_runs, bitorder="little"))[0]
