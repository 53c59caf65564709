"""States that random runs visit, as the truth values of atoms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.smv.facts.atoms import StateAtom
from symag.smv.facts.candidates import Truths
from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.simulation import CircuitSimulation, Evaluator, read

#: The number of parallel runs, and of the steps of each.
RUNS = 512
STEPS = 96
#: Runs continue while some bit took a value for the first time in the last PATIENCE steps, for at most LONGEST steps.
PATIENCE = 48
LONGEST = 768
#: All states of the first EARLY steps count, then those of one in STRIDE steps.
EARLY = 8
STRIDE = 6
#: The number of steps after which the inputs get new probabilities (see ``CircuitSimulation.bias``).
HABIT = 16
#: The largest number of different states: more add little and cost time.
MOST = 4_000


def visited_states(circuit: StepCircuit, seed: int, most: int = MOST) -> Truths | None:
    """The latches' values in states that random runs visit, a row each, all different; None without initial states."""
    simulation = CircuitSimulation.of(circuit, RUNS, seed)
    if not simulation.start():
        return None
    rows = []
    novelties = _Novelties(len(circuit.latches), simulation.every)
    step = 0
    while step < STEPS or (step < LONGEST and step - novelties.last < PATIENCE):
        novelties.look(step, simulation.present)
        if step % HABIT == 0:
            simulation.bias()
        if step < EARLY or step % STRIDE == 0:
            rows.append(unpacked(simulation.present, RUNS))
        simulation.step()
        step += 1
    states = np.concatenate(rows) if circuit.latches else np.zeros((1, 0), dtype=np.bool_)
    visited = different(states)
    if len(visited) > most:
        visited = visited[np.sort(np.random.default_rng(seed).choice(len(visited), most, replace=False))]
    return visited


def different(states: Truths) -> Truths:
    """The rows without repetitions, in their order."""
    count, width = states.shape
    if width == 0:
        return states[:1]
    size = (width + 63) // 64 * 8
    rows = np.zeros((count, size), dtype=np.uint8)
    rows[:, : (width + 7) // 8] = np.packbits(states, axis=1)
    words = rows.view(np.uint64)
    # Words are sorted much faster than rows.
    _, first = np.unique(words[:, 0], return_index=True) if size == 8 else np.unique(words, axis=0, return_index=True)
    distinct: Truths = states[np.sort(first)]
    return distinct


class _Novelties:
    """``last`` is the last step at which some latch took a value for the first time."""

    def __init__(self, latches: int, every: int) -> None:
        self.last = 0
        self._every = every
        self._one_valued = set(range(latches))
        self._first: list[int] = []

    def look(self, step: int, present: Sequence[int]) -> None:
        """Update ``last`` by the values of all runs at a step."""
        self._first = self._first or [column & 1 for column in present]
        new = [latch for latch in self._one_valued if present[latch] != (self._every if self._first[latch] else 0)]
        if new:
            self.last = step
            self._one_valued.difference_update(new)


def unpacked(columns: Sequence[int], runs: int) -> Truths:
    """A row for each run, a column for each signal, from bit sets of runs: one number for each signal."""
    size = (runs + 7) // 8
    packed = np.frombuffer(b"".join(column.to_bytes(size, "little") for column in columns), dtype=np.uint8)
    bits = np.unpackbits(packed.reshape(len(columns), size), axis=1, bitorder="little", count=runs)
    return bits.T.astype(np.bool_)


def packed(states: Truths) -> list[int]:
    """The inverse of ``unpacked``: a number for each column."""
    rows = np.packbits(states.T, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in rows]


class AtomValues:
    """The atoms' values in states that are given by their latches."""

    def __init__(self, circuit: StepCircuit, atoms: Sequence[StateAtom]) -> None:
        self._circuit = circuit
        self._atoms = atoms
        self._evaluator = Evaluator(circuit.gates, [atom.now for atom in atoms])

    def of(self, states: Truths) -> Truths:
        """A row for each state, a column for each atom."""
        count = len(states)
        every = (1 << count) - 1
        latches = dict(zip(self._circuit.latches, packed(states), strict=True))
        value = self._evaluator.run(latches, every)
        return unpacked([read(value, atom.now, every) for atom in self._atoms], count)
