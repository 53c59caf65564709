"""An incremental SAT solver over the literals of a growing graph."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from types import TracebackType

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from symag.smv.circuits.clauses import GateClauses
from symag.smv.circuits.graph import Graph

#: Not that of the re-check. The search for facts of miter_pipe_6, relations of many terms, takes 1.5 s, with glucose4
#: 2.2, with cadical153 2.0; for 15 properties of other elastic and BTOR2 models glucose4 differs by a fifth at most.
_SOLVER = "minisat22"


class GraphSolver:
    """A solver over the literals of a graph; the clauses of gates are added when a query first needs them."""

    def __init__(self, graph: Graph) -> None:
        self._solver = Solver(name=_SOLVER)
        self._clauses = GateClauses(graph, self._solver.add_clause)
        self._assumed: dict[int, int] = {}
        self.queries = 0

    def __enter__(self) -> GraphSolver:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def require(self, literals: Iterable[int]) -> None:
        """Require all these literals."""
        for signal in self._clauses.literals(literals):
            self._solver.add_clause([signal])

    def define(self, literals: Iterable[int]) -> NDArray[np.int64]:
        """Have the solver give these literals a value in every valuation from now on; its own literals for them."""
        signals = self._clauses.literals(literals)
        for signal in signals:
            self._solver.add_clause([signal, -signal])
        return np.array(signals, dtype=np.int64)

    def solve(self, assumptions: Sequence[int]) -> bool:
        """Whether some valuation makes all assumptions true."""
        self._assumed = dict(zip(self._clauses.literals(assumptions), assumptions, strict=True))
        self.queries += 1
        return bool(self._solver.solve(assumptions=list(self._assumed)))

    def core(self) -> frozenset[int]:
        """After ``solve`` has returned False: assumptions that cannot be true together."""
        return frozenset(self._assumed[signal] for signal in self._solver.get_core() or ())

    def values(self, literals: Iterable[int]) -> list[bool]:
        """The values of literals after ``solve`` has returned True; inputs that the solver does not know are FALSE."""
        model, signals = self._solver.get_model(), self._clauses.literals(literals)
        return [abs(signal) <= len(model) and (model[abs(signal) - 1] > 0) == (signal > 0) for signal in signals]

    def truths(self, signals: NDArray[np.int64]) -> NDArray[np.bool_]:
        """After ``solve`` has returned True: the values of the solver's own literals that ``define`` gave."""
        model = np.array(self._solver.get_model(), dtype=np.int64)
        values: NDArray[np.bool_] = (model[np.abs(signals) - 1] > 0) == (signals > 0)
        return values

    def prefer(self, inputs: Iterable[int], draw: random.Random) -> None:
        """Try random values of these inputs first."""
        signals = self._clauses.literals(inputs)
        self._solver.set_phases([signal if draw.random() < 0.5 else -signal for signal in signals])
