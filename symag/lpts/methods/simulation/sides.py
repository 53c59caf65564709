"""The two systems of a simulation check, with their transitions ready for quick access.

Actions of both systems have common numbers, probabilities are integers over one common denominator
(``total``), and equal distributions of one system have one number, so that a question about two distributions
is decided once for all transitions that have them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import overload

from msgspec import Struct

from symag.core.values import replace
from symag.lpts.lpts import Lpts, completed, performed


class Distribution(Struct, frozen=True):
    """Its targets in ascending order, and the mass of each: integers whose sum is the common denominator."""

    support: tuple[int, ...]
    mass: tuple[int, ...]


class Side(Struct, frozen=True):
    """One system. ``moves[s]`` lists, for its k-th transition on from ``first[s]``, (action, distribution)."""

    moves: Sequence[tuple[tuple[int, int], ...]]
    first: Sequence[int]
    actions: Sequence[int]  # per state the set of its actions, as bits
    distributions: Sequence[Distribution]


class Sides(Struct, frozen=True):
    """Is ``left`` simulated by ``right``? ``answers[t][a]`` lists the distributions that t reaches by a."""

    left: Side
    right: Side
    answers: tuple[Mapping[int, tuple[int, ...]], ...]
    total: int
    specification: Lpts


def sides(system: Lpts, specification: Lpts) -> Sides:
    """Both systems; the specification completed for the actions that it does not mention. Linear."""
    return with_left(sides_on_demand(system, specification), system)


def sides_on_demand(system: Lpts, specification: Lpts) -> Sides:
    """The same for a system of which few states are needed; ``actions`` is empty, equal distributions differ."""
    complete = completed_for(specification, system)
    number = _numbers_of_actions(system, complete)
    total = common_denominator(system, complete)
    return _beside(_on_demand(system, number, total), complete, number, total)


def with_left(known: Sides, system: Lpts) -> Sides:
    """Another system beside the same specification: its actions are the former's, its denominators divide ``total``."""
    return replace(known, left=side_of(system, _numbers_of_actions(system, known.specification), known.total))


def with_left_on_demand(known: Sides, system: Lpts) -> Sides:
    """The same for a system of which few states are needed."""
    return replace(known, left=_on_demand(system, _numbers_of_actions(system, known.specification), known.total))


def _on_demand(system: Lpts, number: Mapping[str, int], total: int) -> Side:
    moves, first = _MovesOnDemand(system, number), system.offsets().tolist()
    return Side(moves, first, (), _DistributionsOnDemand(system, total))


def completed_for(specification: Lpts, system: Lpts) -> Lpts:
    """The specification with a self-loop for every action of the system that it does not mention."""
    return completed(specification, performed(system).union(system.alphabet[1:]))


def common_denominator(system: Lpts, specification: Lpts) -> int:
    """The least number that makes integers of all probabilities of both systems, multiplied by it."""
    return math.lcm(system.denominator(), specification.denominator())


def _numbers_of_actions(system: Lpts, specification: Lpts) -> dict[str, int]:
    return {name: index for index, name in enumerate(sorted({*system.alphabet, *specification.alphabet}))}


def _beside(left: Side, complete: Lpts, number: Mapping[str, int], total: int) -> Sides:
    right = side_of(complete, number, total)
    answers: list[dict[int, tuple[int, ...]]] = []
    for moves in right.moves:
        mine: dict[int, list[int]] = {}
        for action, distribution in moves:
            listed = mine.setdefault(action, [])
            if distribution not in listed:
                listed.append(distribution)
        answers.append({action: tuple(distributions) for action, distributions in mine.items()})
    return Sides(left, right, tuple(answers), total, complete)


class _MovesOnDemand(Sequence[tuple[tuple[int, int], ...]]):
    """The moves of a state; the distribution of transition k is number k."""

    def __init__(self, system: Lpts, number: Mapping[str, int]) -> None:
        self._system = system
        self._actions = [number[name] for name in system.alphabet]
        self._offsets = system.offsets()

    def __len__(self) -> int:
        return self._system.states

    @overload
    def __getitem__(self, state: int) -> tuple[tuple[int, int], ...]: ...

    @overload
    def __getitem__(self, state: slice) -> Sequence[tuple[tuple[int, int], ...]]: ...

    def __getitem__(self, state: int | slice) -> Sequence[tuple[tuple[int, int], ...]] | tuple[tuple[int, int], ...]:
        if isinstance(state, slice):
            return [self[index] for index in range(len(self))[state]]
        transitions = range(int(self._offsets[state]), int(self._offsets[state + 1]))
        return tuple((self._actions[self._system.action[k]], k) for k in transitions)


class _DistributionsOnDemand(Sequence[Distribution]):
    def __init__(self, system: Lpts, total: int) -> None:
        self._system = system
        self._scaled = [int(probability * total) for probability in system.probabilities]

    def __len__(self) -> int:
        return self._system.transitions

    @overload
    def __getitem__(self, number: int) -> Distribution: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Distribution]: ...

    def __getitem__(self, number: int | slice) -> Distribution | Sequence[Distribution]:
        if isinstance(number, slice):
            return [self[index] for index in range(len(self))[number]]
        entries = slice(int(self._system.begin[number]), int(self._system.begin[number + 1]))
        masses = tuple(self._scaled[weight] for weight in self._system.weight[entries].tolist())
        return Distribution(tuple(self._system.target[entries].tolist()), masses)


def side_of(system: Lpts, number: Mapping[str, int], total: int) -> Side:
    """One system, its actions with these numbers. Linear."""
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
        if key not in numbers:
            numbers[key] = len(distributions)
            distributions.append(Distribution(*key))
        moves.append((actions[action], numbers[key]))
    first = system.offsets().tolist()
    by_state = tuple(tuple(moves[first[s] : first[s + 1]]) for s in range(system.states))
    return Side(by_state, tuple(first), tuple(map(action_bits, by_state)), tuple(distributions))


def action_bits(moves: tuple[tuple[int, int], ...]) -> int:
    """The set of the actions of some moves, as bits."""
    bits = 0
    for action, _ in moves:
        bits |= 1 << action
    return bits
