"""Probabilities and expected rewards of tiny systems by enumerating memoryless schedulers, exactly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from symag.lpts.lpts import Lpts

ZERO, ONE = Fraction(0), Fraction(1)
Row = dict[int, Fraction]


def choices_by_state(system: Lpts) -> list[list[tuple[int, Row]]]:
    """Of each state the numbers of its transitions and their distributions."""
    found: list[list[tuple[int, Row]]] = [[] for _ in range(system.states)]
    for k in range(system.transitions):
        found[int(system.source[k])].append((k, system.distribution(k)))
    return found


def chains(system: Lpts) -> Iterator[list[tuple[int, Row]]]:
    """Every memoryless scheduler: the transition of each state."""
    for chosen in itertools.product(*choices_by_state(system)):
        yield list(chosen)


def solved(rows: Sequence[Row], constants: Sequence[Fraction]) -> list[Fraction]:
    """x = constants + rows x, which has one solution; by elimination."""
    n = len(rows)
    matrix = [[Fraction(i == j) - rows[i].get(j, ZERO) for j in range(n)] + [constants[i]] for i in range(n)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if matrix[i][k])
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        matrix[k] = [value / matrix[k][k] for value in matrix[k]]
        for i in range(n):
            if i != k and matrix[i][k]:
                factor = matrix[i][k]
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k], strict=True)]
    return [matrix[i][n] for i in range(n)]


def reaching(chain: Sequence[tuple[int, Row]], before: set[int], goal: set[int]) -> list[Fraction]:
    """The probability of each state to reach the goal by states in ``before``."""
    can = set(goal)
    while True:
        more = {s for s in before - goal if any(t in can for t in chain[s][1])} | can
        if more == can:
            break
        can = more
    states = range(len(chain))
    rows = [chain[s][1] if s in can and s not in goal else {} for s in states]
    rows = [{t: p for t, p in row.items() if t in can} for row in rows]
    return solved(rows, [ONE if s in goal else ZERO for s in states])


def probabilities(system: Lpts, before: set[int], goal: set[int], maximise: bool) -> list[Fraction]:
    best = max if maximise else min
    every = [reaching(chain, before, goal) for chain in chains(system)]
    return [best(values[s] for values in every) for s in range(system.states)]


def rewards_until(
    system: Lpts, goal: set[int], state: Sequence[Fraction], transition: Sequence[Fraction], maximise: bool
) -> list[Fraction | None]:
    """The expected reward until the goal, None for infinity."""
    everything = set(range(system.states))
    every = []
    for chain in chains(system):
        sure = {s for s, p in enumerate(reaching(chain, everything, goal)) if p == 1}
        rows = [chain[s][1] if s in sure - goal else {} for s in range(system.states)]
        earned = [state[s] + transition[chain[s][0]] if s in sure - goal else ZERO for s in range(system.states)]
        values = solved(rows, earned)
        every.append([values[s] if s in sure else None for s in range(system.states)])
    found: list[Fraction | None] = []
    for s in range(system.states):
        finite = [values[s] for values in every if values[s] is not None]
        if maximise:
            found.append(max(v for v in finite if v is not None) if len(finite) == len(every) else None)
        else:
            found.append(min((v for v in finite if v is not None), default=None))
    return found


def within(system: Lpts, before: set[int], goal: set[int], steps: int, maximise: bool) -> list[Fraction]:
    """The probability to reach the goal in so many steps: the definition, a step at a time."""
    best = max if maximise else min
    moves = choices_by_state(system)
    values = [ONE if s in goal else ZERO for s in range(system.states)]
    for _ in range(steps):
        last = values
        values = [
            ONE if s in goal else ZERO if s not in before else best(expected(row, last) for _, row in moves[s])
            for s in range(system.states)
        ]
    return values


def expected(row: Row, values: Sequence[Fraction]) -> Fraction:
    return sum((p * values[t] for t, p in row.items()), ZERO)
