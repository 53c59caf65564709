"""Strong simulation, only for the pairs of states that the initial pair depends on.

Pairs are believed to be related until they are refuted. Three kinds of facts depend on each other:

- a pair (s, t) on the demands (t, a, mu), one for each transition of s: t answers a by a distribution above mu;
- a demand on one of t's distributions nu at a time, the first that is not refuted;
- a comparison (mu, nu) on the pairs to which its weight function gives weight, and on no others.

Each fact exists once, whatever depends on it. A refuted pair is taken out of the weight functions that use it,
which then resume their flow. Where that fails, the demands go on to their next answer: a refuted answer never comes
back. In the end the pairs that are believed and used are a strong simulation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from symag.core.limits import Progress, no_progress
from symag.lpts.methods.simulation.flow import WeightNetwork
from symag.lpts.methods.simulation.question import Pair, RefutedPairs, SimulationRelation
from symag.lpts.methods.simulation.sides import Sides

_UNKNOWN, _WAITING, _EXPANDED = range(3)


class _Comparison:
    """Whether mu is below nu. ``network`` is None if one of them is Dirac: then every pair is needed."""

    __slots__ = ("first", "network", "refuted", "second", "used", "users")

    def __init__(self, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        self.first, self.second = first, second
        self.network: WeightNetwork | None = None
        self.refuted = False
        self.users: list[_Demand] = []
        self.used: set[int] = set()


class _Demand:
    """Whether state t of the specification answers an action and a distribution mu of the system."""

    __slots__ = ("answers", "current", "mu", "refuted", "users")

    def __init__(self, mu: int, answers: tuple[int, ...]) -> None:
        self.mu = mu
        self.answers = list(reversed(answers))
        self.current: _Comparison | None = None
        self.refuted = False
        self.users: list[int] = []


def decide(
    sides: Sides, progress: Progress = no_progress, relates: Callable[[int, int], bool] | None = None
) -> SimulationRelation | RefutedPairs:
    """Whether the initial state of the left system is simulated by that of the right one. Exact.

    With ``relates``, only pairs for which it is true are used. A simulation that is found is still one, and none is
    missed if these pairs contain the coarsest simulation.
    """
    return _Worklist(sides, progress, relates).run()


class _Worklist:
    def __init__(self, sides: Sides, progress: Progress, relates: Callable[[int, int], bool] | None) -> None:
        self._sides = sides
        self._relates = relates
        self._progress = progress
        self._width = len(sides.answers)
        self._state: dict[int, int] = {}  # by pair: _WAITING or _EXPANDED
        self._removed: dict[int, int] = {}  # by pair: when
        self._users: dict[int, list[_Comparison]] = {}
        self._demands: dict[tuple[int, int, int], _Demand] = {}
        self._comparisons: dict[tuple[int, int], _Comparison] = {}
        self._waiting: deque[int] = deque()
        self._dead: deque[int] = deque()
        self._flows = 0

    def run(self) -> SimulationRelation | RefutedPairs:
        if self._is_possible(0):
            self._state[0] = _WAITING
            self._waiting.append(0)
        while 0 not in self._removed:
            if self._dead:
                self._propagate(self._dead.popleft())
            elif self._waiting:
                self._expand(self._waiting.popleft())
            else:
                return self._simulation()
        removed = {divmod(pair, self._width): when for pair, when in self._removed.items()}
        return RefutedPairs(removed, self._statistics())

    def _statistics(self) -> dict[str, int]:
        return {
            "pairs": len(self._state.keys() | self._removed.keys()),
            "comparisons": len(self._comparisons),
            "flow_calls": self._flows,
        }

    def _is_possible(self, pair: int) -> bool:
        """Not refuted, as far as known; a state that lacks an action of the other is refuted at once."""
        if pair in self._removed:
            return False
        if pair in self._state:
            return True
        s, t = divmod(pair, self._width)
        lacking = self._sides.left.actions[s] & ~self._sides.right.actions[t]
        if lacking or not (self._relates is None or self._relates(s, t)):
            self._remove(pair)
            return False
        return True

    def _remove(self, pair: int) -> None:
        if pair not in self._removed:
            self._removed[pair] = len(self._removed)
            self._dead.append(pair)

    def _expand(self, pair: int) -> None:
        if pair in self._removed or self._state[pair] == _EXPANDED:
            return
        self._state[pair] = _EXPANDED
        if len(self._state) % 4096 == 0:
            self._progress(f"{len(self._state):,} pairs, {len(self._removed):,} removed")
        s, t = divmod(pair, self._width)
        answers = self._sides.answers[t]
        for action, mu in self._sides.left.moves[s]:
            key = t, action, mu
            demand = self._demands.get(key)
            if demand is None:
                demand = self._demands[key] = _Demand(mu, answers[action])
                self._answer(demand)
            if demand.refuted:
                self._remove(pair)
                return
            demand.users.append(pair)

    def _answer(self, demand: _Demand) -> None:
        """Go on to the first answer that is not refuted."""
        while demand.answers:
            comparison = self._comparison(demand.mu, demand.answers.pop())
            if not comparison.refuted:
                comparison.users.append(demand)
                demand.current = comparison
                return
        demand.refuted = True
        for pair in demand.users:
            self._remove(pair)
        demand.users.clear()

    def _comparison(self, mu: int, nu: int) -> _Comparison:
        comparison = self._comparisons.get((mu, nu))
        if comparison is None:
            first, second = self._sides.left.distributions[mu], self._sides.right.distributions[nu]
            comparison = self._comparisons[mu, nu] = _Comparison(first.support, second.support)
            if len(first.support) > 1 and len(second.support) > 1:
                related = self._preferred(comparison)
                comparison.network = WeightNetwork(first.mass, second.mass, related)
                if not self._maximised(comparison.network):
                    self._widen(comparison, comparison.network)
            self._rely(comparison)
        return comparison

    def _preferred(self, comparison: _Comparison) -> list[set[int]]:
        """The pairs that are considered already: a flow through them needs no new ones."""
        numbers, width = self._state, self._width
        return [
            {
                j
                for j, t in enumerate(comparison.second)
                if s * width + t in numbers and s * width + t not in self._removed
            }
            for s in comparison.first
        ]

    def _widen(self, comparison: _Comparison, network: WeightNetwork) -> bool:
        """Go on with every pair that is not refuted."""
        for i, s in enumerate(comparison.first):
            places = {j for j, t in enumerate(comparison.second) if self._is_possible(s * self._width + t)}
            network.related[i] |= places
        return self._maximised(network)

    def _maximised(self, network: WeightNetwork) -> bool:
        self._flows += 1
        return network.maximise()

    def _rely(self, comparison: _Comparison) -> None:
        """Note the pairs that the comparison now needs, or that it is refuted."""
        needed = self._pairs(comparison)
        if comparison.network is None:
            comparison.refuted = not all(self._is_possible(pair) for pair in needed)
        else:
            comparison.refuted = not comparison.network.saturated
        if comparison.refuted:
            return
        for pair in needed:
            if pair not in comparison.used:
                comparison.used.add(pair)
                self._users.setdefault(pair, []).append(comparison)
                if pair not in self._state:
                    self._state[pair] = _WAITING
                    self._waiting.append(pair)

    def _propagate(self, pair: int) -> None:
        """A pair was refuted: the comparisons that use it resume, and what depends on them follows."""
        s, t = divmod(pair, self._width)
        for comparison in self._users.pop(pair, ()):
            if comparison.refuted:
                continue
            network = comparison.network
            if network is None:
                comparison.refuted = True
            else:
                network.remove(comparison.first.index(s), comparison.second.index(t))
                self._resume(comparison, network)
            if comparison.refuted:
                users, comparison.users = comparison.users, []
                for demand in users:
                    self._answer(demand)

    def _resume(self, comparison: _Comparison, network: WeightNetwork) -> None:
        width = self._width
        for i, s in enumerate(comparison.first):
            for j in [j for j in network.related[i] if s * width + comparison.second[j] in self._removed]:
                network.remove(i, j)
        if not self._maximised(network):
            self._widen(comparison, network)
        self._rely(comparison)

    def _simulation(self) -> SimulationRelation:
        """The pairs that the initial one depends on, by what is believed in the end."""
        sides = self._sides
        reached = {0}
        waiting = [0]
        needed: dict[_Comparison, None] = {}
        while waiting:
            s, t = divmod(waiting.pop(), self._width)
            for action, mu in sides.left.moves[s]:
                comparison = self._demands[t, action, mu].current
                assert comparison is not None
                if comparison in needed:
                    continue
                needed[comparison] = None
                fresh = [pair for pair in self._pairs(comparison) if pair not in reached]
                reached.update(fresh)
                waiting.extend(fresh)
        weights = [_weights(pair, pair.network) for pair in needed if pair.network is not None]
        pairs = tuple(divmod(pair, self._width) for pair in sorted(reached))
        return SimulationRelation(pairs, tuple(sorted(weights)), sides.total, self._statistics())

    def _pairs(self, comparison: _Comparison) -> list[int]:
        """The pairs that a comparison needs."""
        if comparison.network is None:
            return [s * self._width + t for s in comparison.first for t in comparison.second]
        first, second, flow = comparison.first, comparison.second, comparison.network.flow
        return [first[i] * self._width + second[j] for i, row in enumerate(flow) for j in row]


def _weights(comparison: _Comparison, network: WeightNetwork) -> tuple[tuple[Pair, int], ...]:
    first, second = comparison.first, comparison.second
    return tuple(sorted(((first[i], second[j]), mass) for i, row in enumerate(network.flow) for j, mass in row.items()))
