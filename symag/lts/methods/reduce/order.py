"""Compositional minimisation of some items until one composition decides, smallest interfaces first.

Items (at first components and properties, each made minimal) are composed a few at a time, actions that no other item
has become silent, and the result is made minimal. Which items come next is estimated as smart-reduction-2011,
section 4, does it: many of the actions of their composition should become silent, and few be interleaved.
Candidates are pairs of items that share an action, and all owners of one action.

As soon as the items that can come to ERROR do not reach it together, no others are looked at: they only prevent. And
where one item can always move by itself, there is no deadlock, whatever the others do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import prod

import numpy as np

from symag.core.limits import Progress, ProgressFigures
from symag.core.values import replace
from symag.lts.certificates import ReductionStep
from symag.lts.composition import Composition, Fault, TooManyStates, composed
from symag.lts.lts import TAU, Lts
from symag.lts.methods.reduce.words import Item, Minimisation, rows_of, smaller, weakly_minimal, word_to_error

#: What is left is composed as a whole when it cannot have more states than this.
SMALL = 20_000
#: So many candidates are composed to see which result is smallest.
_TRIED = 4
#: An action with more owners is no candidate of its own.
_MOST_OWNERS = 4

#: Larger compositions are made again when they are needed again.
_MOST_KEPT = 50_000

#: Items that were composed and made minimal, by the systems of their members and the actions that others have.
MinimalItems = dict[tuple[tuple[Lts, ...], frozenset[str]], Item]


_Shapes = tuple[tuple[int, int, int], ...]


class Reduction:
    """Items of which at most ``small`` states are possible together are composed without further steps.

    ``minimised`` keeps what was composed, from one step and from one reduction to the next; ``minimal`` makes an item
    minimal, and the actions ``kept`` never become silent.
    ``steps`` and ``last`` are those of the ``ReductionChain``; ``largest`` has the states and the transitions of the
    largest composition.
    """

    def __init__(
        self,
        items: Sequence[Item],
        progress: Progress,
        small: int = SMALL,
        minimised: MinimalItems | None = None,
        minimal: Minimisation = weakly_minimal,
        kept: frozenset[str] = frozenset(),
    ) -> None:
        self._items = list(items)
        self._minimal = minimal
        self._kept = kept
        self._results: dict[_Shapes, int] = {}
        self._progress = progress
        self._small = small
        self._minimised = {} if minimised is None else minimised
        self.steps: list[ReductionStep] = []
        self.last: tuple[int, ...] = ()
        self.largest = (0, 0)

    def word_to_error(self) -> tuple[str, ...] | None:
        """A word of the items that leads to ERROR, None if there is none. Raises MemoryError."""
        self._minimise_each()
        while True:
            failing = [item for item in self._items if item.lts.has_error]
            if not failing or (prod(item.lts.states for item in failing) <= self._small and self._holds(failing)):
                self.last = tuple(item.number for item in failing)
                return None
            if self._is_small():
                break
            members, small = self._best()
            self._take(members, small)
        self.last = tuple(item.number for item in self._items)
        product = self._composed(self._items)
        return word_to_error(self._items, product) if len(product.violations) else None

    def whole(self, until_live: bool) -> tuple[Sequence[Item], Composition]:
        """The last items, and the composition of them all; no item has ERROR. Raises MemoryError.

        ``until_live``: if an item has a silent move in each of its states, the answer is that item.
        """
        self._minimise_each()
        while True:
            live = [item for item in self._items if until_live and _is_live(item)]
            if live or self._is_small():
                break
            members, small = self._best()
            self._take(members, small)
        items = live[:1] or self._items
        self.last = tuple(item.number for item in items)
        product = composed([item.lts for item in items], "last")
        self.largest = max(self.largest, (product.lts.states, product.lts.transitions))
        return items, product

    def _is_small(self) -> bool:
        return len(self._items) == 1 or prod(item.lts.states for item in self._items) <= self._small

    def _minimise_each(self) -> None:
        for item in list(self._items):
            if prod(item.lts.states for item in self._items) <= self._small:
                return
            small = self._smaller([item])
            if small.lts.states < item.lts.states or len(small.lts.alphabet) < len(item.lts.alphabet):
                self._take([item], small)

    def _smaller(self, members: Sequence[Item], most: int | None = None) -> Item:
        """The members composed and minimal, as the next step. Raises TooManyStates."""
        number, seen = -1 - len(self.steps), self._seen(members)
        key = tuple(item.lts for item in members), seen & frozenset().union(*(item.alphabet for item in members))
        if key not in self._minimised:
            item = smaller(number, members, seen, self._minimal, most)
            assert item.origin is not None
            if item.origin.lts.transitions > _MOST_KEPT:
                return item
            self._minimised[key] = item
        return replace(self._minimised[key], number=number, members=tuple(members))

    def _holds(self, items: Sequence[Item]) -> bool:
        return not len(self._composed(items).violations)

    def _composed(self, items: Sequence[Item]) -> Composition:
        enough: tuple[Fault] = ("safety",)
        product = composed([item.lts for item in items], "last", enough=enough)
        self.largest = max(self.largest, (product.lts.states, product.lts.transitions))
        return product

    def _seen(self, members: Sequence[Item]) -> frozenset[str]:
        """The actions that items other than these have, and those that are kept."""
        return self._kept.union(*(item.alphabet for item in self._items if item not in members))

    def _take(self, members: Sequence[Item], small: Item) -> None:
        assert small.origin is not None
        self._items = [item for item in self._items if item not in members] + [small]
        self.steps.append(ReductionStep(tuple(item.number for item in members), rows_of(small)))
        self.largest = max(self.largest, (small.origin.lts.states, small.origin.lts.transitions))
        line = f"{len(self._items)} items; the last one of {small.origin.lts.states} states has {small.lts.states}"
        self._progress(ProgressFigures(line, {"largest_lts_states": self.largest[0]}))

    def _best(self) -> tuple[Sequence[Item], Item]:
        """The candidate with the fewest states after minimisation, of those with the best estimates.

        What came of members of the same shapes in an earlier step is taken for what will come of these.
        """
        candidates = list(islice(_unlike(sorted(self._candidates(), key=self._estimate)), _TRIED))
        candidates.sort(key=lambda members: self._results.get(_shapes(members), 0))
        best: tuple[Sequence[Item], Item] | None = None
        for members in candidates:
            alphabet = frozenset().union(*(item.alphabet for item in members))
            if best is not None and self._seen(members) >= alphabet:
                continue  # nothing becomes silent, so hardly anything smaller
            if best is not None and self._results.get(_shapes(members), 0) >= best[1].lts.states:
                continue
            most = None if best is None or best[1].origin is None else 4 * best[1].origin.lts.states
            try:
                small = self._smaller(members, most)
            except TooManyStates:
                continue
            self._results[_shapes(members)] = small.lts.states
            if best is None or small.lts.states < best[1].lts.states:
                best = members, small
            if small.lts.states <= max(item.lts.states for item in members):
                break  # what is left has become smaller
        assert best is not None
        return best

    def _candidates(self) -> Iterator[tuple[Item, ...]]:
        pairs = combinations(self._items, 2)
        connected: list[tuple[Item, ...]] = [
            pair for pair in pairs if not pair[0].alphabet.isdisjoint(pair[1].alphabet)
        ]
        yield from connected or [tuple(self._items[:2])]
        owners: dict[str, list[Item]] = {}
        for item in self._items:
            for label in item.alphabet:
                owners.setdefault(label, []).append(item)
        yield from {tuple(group) for group in owners.values() if 2 < len(group) <= _MOST_OWNERS}

    def _estimate(self, members: Sequence[Item]) -> float:
        """States of the product, less what becomes silent, more what is interleaved; less is better."""
        counts = Counter(label for item in members for label in item.alphabet)
        seen = self._seen(members)
        silent = sum(label not in seen for label in counts) / max(1, len(counts))
        alone = sum(count == 1 and label in seen for label, count in counts.items()) / max(1, len(counts))
        return float(prod(item.lts.states for item in members)) * (1 - silent + 0.01) * (1 + alone)


def _is_live(item: Item) -> bool:
    """Whether it has a silent move in each of its states."""
    return bool(np.isin(np.arange(item.lts.states), item.lts.source[item.lts.action == TAU]).all())


def _unlike(candidates: Sequence[tuple[Item, ...]]) -> Iterator[tuple[Item, ...]]:
    """One candidate of those whose members have the same shapes: processes of one kind come together alike."""
    tried: set[_Shapes] = set()
    for members in candidates:
        shapes = _shapes(members)
        if shapes not in tried:
            tried.add(shapes)
            yield members


def _shapes(members: Sequence[Item]) -> _Shapes:
    return tuple(sorted(item.shape for item in members))
