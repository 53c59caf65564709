"""How many states an assumption needs at least: words that no automaton can bring to one state.

That n words need n states is a pigeonhole argument, for which solvers need exponential time; here they are told.

Reference: M. J. H. Heule and S. Verwer, "Software model synthesis using satisfiability solvers" (2013), section 4.2,
who find a clique of words that must lead to different states.
"""

from __future__ import annotations

from collections.abc import Iterable

from symag.methods.lts.constraints import Constraint, Membership
from symag.methods.lts.projected_component import Word

#: A clique is looked for among so many words.
_WORDS = 400


class KnownMemberships:
    """What follows by itself from constraints: words that must be accepted, and such that must not be."""

    def __init__(self, places: Iterable[int]) -> None:
        self._accepted: dict[int, set[Word]] = {place: {()} for place in places}
        self._rejected: dict[int, set[Word]] = {place: set() for place in places}
        self._open: list[Constraint] = []
        self._bounds = dict.fromkeys(self._accepted, 1)
        self._changed: set[int] = set()

    def learn(self, constraints: Iterable[Constraint]) -> None:
        """Adds constraints, and draws conclusions until there is nothing new."""
        self._open.extend(constraints)
        changed = True
        while changed:
            changed = False
            left = []
            for constraint in self._open:
                undecided = self._undecided(constraint)
                if undecided is None:
                    continue
                if len(undecided) == 1:
                    self._set(undecided[0])
                    changed = True
                else:
                    left.append(undecided)
            self._open = left

    def bounds(self) -> dict[int, int]:
        """For each place a number of states that is not too many."""
        for place in sorted(self._changed):
            self._bounds[place] = max(self._bounds[place], self._clique(place))
        self._changed.clear()
        return self._bounds

    def _undecided(self, constraint: Constraint) -> Constraint | None:
        """Without what is false; None if something in it is true, or nothing is left."""
        values = [(each, self._value(each)) for each in constraint]
        if any(value for _, value in values):
            return None
        return tuple(dict.fromkeys(each for each, value in values if value is None)) or None

    def _value(self, each: Membership) -> bool | None:
        if each.word in self._accepted[each.place]:
            return each.accepted
        rejected = self._rejected[each.place]
        if any(each.word[:length] in rejected for length in range(1, len(each.word) + 1)):
            return not each.accepted
        return None

    def _set(self, each: Membership) -> None:
        self._changed.add(each.place)
        if each.accepted:
            self._accepted[each.place].update(each.word[:length] for length in range(len(each.word) + 1))
        else:
            self._rejected[each.place].add(each.word)

    def _clique(self, place: int) -> int:
        """The size of a set of words every two of which some suffix tells apart."""
        number: dict[Word, int] = {}
        marks: dict[Word, list[int]] = {word: [0, 0] for word in self._accepted[place]}
        for kind, words in enumerate((self._accepted[place], self._rejected[place])):
            for word in sorted(words):
                for length in range(len(word)):
                    mark = marks.get(word[:length])
                    if mark is not None:
                        mark[kind] |= 1 << number.setdefault(word[length:], len(number))
        distinct = dict.fromkeys(tuple(marks[word]) for word in sorted(marks))
        found = sorted(distinct, key=lambda each: -each[0].bit_count() - each[1].bit_count())[:_WORDS]
        apart = [{j for j, other in enumerate(found) if one[0] & other[1] or one[1] & other[0]} for one in found]
        best = 1
        for start in sorted(range(len(found)), key=lambda each: -len(apart[each]))[:5]:
            candidates, size = apart[start], 1
            while candidates:
                chosen = max(sorted(candidates), key=lambda each: len(apart[each] & candidates))
                candidates = candidates & apart[chosen]
                size += 1
            best = max(best, size)
        return best
