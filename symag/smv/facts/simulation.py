"""Random runs of a step circuit, many at once: bit k of a number is the value in run k."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from symag.smv.circuits.graph import INPUT, TRUE, Graph
from symag.smv.facts.atoms import StateAtom
from symag.smv.facts.candidates import Truths
from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.solving import GraphSolver

#: How often inputs that satisfy the constraints are tried before a run stays in its state.
_ATTEMPTS = 4


class Evaluator:
    """Evaluates some literals of a graph in many runs at once."""

    def __init__(self, graph: Graph, roots: Sequence[int]) -> None:
        left, right = graph.left, graph.right
        cone = graph.cone(roots)
        self._program = [(2 * node, left[node], right[node]) for node in cone if left[node] != INPUT]
        self._size = 2 * len(graph)
        self.inputs = {2 * node for node in cone if left[node] == INPUT}

    def run(self, values: Mapping[int, int], every: int) -> list[int]:
        """The values of all literals, from those of the inputs; ``every`` has the bits of all runs."""
        value = [0] * self._size
        value[TRUE] = every
        for literal, runs in values.items():
            if literal < self._size:
                value[literal], value[literal ^ 1] = runs, every ^ runs
        for literal, a, b in self._program:
            runs = value[literal] = value[a] & value[b]
            value[literal ^ 1] = every ^ runs
        return value


@dataclass(slots=True)
class CircuitSimulation:
    """Runs of one circuit. ``present`` are the values of the latches, empty before ``start``."""

    circuit: StepCircuit
    runs: int
    draw: random.Random
    present: list[int]
    _step: Evaluator
    _begin: Evaluator
    _often: dict[int, int]
    _seldom: dict[int, int]

    @classmethod
    def of(cls, circuit: StepCircuit, runs: int, seed: int) -> CircuitSimulation:
        """A simulation of this many runs."""
        stepping = [*circuit.following, *circuit.steps, *circuit.always, *circuit.always_next]
        starting = [*circuit.initial, *circuit.first, *circuit.always]
        step, begin = Evaluator(circuit.graph, stepping), Evaluator(circuit.graph, starting)
        return cls(circuit, runs, random.Random(seed), [], step, begin, {}, {})

    @property
    def every(self) -> int:
        """The bits of all runs."""
        return (1 << self.runs) - 1

    def start(self) -> bool:
        """Draw initial states; False if there is none."""
        circuit, every = self.circuit, self.every
        values = {number: self.draw.getrandbits(self.runs) for number in sorted(self._begin.inputs)}
        values.update((latch, self.draw.getrandbits(self.runs)) for latch in circuit.latches)
        for _ in range(len(circuit.latches) + 2):
            value = self._begin.run(values, every)
            changed = False
            for latch, first in zip(circuit.latches, circuit.initial, strict=True):
                if first == latch:
                    continue
                now = value[first]
                changed = changed or values[latch] != now
                values[latch] = now
            if not changed:
                break
        value = self._begin.run(values, every)
        good = every
        for literal in (*circuit.first, *circuit.always):
            good &= value[literal]
        self.present = [values[latch] for latch in circuit.latches]
        if good != every:
            return self._replace(every ^ good, good)
        return True

    def _replace(self, bad: int, good: int) -> bool:
        """Replace bad first states by good ones, which a solver finds if there are none; False if it finds none."""
        states: list[list[bool]] = []
        if not good:
            with GraphSolver(self.circuit.graph) as solving:
                solving.require((*self.circuit.first, *self.circuit.always))
                for _ in range(min(32, self.runs)):
                    solving.prefer(self.circuit.latches, self.draw)
                    if not solving.solve(()):
                        return False
                    states.append(solving.values(self.circuit.latches))
        else:
            sources = [number for number in range(self.runs) if good >> number & 1][:64]
            states = [[bool(runs >> number & 1) for runs in self.present] for number in sources]
        for number in range(self.runs):
            if bad >> number & 1:
                self.put(number, states[number % len(states)])
        return True

    def put(self, number: int, state: Sequence[bool]) -> None:
        """Continue one run from this state."""
        mask = 1 << number
        self.present = [runs | mask if bit else runs & ~mask for runs, bit in zip(self.present, state, strict=True)]

    def spread(self, state: Sequence[bool]) -> None:
        """Continue all runs from this state."""
        self.present = [self.every if bit else 0 for bit in state]

    def bias(self) -> None:
        """Draw a new probability for every input in every run: one eighth, a half, or seven eighths."""
        inputs = sorted(self._step.inputs - set(self.circuit.latches))
        self._often = {number: self.draw.getrandbits(self.runs) for number in inputs}
        self._seldom = {number: self.draw.getrandbits(self.runs) for number in inputs}

    def inputs(self) -> dict[int, int]:
        """Values of the inputs for one step."""
        bits = self.draw.getrandbits
        inputs = {}
        for number, often in self._often.items():
            half = bits(self.runs)
            less, more = self._seldom[number] & ~often, often & ~self._seldom[number]
            eighth = bits(self.runs) & bits(self.runs)
            inputs[number] = (half & ~less | half & eighth & less) | (~eighth & more & self.every)
        return inputs

    def following(self, present: Sequence[int], inputs: dict[int, int]) -> tuple[list[int], int]:
        """The next values of the latches, and the runs in which the constraints allow this step."""
        every = self.every
        state = dict(zip(self.circuit.latches, present, strict=True))
        value = self._step.run({**inputs, **state}, every)
        good = every
        for literal in (*self.circuit.steps, *self.circuit.always_next):
            good &= value[literal]
        return [value[new] for new in self.circuit.following], good

    def step(self) -> None:
        """One step of every run; a run without a step that the constraints allow stays in its state."""
        every = self.every
        pending, result = every, list(self.present)
        for _ in range(_ATTEMPTS):
            after, good = self.following(self.present, self.inputs())
            good &= pending
            if good:
                unchanged = every ^ good
                result = [old & unchanged | new & good for old, new in zip(result, after, strict=True)]
            pending &= every ^ good
            if not pending:
                break
        self.present = result


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
        visited = visited[np.sort(np.random.default_rng(abs(seed)).choice(len(visited), most, replace=False))]
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
        self._evaluator = Evaluator(circuit.graph, [atom.now for atom in atoms])

    def of(self, states: Truths) -> Truths:
        """A row for each state, a column for each atom."""
        count = len(states)
        every = (1 << count) - 1
        latches = dict(zip(self._circuit.latches, packed(states), strict=True))
        value = self._evaluator.run(latches, every)
        return unpacked([value[atom.now] for atom in self._atoms], count)
