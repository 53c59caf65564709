"""Exact maximal probabilities of reaching a goal, by policy iteration in fractions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from symag.core.limits import Progress

Distribution = Mapping[int, Fraction]
#: Per state the distributions that it can choose among.
Choices = Sequence[Sequence[Distribution]]

_ONE, _ZERO = Fraction(1), Fraction(0)


def maximal_probabilities(
    choices: Choices, through: Collection[int], goal: Collection[int], progress: Progress
) -> list[Fraction]:
    """Per state the supremum, over schedulers, of the probability of reaching the goal through those states.

    The policy begins with moves that come nearer to the goal and changes only where that is a strict gain, so that it
    never stays on a cycle; each policy is evaluated exactly by eliminating states. Memory and time can grow with the
    square of the states on cycles.
    """
    policy = _first_policy(choices, through, goal)
    while True:
        values = _evaluated(choices, policy, goal, len(choices))
        changed = 0
        for state in policy:
            best = values[state]
            for number, distribution in enumerate(choices[state]):
                value = sum((p * values[t] for t, p in distribution.items()), _ZERO)
                if value > best:
                    best, policy[state] = value, number
                    changed += 1
        progress(f"policy iteration: {changed} of {len(policy)} states choose better")
        if not changed:
            return values


def _first_policy(choices: Choices, through: Collection[int], goal: Collection[int]) -> dict[int, int]:
    """For the states that can reach the goal but are not in it: a choice that comes nearer to it."""
    sources: dict[int, list[tuple[int, int]]] = {}
    for state in through:
        for number, distribution in enumerate(choices[state]):
            for target in distribution:
                sources.setdefault(target, []).append((state, number))
    number_of: dict[int, int] = {}
    frontier = sorted(goal)
    reached = set(frontier)
    while frontier:
        following = []
        for target in frontier:
            for state, number in sources.get(target, ()):
                if state not in reached:
                    reached.add(state)
                    number_of[state] = number
                    following.append(state)
        frontier = sorted(following)
    return number_of


def _evaluated(choices: Choices, policy: Mapping[int, int], goal: Collection[int], states: int) -> list[Fraction]:
    """The probabilities under a policy: x = A x + b, states eliminated one by one, those with few neighbours first."""
    inside = set(goal)
    rows: dict[int, dict[int, Fraction]] = {}
    constant: dict[int, Fraction] = {}
    users: dict[int, set[int]] = {state: set() for state in policy}
    for state, number in policy.items():
        distribution = choices[state][number]
        rows[state] = {target: p for target, p in distribution.items() if target in policy}
        constant[state] = sum((p for target, p in distribution.items() if target in inside), _ZERO)
        for target in rows[state]:
            users[target].add(state)
    order = sorted(policy, key=lambda state: (len(users[state]) * len(rows[state]), state))
    eliminated: list[int] = []
    for state in order:
        row = rows[state]
        stay = row.pop(state, _ZERO)
        if stay:
            users[state].discard(state)
            factor = 1 / (1 - stay)
            constant[state] *= factor
            for target in row:
                row[target] *= factor
        for user in sorted(users[state]):
            share = rows[user].pop(state)
            constant[user] += share * constant[state]
            for target, p in row.items():
                rows[user][target] = rows[user].get(target, _ZERO) + share * p
                users[target].add(user)
        for target in row:
            users[target].discard(state)
        eliminated.append(state)
    values = [_ZERO] * states
    for state in inside:
        values[state] = _ONE
    for state in reversed(eliminated):
        values[state] = constant[state] + sum((p * values[t] for t, p in rows[state].items()), _ZERO)
    return values
