"""The inequalities of a triple's dual solution, over all states at once, in integers.

A transition of the product is a joint move of all systems with its action, or one without an action of one system. It
is made by joining the states with the moves of each system in turn; its branches likewise. All is multiplied by the
common denominators, so that the integers have 64 bits where all results fit, and are Python's where they do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct

from symag.core.limits import Deadline
from symag.core.ranges import distinct, ranges
from symag.lpts.certificates.bounds import ProvenTriple
from symag.lpts.certify.exact_sums import Integers, Mask, integers, largest, refused
from symag.lpts.certify.fair_states import JointTransitions, fair_part
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.problems import Monitor

_WORD = 2**62
#: States whose moves are looked at together; bounds the memory.
_AT_ONCE = 20_000


def check_inequalities(
    components: Sequence[Lpts], watching: Sequence[Monitor], proven: ProvenTriple, spent: Mask, deadline: Deadline
) -> Fraction | None:
    """Accept a dual solution: its value of a state is at least what any transition makes of it.

    Returns the bound that it proves, None where there is no scheduler at all.

    ``watching`` are the monitors of the guarantee and of the assumptions; in the states ``spent`` the guarantee costs
    nothing any more. Of fair schedulers all states are listed, and the values are at least 0 where one may stay for
    ever. O(b log n) for b branches of the transitions and n states; more for fair ones (``fair_states``). Raises
    CertificationError, and OutOfTimeError.
    """
    systems = [*components, *(monitor.system for monitor in watching)]
    values = proven.values
    if values.denominator < 1 or len(values.numerators) != len(proven.states):
        raise refused("there is not a value for each state")
    if not proven.fair and any(numerator < 0 for numerator in values.numerators):
        raise refused("a value is negative")
    if any(len(state) != len(systems) for state in proven.states):
        raise refused("there is no such state")
    states = integers(tuple(local for state in proven.states for local in state), len(systems) * len(proven.states), "")
    states = states.reshape(len(proven.states), len(systems))
    sizes = np.array([system.states for system in systems])
    if states.dtype == object or (states < 0).any() or (states >= sizes).any():
        raise refused("there is no such state")
    places = _Places(states, sizes.tolist())
    worth = _Worth(places, integers(values.numerators, len(states), "the values"), len(components), spent)
    prices = _Prices(watching, proven, len(components))
    batches = [
        (label, moving, first) for label, moving in _moving(systems) for first in range(0, len(states), _AT_ONCE)
    ]
    counted: Sequence[Mask | None] = [None] * len(batches)
    if proven.fair:
        groups: list[JointTransitions] = []
        for label, moving, first in batches:
            deadline.check()
            some = states[first : first + _AT_ONCE]
            joint = _joint(some, label, moving, prices)
            free = prices.free(some[joint.state], label)
            target, systems_ = worth.places(joint.target), tuple(system.column for system in moving)
            groups.append(JointTransitions(joint.state + first, joint.move_of, target, free, systems_))
        here, counted = fair_part(len(states), groups, len(components))
        if (worth.numerators[here] < 0).any():
            raise refused("a value is below 0 where a fair scheduler may stay")
        start = int(worth.places(np.zeros((1, len(systems)), dtype=np.int64))[0])
        if all((group.source[mask] != start).all() for group, mask in zip(groups, counted, strict=True)):
            # No fair scheduler keeps the assumptions, and a negated guarantee finite.
            return None
    for (label, moving, first), only in zip(batches, counted, strict=True):
        deadline.check()
        _check_moves(states[first : first + _AT_ONCE], first, label, moving, worth, prices, only)
    most = Fraction(int(worth.of(np.zeros((1, len(systems)), dtype=np.int64))[0]), values.denominator)
    most += sum((m * b for m, (_, b) in zip(proven.multipliers, proven.assumed, strict=True)), Fraction(0))
    if most >= 0 if proven.empty else most > proven.most:
        raise refused("the value of the initial state does not prove the bound")
    return most


class _Places:
    """Where a state stands in a list."""

    def __init__(self, states: Numbers, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        # A code that has no room for another column is replaced by its number among all such codes.
        self._tables: dict[int, Numbers] = {}
        code, bound = np.zeros(len(states), dtype=np.int64), 1
        for column, size in enumerate(sizes):
            if bound * size >= _WORD:
                self._tables[column] = table = distinct(code)
                code, bound = np.searchsorted(table, code), len(table)
            code, bound = code * size + states[:, column], bound * size
        self._order = np.argsort(code, kind="stable")
        self._codes = code[self._order]
        if (self._codes[1:] == self._codes[:-1]).any():
            raise refused("a state has two values")

    def of(self, states: Numbers) -> Numbers:
        """The places of states, -1 for one that is not there."""
        code, known = np.zeros(len(states), dtype=np.int64), np.ones(len(states), dtype=bool)
        if not len(self._codes):
            return code - 1
        for column, size in enumerate(self._sizes):
            if column in self._tables:
                code, there = _found(self._tables[column], code)
                known &= there
            code = code * size + states[:, column]
        place, there = _found(self._codes, code)
        return np.where(known & there, self._order[place], -1)


def _found(ascending: Numbers, numbers: Numbers) -> tuple[Numbers, Mask]:
    """Places in an array that is not empty, and whether the numbers are there."""
    place = np.minimum(np.searchsorted(ascending, numbers), len(ascending) - 1)
    return place, ascending[place] == numbers


class _Worth:
    """The numerators of the values of states; 0 for one that is not listed and in which the guarantee costs nothing."""

    def __init__(self, places: _Places, numerators: Integers, guarantee: int, spent: Mask) -> None:
        self._places = places
        self.numerators = numerators
        self._guarantee = guarantee
        self._spent = spent

    def places(self, states: Numbers) -> Numbers:
        """The places of states. Raises CertificationError for one without a value."""
        place = self._places.of(states)
        if not self._spent[states[place < 0, self._guarantee]].all():
            raise refused("a state that can be reached is missing")
        return place

    def of(self, states: Numbers) -> Integers:
        """The numerators. Raises CertificationError for a state without a value."""
        place = self.places(states)
        if not len(self.numerators):
            return np.zeros(len(states), dtype=np.int64)
        return np.where(place < 0, 0, self.numerators[place])


class _Prices:
    """What an action costs in the states of the monitors, in whole multiples of 1 / ``unit``."""

    def __init__(self, watching: Sequence[Monitor], proven: ProvenTriple, first: int) -> None:
        factors = [Fraction(not proven.empty), *(-multiplier for multiplier in proven.multipliers)]
        self._costs = [monitor.cost_of() for monitor in watching]
        self._priced = [
            {step: cost * factor for step, cost in costs.items()}
            for costs, factor in zip(self._costs, factors, strict=True)
        ]
        self._sizes = [monitor.system.states for monitor in watching]
        self._never = {k for k, (_, most) in enumerate(proven.assumed, 1) if most == 0}
        self._first = first
        self.unit = math.lcm(*(price.denominator for priced in self._priced for price in priced.values()))
        self.denominator = proven.values.denominator
        every = [[abs(price) for price in priced.values()] for priced in self._priced]
        self.largest = int(sum((max(prices, default=Fraction(0)) for prices in every), Fraction(0)) * self.unit)

    def allowed(self, states: Numbers, label: str) -> Mask:
        """The states in which the action costs no assumption something whose limit is 0."""
        allowed = np.ones(len(states), dtype=bool)
        for k in self._never:
            costly = [self._costs[k].get((local, label), 0) > 0 for local in range(self._sizes[k])]
            allowed &= ~np.array(costly)[states[:, self._first + k]]
        return allowed

    def free(self, states: Numbers, label: str) -> Mask:
        """The states in which the action costs nothing that has to stay finite: no assumption or negated guarantee."""
        free = np.ones(len(states), dtype=bool)
        for k, costs in enumerate(self._costs):
            sign = 1 if k else -1
            costly = [sign * costs.get((local, label), 0) > 0 for local in range(self._sizes[k])]
            free &= ~np.array(costly)[states[:, self._first + k]]
        return free

    def earned(self, states: Numbers, label: str) -> Integers:
        """The prices of the action in these states."""
        total: Integers = np.zeros(len(states), dtype=np.int64)
        for k, priced in enumerate(self._priced):
            row = [int(priced.get((local, label), Fraction(0)) * self.unit) for local in range(self._sizes[k])]
            if any(row):
                wide = self.largest >= _WORD
                total = total + np.array(row, dtype=object if wide else np.int64)[states[:, self._first + k]]
        return total


class _Moves:
    """The moves of one system with one action, and their branches; ``common`` is the denominator of their shares."""

    def __init__(self, column: int, system: Lpts, action: int) -> None:
        self.column = column
        mine = np.flatnonzero(system.action == action)
        self._move = mine
        self._begin = np.searchsorted(system.source[mine], np.arange(system.states + 1))
        self._system = system
        self.common = math.lcm(*(probability.denominator for probability in system.probabilities))
        shares = [int(probability * self.common) for probability in system.probabilities]
        self.share = integers(tuple(shares), len(shares), "the probabilities")

    def joined(self, local: Numbers) -> tuple[Numbers, Numbers]:
        """All pairs of one of these states and a move from it: the place of the state, and the move."""
        which, place = _expanded(self._begin[local], self._begin[local + 1])
        return which, self._move[place]

    def branches(self, moves: Numbers) -> tuple[Numbers, Numbers, Integers]:
        """The branches of moves: the place of the move, the target, the share of ``common``."""
        which, entry = _expanded(self._system.begin[moves], self._system.begin[moves + 1])
        return which, self._system.target[entry], self.share[self._system.weight[entry]]


def _expanded(begin: Numbers, end: Numbers) -> tuple[Numbers, Numbers]:
    """Each number of each range, after the number of the range."""
    return np.repeat(np.arange(len(begin)), end - begin), ranges(begin, end)


def _moving(systems: Sequence[Lpts]) -> Iterator[tuple[str, list[_Moves]]]:
    """The actions with the moves of all systems that have them; and each system's own moves without an action."""
    for column, system in enumerate(systems):
        yield "", [_Moves(column, system, 0)]
    numbers: list[Mapping[str, int]] = [
        {label: number for number, label in enumerate(system.alphabet) if number} for system in systems
    ]
    for label in sorted(set().union(*numbers)):
        yield (
            label,
            [
                _Moves(column, system, of[label])
                for column, (system, of) in enumerate(zip(systems, numbers, strict=True))
                if label in of
            ],
        )


