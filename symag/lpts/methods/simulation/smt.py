"""Strong simulation as satisfiability modulo linear rational arithmetic (agar-lpts-2012, Section 6).

A boolean for each pair of states says that it is in the simulation, one for each two distributions that a weight
function is claimed, whose values are rational variables. The formula says that the initial pair is in the
simulation; z3 is exact. If there is no solution, the unsatisfiable core names transitions of the system that
contradict it together. The sub-structure of these transitions is small, and not simulated either: the worklist engine
decides it, and the tree is made from the pairs that it removes.

Only what follows from a pair is constrained (not, as in the paper, also what follows from its absence): any
solution is then a simulation, which is all that is needed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from symag.core.errors import UsageError
from symag.core.limits import Progress, no_progress
from symag.core.values import replace
from symag.lpts.methods.simulation import worklist
from symag.lpts.methods.simulation.question import Pair, RefutedPairs, SimulationRelation
from symag.lpts.methods.simulation.sides import Side, Sides, action_bits

if TYPE_CHECKING:
    from types import ModuleType


def decide(sides: Sides, progress: Progress = no_progress) -> SimulationRelation | RefutedPairs:
    """Whether the initial states are related. Raises UsageError if z3 is not installed."""
    try:
        # An optional library.
        import z3
    except ImportError:
        raise UsageError("--engine smt needs z3: pip install 'symag[z3]'") from None
    encoding = _Encoding(sides, z3)
    progress(f"{len(encoding.pairs):,} pairs, {len(encoding.literals):,} transitions: z3 solves")
    answer = encoding.solver.check(list(encoding.literals.values()))
    statistics = {"pairs": len(encoding.pairs), "comparisons": len(encoding.weights)}
    if answer == z3.sat:
        return encoding.simulation(statistics)
    if answer != z3.unsat:
        raise MemoryError(f"z3 gives up: {encoding.solver.reason_unknown()}")
    core = {str(literal) for literal in encoding.solver.unsat_core()}
    in_core = {move for move, literal in encoding.literals.items() if str(literal) in core}
    refutation = worklist.decide(replace(sides, left=_restricted(sides.left, in_core)), progress)
    assert isinstance(refutation, RefutedPairs), "the sub-structure of the core is simulated"
    statistics |= {"core_transitions": len(in_core), "flow_calls": refutation.statistics["flow_calls"]}
    return RefutedPairs(refutation.removed, statistics)


def _restricted(left: Side, kept: set[tuple[int, int]]) -> Side:
    """Only the transitions in ``kept``: pairs of a state and a position among its transitions."""
    moves = tuple(
        tuple(move for index, move in enumerate(mine) if (state, index) in kept)
        for state, mine in enumerate(left.moves)
    )
    return replace(left, moves=moves, actions=tuple(map(action_bits, moves)))


class _Encoding:
    """``literals`` has a literal for each transition of the system that is considered."""

    def __init__(self, sides: Sides, z3: ModuleType) -> None:
        self._sides = sides
        self._z3 = z3
        self.solver = z3.SolverFor("QF_LRA")
        self.solver.set("random_seed", 0)
        self.pairs: dict[Pair, Any] = {}
        self.literals: dict[tuple[int, int], Any] = {}
        self.weights: dict[tuple[int, int], dict[Pair, Any]] = {}
        self._claims: dict[tuple[int, int], Any] = {}
        self._waiting: list[Pair] = []
        self.solver.add(self._pair(0, 0))
        while self._waiting:
            self._follow(*self._waiting.pop())

    def _pair(self, s: int, t: int) -> Any:
        if (s, t) not in self.pairs:
            self.pairs[s, t] = self._z3.Bool(f"R_{s}_{t}")
            self._waiting.append((s, t))
        return self.pairs[s, t]

    def _follow(self, s: int, t: int) -> None:
        """A pair of the simulation: every transition of s has an answer (Definition 5)."""
        z3 = self._z3
        for index, (action, mu) in enumerate(self._sides.left.moves[s]):
            literal = self.literals.get((s, index))
            if literal is None:
                literal = self.literals[s, index] = z3.Bool(f"T_{s}_{index}")
            claims = [self._claim(mu, nu) for nu in self._sides.answers[t].get(action, ())]
            self.solver.add(z3.Or(z3.Not(literal), z3.Not(self.pairs[s, t]), *claims))

    def _claim(self, mu: int, nu: int) -> Any:
        """The claim that mu is below nu (Definition 4)."""
        z3 = self._z3
        if (mu, nu) in self._claims:
            return self._claims[mu, nu]
        claim = self._claims[mu, nu] = z3.Bool(f"D_{mu}_{nu}")
        first, second = self._sides.left.distributions[mu], self._sides.right.distributions[nu]
        pairs = [(s, t) for s in first.support for t in second.support]
        if len(first.support) == 1 or len(second.support) == 1:
            for s, t in pairs:
                self.solver.add(z3.Implies(claim, self._pair(s, t)))
            return claim
        weight = {(s, t): z3.Real(f"w_{mu}_{nu}_{s}_{t}") for s, t in pairs}
        self.weights[mu, nu] = weight
        for s, mass in zip(first.support, first.mass, strict=True):
            self.solver.add(z3.Sum([weight[s, t] for t in second.support]) == mass)
        for t, mass in zip(second.support, second.mass, strict=True):
            self.solver.add(z3.Sum([weight[s, t] for s in first.support]) == mass)
        for s, t in pairs:
            self.solver.add(weight[s, t] >= 0)
            self.solver.add(z3.Or(z3.Not(claim), weight[s, t] <= 0, self._pair(s, t)))
        return claim

    def simulation(self, statistics: dict[str, int]) -> SimulationRelation:
        """The solution; its weights are brought to integers over one denominator."""
        model = self.solver.model()

        def is_true(literal: Any) -> bool:
            return bool(self._z3.is_true(model.eval(literal, model_completion=True)))

        pairs = tuple(sorted(pair for pair, literal in self.pairs.items() if is_true(literal)))
        values = [
            {pair: model.eval(variable, model_completion=True).as_fraction() for pair, variable in weight.items()}
            for key, weight in self.weights.items()
            if is_true(self._claims[key])
        ]
        common = math.lcm(*(value.denominator for function in values for value in function.values()))
        weights = tuple(
            sorted(
                tuple((pair, int(value * common)) for pair, value in sorted(function.items()) if value)
                for function in values
            )
        )
        return SimulationRelation(pairs, weights, self._sides.total * common, statistics)
