"""Re-check of evidence about triples: chains of dual solutions, and flows, from the components and monitors alone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.certificates.bounds import ProvenTriple, ReachingFlow, TripleEvidence
from symag.lpts.certify.exact_sums import Mask
from symag.lpts.certify.triple_inequalities import check_inequalities
from symag.lpts.certify.weights import of_another_kind, refused
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Monitor, Problem, TripleProblem

CERTIFICATE = TripleEvidence

_ZERO = Fraction(0)


def check(problem: Problem, certificate: TripleEvidence, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, TripleProblem):
        raise of_another_kind()
    check_monitors(problem.monitors, problem.fair)
    if any(proven.fair != problem.fair for proven in certificate.proven):
        raise refused("a triple is about other schedulers")
    if problem.curve:
        _check_curve(problem, certificate, deadline)
        return
    most = _proven(problem, certificate.proven, deadline)
    goal, flow = problem.monitors[problem.guarantee], certificate.flow
    # Without a flow: a cost is at least 0, a negated probability at least -1, and of a negated cost nothing is known.
    unknown = flow is None and goal.negated and not goal.probability
    trivial = Fraction(-1) if goal.negated else _ZERO
    least = trivial if flow is None else check_flow(problem, flow, deadline)
    if certificate.verdict == "computed":
        if problem.most is not None or certificate.value is None:
            raise refused("a value is asked for, or none")
        low, high = certificate.value
        if low is not None if unknown else least is not None and (low is None or low > least):
            raise refused("the lower bound is not proven")
        if high is not None and (most is None or most > high):
            raise refused("the upper bound is not proven")
    elif problem.most is None:
        raise refused("a value is asked for, not a verdict")
    elif certificate.verdict == "holds":
        if most is None or most > problem.most:
            raise refused("the bound of the guarantee is not proven")
    elif flow is None or (least is not None and least <= problem.most):
        raise refused("the scheduler does not exceed the bound")


def _check_curve(problem: TripleProblem, certificate: TripleEvidence, deadline: Deadline) -> None:
    """Accept the corners of a curve: each is reached, and a line through each and the next bounds all costs.

    Of fair schedulers none keeps a limit below the first one, as one more triple proves; of others it is 0.
    """
    corners, lines = certificate.corners, certificate.proven
    limits = [corner.limit for corner in corners]
    (assumed,) = problem.assumed
    if problem.fair and lines:
        _check_first(problem, lines[-1], limits[0] if limits else _ZERO, deadline)
        lines = lines[:-1]
    if certificate.verdict != "computed" or len(lines) != len(corners) or not limits:
        raise refused("there is not a line after each corner")
    if not problem.fair and limits[0] != 0:
        raise refused("the first corner is not at the limit 0")
    if any(one >= other for one, other in itertools.pairwise(limits)):
        raise refused("the limits of corners do not ascend")
    for corner, following, line in zip(corners, (*corners[1:], None), lines, strict=True):
        under = replace(problem, assumed=(replace(assumed, most=corner.limit),))
        cost = check_flow(under, corner.flow, deadline)
        if cost is not None and cost < corner.cost:
            raise refused("a corner is not reached")
        limit, slope, most = _check_line(problem, line, deadline)
        if line.empty or (following is not None and (most > following.cost or limit != following.limit)):
            raise refused("a line does not pass through the next corner")
        if (following is None and slope) or most - slope * (limit - corner.limit) > corner.cost:
            raise refused("a line does not pass through its corner")


def _check_line(problem: TripleProblem, line: ProvenTriple, deadline: Deadline) -> tuple[Fraction, Fraction, Fraction]:
    """Accept a triple that bounds the cost for all limits: the limit it is about, its slope, and what it proves there.

    At the limit 0 of a cost it would say nothing of other limits: no transition that costs something is taken then.
    """
    most = check_triple(problem.components, problem.monitors, line, deadline)
    monitors = [monitor for monitor, _ in line.assumed]
    if monitors != [problem.assumed[0].monitor] or line.guarantee != problem.guarantee or most is None:
        raise refused("a line is about another triple")
    if set(line.components) != set(range(len(problem.components))):
        raise refused("a line is about other components")
    ((_, limit),), (slope,) = line.assumed, line.multipliers
    if limit == 0 and not problem.monitors[monitors[0]].negated:
        raise refused("a line is at the limit 0")
    return limit, slope, most


def _check_first(problem: TripleProblem, below: ProvenTriple, first: Fraction, deadline: Deadline) -> None:
    """Accept that no scheduler keeps a limit smaller than the first one."""
    limit, slope, most = _check_line(problem, below, deadline)
    if not below.empty or slope <= 0 or most + slope * (first - limit) > 0:
        raise refused("a scheduler may keep a limit below the first corner")


def check_monitors(monitors: Sequence[Monitor], fair: bool) -> None:
    """Accept automata that are complete and deterministic, with costs of at least 0; negated ones if ``fair``.

    Raises CertificationError.
    """
    for monitor in monitors:
        system = monitor.system
        steps = [(source, action) for source, action, mu in system.triples() if len(mu) == 1 and action]
        complete = {(state, action) for state in range(system.states) for action in range(1, len(system.alphabet))}
        if system.broken_law() or len(steps) != system.transitions or len(steps) != len(complete):
            raise refused("a monitor is not complete and deterministic")
        sign = -1 if monitor.negated and fair else 1
        if set(steps) != complete or len(monitor.costs) != len(steps) or any(sign * c < 0 for c in monitor.costs):
            raise refused("a monitor is not complete and deterministic, or has a wrong cost")


def _proven(problem: TripleProblem, chain: Sequence[ProvenTriple], deadline: Deadline) -> Fraction | None:
    """The upper bound of the guarantee that a chain proves, None if it proves none."""
    known: dict[int, Fraction] = {}
    for limit in problem.assumed:
        known[limit.monitor] = min(limit.most, known.get(limit.monitor, limit.most))
    best: Fraction | None = None
    for proven in chain:
        check_triple(problem.components, problem.monitors, proven, deadline)
        for monitor, most in proven.assumed:
            if monitor not in known or known[monitor] > most:
                raise refused("a limit is assumed that is not proven before")
        known[proven.guarantee] = min(proven.most, known.get(proven.guarantee, proven.most))
        if proven.guarantee == problem.guarantee:
            best = proven.most if best is None else min(best, proven.most)
    return best


def check_triple(
    components: Sequence[Lpts], monitors: Sequence[Monitor], proven: ProvenTriple, deadline: Deadline
) -> Fraction | None:
    """Accept the dual solution of a triple, by its inequalities, and return the bound that it proves, None if there is
    no scheduler. Raises CertificationError, and OutOfTimeError.
    """
    numbers = [proven.guarantee, *(monitor for monitor, _ in proven.assumed)]
    if not all(0 <= k < len(components) for k in proven.components) or not all(0 <= k < len(monitors) for k in numbers):
        raise refused("there is no such component or monitor")
    if len(set(proven.components)) < len(proven.components) or not proven.components:
        raise refused("a component is there twice, or there is none")
    if len(proven.multipliers) != len(proven.assumed) or any(m < 0 for m in proven.multipliers):
        raise refused("there is not a multiplier of at least 0 for each assumption")
    watching = [monitors[k] for k in numbers]
    spent = np.zeros(watching[0].system.states, dtype=bool) if proven.fair else _spent(watching[0])
    return check_inequalities([components[k] for k in proven.components], watching, proven, spent, deadline)


def _spent(monitor: Monitor) -> Mask:
    """The states of a monitor from which nothing costs any more."""
    costly = {state for state, _ in monitor.cost_of()}
    edges = [(source, target) for source, _, mu in monitor.system.triples() for target in mu]
    while True:
        more = {source for source, target in edges if target in costly} - costly
        if not more:
            return np.array([state not in costly for state in range(monitor.system.states)])
        costly |= more


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
