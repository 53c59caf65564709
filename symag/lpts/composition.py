"""The parallel composition of LPTSs, reachable states only, on arrays (agar-lpts-2012, Definition 3; Segala).

A shared action happens in all components that have it in their alphabets, with the product of their
distributions; other actions, and "", are made by one component alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from symag.core.limits import Progress, no_progress
from symag.core.ranges import ranges
from symag.core.state_table import Packing, Words
from symag.lpts.distributions import MoveBatch, Origins, Probabilities, entries_of, joined
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.search import reached


@dataclass(frozen=True, slots=True, eq=False)
class Composition:
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

    Costs time and memory in proportion to the result's entries, and for each level of the search a constant for
    each shared action. Raises MemoryError.
    """
    composing = _Composing(components)
    packing = composing.packing
    initial = packing.packed(np.zeros((1, len(components)), dtype=np.int64))
    explored = reached(
        name, composing.alphabet, packing, initial, composing.successors, composing.probabilities, progress
    )
    local = packing.rows(explored.words)
    moves = explored.origin.reshape(explored.lpts.transitions, len(components)) - 1
    return Composition(explored.lpts, tuple(components), local, moves)


class _Component:
    """A component with the numbers of the composition for actions and probabilities."""

    def __init__(self, index: int, lpts: Lpts, number: dict[str, int], probabilities: Probabilities) -> None:
        self.place = index
        self.lpts = lpts
        actions = np.array([number[label] for label in lpts.alphabet], dtype=np.int64)
        self.action = actions[lpts.action]
        numbers = np.array([probabilities.number(probability) for probability in lpts.probabilities], dtype=np.int64)
        self.weight = numbers[lpts.weight]

    def having(self, actions: Sequence[int]) -> _Some:
        """The transitions by one of these actions."""
        transitions = np.flatnonzero(np.isin(self.action, actions))
        return _Some(transitions, self.lpts.source[transitions])


@dataclass(frozen=True, slots=True, eq=False)
class _Some:
    """Some transitions of a component with their sources, which ascend."""

    transitions: Numbers
    source: Numbers


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
            _Component(k, component, number, self.probabilities) for k, component in enumerate(components)
        ]
        self.shared: list[tuple[int, list[tuple[_Component, _Some]]]] = []
        alone: list[list[int]] = [[0] for _ in components]
        for label in self.alphabet[1:]:
            having = [component for component in self.components if label in component.lpts.alphabet]
            action = number[label]
            if len(having) == 1:
                alone[having[0].place].append(action)
            else:
                self.shared.append((action, [(owner, owner.having([action])) for owner in having]))
        self.alone = [
            (component, component.having(actions)) for component, actions in zip(self.components, alone, strict=True)
        ]

    def successors(self, words: Words) -> Sequence[tuple[Numbers, MoveBatch]]:
        """All moves of a batch of states."""
        local = [self.packing.column(words, k) for k in range(len(self.components))]
        result: list[tuple[Numbers, MoveBatch]] = []
        everywhere = np.arange(len(words))
        for component, some in self.alone:
            moves = self._moves(component, some, everywhere, local[component.place])
            if moves is not None:
                result.append((component.action[moves.origin[:, component.place] - 1], moves))
        for action, parts in self.shared:
            product: MoveBatch | None = None
            rows = everywhere
            for component, some in parts:
                moves = self._moves(component, some, rows, local[component.place])
                if moves is None:
                    product = None
                    break
                product = moves if product is None else joined(product, moves, len(words), self.probabilities)
                rows = np.unique(moves.row)
            if product is not None:
                result.append((np.full(len(product.row), action), product))
        return result

    def _moves(self, component: _Component, some: _Some, rows: Numbers, local: Numbers) -> MoveBatch | None:
        """The moves that the component makes by ``some`` of its transitions in the states of ``rows``; None if none."""
        states = local[rows]
        first = np.searchsorted(some.source, states)
        counts = np.searchsorted(some.source, states, side="right") - first
        row = np.repeat(rows, counts)
        if not len(row):
            return None
        chosen = some.transitions[ranges(first, first + counts)]
        entry, begin = entries_of(component.lpts.begin, chosen)
        shift = np.zeros((len(entry), self.packing.width), dtype=np.uint64)
        before = np.repeat(component.lpts.source[chosen], np.diff(begin))
        change = self.packing.difference(component.place, before, component.lpts.target[entry])
        shift[:, self.packing.word[component.place]] = change
        origin: Origins = np.zeros((len(chosen), len(self.components)), dtype=self.origins)
        origin[:, component.place] = chosen + 1
        return MoveBatch(row, begin, shift, component.weight[entry], origin)
