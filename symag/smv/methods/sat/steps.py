"""A system's states at the steps 0, 1, .. as clauses, and the solver's model as states and inputs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Protocol

from symag.core.trace import Step, Value
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.graph import FALSE, TRUE
from symag.smv.circuits.steps_as_clauses import Unrolling
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.typed import Expression
from symag.smv.model.types import value_of

SOLVER = "cadical153"


class Solver(Protocol):
    """A SAT solver, or a collector of clauses."""

    def add(self, clause: list[int], /) -> object:
        """Add a clause."""

    def solve(self, assumptions: Sequence[int]) -> bool:
        """Whether all clauses and assumptions can be true together."""

    def model(self) -> Sequence[int]:
        """After ``solve`` has returned True: at index v - 1 the literal of variable v that is true."""

    def close(self) -> None:
        """Free the solver."""


class Steps:
    """The steps of one system in one solver; ``expressions`` are those that ``truth`` can evaluate.

    Raises InputError where evaluation can fail.
    """

    def __init__(
        self,
        system: FlatSystem,
        expressions: Iterable[Expression],
        from_start: bool = True,
        solver: Solver | None = None,
    ) -> None:
        self.system = system
        self._blasting = Blasting(system)
        self._truths = {id(expression): (expression, self._blasting.truth(expression)) for expression in expressions}
        refuse_failures(self._blasting)
        circuit = self._blasting.circuit
        self._values = circuit.values
        roots = [literal for _, literal in self._truths.values()]
        roots += [bit for bits in self._values.values() for bit in bits]
        self.unrolling = Unrolling(circuit, roots, from_start=from_start)
        self.graph = self.unrolling.graph
        self.solver: Solver = SatSolver(SOLVER) if solver is None else solver
        self.clauses = GateClauses(self.graph, self.solver.add)
        self.length = -1
        self._from_start = from_start
        self._state = [variable.name for variable in system.variables if variable.kind is not VariableKind.INPUT]

    def close(self) -> None:
        """Free the solver."""
        self.solver.close()

    def extend(self) -> int:
        """Add a step with its constraints; return its number."""
        circuit = self.unrolling.circuit
        self.length += 1
        if self.length == 0:
            if self._from_start:
                self._require(circuit.initial, 0)
        else:
            self._require(circuit.steps, self.length - 1)
        self._require(circuit.invariants, self.length)
        # The solver must know every bit, so that a model gives it a value.
        self.clauses.literals(bit for bits in self.bits(self.length).values() for bit in bits)
        return self.length

    def _require(self, literals: Iterable[int], step: int) -> None:
        for literal in self.unrolling.literals(list(literals), step):
            self.require(literal)

    def require(self, literal: int) -> None:
        """Require a literal of ``graph``."""
        if literal != TRUE:
            self.solver.add([self.clauses.literal(literal)])

    def initial_literals(self) -> list[int]:
        """Literals that make the state at step 0 initial, for steps with ``from_start=False``."""
        circuit, first = self.unrolling.circuit, self.unrolling.literal
        resets = [(latch.node, latch.reset) for latch in circuit.latches if latch.reset is not None]
        first_values = [first(2 * node, 0) ^ (not reset) for node, reset in resets]
        return [*first_values, *self.unrolling.literals(list(circuit.initial), 0)]

    def truth(self, expression: Expression, step: int) -> int:
        """The value of one of the expressions at a step, as a literal of ``graph``."""
        return self.unrolling.literal(self._truths[id(expression)][1], step)

    def bits(self, step: int) -> Mapping[str, list[int]]:
        """The literals of every variable's bits at a step."""
        return {name: self.unrolling.literals(bits, step) for name, bits in self._values.items()}

    def same(self, one: int, other: int, names: Container[str] | None = None) -> int:
        """A literal of ``graph`` that is true iff the states at two steps are equal, or these variables of them."""
        graph = self.graph
        first, second = self.bits(one), self.bits(other)
        compared = [name for name in self._state if names is None or name in names]
        pairs = [pair for name in compared for pair in zip(first[name], second[name], strict=True)]
        return graph.all(graph.equal(a, b) for a, b in pairs)

    def solve(self, literals: Iterable[int]) -> bool:
        """Whether some run makes these literals true."""
        assumptions = list(literals)
        if FALSE in assumptions:
            return False
        return self.solver.solve(self.clauses.literals(assumptions))

    def states(self) -> tuple[Step, ...]:
        """The states and inputs of the solver's model."""
        model = self.solver.model()
        return tuple(self._step(model, step) for step in range(self.length + 1))

    def _step(self, model: Sequence[int], step: int) -> Step:
        state: dict[str, Value] = {}
        inputs: dict[str, Value] = {}
        bits = self.bits(step)
        for variable in self.system.variables:
            index = sum(self._is_true(model, bit) << number for number, bit in enumerate(bits[variable.name]))
            value = value_of(variable.type, index)
            (inputs if variable.kind is VariableKind.INPUT else state)[variable.name] = value
        return Step(state, inputs)

    def _is_true(self, model: Sequence[int], literal: int) -> bool:
        if literal in (TRUE, FALSE):
            return literal == TRUE
        variable = self.clauses.literal(literal)
        # The model may lack a variable without clauses: it can have any value, but one.
        positive = abs(variable) <= len(model) and model[abs(variable) - 1] > 0
        return positive == (variable > 0)
