"""Circuits as BDDs in a context of certify's own, for questions that are asked of many small formulas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symag.certify.circuit import TRUE, Circuit

try:
    from dd.cudd import BDD
except ImportError:  # wheels with CUDD exist for Linux on x86-64 only
    from dd.autoref import BDD

#: A reference to a node of a BDD manager; dd has no type annotations.
Bdd = Any


class DecisionDiagrams:
    """The BDDs of a circuit's signals; inputs are ordered as they are first named."""

    def __init__(self, circuit: Circuit) -> None:
        self._circuit = circuit
        self._manager = BDD()
        self._known: dict[int, Bdd] = {TRUE: self._manager.true}

    @property
    def true(self) -> Bdd:
        """The valid formula."""
        return self._manager.true

    @property
    def false(self) -> Bdd:
        """The unsatisfiable formula."""
        return self._manager.false

    def declare(self, inputs: Iterable[int]) -> None:
        """Give input signals the next places of the variable order."""
        for signal in inputs:
            if signal not in self._known:
                self._manager.declare(f"s{signal}")
                self._known[signal] = self._manager.var(f"s{signal}")

    def of(self, signal: int) -> Bdd:
        """The BDD of a signal."""
        gates = self._circuit.gates
        pending = [*self._circuit.cone([signal], skip=self._known)]
        for number in pending:
            self.declare(abs(item) for item in gates[number][1:] if isinstance(item, int) and _is_input(gates, item))
            match gates[number]:
                case ("and", a, b):
                    found = self._literal(a) & self._literal(b)
                case ("xor", a, b):
                    found = self._manager.apply("xor", self._literal(a), self._literal(b))
                case ("ite", condition, a, b):
                    found = self._manager.ite(self._literal(condition), self._literal(a), self._literal(b))
            self._known[number] = found
        if abs(signal) not in self._known:
            self.declare([abs(signal)])
        return self._literal(signal)

    def projected(self, formula: Bdd, inputs: Iterable[int]) -> Bdd:
        """The formula with all inputs but the given ones quantified away existentially."""
        kept = {f"s{signal}" for signal in inputs}
        return self._manager.exist(sorted(formula.support - kept), formula)

    def _literal(self, signal: int) -> Bdd:
        return self._known[signal] if signal > 0 else ~self._known[-signal]


def _is_input(gates: list[Any], signal: int) -> bool:
    return len(gates[abs(signal)]) == 1
