"""The parallel composition of LPTSs, reachable states only, on arrays (agar-lpts-2012, Definition 3; Segala).

A shared action happens in all components that have it in their alphabets, with the product of their
distributions; other actions, and "", are made by one component alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from symag.core.limits import Progress, no_progress
from symag.core.ranges import ranges, stable_order
from symag.core.state_table import Packing, Words
from symag.core.values import replace
from symag.lpts.distributions import MoveBatch, Origins, Probabilities, entries_of, joined
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.search import Search

#: Up to this many keys, and in proportion to a component's transitions, are looked up in a table.
_DENSE = 1 << 16


class Composition(Struct, frozen=True, eq=False):
    """The states of ``lpts`` are numbered breadth first; in state 0 all components are in state 0.

    ``local[s, k]`` is the state of component k in state s; ``moves[t, k]`` is the transition of component k that
    takes part in transition t, -1 if none does. The probability of an entry of t is the product of the probabilities
    of the components' entries.
    """

    lpts: Lpts
    components: tuple[Lpts, ...]
    local: Origins
    moves: Origins


def composed(components: Sequence[Lpts], name: str, progress: Progress = no_progress) -> Composition:
    """The composition of at least one component.

    Costs time and memory in proportion to the result's entries and to the moves by shared actions that the component
    that can make them most rarely can make alone. Raises MemoryError.
    """
    composer = Composer(components, progress)
    composer.run()
    return composer.result(name)


class Composer:
    """What ``composed`` does, in steps: the caller can pause it, or leave it."""

    def __init__(self, components: Sequence[Lpts], progress: Progress = no_progress) -> None:
        composing = _Composing(components)
        self._components = tuple(components)
        self._packing = composing.packing
        self._alphabet = composing.alphabet
        initial = composing.packing.packed(np.zeros((1, len(components)), dtype=np.int64))
        self._search = Search(composing.packing, initial, composing.successors, composing.probabilities, progress)

    @property
    def transitions(self) -> int:
        """The number of transitions of the states explored so far."""
        return self._search.transitions

    def run(self, most_states: int | None = None, most_transitions: int | None = None) -> bool:
        """Explore until everything is, or more than these are found; whether everything is. Raises MemoryError."""
        return self._search.run(most_states, most_transitions)

    def result(self, name: str) -> Composition:
        """The composition, once everything is explored; the composer can do nothing more."""
        explored = self._search.result(name, self._alphabet)
        local = self._packing.rows(explored.words)
        moves = explored.origin.reshape(explored.lpts.transitions, len(self._components))
        moves -= 1  # in place: it is as large as the transitions
        return Composition(explored.lpts, self._components, local, moves)


class _Component:
    """A component with the numbers of the composition for actions and probabilities.

    ``shift`` has for each entry of its distributions what the component's column of a packed state changes by.
    """

    def __init__(
        self, index: int, lpts: Lpts, number: dict[str, int], probabilities: Probabilities, packing: Packing
    ) -> None:
        self.place = index
        self.lpts = lpts
        actions = np.array([number[label] for label in lpts.alphabet], dtype=np.int64)
        self.action = actions[lpts.action]
        numbers = np.array([probabilities.number(probability) for probability in lpts.probabilities], dtype=np.int64)
        self.weight = numbers[lpts.weight]
        before = np.repeat(lpts.source, np.diff(lpts.begin))
        self.shift = packing.difference(index, before, lpts.target)

    def by_source(self, actions: Sequence[int]) -> _KeyedTransitions:
        """The transitions by these actions; the key is the source."""
        transitions = np.flatnonzero(np.isin(self.action, actions))
        return _KeyedTransitions(transitions, self.lpts.source[transitions])

    def by_action(self, actions: Sequence[int]) -> _KeyedTransitions:
        """The transitions by these actions; the key is the one that ``keys`` computes."""
        transitions = np.flatnonzero(np.isin(self.action, actions))
        keys = self.keys(self.action[transitions], self.lpts.source[transitions])
        order = stable_order(keys)
        return _KeyedTransitions(transitions[order], keys[order])

    def keys(self, actions: Numbers, states: Numbers) -> Numbers:
        """A number for each of these pairs of an action and a state."""
        return actions * self.lpts.states + states


class _KeyedTransitions:
    """Some transitions of a component, ordered by a key."""

    def __init__(self, transitions: Numbers, key: Numbers) -> None:
        self.transitions = transitions
        self._key = key
        last = int(key[-1]) if len(key) else -1
        dense = last < 4 * len(key) + _DENSE
        self._starts = np.searchsorted(key, np.arange(last + 3)) if dense else None

    def having(self, keys: Numbers) -> tuple[Numbers, Numbers]:
        """Where the transitions of each of these keys begin, and how many there are."""
        if self._starts is None:
            first = np.searchsorted(self._key, keys)
            return first, np.searchsorted(self._key, keys, side="right") - first
        keys = np.minimum(keys, len(self._starts) - 2)
        first = self._starts[keys]
        return first, self._starts[keys + 1] - first


class _SharedActions(Struct, frozen=True, eq=False):
    """Actions in which the same components take part: a move of the first is looked for, then those of ``others``."""

    first: _Component
    leading: _KeyedTransitions
    others: tuple[tuple[_Component, _KeyedTransitions], ...]


class _Composing:
    def __init__(self, components: Sequence[Lpts]) -> None:
        self.packing = Packing([component.states for component in components])
        self.probabilities = Probabilities()
        most = max(component.transitions for component in components) + 1
        self.origins = np.int16 if most < 1 << 15 else np.int32 if most < 1 << 31 else np.int64
        number: dict[str, int] = {}
        for component in components:
            for label in component.alphabet:
                number.setdefault(label, len(number))
        self.alphabet = tuple(number)
        self.components = [
            _Component(k, component, number, self.probabilities, self.packing) for k, component in enumerate(components)
        ]
        alone: list[list[int]] = [[0] for _ in components]
        shared: dict[tuple[int, ...], list[int]] = {}
        for label in self.alphabet[1:]:
            having = [component for component in self.components if label in component.lpts.alphabet]
            action = number[label]
            if len(having) == 1:
                alone[having[0].place].append(action)
            else:
                shared.setdefault(_rarest_first(having, action), []).append(action)
        self.alone = [
            (component, component.by_source(actions)) for component, actions in zip(self.components, alone, strict=True)
        ]
        self.shared = [self._of_owners(owners, actions) for owners, actions in shared.items()]

    def _of_owners(self, owners: Sequence[int], actions: Sequence[int]) -> _SharedActions:
        first, *others = (self.components[place] for place in owners)
        return _SharedActions(
            first, first.by_source(actions), tuple((other, other.by_action(actions)) for other in others)
        )

    def successors(self, words: Words) -> Sequence[tuple[Numbers, MoveBatch]]:
        """All moves of a batch of states."""
        local = [self.packing.column(words, k) for k in range(len(self.components))]
        result: list[tuple[Numbers, MoveBatch]] = []
        everywhere = np.arange(len(words))
        for component, keyed in self.alone:
            moves = self._moves(component, keyed, everywhere, local[component.place])
            if moves is not None:
                result.append((component.action[moves.origin[:, component.place] - 1], moves))
        for shared in self.shared:
            moves = self._moves(shared.first, shared.leading, everywhere, local[shared.first.place])
            if moves is not None:
                result += self._joint(shared.others, moves, shared.first, local)
        return result

    def _joint(
        self,
        others: Sequence[tuple[_Component, _KeyedTransitions]],
        leading: MoveBatch,
        first: _Component,
        local: Sequence[Numbers],
    ) -> list[tuple[Numbers, MoveBatch]]:
        """The moves that the first component makes with all others."""
        action, row = first.action[leading.origin[:, first.place] - 1], leading.row
        # From here on, the "rows" are the numbers of the first component's moves.
        product = replace(leading, row=np.arange(len(row)))
        for component, keyed in others:
            numbers = product.row[np.concatenate(([True], product.row[1:] != product.row[:-1]))]
            keys = component.keys(action[numbers], local[component.place][row[numbers]])
            moves = self._moves(component, keyed, numbers, keys)
            if moves is None:
                return []
            product = joined(product, moves, len(row), self.probabilities)
        return [(action[product.row], replace(product, row=row[product.row]))]

    def _moves(self, component: _Component, keyed: _KeyedTransitions, rows: Numbers, keys: Numbers) -> MoveBatch | None:
        """The moves that the component makes in ``rows`` by its transitions with their keys; None if none."""
        first, counts = keyed.having(keys)
        row = np.repeat(rows, counts)
        if not len(row):
            return None
        chosen = keyed.transitions[ranges(first, first + counts)]
        entry, begin = entries_of(component.lpts.begin, chosen)
        shift = np.zeros((len(entry), self.packing.width), dtype=np.uint64)
        shift[:, self.packing.word[component.place]] = component.shift[entry]
        origin: Origins = np.zeros((len(chosen), len(self.components)), dtype=self.origins)
        origin[:, component.place] = chosen + 1
        return MoveBatch(row, begin, shift, component.weight[entry], origin)


def _rarest_first(having: Sequence[_Component], action: int) -> tuple[int, ...]:
    """The components that take part in an action; the one that has it in the smallest share of its states is first."""
    places = [component.place for component in having]
    first = min(having, key=lambda component: np.count_nonzero(component.action == action) / component.lpts.states)
    return (first.place, *(place for place in places if place != first.place))
