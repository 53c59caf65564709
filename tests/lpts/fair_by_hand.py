"""Tiny triples under fair schedulers: by end components and a linear program, and by all simple schedulers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from symag.core.values import replace
from symag.lpts.problems import Limit, Monitor, TripleProblem
from tests.lpts.triples_by_hand import ZERO, JointMove, joint_moves, most_of_flows

State = tuple[int, ...]


class NoFairSchedulerError(Exception):
    """No scheduler is fair, or none keeps the limits."""


def negated(monitor: Monitor) -> Monitor:
    """The monitor whose upper limits are lower bounds of this one."""
    return replace(monitor, costs=tuple(-cost for cost in monitor.costs), negated=True)


def at_least(problem: TripleProblem, floors: Sequence[tuple[int, Fraction]], guarantee: bool) -> TripleProblem:
    """A problem about fair schedulers: some assumptions, and maybe the guarantee, become lower bounds."""
    low = dict(floors)
    turned = {problem.assumed[k].monitor for k in low} | ({problem.guarantee} if guarantee else set())
    monitors = tuple(negated(m) if number in turned else m for number, m in enumerate(problem.monitors))
    assumed = tuple(Limit(x.monitor, -low[k]) if k in low else x for k, x in enumerate(problem.assumed))
    return replace(problem, monitors=monitors, assumed=assumed, fair=True)


def moves_of(problem: TripleProblem) -> list[JointMove]:
    """The moves of the product, its costs those of the guarantee and then of the assumptions."""
    monitors = [problem.monitors[problem.guarantee], *(problem.monitors[limit.monitor] for limit in problem.assumed)]
    systems = [*problem.components, *(monitor.system for monitor in monitors)]
    costs = [monitor.cost_of() for monitor in monitors]
    never = [
        k for k, limit in enumerate(problem.assumed, 1) if limit.most == 0 and any(x > 0 for x in costs[k].values())
    ]
    return joint_moves(systems, costs, never)


def free(problem: TripleProblem, move: JointMove) -> bool:
    """Whether it costs nothing of what has to stay finite."""
    return move[2][0] >= 0 and all(cost <= 0 for cost in move[2][1:])


def strong_parts(moves: Sequence[JointMove]) -> list[set[State]]:
    """The sets of states that reach each other, by all pairs."""
    states = {move[0] for move in moves} | {target for move in moves for target in move[1]}
    after = {state: {state} for state in states}
    for move in moves:
        after[move[0]] |= move[1].keys()
    changed = True
    while changed:
        changed = False
        for state in states:
            more = set().union(*(after[target] for target in after[state]))
            changed |= not more <= after[state]
            after[state] |= more
    parts: list[set[State]] = []
    while states:
        state = min(states)
        parts.append({other for other in after[state] if state in after[other]})
        states -= parts[-1]
    return parts


def end_components(moves: Sequence[JointMove]) -> list[list[JointMove]]:
    """The maximal ones: strongly connected, and no move leaves (L. de Alfaro, 1997)."""
    inside = list(moves)
    while True:
        part_of = {state: k for k, part in enumerate(strong_parts(inside)) for state in part}
        kept = [m for m in inside if all(part_of[target] == part_of[m[0]] for target in m[1])]
        if len(kept) == len(inside):
            groups: dict[int, list[JointMove]] = {}
            for move in kept:
                groups.setdefault(part_of[move[0]], []).append(move)
            return list(groups.values())
        inside = kept


def fair_states(problem: TripleProblem, moves: Sequence[JointMove]) -> set[State]:
    """The states of end components without finite costs in which every component moves."""
    parts = end_components([move for move in moves if free(problem, move)])
    everyone = set(range(len(problem.components)))
    fair = [part for part in parts if everyone <= {k for move in part for k in move[3]}]
    return {move[0] for part in fair for move in part}


def good_moves(moves: Sequence[JointMove], stops: set[State]) -> list[JointMove]:
    """The moves after which ``stops`` can be reached surely."""
    inside = list(moves)
    while True:
        reaching = set(stops)
        while True:
            more = {move[0] for move in inside if move[1].keys() & reaching} - reaching
            if not more:
                break
            reaching |= more
        kept = [move for move in inside if move[1].keys() <= reaching]
        if len(kept) == len(inside):
            return kept
        inside = kept


def greatest_fair_cost(problem: TripleProblem) -> Fraction | None:
    """The greatest expected cost under fair schedulers that keep the limits, None if infinite.

    Raises NoFairSchedulerError.
    """
    moves = moves_of(problem)
    start = (0,) * (1 + len(problem.components) + len(problem.assumed))
    stops = fair_states(problem, moves)
    good = good_moves(moves, stops)
    if start not in stops and all(move[0] != start for move in good):
        raise NoFairSchedulerError
    good.sort(key=lambda move: move[0] != start)
    if not good or good[0][0] != start:
        raise NoFairSchedulerError
    try:
        return most_of_flows(good, [limit.most for limit in problem.assumed], stops)
    except ValueError:
        raise NoFairSchedulerError from None


def simple_costs(problem: TripleProblem) -> set[tuple[Fraction, ...]]:
    """The costs of all schedulers that decide by the state alone, and where they stop stay in a fair end component.

    End components are found by all sets of moves. Exponential.
    """
    moves = moves_of(problem)
    start = (0,) * (1 + len(problem.components) + len(problem.assumed))
    states = sorted({move[0] for move in moves} | {start})
    stops = {state for part in _all_fair_parts(problem, moves) for state in part}
    options = [[*(move for move in moves if move[0] == state), *([None] if state in stops else [])] for state in states]
    found = set()
    for chosen in itertools.product(*options):
        costs = _costs(dict(zip(states, chosen, strict=True)), start, 1 + len(problem.assumed))
        if costs is not None:
            found.add(costs)
    return found


def _all_fair_parts(problem: TripleProblem, moves: Sequence[JointMove]) -> Iterator[set[State]]:
    usable = [move for move in moves if free(problem, move)]
    everyone = set(range(len(problem.components)))
    for size in range(1, len(usable) + 1):
        for part in itertools.combinations(usable, size):
            sources = {move[0] for move in part}
            closed = all(move[1].keys() <= sources for move in part)
            if closed and everyone <= {k for move in part for k in move[3]} and len(strong_parts(part)) == 1:
                yield sources


def _costs(chosen: dict[State, JointMove | None], start: State, rows: int) -> tuple[Fraction, ...] | None:
    """The expected costs, None unless the scheduler stops surely."""
    reached, waiting = {start}, [start]
    while waiting:
        move = chosen.get(waiting.pop())
        for target in move[1] if move else ():
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    stopping = {state for state in reached if state in chosen and chosen[state] is None}
    while True:
        more = {s for s in reached - stopping if (m := chosen.get(s)) is not None and m[1].keys() & stopping}
        if not more:
            break
        stopping |= more
    if stopping != reached:
        return None
    order = sorted(reached)
    table = []
    for state in order:
        move = chosen[state]
        row = [Fraction(state == other) - (move[1].get(other, ZERO) if move else ZERO) for other in order]
        table.append([*row, *(move[2] if move else [ZERO] * rows)])
    for k in range(len(order)):
        pivot = next(row for row in table[k:] if row[k])
        table.remove(pivot)
        table.insert(k, [x / pivot[k] for x in pivot])
        for j, row in enumerate(table):
            if j != k and row[k]:
                table[j] = [x - row[k] * y for x, y in zip(row, table[k], strict=True)]
    return tuple(table[order.index(start)][len(order) :])


def best_of_mixtures(points: set[tuple[Fraction, ...]], limits: Sequence[Fraction]) -> Fraction | None:
    """The greatest first coordinate of mixtures of points that keep at most one limit; None if none does."""
    assert len(limits) <= 1
    if not limits:
        return max((point[0] for point in points), default=None)
    limit = limits[0]
    values = [point[0] for point in points if point[1] <= limit]
    for one, other in itertools.permutations(points, 2):
        if one[1] < limit < other[1]:
            part = (limit - one[1]) / (other[1] - one[1])
            values.append(one[0] + part * (other[0] - one[0]))
    return max(values, default=None)


def corners_by_hand(points: set[tuple[Fraction, ...]]) -> list[tuple[Fraction, Fraction]]:
    """The corners (limit, cost) of the curve of all mixtures of points (cost, spent), from the least that is spent."""
    least = min(spent for _, spent in points)
    corners = [(least, max(cost for cost, spent in points if spent == least))]
    while True:
        limit, best = corners[-1]
        slopes = [((cost - best) / (spent - limit), spent, cost) for cost, spent in points if cost > best]
        if not slopes:
            return corners
        _, spent, cost = max(slopes)
        corners.append((spent, cost))
