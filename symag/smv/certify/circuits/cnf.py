"""Questions about circuits for a SAT solver, which gets their gates as clauses (Tseitin)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.solvers import Solver

from symag.core.deadlines import Deadline
from symag.smv.certify.circuits.circuit import TRUE, Circuit

#: Conflicts between two looks at the clock.
_CONFLICTS = 2_000


class Satisfiability:
    """An incremental solver for signals of one circuit; a gate's clauses are added when it is first asked about."""

    def __init__(self, circuit: Circuit, deadline: Deadline) -> None:
        self._circuit = circuit
        self._deadline = deadline
        self._solver = Solver(name="glucose4", incr=False)
        self._solver.add_clause([TRUE])
        self._known: set[int] = set()

    def __enter__(self) -> Satisfiability:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def require(self, signal: int) -> None:
        """Keep only the valuations in which the signal is true."""
        self._add_cone([signal])
        self._solver.add_clause([signal])

    def is_satisfiable(self, signals: Sequence[int] = ()) -> bool:
        """Whether some valuation makes all signals true. Raises OutOfTimeError."""
        self._add_cone(signals)
        while True:
            self._deadline.check()
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited(assumptions=list(signals))
            if answer is not None:
                return bool(answer)

    def is_satisfiable_within(self, signals: Sequence[int], conflicts: int) -> bool | None:
        """As ``is_satisfiable``; None if the solver does not know after this many conflicts. Raises OutOfTimeError."""
        self._add_cone(signals)
        for _ in range(-(-conflicts // _CONFLICTS)):
            self._deadline.check()
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited(assumptions=list(signals))
            if answer is not None:
                return bool(answer)
        return None

    def conflict(self, signals: Sequence[int]) -> list[int] | None:
        """Signals among these that cannot all be true; None if all of them can. Raises OutOfTimeError."""
        if self.is_satisfiable(signals):
            return None
        return list(self._solver.get_core() or ())

    def _add_cone(self, signals: Iterable[int]) -> None:
        gates = self._circuit.gates
        add = self._solver.add_clause
        for number, signal in enumerate(self._circuit.cone(signals, skip=self._known)):
            if number % 50_000 == 0:
                self._deadline.check()
            self._known.add(signal)
            match gates[signal]:
                case ("and", a, b):
                    add([-signal, a])
                    add([-signal, b])
                    add([signal, -a, -b])
                case ("xor", a, b):
                    add([-signal, a, b])
                    add([-signal, -a, -b])
                    add([signal, -a, b])
                    add([signal, a, -b])
                case ("ite", condition, a, b):
                    add([-signal, -condition, a])
                    add([signal, -condition, -a])
                    add([-signal, condition, b])
                    add([signal, condition, -b])
                    add([-signal, a, b])
                    add([signal, -a, -b])
