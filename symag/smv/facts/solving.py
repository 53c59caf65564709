"""An incremental SAT solver over the literals of a circuit."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from types import TracebackType

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from symag.smv.facts.gates import TRUE, GateCircuit


class GateSolver:
    """A solver over the literals of a circuit; the clauses of gates are added when a query first needs them."""

    def __init__(self, gates: GateCircuit, name: str = "glucose4") -> None:
        self._gates = gates
        self._solver = Solver(name=name)
        self._solver.add_clause([TRUE])
        self._known: set[int] = {TRUE}
        self.queries = 0

    def __enter__(self) -> GateSolver:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def require(self, literals: Iterable[int]) -> None:
        """Require all these literals."""
        for literal in literals:
            self._add([literal])
            self._solver.add_clause([literal])

    def define(self, literals: Iterable[int]) -> None:
        """Have the solver give these literals a value in every valuation from now on."""
        for literal in literals:
            self._add([literal])
            self._solver.add_clause([literal, -literal])

    def solve(self, assumptions: Sequence[int]) -> bool:
        """Whether some valuation makes all assumptions true."""
        self._add(assumptions)
        self.queries += 1
        return bool(self._solver.solve(assumptions=list(assumptions)))

    def core(self) -> frozenset[int]:
        """After ``solve`` has returned False: assumptions that cannot be true together."""
        return frozenset(self._solver.get_core() or ())

    def values(self, literals: Iterable[int]) -> list[bool]:
        """The values of literals after ``solve`` has returned True; those that the solver does not know are FALSE."""
        model = self._solver.get_model()
        return [
            abs(literal) < len(model) + 1 and (model[abs(literal) - 1] > 0) == (literal > 0) for literal in literals
        ]

    def truths(self, literals: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The same for literals that all have been passed to ``define``."""
        model = np.array(self._solver.get_model(), dtype=np.int64)
        values: NDArray[np.bool_] = (model[np.abs(literals) - 1] > 0) == (literals > 0)
        return values

    def prefer(self, literals: Iterable[int], draw: random.Random) -> None:
        """Try random values of these inputs first."""
        self._solver.set_phases([literal if draw.random() < 0.5 else -literal for literal in literals])

    def _add(self, literals: Iterable[int]) -> None:
        gates, add, known = self._gates.gates, self._solver.add_clause, self._known
        stack = [number for literal in literals if (number := abs(literal)) not in known]
        while stack:
            number = stack.pop()
            if number in known:
                continue
            known.add(number)
            match gates[number]:
                case ("and", a, b):
                    add([-number, a])
                    add([-number, b])
                    add([number, -a, -b])
                    stack += (abs(a), abs(b))
                case ("xor", a, b):
                    add([-number, a, b])
                    add([-number, -a, -b])
                    add([number, -a, b])
                    add([number, a, -b])
                    stack += (abs(a), abs(b))
                case ("ite", c, a, b):
                    add([-number, -c, a])
                    add([number, -c, -a])
                    add([-number, c, b])
                    add([number, c, -b])
                    add([-number, a, b])
                    add([number, -a, -b])
                    stack += (abs(c), abs(a), abs(b))
