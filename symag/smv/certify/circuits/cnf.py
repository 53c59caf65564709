"""Questions about circuits for a SAT solver, which gets their gates as clauses (Tseitin)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from symag.core.limits import Deadline
from symag.smv.certify.circuits.circuit import INPUT, TRUE, Circuit
from symag.smv.certify.circuits.gate_shapes import GateShapes, clauses_of

if TYPE_CHECKING:
    from symag.smv.certify.circuits.large_cones import LargeCones

#: From this many gates on, those near a question are asked about first. Where all of them become clauses at once, gates
#: are recognised: the inductions of ZipCPU's pffifo, 62,000 gates over four steps, take a third of the time.
LARGE = 200_000

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
        self._shapes = GateShapes(circuit)
        self._large: LargeCones | None = None
        self._required: list[int] = []
        if len(circuit.gates) >= LARGE:
            # Small models need no numpy.
            from symag.smv.certify.circuits.large_cones import LargeCones

            self._large = LargeCones(circuit)

    def __enter__(self) -> Satisfiability:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def require(self, signals: Iterable[int]) -> None:
        """Keep only the valuations in which all signals are true."""
        required = list(signals)
        if self._large is None:
            self._add_cone(required)
        self._required.extend(required)
        self._solver.append_formula([[signal] for signal in required])

    def is_satisfiable(self, signals: Sequence[int] = ()) -> bool:
        """Whether some valuation makes all signals true. Raises OutOfTimeError."""
        return self._answer(signals, None) is not False

    def is_satisfiable_within(self, signals: Sequence[int], conflicts: int) -> bool | None:
        """As ``is_satisfiable``; None if the solver does not know after this many conflicts. Raises OutOfTimeError."""
        return self._answer(signals, -(-conflicts // _CONFLICTS))

    def _answer(self, signals: Sequence[int], calls: int | None) -> bool | None:
        answer: bool | None = None
        for _ in self._rounds(signals):
            answer = None
            while answer is None:
                self._deadline.check()
                self._solver.conf_budget(_CONFLICTS)
                answer = self._solver.solve_limited(assumptions=list(signals))
                if calls is not None:
                    calls -= 1
                    if answer is None and calls <= 0:
                        return None
            if answer is False:
                break
        return answer

    def _rounds(self, signals: Sequence[int]) -> Iterator[None]:
        """Give the solver more and more of the gates that matter, at last all; at least one round."""
        if self._large is None:
            self._add_cone(signals)
            yield
            return
        for number, most in enumerate(self._large.sizes):
            any_new = False
            for clauses in self._large.new_clauses([*self._required, *signals], most):
                self._deadline.check()
                self._solver.append_formula(clauses)
                any_new = True
            if any_new or number == 0:
                yield
        self._required = []

    def conflict(self, signals: Sequence[int]) -> list[int] | None:
        """Signals among these that cannot all be true; None if all of them can. Raises OutOfTimeError."""
        if self.is_satisfiable(signals):
            return None
        return list(self._solver.get_core() or ())

    def _add_cone(self, signals: Iterable[int]) -> None:
        self._solver.append_formula(self._new_clauses(signals))

    def _new_clauses(self, signals: Iterable[int]) -> Iterator[list[int]]:
        """The clauses of the gates below some signals that the solver has not yet."""
        kinds, known = self._circuit.gates.kinds, self._known
        pending, number = [abs(signal) for signal in signals], 0
        while pending:
            signal = pending.pop()
            if signal in known or kinds[signal] == INPUT:
                continue
            number += 1
            if number % 50_000 == 0:
                self._deadline.check()
            known.add(signal)
            shape = self._shapes.of(signal, known)
            yield from clauses_of(signal, shape)
            pending.extend(map(abs, shape[1]))
