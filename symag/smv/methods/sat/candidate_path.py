"""A path of a circuit in a solver, and the largest set of candidates that paths do not exclude.

Source: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001): each counterexample drops all
candidates that it makes false, until there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.circuits.steps_as_clauses import Unrolling
from symag.smv.circuits.transitions import TransitionCircuit

_SOLVER = "cadical153"


class CandidatePath:
    """The states of a path, each with the constraints and the transition into it; none at first.

    ``literals`` are the candidates of the circuit by their keys. With ``from_start`` the first state is initial.
    """

    def __init__(self, circuit: TransitionCircuit, literals: Mapping[int, int], *, from_start: bool) -> None:
        self.solver = SatSolver(_SOLVER)
        self._circuit = circuit
        self._literals = literals
        self._unrolling = Unrolling(circuit, literals.values(), from_start=from_start)
        self.clauses = GateClauses(self._unrolling.graph, self.solver.add)
        self._from_start = from_start
        self._states = 0

    def extend(self) -> None:
        """Add a state."""
        circuit, state = self._circuit, self._states
        if state > 0:
            self._require(circuit.steps, state - 1)
        elif self._from_start:
            self._require(circuit.initial, 0)
        self._require(circuit.invariants, state)
        self._states += 1

    def signal(self, key: int, state: int) -> int:
        """The solver's literal for a candidate in a state."""
        return self.clauses.literal(self._unrolling.literal(self._literals[key], state))

    def true_together(
        self,
        keys: Sequence[int],
        state: int,
        assumed: Mapping[int, int],
        known: Sequence[int] = (),
        at_once: int | None = None,
        fewest: int = 1,
    ) -> list[int]:
        """Those of the candidates that are left when paths on which one is false in ``state`` have excluded others.

        On the paths the solver's literals ``known`` are true, and ``assumed`` of the candidates that are left. A query
        is about ``at_once`` candidates, None for all. Ends early, with candidates left that paths exclude, after a path
        that excludes fewer than ``fewest``. Costs a query for each path that excludes some, and one for each
        ``at_once``.
        """
        signals = {key: self.signal(key, state) for key in keys}
        left = list(signals)
        size = at_once or len(left)
        for group in [left[first : first + size] for first in range(0, len(left), size or 1)]:
            while group := [key for key in group if key in signals]:
                # A fresh variable, for a clause cannot be taken back; as the last one, models reach up to it.
                some_false = self.clauses.fresh()
                self.solver.add([-some_false, *(-signals[key] for key in group)])
                if not self.solver.solve([some_false, *known, *(assumed[key] for key in signals if key in assumed)]):
                    break
                model, before = self.solver.model(), len(signals)
                signals = {key: signal for key, signal in signals.items() if model[abs(signal) - 1] == signal}
                if before - len(signals) < fewest:
                    return list(signals)
        return list(signals)

    def _require(self, literals: Iterable[int], state: int) -> None:
        for literal in literals:
            self.solver.add([self.clauses.literal(self._unrolling.literal(literal, state))])
