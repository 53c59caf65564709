"""The steps of a transition circuit as clauses of one solver: gate by gate, or for large circuits many at a time.

Of large circuits only the gates near a question become clauses at first; see ``cone_clauses.nearest``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from symag.smv.circuits.clauses import AddClause, GateClauses, SatSolver
from symag.smv.circuits.gates import MANY
from symag.smv.circuits.graph import FALSE, INPUT, TRUE, Graph
from symag.smv.circuits.transitions import AtStep, TransitionCircuit


class Unrolling:
    """The states at the steps 0, 1, .. of a run, over fresh inputs of ``graph``, which merges equal gates.

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


class StepsAsClauses(Protocol):
    """The states at the steps 0, 1, .. of a run; gates and steps are made when a literal needs them.

    ``inputs`` are the input nodes that the circuit reads.
    """

    @property
    def inputs(self) -> Sequence[int]:
        """The circuit's input nodes that its latches, its constraints or the roots read."""

    def literal(self, literal: int, step: int) -> int:
        """The solver literal of a latch, a constraint, a next function or a root at a step."""

    def loads(self, literals: Sequence[AtStep]) -> Iterator[None]:
        """Add the clauses below some literals: once or several times more of them, at last all. At least one round."""

    def known(self, node: int, step: int) -> int:
        """The solver literal of a latch or an input at a step; 0 if it has none so far."""

    def require_difference(self, literals: Sequence[int], one: int, other: int) -> None:
        """Some of these literals have different values at two steps."""


def is_satisfiable(solver: SatSolver, steps: StepsAsClauses, needed: Sequence[AtStep], assumed: Sequence[int]) -> bool:
    """Whether a run makes some solver literals true; ``needed`` are those that matter to the question."""
    return all(solver.solve(assumed) for _ in steps.loads(needed))


def steps_as_clauses(
    circuit: TransitionCircuit, roots: Iterable[int], add: AddClause, *, from_start: bool
) -> StepsAsClauses:
    """The steps; with ``from_start`` step 0 has the reset values, but no constraints yet, else it is any state."""
    roots = list(roots)
    if len(circuit.graph) >= MANY:
        needed = [latch.next for latch in circuit.latches]
        needed += [*circuit.initial, *circuit.invariants, *circuit.steps, *roots]
        if len(circuit.graph.cone(needed)) >= MANY:
            # Small models need no numpy.
            from symag.smv.circuits.cloned_steps import ClonedSteps

            return ClonedSteps(circuit, needed, add, from_start=from_start)
    return _UnrolledSteps(circuit, roots, add, from_start=from_start)


class _UnrolledSteps:
    """Steps in one graph, where equal gates are merged."""

    def __init__(self, circuit: TransitionCircuit, roots: Iterable[int], add: AddClause, *, from_start: bool) -> None:
        self._unrolling = Unrolling(circuit, roots, from_start=from_start)
        self._clauses = GateClauses(self._unrolling.graph, add)
        self._add = add

    @property
    def inputs(self) -> Sequence[int]:
        """See ``StepsAsClauses``."""
        return self._unrolling.inputs

    def literal(self, literal: int, step: int) -> int:
        """See ``StepsAsClauses``."""
        return self._clauses.literal(self._unrolling.literal(literal, step))

    def loads(self, literals: Sequence[AtStep]) -> Iterator[None]:
        """See ``StepsAsClauses``: ``literal`` has added them."""
        yield

    def known(self, node: int, step: int) -> int:
        """See ``StepsAsClauses``."""
        literal = self._unrolling.literal(2 * node, step)
        variable = self._clauses.variable.get(literal >> 1, 0)
        return -variable if literal & 1 else variable

    def require_difference(self, literals: Sequence[int], one: int, other: int) -> None:
        """See ``StepsAsClauses``."""
        unrolling = self._unrolling
        pairs = zip(unrolling.literals(literals, one), unrolling.literals(literals, other), strict=True)
        different = [unrolling.graph.exclusive(a, b) for a, b in pairs]
        self._add([self._clauses.literal(literal) for literal in different])
