"""Runs of a system step by step, found by a SAT solver: for models whose choices are too many for BDDs.

A random choice is drawn as coins for all bits that are free: initial values, inputs, next values of a set. Coins that
contradict the rest are given up, those of an unsatisfiable core at a time. So without constraints all choices have the
same chance; with constraints all are possible, but not equally likely.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from symag.core.trace import Value
from symag.smv.circuits.blasting import Blasting
from symag.smv.circuits.clauses import GateClauses, SatSolver
from symag.smv.circuits.failures import refuse_failures
from symag.smv.circuits.steps_as_clauses import Unrolling
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.types import code_of, value_of

Valuation = Mapping[str, Value]

#: It takes values to try first, and answers small questions fast.
_SOLVER = "minisat22"
#: Unsatisfiable cores whose coins are given up before all are; they then are values that the solver tries first.
_CORES = 16


class SatSimulator:
    """Initial states and steps of a system. Random choices come from ``draw``; None takes any.

    Making it costs time linear in the size of the circuit, and each choice some SAT queries. Raises InputError where
    evaluation can fail.
    """

    def __init__(self, system: FlatSystem) -> None:
        blasting = Blasting(system)
        refuse_failures(blasting)
        circuit = blasting.circuit
        unrolling = Unrolling(circuit, [bit for bits in circuit.values.values() for bit in bits], from_start=False)
        self._system = system
        self._solver = SatSolver(_SOLVER)
        self._clauses = GateClauses(unrolling.graph, self._solver.add)

        def required(literals: Sequence[int], step: int) -> list[int]:
            return unrolling.literals(list(literals), step)

        resets = [2 * latch.node + (not latch.reset) for latch in circuit.latches if latch.reset is not None]
        start = [*required([*resets, *circuit.initial], 0), *required(circuit.invariants, 0)]
        step = [*required(circuit.steps, 0), *required(circuit.invariants, 1)]
        self._start, self._step = (self._clauses.literal(unrolling.graph.all(literals)) for literals in (start, step))
        self._states = [variable for variable in system.variables if variable.kind is not VariableKind.INPUT]
        self._inputs = [variable for variable in system.variables if variable.kind is VariableKind.INPUT]
        self._bits = [
            {name: self._clauses.literals(required(bits, step)) for name, bits in circuit.values.items()}
            for step in (0, 1)
        ]
        own = {bit >> 1 for variable in self._states for bit in circuit.values[variable.name]}
        read = set(unrolling.inputs)
        open_states = [node for node in circuit.inputs if node in own and node in read]
        others = [node for node in circuit.inputs if node not in own and node in read]
        latches = [latch.node for latch in circuit.latches if latch.reset is None]

        def coins(nodes: Iterable[int], step: int) -> list[int]:
            signals = self._clauses.literals(required([2 * node for node in nodes], step))
            for signal in signals:
                self._solver.add([signal, -signal])  # the solver has to know it
            return signals

        self._first_coins = coins([*latches, *open_states], 0)
        self._step_coins = [*coins(others, 0), *coins(open_states, 1)]

    def initial(self, draw: random.Random | None, given: Valuation | None = None) -> Valuation | None:
        """An initial state with some given values; None if there is none."""
        if not self._chosen([self._start, *self._assumed(given or {}, 0)], self._first_coins, draw):
            return None
        return self._values([variable.name for variable in self._states], 0)

    def following(
        self,
        state: Valuation,
        draw: random.Random | None,
        inputs: Valuation | None = None,
        given: Valuation | None = None,
    ) -> tuple[Valuation, Valuation] | None:
        """Inputs and the next state after a state, with some given values of both; None if there is no such step."""
        known = [*self._assumed({**state, **(inputs or {})}, 0), *self._assumed(given or {}, 1)]
        if not self._chosen([self._step, *known], self._step_coins, draw):
            return None
        return (
            self._values([variable.name for variable in self._inputs], 0),
            self._values([variable.name for variable in self._states], 1),
        )

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def _chosen(self, required: Sequence[int], coins: Sequence[int], draw: random.Random | None) -> bool:
        """Whether the requirements can be met; then the solver has a model, in which the coins are as drawn if
        possible.
        """
        if draw is None:
            return self._solver.solve(required)
        fixed = set(map(abs, required))
        wished = [coin if draw.getrandbits(1) else -coin for coin in coins if abs(coin) not in fixed]
        if self._solver.solve([*required, *wished]):
            return True
        self._solver.prefer(wished)
        for _ in range(_CORES):
            core = set(self._solver.core())
            left = [wish for wish in wished if wish not in core]
            if len(left) == len(wished):
                return False
            wished = left
            if self._solver.solve([*required, *wished]):
                return True
        return self._solver.solve(required)

    def _assumed(self, values: Valuation, step: int) -> list[int]:
        """The literals that these values are. Raises ValueError for a value that its variable cannot have."""
        literals = []
        for name, value in values.items():
            code = code_of(self._system.by_name[name].type, value)
            for index, bit in enumerate(self._bits[step][name]):
                literals.append(bit if code >> index & 1 else -bit)
        return literals

    def _values(self, names: Iterable[str], step: int) -> Valuation:
        model, bits = self._solver.model(), self._bits[step]
        values = {}
        for name in names:
            code = sum(1 << index for index, bit in enumerate(bits[name]) if (model[abs(bit) - 1] > 0) == (bit > 0))
            values[name] = value_of(self._system.by_name[name].type, code)
        return values
