"""Re-check of flows, which say how often a scheduler takes which transition of components and monitors together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symag.core.limits import Deadline
from symag.lpts.certificates.bounds import ReachingFlow
from symag.lpts.certify.weights import refused
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Monitor, TripleProblem

_ZERO = Fraction(0)


def check_flow(problem: TripleProblem, flow: ReachingFlow, deadline: Deadline) -> Fraction | None:
    """The guarantee's cost of a flow that keeps the limits of the problem; None if it is infinite.

    A flow is that of the scheduler that takes each transition of a state in proportion, and stops with the rest. Its
    visits solve the same equations, at most as often as the flow says; the difference would go round in states that are
    never left, and as all of them are reached, the scheduler would visit them infinitely often. So there is none.
    A fair one does not stop but stays where ``_check_staying`` says that it can.

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
    if problem.fair:
        stops = {state for state, entered in once.enters.items() if entered > once.leaves.get(state, _ZERO)}
        if not stops <= _check_staying(systems, problem, flow):
            raise refused("a fair scheduler cannot stay where the flow ends")
    states = cycling.leaves.keys() | cycling.enters.keys()
    if any(cycling.leaves.get(state, _ZERO) != cycling.enters.get(state, _ZERO) for state in states):
        raise refused("a state of a cycle is not left as often as it is entered")
    _check_reached(start, flow, once, cycling)
    costs = [once.cost(monitor, len(problem.components) + k) for k, monitor in enumerate(watching)]
    for limit, cost in zip(problem.assumed, costs[1:], strict=True):
        if cost > limit.most * flow.denominator:
            raise refused("the scheduler does not keep an assumption")
    repeated = [cycling.cost(monitor, len(problem.components) + k) for k, monitor in enumerate(watching)]
    if repeated[0] < 0 or any(cost > 0 for cost in repeated[1:]):
        raise refused("a cycle costs an assumption something")
    return None if repeated[0] else costs[0] / flow.denominator


def _check_staying(systems: Sequence[Lpts], problem: TripleProblem, flow: ReachingFlow) -> set[tuple[int, ...]]:
    """The states in which a scheduler can stay and be fair, by transitions that cost nothing that has to be finite."""
    members = len(problem.components)
    watching = [problem.monitors[problem.guarantee], *(problem.monitors[limit.monitor] for limit in problem.assumed)]
    after: list[tuple[tuple[int, ...], set[tuple[int, ...]], tuple[int, ...]]] = []
    for place, moves in flow.staying:
        state = _state_at(systems, flow, place)
        after.append((state, set(_spread(systems, state, moves)), moves))
        for k, monitor in enumerate(watching):
            move = moves[members + k]
            cost = monitor.costs[move] if move >= 0 else _ZERO
            if cost > 0 if k else cost < 0:
                raise refused("to stay costs something that has to be finite")
    states = {state for state, _, _ in after}
    for component in range(members):
        moving = {state for state, _, moves in after if moves[component] >= 0}
        while True:
            more = {state for state, targets, _ in after if targets & moving} - moving
            if not more:
                break
            moving |= more
        if moving != states:
            raise refused("a component does not move again")
    if any(not targets <= states for _, targets, _ in after):
        raise refused("a scheduler that stays comes to other states")
    return states


def _state_at(systems: Sequence[Lpts], flow: ReachingFlow, place: int) -> tuple[int, ...]:
    if not 0 <= place < len(flow.states) or len(flow.states[place]) != len(systems):
        raise refused("there is no such state")
    return flow.states[place]


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
        self._flow = flow
        self.enters: dict[tuple[int, ...], Fraction] = {}
        self.leaves: dict[tuple[int, ...], Fraction] = {}
        self.targets: list[tuple[tuple[int, ...], ...]] = []
        self._moved: dict[tuple[int, int], int] = {}

    def take(self, place: int, moves: tuple[int, ...], number: int) -> None:
        """Count a transition. Raises CertificationError unless the systems make it together."""
        state = _state_at(self._systems, self._flow, place)
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
