"""A problem's circuit as clauses with one numbering for all solvers.

Solver variable 1 is TRUE, then come the latches, then the inputs, then gates. A cube is a set of literals of latch
variables. Queries about the next state assume literals of next functions, so it needs no variables of its own.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Protocol

from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.circuits.gates import MANY
from symag.smv.circuits.graph import Graph
from symag.smv.methods.sat.problem import ReachabilityProblem

Cube = frozenset[int]


class PdrEncoding:
    """Clauses of a problem, and its latches, inputs, constraints and ``bad`` as solver literals.

    ``next_literal[v]`` is the next value of the latch of variable v; ``reset[v]`` is the literal of v that is true
    initially, 0 if v has any value. ``always`` holds in every state, ``initial`` in the first one, ``step`` (one
    literal or none) in every state that a step leaves. ``gates`` has the clauses of the gates below all of these.
    """

    def __init__(self, problem: ReachabilityProblem, solver: str) -> None:
        circuit = problem.circuit
        self.solver_name = solver
        nodes = [*(latch.node for latch in circuit.latches), *circuit.inputs]
        leaves = [(node, variable) for variable, node in enumerate(nodes, start=2)]
        self.latches = [variable for _, variable in leaves[: len(circuit.latches)]]
        self.node_of = {variable: node for node, variable in leaves}
        self.first_gate = len(leaves) + 2
        always = (*circuit.invariants, *problem.lemmas)
        step = [circuit.graph.all(circuit.steps)] if circuit.steps else []
        following = [latch.next for latch in circuit.latches]
        roots = [*following, problem.bad, *always, *step, *circuit.initial]
        self.gates = _clauses(circuit.graph, roots, leaves, self.first_gate)
        literal = self.gates.literal
        self.reset: dict[int, int] = {}
        for variable, latch in zip(self.latches, circuit.latches, strict=True):
            self.reset[variable] = 0 if latch.reset is None else variable if latch.reset else -variable
        self.next_literal = {variable: literal(after) for variable, after in zip(self.latches, following, strict=True)}
        self.bad = literal(problem.bad)
        self.always = [literal(condition) for condition in always]
        self.step = [literal(condition) for condition in step]
        self.initial = [literal(condition) for condition in circuit.initial]

    def state_of(self, model: Sequence[int]) -> list[int]:
        """The literals of the latches in a solver's model."""
        return list(model[1 : len(self.latches) + 1])

    def inputs_of(self, model: Sequence[int]) -> list[int]:
        """The literals of the inputs in a solver's model."""
        return list(model[len(self.latches) + 1 : self.first_gate - 1])

    @property
    def largest(self) -> int:
        """The largest variable in use."""
        return self.gates.largest

    def next_of(self, cube: Iterable[int]) -> list[int]:
        """The literals that are true iff the next state is in a cube."""
        following = self.next_literal
        return [following[literal] if literal > 0 else -following[-literal] for literal in cube]


class GatesAsClauses(Protocol):
    """The clauses of a circuit's gates, operands before gates."""

    @property
    def largest(self) -> int:
        """The largest variable in use."""

    def literal(self, literal: int) -> int:
        """The solver literal of one of the circuit's literals that were named at the start."""

    def loading(self) -> Loading:
        """What a new solver has of them: nothing."""


class Loading(Protocol):
    """The gates whose clauses one solver has."""

    @property
    def sizes(self) -> Sequence[int | None]:
        """The numbers of gates to be loaded for a question one after the other; the last one is None: all."""

    def new_clauses(self, literals: Iterable[int], most: int | None) -> Iterable[list[list[int]]]:
        """The clauses of the gates below some solver literals that the solver does not have yet; now it has them.

        Of about ``most`` gates that are near the literals; None: of all.
        """


