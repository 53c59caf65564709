"""Copies of a circuit in one graph, with a SAT solver for the questions about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from symag.smv.circuits.clauses import GateClauses
from symag.smv.circuits.graph import FALSE, INPUT, Graph
from symag.smv.circuits.transitions import TransitionCircuit

#: The solver of the many small questions; the others that take a limit of conflicts are not faster.
SOLVER = "minisat22"
#: A question that takes more conflicts than this counts as answered by "not equal".
CONFLICTS = 1_000


class CircuitCopies:
    """Copies of a circuit in one graph, with a solver for the questions about them."""

    def __init__(self, circuit: TransitionCircuit, solver: Any) -> None:
        self._own = circuit.graph
        self.graph = Graph()
        self._solver = solver
        self._clauses = GateClauses(self.graph, solver.add_clause)
        self._model: list[int] = []

    def signal(self, node: int, image: Mapping[int, int], leaves: Mapping[int, int]) -> int:
        """The literal of a node, given those of its operands."""
        a, b = self._own.left[node], self._own.right[node]
        if a == INPUT:
            return leaves[node]
        return self.graph.conjunction(image[a >> 1] ^ (a & 1), image[b >> 1] ^ (b & 1))

    def frame(self, order: Sequence[int], leaves: Mapping[int, int]) -> dict[int, int]:
        """A copy of all nodes."""
        image = {0: FALSE}
        for node in order:
            image[node] = self.signal(node, image, leaves)
        return image

    def require(self, literals: Sequence[int]) -> None:
        """Only valuations in which all literals are TRUE count."""
        for literal in literals:
            self._solver.add_clause([self._clauses.literal(literal)])

    def require_equal(self, one: int, other: int) -> None:
        """Only valuations in which two literals are equal count."""
        a, b = self._clauses.literal(one), self._clauses.literal(other)
        self._solver.add_clause([a, -b])
        self._solver.add_clause([-a, b])

    def can_differ(self, one: int, other: int) -> bool | None:
        """Whether two literals can differ; None if that is too hard."""
        a, b = self._clauses.literal(one), self._clauses.literal(other)
        unknown = False
        for assumptions in ([a, -b], [-a, b]):
            self._solver.conf_budget(CONFLICTS)
            answer = self._solver.solve_limited(assumptions=assumptions)
            if answer:
                self._model = self._solver.get_model()
                return True
            unknown |= answer is None
        return None if unknown else False

    def variables(self, literals: Iterable[int]) -> Any:
        """The solver's literals of encoded literals, as an array for ``values``."""
        return np.array([self._clauses.literal(literal) for literal in literals], dtype=np.int64)

    def values(self, variables: Any) -> Any:
        """Which of these are true in the last valuation that shows a difference; what it leaves open is false."""
        model = np.zeros(self._clauses.largest, dtype=np.bool_)
        model[: len(self._model)] = np.array(self._model) > 0
        return model[np.abs(variables) - 1] == (variables > 0)
