"""Which components are composed before assumptions are learned.

The two-way decomposition is the one that is most balanced (agar-lts-2008, Section 5, Table 2).
Of all ways to cut the components into two parts it is the one in which the numbers of states of ``M1 || P`` and of M2
differ least; among equals the one with fewer states, then the one whose first part has the earlier components. Up to
``MOST_COMPONENTS`` components all cuts are tried. With more, those are tried that take the first ones of each kind
(states, transitions, actions): which clients or users a part has matters less than how many. If these are more than
4,096, each component alone against the others. From the best of them one component at a time is moved as long as the
difference becomes smaller.

For more parts components are composed into fewer and larger ones, and several such groupings are tried (I. Dardik,
A. Porter, E. Kang, "Recomposition: a new technique for efficient compositional verification", FMCAD 2024). Here the
choice is by cost. First every component is a part. If that takes more conjectures than a budget, components are
composed as long as the result has few states, and learning begins again, with a larger budget and larger parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import prod

from msgspec import Struct

from symag.core.limits import Progress
from symag.core.values import replace
from symag.lts.composition import TooManyStates, composed
from symag.lts.safety_problem import SafetyProblem

MOST_COMPONENTS = 12
_MOST_CUTS = 4096

Part = tuple[int, ...]
#: The difference, the sum of the states, and the parts: better cuts are less.
Cut = tuple[int, int, Part, Part]


def balanced(problem: SafetyProblem, progress: Progress, most: int = MOST_COMPONENTS) -> tuple[Part, ...]:
    """The two parts, the one with the property first; all components if there is only one.

    Composes the parts of every cut, but stops when a part is larger than the best cut so far allows. Raises
    MemoryError.
    """
    count = len(problem.components)
    if count < 2:
        return (tuple(range(count)),)
    cuts = _Cuts(problem, progress)
    firsts = (
        [first for size in range(1, count) for first in combinations(range(count), size)]
        if count <= most
        else _by_kinds(problem)
    )
    for first in sorted(firsts, key=lambda first: abs(2 * len(first) - count)):
        cuts.compare(first)
    if count > most:
        cuts.climb()
    assert cuts.best is not None
    parts = cuts.best[2:]
    progress(" | ".join(", ".join(problem.components[number].name for number in part) for part in parts))
    return parts


class _Cuts:
    """``best`` is the best of the compared cuts."""

    def __init__(self, problem: SafetyProblem, progress: Progress) -> None:
        self._components = [replace(lts, end=None) for lts in problem.components]
        self._property = replace(problem.property, end=None)
        self._progress = progress
        # The number of states of a part, or the negation of a number that it exceeds.
        self._known: dict[tuple[Part, bool], int] = {}
        self.best: Cut | None = None

    def compare(self, first: Part) -> Cut | None:
        """The cut; None if it is worse than the best one: then its composition ends early."""
        second = tuple(number for number in range(len(self._components)) if number not in first)
        small, other = self._smaller((first, True), (second, False))
        most = None if self.best is None else small + self.best[0]
        large = self._states(*other, most)
        if most is not None and large > most:
            return None
        cut = (abs(small - large), small + large, first, second)
        if self.best is None or cut < self.best:
            self.best = cut
            self._progress(f"parts of {small} and {large} states")
        return cut

    def climb(self) -> None:
        """Go from the best cut to better neighbours as long as there are any."""
        before = None
        while self.best != before:
            before = self.best
            assert before is not None
            for neighbour in _neighbours(before[2], len(self._components)):
                self.compare(neighbour)
                if self.best != before:
                    break

    def _smaller(self, *sides: tuple[Part, bool]) -> tuple[int, tuple[Part, bool]]:
        """The number of states of the smaller side, and the other side, of which not many more states are composed."""
        most = 1 << 10
        while True:
            for side, other in (sides, sides[::-1]):
                states = self._states(*side, most)
                if states <= most:
                    return states, other
            most *= 4

    def _states(self, part: Part, has_property: bool, most: int | None) -> int:
        """The number of states of the part, or ``most`` + 1 if it has more than ``most``."""
        key = part, has_property
        if self._known.get(key, 0) < 0 and most is not None and -self._known[key] >= most:
            return most + 1
        if self._known.get(key, -1) < 0:
            chosen = [self._components[number] for number in part]
            if has_property:
                chosen.append(self._property)
            try:
                self._known[key] = composed(chosen, "part", most=most).lts.states
            except TooManyStates:
                assert most is not None
                self._known[key] = -most
                return most + 1
        return self._known[key]


def _by_kinds(problem: SafetyProblem) -> list[Part]:
    """The first parts that have the first ones of each kind, or one component each; none is empty or everything."""
    kinds: dict[tuple[int, int, int], list[int]] = {}
    for number, lts in enumerate(problem.components):
        kinds.setdefault((lts.states, lts.transitions, len(lts.alphabet)), []).append(number)
    if prod(len(kind) + 1 for kind in kinds.values()) > _MOST_CUTS:
        return [(number,) for number in range(len(problem.components))]
    chosen = product(*([kind[:taken] for taken in range(len(kind) + 1)] for kind in kinds.values()))
    parts = (tuple(sorted(number for kind in choice for number in kind)) for choice in chosen)
    return [part for part in parts if 0 < len(part) < len(problem.components)]


def _neighbours(first: Part, count: int) -> Iterator[Part]:
    """The cuts in which one component has changed sides, and neither side is empty."""
    for number in range(count):
        moved = tuple(sorted(set(first) ^ {number}))
        if 0 < len(moved) < count:
            yield moved


#: States of a part, at most, in one attempt after the other.
_SIZES = (4_000, 40_000, 400_000)
#: Conjectures for each component in the first attempt, and how many times as many in each later one.
_CONJECTURES, _GROWTH = 20, 2


class Recomposition(Struct, frozen=True):
    """The parts, numbers of components, in the order of the rule; ``conjectures``: the budget, None for no limit."""

    parts: tuple[Part, ...]
    conjectures: int | None


def attempts(problem: SafetyProblem) -> Iterator[Recomposition]:
    """The groupings of a problem's components, each after the one before has used up its budget; the last has none.

    Raises MemoryError. Costs the compositions of pairs of parts that share an action.
    """
    count = len(problem.components)
    grouping = _Grouping(problem)
    parts = grouping.parts
    budget = _CONJECTURES * count
    for most in _SIZES:
        larger = grouping.enlarged(most)
        if larger != parts:
            yield Recomposition(parts, budget)
            parts, budget = larger, budget * _GROWTH
    yield Recomposition(parts, None)


class _Grouping:
    """Parts that grow; ``parts`` are in the order of their states, after the first enlargement."""

    def __init__(self, problem: SafetyProblem) -> None:
        self._components = [replace(lts, end=None) for lts in problem.components]
        self._actions = [frozenset(lts.alphabet[1:]) for lts in self._components]
        self.parts: tuple[Part, ...] = tuple((k,) for k in range(len(self._components)))
        self._states: dict[Part, int] = {(k,): lts.states for k, lts in enumerate(self._components)}
        #: Parts with more states than these.
        self._larger: dict[Part, int] = {}

    def enlarged(self, most: int) -> tuple[Part, ...]:
        """Compose two parts after the other, those whose product loses most states, up to ``most`` states each.

        Two parts are left: one would be the composition of everything.
        """
        while True:
            pairs = [pair for pair in combinations(self.parts, 2) if self._share(*pair)]
            merged = {pair: tuple(sorted((*pair[0], *pair[1]))) for pair in pairs}
            possible = [pair for pair in pairs if self._is_small(merged[pair], most)]
            if len(self.parts) <= 2 or not possible:
                return self.parts
            first, second = min(possible, key=lambda pair: (self._ratio(pair, merged[pair]), merged[pair]))
            kept = [part for part in self.parts if part not in (first, second)]
            self.parts = tuple(sorted((*kept, merged[first, second]), key=lambda part: (self._states[part], part)))

    def _share(self, first: Part, second: Part) -> bool:
        return any(self._actions[k] & self._actions[j] for k in first for j in second)

    def _ratio(self, pair: tuple[Part, Part], merged: Part) -> float:
        return self._states[merged] / (self._states[pair[0]] * self._states[pair[1]])

    def _is_small(self, part: Part, most: int) -> bool:
        if part not in self._states and self._larger.get(part, 0) < most:
            try:
                self._states[part] = composed([self._components[k] for k in part], "M", most=most).lts.states
            except TooManyStates:
                self._larger[part] = most
        return self._states.get(part, most + 1) <= most
