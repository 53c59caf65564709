"""SAT solvers of python-sat behind the few operations that the engines use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pysat.solvers import Solver


class SatSolver:
    """An incremental solver; literals are as in DIMACS. ``queries`` counts the calls of ``solve``."""

    def __init__(self, name: str) -> None:
        self._solver: Any = Solver(name=name)
        self.add = self._solver.add_clause
        self.queries = 0

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Whether all clauses and assumptions can be true together."""
        self.queries += 1
        return bool(self._solver.solve(assumptions=assumptions))

    def model(self) -> list[int]:
        """After ``solve`` has returned True: at index v - 1 the literal of variable v that is true."""
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> list[int]:
        """After ``solve`` has returned False: assumptions that cannot be true together, perhaps none."""
        return list(self._solver.get_core() or ())

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()
