"""Which components to compose before assumptions are learned.

Source: I. Dardik, A. Porter, E. Kang, "Recomposition: a new technique for efficient compositional verification" (FMCAD
2024): components are composed again, into fewer and larger ones, before they are verified one by one, and several
such groupings are tried. Here the choice is by cost. First every component is a part. If that takes more conjectures
than a budget, components are composed as long as the result has few states, and learning begins again, with a larger
budget and larger parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from msgspec import Struct

from symag.lts.composition import TooManyStates, composed
from symag.lts.safety_problem import SafetyProblem

#: States of a part, at most, in one attempt after the other.
_SIZES = (4_000, 40_000, 400_000)
#: Conjectures for each component in the first attempt, and how many times as many in each later one.
_CONJECTURES, _GROWTH = 20, 2

Part = tuple[int, ...]


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
