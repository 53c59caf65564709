"""A problem's circuit as clauses with one numbering for all solvers.

Solver variable 1 is TRUE, then come the latches, then the inputs, then gates. A cube is a set of literals of latch
variables. Queries about the next state assume literals of next functions, so it needs no variables of its own.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from symag.smv.circuits.clauses import GateClauses
from symag.smv.circuits.satisfiability import SatSolver
from symag.smv.methods.sat.problem import ReachabilityProblem

Cube = frozenset[int]


class PdrEncoding:
    """Clauses of a problem, and its latches, inputs, constraints and ``bad`` as solver literals.

    ``next_literal[v]`` is the next value of the latch of variable v; ``reset[v]`` is the literal of v that is true
    initially, 0 if v has any value. ``always`` holds in every state, ``initial`` in the first one, ``step`` (one
    literal or none) in every state that a step leaves. ``gates`` maps a gate to its operands and its clauses.
    """

    def __init__(self, problem: ReachabilityProblem, solver: str) -> None:
        circuit = problem.circuit
        self.solver_name = solver
        self.gates = _ClausesOfGates()
        self._clauses = GateClauses(circuit.graph, self.gates.add)
        self.latches = [self._clauses.of_input(latch.node) for latch in circuit.latches]
        self.inputs = [self._clauses.of_input(node) for node in circuit.inputs]
        self.node_of = {self._clauses.variable[node]: node for node in circuit.inputs}
        self.node_of.update((self._clauses.variable[latch.node], latch.node) for latch in circuit.latches)
        self.first_gate = self.gates.first_gate = self._clauses.largest + 1
        self.next_literal: dict[int, int] = {}
        self.reset: dict[int, int] = {}
        for latch in circuit.latches:
            variable = self._clauses.variable[latch.node]
            self.reset[variable] = 0 if latch.reset is None else variable if latch.reset else -variable
        for latch in circuit.latches:
            self.next_literal[self._clauses.variable[latch.node]] = self._clauses.literal(latch.next)
        self.bad = self._clauses.literal(problem.bad)
        self.always = [self._clauses.literal(literal) for literal in (*circuit.invariants, *problem.lemmas)]
        self.step = [self._clauses.literal(circuit.graph.all(circuit.steps))] if circuit.steps else []
        self.initial = [self._clauses.literal(literal) for literal in circuit.initial]

    def state_of(self, model: Sequence[int]) -> list[int]:
        """The literals of the latches in a solver's model."""
        return list(model[1 : len(self.latches) + 1])

    def inputs_of(self, model: Sequence[int]) -> list[int]:
        """The literals of the inputs in a solver's model."""
        return list(model[len(self.latches) + 1 : self.first_gate - 1])

    @property
    def largest(self) -> int:
        """The largest variable in use."""
        return self._clauses.largest

    def next_of(self, cube: Iterable[int]) -> list[int]:
        """The literals that are true iff the next state is in a cube."""
        following = self.next_literal
        return [following[literal] if literal > 0 else -following[-literal] for literal in cube]


class _ClausesOfGates:
    """Clauses in one array, each with 0 behind it. A gate's clauses come together, operands before gates.

    Those without a variable from ``first_gate`` on are left out.
    """

    def __init__(self) -> None:
        self.first_gate = 0
        self._literals = array("i")
        self._starts = array("q")

    def add(self, clause: list[int]) -> None:
        """A clause more of the gate with its largest variable."""
        if self.first_gate == 0:
            return
        place = max(map(abs, clause)) - self.first_gate
        if place < 0:
            return
        while len(self._starts) <= place:
            self._starts.append(len(self._literals))
        self._literals.extend(clause)
        self._literals.append(0)

    def of(self, gate: int) -> list[int]:
        """The clauses of a gate one after the other, each with 0 behind it."""
        place = gate - self.first_gate
        end = self._starts[place + 1] if place + 1 < len(self._starts) else len(self._literals)
        return self._literals[self._starts[place] : end].tolist()


class LazySolver:
    """A solver with the clauses of the gates below the literals of its queries, and no others.

    ``fixed`` literals are true from the start.
    """

    def __init__(self, encoding: PdrEncoding, fixed: Sequence[int]) -> None:
        self.encoding = encoding
        self.solver = SatSolver(encoding.solver_name)
        self.solver.add([1])
        # Models give a value to every latch and input from the start.
        self.solver.add([encoding.first_gate - 1, 1 - encoding.first_gate])
        self._loaded: set[int] = set()
        self._last = encoding.largest
        self.activations = 0
        self._switch = 0
        self.load(fixed)
        for literal in fixed:
            self.solver.add([literal])

    def load(self, literals: Iterable[int]) -> None:
        """Add the clauses of all gates below some literals."""
        gates, loaded, first, add = self.encoding.gates, self._loaded, self.encoding.first_gate, self.solver.add
        stack = [abs(literal) for literal in literals if abs(literal) >= first and abs(literal) not in loaded]
        while stack:
            gate = stack.pop()
            if gate in loaded:
                continue
            loaded.add(gate)
            clause: list[int] = []
            for literal in gates.of(gate):
                if literal == 0:
                    add(clause)
                    clause = []
                    continue
                clause.append(literal)
                variable = literal if literal > 0 else -literal
                if variable >= first and variable not in loaded:
                    stack.append(variable)

    def switched(self, clause: list[int]) -> int:
        """Add a clause for the next query only: it is in force where the returned literal is assumed."""
        self._forget()
        self.activations += 1
        self._last += 1
        self._switch = self._last
        self.solver.add([-self._switch, *clause])
        return self._switch

    def _forget(self) -> None:
        # Not right after the query: adding a clause would lose the model.
        if self._switch:
            self.solver.add([-self._switch])
            self._switch = 0

    def close(self) -> None:
        """Free the solver."""
        self.solver.close()
