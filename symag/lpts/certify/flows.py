"""Re-check of flows: how often a scheduler takes the transitions of a product, which it gives expected costs.

A flow is that of the scheduler that takes each transition of a state in proportion, and stops with the rest. Its visits
solve the same equations, at most as often as the flow says; the difference would go round in states that are never
left, and as all of them are reached, the scheduler would visit them infinitely often. So there is no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symag.core.deadlines import Deadline
from symag.lpts.certificates.triple_bounds import ReachingFlow
from symag.lpts.certify.weights import refused
from symag.lpts.lpts import Lpts
from symag.lpts.triples import Monitor, TripleProblem

_ZERO = Fraction(0)


def check_flow(problem: TripleProblem, flow: ReachingFlow, deadline: Deadline) -> Fraction | None:
    """The guarantee's cost of a flow that keeps the limits of the problem; None if it is infinite.

    Raises CertificationError for anything else, and OutOfTimeError.
    """
    watching = [problem.monitors[problem.guarantee], *(problem.monitors[limit.monitor] for limit in problem.assumed)]
    systems = [*problem.components, *(monitor.system for monitor in watching)]
    if flow.denominator < 1 or any(number < 0 or cycle < 0 for _, _, number, cycle in flow.taken):
        raise refused("a number of a flow is negative")
    once, cycling = _Balance(systems, flow), _Balance(systems, flow)
    for index, (place, moves, number, cycle) in enumerate(flow.taken):
        if index % 1000 == 0:
            deadline.check()
        once.take(place, moves, number)
        cycling.take(place, moves, cycle)
    start = (0,) * len(systems)
    once.enters[start] = once.enters.get(start, _ZERO) + flow.denominator
    if any(left > once.enters.get(state, _ZERO) for state, left in once.leaves.items()):
        raise refused("a state is left more often than it is entered")
    states = cycling.leaves.keys() | cycling.enters.keys()
    if any(cycling.leaves.get(state, _ZERO) != cycling.enters.get(state, _ZERO) for state in states):
        raise refused("a state of a cycle is not left as often as it is entered")
    _check_reached(start, flow, once, cycling)
    costs = [once.cost(monitor, len(problem.components) + k) for k, monitor in enumerate(watching)]
    for limit, cost in zip(problem.assumed, costs[1:], strict=True):
        if cost > limit.most * flow.denominator:
            raise refused("the scheduler does not keep an assumption")
    repeated = [cycling.cost(monitor, len(problem.components) + k) for k, monitor in enumerate(watching)]
    if any(repeated[1:]):
        raise refused("a cycle costs an assumption something")
    return None if repeated[0] else costs[0] / flow.denominator


def _check_reached(start: tuple[int, ...], flow: ReachingFlow, once: _Balance, cycling: _Balance) -> None:
    """Refuse a flow with a state that no path of it reaches from the start."""
    following: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for (place, _, number, cycle), targets in zip(flow.taken, once.targets, strict=True):
        if number or cycle:
            following.setdefault(flow.states[place], set()).update(targets)
    reached, waiting = {start}, [start]
    while waiting:
        for target in following.get(waiting.pop(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    if not {state for state, left in (*once.leaves.items(), *cycling.leaves.items()) if left} <= reached:
        raise refused("a state of the flow is not reached")


class _Balance:
    """How often states are entered and left, and what that costs."""

    def __init__(self, systems: Sequence[Lpts], flow: ReachingFlow) -> None:
        self._systems = systems
        self._states = flow.states
        self.enters: dict[tuple[int, ...], Fraction] = {}
        self.leaves: dict[tuple[int, ...], Fraction] = {}
        self.targets: list[tuple[tuple[int, ...], ...]] = []
        self._moved: dict[tuple[int, int], int] = {}

    def take(self, place: int, moves: tuple[int, ...], number: int) -> None:
        """Count a transition. Raises CertificationError unless the systems make it together."""
        if not 0 <= place < len(self._states) or len(self._states[place]) != len(self._systems):
            raise refused("there is no such state")
        state = self._states[place]
        spread = _spread(self._systems, state, moves)
        self.targets.append(tuple(spread))
        if not number:
            return
        self.leaves[state] = self.leaves.get(state, _ZERO) + number
        for target, probability in spread.items():
            self.enters[target] = self.enters.get(target, _ZERO) + number * probability
        for k, move in enumerate(moves):
            if move >= 0:
                self._moved[k, move] = self._moved.get((k, move), 0) + number

    def cost(self, monitor: Monitor, index: int) -> Fraction:
        """The cost by a monitor, which is the system with this index."""
        return sum((monitor.costs[move] * n for (k, move), n in self._moved.items() if k == index), _ZERO)


def _spread(systems: Sequence[Lpts], state: tuple[int, ...], moves: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """The distribution of a joint transition, by the definition of the composition."""
    if len(moves) != len(systems):
        raise refused("there is not a transition for each system")
    taking = [k for k, move in enumerate(moves) if move >= 0]
    labels = set()
    for k in taking:
        system, move = systems[k], moves[k]
        if move >= system.transitions or int(system.source[move]) != state[k]:
            raise refused("a transition is not one of its state")
        labels.add(system.alphabet[int(system.action[move])])
    owners = [k for k, system in enumerate(systems) if labels & set(system.alphabet[1:])]
    if len(labels) != 1 or (taking != owners if labels != {""} else len(taking) != 1):
        raise refused("a transition is not made by all systems that have its action, and by no other")
    spread: dict[tuple[int, ...], Fraction] = {state: Fraction(1)}
    for k in taking:
        local = systems[k].distribution(moves[k])
        spread = {
            (*before[:k], target, *before[k + 1 :]): mass * probability
            for before, mass in spread.items()
            for target, probability in local.items()
        }
    return spread
