"""What a simulation check looks at: the transitions of both systems, ready for quick access.

Actions of both systems have common numbers, probabilities are integers over one common denominator
(``total``), and equal distributions of one system have one number, so that a question about two distributions
is asked once however many transitions lead to them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from symag.lpts.completion import completed, performed
from symag.lpts.lpts import Lpts


@dataclass(frozen=True, slots=True)
class Distribution:
    """Its targets in ascending order, and the mass of each: integers whose sum is the common denominator."""

    support: tuple[int, ...]
    mass: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One system. ``moves[s]`` lists, for its k-th transition on from ``first[s]``, (action, distribution)."""

    moves: tuple[tuple[tuple[int, int], ...], ...]
    first: tuple[int, ...]
    actions: tuple[int, ...]  # per state the set of its actions, as bits
    distributions: tuple[Distribution, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """Is ``left`` simulated by ``right``? ``answers[t][a]`` lists the distributions that t reaches by a."""

    left: Side
    right: Side
    answers: tuple[Mapping[int, tuple[int, ...]], ...]
    total: int
    specification: Lpts


def sides(system: Lpts, specification: Lpts) -> Sides:
    """Both systems; the specification completed for the actions that it does not mention. Linear."""
    complete = completed(specification, performed(system).union(system.alphabet[1:]))
    names = sorted({*system.alphabet, *complete.alphabet})
    number = {name: index for index, name in enumerate(names)}
    total = math.lcm(system.denominator(), complete.denominator())
    left, right = _side(system, number, total), _side(complete, number, total)
    answers: list[dict[int, tuple[int, ...]]] = []
    for moves in right.moves:
        mine: dict[int, list[int]] = {}
        for action, distribution in moves:
            listed = mine.setdefault(action, [])
            if distribution not in listed:
                listed.append(distribution)
        answers.append({action: tuple(distributions) for action, distributions in mine.items()})
    return Sides(left, right, tuple(answers), total, complete)


def _side(system: Lpts, number: Mapping[str, int], total: int) -> Side:
    actions = [number[name] for name in system.alphabet]
    scaled = [int(probability * total) for probability in system.probabilities]
    begin, target = system.begin.tolist(), system.target.tolist()
    mass = [scaled[weight] for weight in system.weight.tolist()]
    numbers: dict[Distribution | tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    distributions: list[Distribution] = []
    moves: list[tuple[int, int]] = []
    for k, action in enumerate(system.action.tolist()):
        low, high = begin[k], begin[k + 1]
        key = tuple(target[low:high]), tuple(mass[low:high])
        place = numbers.get(key)
        if place is None:
            place = numbers[key] = len(distributions)
            distributions.append(Distribution(*key))
        moves.append((actions[action], place))
    first = system.offsets().tolist()
    by_state = tuple(tuple(moves[first[s] : first[s + 1]]) for s in range(system.states))
    bits = tuple(_bits(mine) for mine in by_state)
    return Side(by_state, tuple(first), bits, tuple(distributions))


def _bits(moves: tuple[tuple[int, int], ...]) -> int:
    bits = 0
    for action, _ in moves:
        bits |= 1 << action
    return bits