def _clauses(graph: Graph, roots: Sequence[int], leaves: Sequence[tuple[int, int]], first_gate: int) -> GatesAsClauses:
    """The gates below the roots; ``leaves`` are nodes with their variables. Large cones are encoded all at once."""
    if len(graph) >= MANY and len(graph.cone(roots)) >= MANY:
        # Small models need no numpy.
        from symag.smv.circuits.cone_clauses import ConeClauses

        return ConeClauses(graph, roots, leaves, first_gate)
    return _ClausesOfGates(graph, roots, leaves, first_gate)


class _ClausesOfGates:
    """``GatesAsClauses`` made gate by gate, in one array, each clause with 0 behind it."""

    def __init__(self, graph: Graph, roots: Sequence[int], leaves: Sequence[tuple[int, int]], first_gate: int) -> None:
        self._first_gate = first_gate
        self._literals = array("i")
        self._starts = array("q")
        clauses = GateClauses(graph, self._add)
        for node, _ in leaves:
            clauses.of_input(node)
        for root in roots:
            clauses.literal(root)
        self.literal = clauses.literal
        self.largest = clauses.largest

    def _add(self, clause: list[int]) -> None:
        """A clause more of the gate with its largest variable; gates come one after the other."""
        place = max(map(abs, clause)) - self._first_gate
        if place < 0:
            return
        while len(self._starts) <= place:
            self._starts.append(len(self._literals))
        self._literals.extend(clause)
        self._literals.append(0)

    def loading(self) -> Loading:
        """See ``GatesAsClauses``."""
        return _LoadingOfGates(self._first_gate, self._starts, self._literals)


class _LoadingOfGates:
    """``Loading`` of whole cones at once."""

    sizes = (None,)

    def __init__(self, first_gate: int, starts: array[int], literals: array[int]) -> None:
        self._first_gate, self._starts, self._literals = first_gate, starts, literals
        self._marks = bytearray(len(starts))

    def new_clauses(self, literals: Iterable[int], most: int | None) -> Iterable[list[list[int]]]:
        """See ``Loading``."""
        first, marks = self._first_gate, self._marks
        stack = [place for literal in literals if (place := abs(literal) - first) >= 0 and not marks[place]]
        clauses: list[list[int]] = []
        while stack:
            place = stack.pop()
            if marks[place]:
                continue
            marks[place] = 1
            clause: list[int] = []
            end = self._starts[place + 1] if place + 1 < len(self._starts) else len(self._literals)
            for literal in self._literals[self._starts[place] : end].tolist():
                if literal == 0:
                    clauses.append(clause)
                    clause = []
                    continue
                clause.append(literal)
                below = abs(literal) - first
                if below >= 0 and not marks[below]:
                    stack.append(below)
        return (clauses,)


class LazySolver:
    """A solver with the clauses of the gates below the literals of its queries, and no others.

    ``fixed`` literals are true from the start.
    """

    def __init__(self, encoding: PdrEncoding, fixed: Sequence[int]) -> None:
        self.solver = SatSolver(encoding.solver_name)
        self.solver.add([1])
        # Models give a value to every latch and input from the start.
        self.solver.add([encoding.first_gate - 1, 1 - encoding.first_gate])
        self._loading = encoding.gates.loading()
        self._last = encoding.largest
        self.activations = 0
        self._switch = 0
        self.load(fixed)
        for literal in fixed:
            self.solver.add([literal])

    def load(self, literals: Sequence[int], most: int | None = None) -> bool:
        """Add the clauses of gates below some literals, see ``Loading``; whether there were any."""
        add, any_new = self.solver.add, False
        for clauses in self._loading.new_clauses(literals, most):
            for clause in clauses:
                add(clause)
                any_new = True
        return any_new

    def solve(self, literals: Sequence[int], assumptions: Sequence[int], *, near: bool = False) -> bool:
        """Whether the assumptions can be true together; the gates below ``literals`` are those that matter.

        With ``near`` only the nearest gates of large cones are looked at, so True is only a guess.
        """
        satisfiable = True
        for number, most in enumerate(self._loading.sizes):
            if self.load(literals, most) or number == 0:
                satisfiable = self.solver.solve(assumptions)
                if near or not satisfiable:
                    break
        return satisfiable

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
