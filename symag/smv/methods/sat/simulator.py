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
from symag.smv.model.flat import FlatSystem, Variable, VariableKind
from symag.smv.model.types import code_of, value_of

Valuation = Mapping[str, Value]

#: It takes values to try first, and answers small questions fast.
_SOLVER = "minisat22"
#: Unsatisfiable cores whose coins are given up before all are; they then are values that the solver tries first.
_CORES = 16


class SatSimulator:
    """Initial states and steps of a system. Random choices come from ``draw``; None takes any.

    ``length`` is the number of steps of a ``path``. Making it costs time linear in the size of the circuit times the
    length, and each choice some SAT queries. Raises InputError where evaluation can fail.
    """

    def __init__(self, system: FlatSystem, length: int = 1) -> None:
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
        steps = [[*required(circuit.steps, at), *required(circuit.invariants, at + 1)] for at in range(length)]
        self._start, *self._steps = (self._clauses.literal(unrolling.graph.all(one)) for one in (start, *steps))
        self._states = [variable for variable in system.variables if variable.kind is not VariableKind.INPUT]
        self._inputs = [variable for variable in system.variables if variable.kind is VariableKind.INPUT]
        self._bits = [
            {name: self._clauses.literals(required(bits, step)) for name, bits in circuit.values.items()}
            for step in range(length + 1)
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
        self._step_coins = [[*coins(others, at), *coins(open_states, at + 1)] for at in range(length)]

    def initial(self, draw: random.Random | None, given: Valuation | None = None) -> Valuation | None:
        """An initial state with some given values; None if there is none."""
        required = [self._start, *self._assumed(given or {}, 0)]
        return self._state(0) if self._chosen(required, self._first_coins, draw) else None

    def following(
        self,
        state: Valuation,
        draw: random.Random | None,
        inputs: Valuation | None = None,
        given: Valuation | None = None,
    ) -> tuple[Valuation, Valuation] | None:
        """Inputs and the next state after a state, with some given values of both; None if there is no such step."""
        required = self._step_from(state, inputs or {}, given or {})
        return (self._input(0), self._state(1)) if self._chosen(required, self._step_coins[0], draw) else None

    def path(self, state: Valuation, draw: random.Random | None) -> list[tuple[Valuation, Valuation]] | None:
        """``length`` steps from a state, each as its inputs and the next state; None if no path is so long."""
        coins = [coin for of_step in self._step_coins for coin in of_step]
        if not self._chosen([*self._steps, *self._assumed(state, 0)], coins, draw):
            return None
        return [(self._input(at), self._state(at + 1)) for at in range(len(self._steps))]

    def some(
        self,
        state: Valuation | None,
        draw: random.Random,
        most: int,
        inputs: Valuation | None = None,
        given: Valuation | None = None,
    ) -> list[tuple[Valuation, Valuation]]:
        """Different steps from a state, or initial states if it is None, as ``following`` draws them: all of them if
        they are fewer than ``most``. Costs some queries for each.
        """
        listed: list[tuple[Valuation, Valuation]] = []
        switch = self._clauses.fresh()
        if state is None:
            required, coins = [self._start, *self._assumed(given or {}, 0)], self._first_coins
            told_apart = [bit for variable in self._states for bit in self._bits[0][variable.name]]
        else:
            required, coins = self._step_from(state, inputs or {}, given or {}), self._step_coins[0]
            told_apart = [bit for variable in self._inputs for bit in self._bits[0][variable.name]]
            told_apart += [bit for variable in self._states for bit in self._bits[1][variable.name]]
        while len(listed) < most and self._chosen([switch, *required], coins, draw):
            model = self._solver.model()
            listed.append(({}, self._state(0)) if state is None else (self._input(0), self._state(1)))
            others = [-bit if (model[abs(bit) - 1] > 0) == (bit > 0) else bit for bit in told_apart]
            self._solver.add([-switch, *others])
        self._solver.add([-switch])
        return listed

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def _step_from(self, state: Valuation, inputs: Valuation, given: Valuation) -> list[int]:
        return [self._steps[0], *self._assumed({**state, **inputs}, 0), *self._assumed(given, 1)]

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

    def _state(self, step: int) -> Valuation:
        return self._values(self._states, step)

    def _input(self, step: int) -> Valuation:
        return self._values(self._inputs, step)

    def _values(self, variables: Iterable[Variable], step: int) -> Valuation:
        """The values that the solver's model gives to variables."""
        model, bits = self._solver.model(), self._bits[step]
        values = {}
        for variable in variables:
            true = [(model[abs(bit) - 1] > 0) == (bit > 0) for bit in bits[variable.name]]
            values[variable.name] = value_of(variable.type, sum(1 << index for index, bit in enumerate(true) if bit))
        return values
