"""Questions about the sets of all parts together, for a SAT solver: their diagrams become gates, node by node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType

from symag.bdd.context import Bdd
from symag.smv.circuits.graph import FALSE, TRUE
from symag.smv.facts.circuit import StepCircuit
from symag.smv.facts.solving import GraphSolver
from symag.smv.model.typed import Expression
from symag.smv.symbolic.encoding import Encoding

#: A state, or a set of states: literals of latches, and of wires.
Cube = tuple[int, ...]


class StateQuestions:
    """Solvers for one system: about its states, its first states, and its steps.

    Sets of states are given as literals (``literal``), a set of parts as the list of theirs.
    """

    def __init__(
        self,
        circuit: StepCircuit,
        encoding: Encoding,
        invariant: Expression,
        wires: Mapping[str, Expression] | None = None,
    ) -> None:
        """``wires`` are functions of the state by the names of their bits."""
        self._circuit = circuit
        self._encoding = encoding
        self._graph = circuit.graph
        self._literals: dict[Bdd, int] = {encoding.context.false: FALSE, encoding.context.true: TRUE}
        self._next_of = dict(zip(circuit.latches, circuit.following, strict=True))
        self._bad = circuit.literal(invariant) ^ 1
        self._states, self._first, self._steps = (GraphSolver(self._graph) for _ in range(3))
        for solver in (self._states, self._first, self._steps):
            solver.require(circuit.always)
            solver.define(circuit.latches)
        self._first.require(circuit.first)
        self._steps.require((*circuit.always_next, *circuit.steps))
        self.bit_of = {
            literal: name
            for variable in circuit.system.variables
            if variable.name in encoding.current
            for literal, name in zip(circuit.bits[variable.name, False], encoding.current[variable.name], strict=True)
        }

        self._latches = frozenset(circuit.latches)
        self._wires: list[int] = []
        self._wires_defined = False
        self._literal_of_wire: dict[str, int] = {}
        for name, expression in (wires or {}).items():
            literal, following = circuit.literal(expression), circuit.literal(expression, primed=True)
            self._literal_of_wire[name] = literal
            negated = literal & 1
            wire = literal ^ negated
            if wire not in self._next_of and wire:
                self._wires.append(wire)
                self._next_of[wire] = following ^ negated
                self.bit_of[wire] = name

    def __enter__(self) -> StateQuestions:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        for solver in (self._states, self._first, self._steps):
            solver.close()

    @property
    def queries(self) -> int:
        """The number of queries so far."""
        return self._states.queries + self._first.queries + self._steps.queries

    def literal(self, diagram: Bdd) -> int:
        """The literal of a diagram over current bits. Costs one gate for a node that is new."""
        known = self._literals
        for below, name, low, high in self._encoding.context.decisions_below(diagram, known):
            condition = self._literal_of_wire.get(name)
            if condition is None:
                variable, index, _ = self._encoding.variable_of_bit[name]
                condition = self._circuit.bits[variable, False][index]
            known[below] = self._graph.choice(condition, known[high], known[low])
        return known[diagram]

    def wires_of(self, state: Cube) -> Cube:
        """The literals of the wires that are true in a state."""
        if not self._wires:
            return ()
        if not self._wires_defined:
            self._states.define(self._wires)
            self._wires_defined = True
        possible = self._states.solve(state)
        assert possible
        values = self._states.values(self._wires)
        return tuple(wire if value else wire ^ 1 for wire, value in zip(self._wires, values, strict=True))

    def is_wire(self, literal: int) -> bool:
        """Whether the literal is one of a wire."""
        return literal & ~1 not in self._latches

    def bits_of(self, cube: Iterable[int]) -> frozenset[str]:
        """The names of the bits of these literals."""
        return frozenset(self.bit_of[literal & ~1] for literal in cube)

    def is_in(self, sets: Sequence[int], state: Cube) -> bool:
        """Whether a state is in all of the sets."""
        return self._states.solve([*sets, *state])

    def violation(self, sets: Sequence[int]) -> Cube | None:
        """A state in all of the sets that violates the invariant; None if there is none."""
        return self._state(self._states) if self._states.solve([*sets, self._bad]) else None

    def reason(self, sets: Sequence[int]) -> frozenset[int]:
        """After ``violation`` has returned None: sets that suffice."""
        return self._states.core().intersection(sets)

    def first_state(self, sets: Sequence[int]) -> bool:
        """Whether some first state is in all of the sets (a cube is one too)."""
        return self._first.solve(sets)

    def reason_of_start(self) -> frozenset[int]:
        """After ``first_state`` has returned False: sets, or literals of the cube, that suffice."""
        return self._first.core()

    def predecessor(self, sets: Sequence[int], cube: Cube, excluded: Iterable[Cube]) -> Cube | None:
        """A state in all of the sets and in no excluded cube with a successor in a cube; None if there is none."""
        outside = [self._graph.all(other) ^ 1 for other in excluded]
        following = [self._following(literal) for literal in cube]
        return self._state(self._steps) if self._steps.solve([*sets, *outside, *following]) else None

    def reason_of_step(self, cube: Cube) -> Cube:
        """After ``predecessor`` has returned None: literals of the cube that suffice."""
        core = self._steps.core()
        return tuple(literal for literal in cube if self._following(literal) in core)

    def sets_of_step(self, sets: Sequence[int]) -> frozenset[int]:
        """After ``predecessor`` has returned None: sets that suffice."""
        return self._steps.core().intersection(sets)

    def _following(self, literal: int) -> int:
        return self._next_of[literal & ~1] ^ literal & 1

    def _state(self, solver: GraphSolver) -> Cube:
        latches = self._circuit.latches
        values = solver.values(latches)
        return tuple(latch if value else latch ^ 1 for latch, value in zip(latches, values, strict=True))