class _Joint(Struct, frozen=True, eq=False):
    """Joint moves: the place of each one's state; of each branch its move, target, and share if that is asked for."""

    state: Numbers
    move_of: Numbers
    target: Numbers
    share: Integers


def _joint(states: Numbers, label: str, moving: Sequence[_Moves], prices: _Prices, exact: Any = None) -> _Joint:
    """The moves of states with an action that are allowed; ``exact`` is the type of shares."""
    state = np.flatnonzero(prices.allowed(states, label))
    moves: list[Numbers] = []
    for system in moving:
        which, move = system.joined(states[state, system.column])
        state, moves = state[which], [*(before[which] for before in moves), move]
    move_of = np.arange(len(state))
    target = states[state]
    share: Integers = np.ones(len(state), dtype=exact or np.int64)
    for system, move in zip(moving, moves, strict=True):
        which, local, own = system.branches(move[move_of])
        move_of, target = move_of[which], target[which]
        if exact is not None:
            share = share[which] * own.astype(exact)
        target[:, system.column] = local
    return _Joint(state, move_of, target, share)


def _check_moves(
    states: Numbers,
    first: int,
    label: str,
    moving: Sequence[_Moves],
    worth: _Worth,
    prices: _Prices,
    only: Mask | None,
) -> None:
    """Refuse values of states that are smaller than what a move with an action makes of them; ``only`` these count."""
    common = math.prod(system.common for system in moving)
    bound = common * (largest(abs(worth.numerators)) * prices.unit + prices.largest * prices.denominator)
    exact = np.int64 if bound < _WORD else np.object_
    joint = _joint(states, label, moving, prices, exact)
    state = joint.state
    if not len(state):
        return
    begin = np.searchsorted(joint.move_of, np.arange(len(state)))
    after = np.add.reduceat(joint.share * worth.of(joint.target).astype(exact), begin)
    earned = prices.earned(states[state], label).astype(exact)
    now = worth.numerators[first + state].astype(exact)
    larger = after * prices.unit + earned * (prices.denominator * common) > now * (common * prices.unit)
    if (larger if only is None else larger & only).any():
        raise refused("a value is smaller than what a transition makes of it")
