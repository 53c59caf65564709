"""From the moves of single states to a whole LPTS: the reachable states, breadth first, on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.limits import Progress, no_progress
from symag.core.ranges import stable_order
from symag.core.state_table import Packing, StateTable, Words
from symag.lpts.distributions import MoveBatch, Origins, Probabilities, concatenated, entries_of
from symag.lpts.lpts import Lpts, Numbers

_BATCH = 1 << 14
#: A level of the search costs as much as the moves of this many states in a large batch.
_LEVEL = 64
#: Systems of fewer levels are always searched level by level.
_FEW_LEVELS = 256
#: In a space of up to 2**this packed states, the moves of all states may be computed at once.
_SMALL_SPACE = 21
_NONE = np.zeros(0, dtype=np.int64)
#: Where ``_numbered`` has the sizes of distributions, the origins of transitions, and the weights.
_SIZE, _ORIGIN, _WEIGHT = 2, 3, 5

#: For packed states (one a row): moves of these states in any order, and beside them the action of each.
Successors = Callable[[Words], Sequence[tuple[Numbers, MoveBatch]]]


class ExploredSystem(Struct, frozen=True, eq=False):
    """``words[s]`` is state s of ``lpts``, packed; the first ``initial_states`` states are initial.

    ``origin`` has a row for each transition, as ``MoveBatch`` has it.
    """

    lpts: Lpts
    words: Words
    origin: Origins
    initial_states: int


def reached(
    name: str,
    alphabet: Sequence[str],
    packing: Packing,
    initial: Words,
    successors: Successors,
    probabilities: Probabilities,
    progress: Progress,
    refusals: tuple[type[Exception], ...],
) -> ExploredSystem:
    """The system of all states reachable from packed states, numbered breadth first.

    Costs time and memory in proportion to the entries of the result (about 60 bytes each, and for each
    state 50), and a constant for each level of the search. Once the levels have cost as much as the moves of all
    packed states would, reachable or not, these are computed at once, and the states found without levels.
    ``refusals`` are the errors that ``successors`` raises for states in which the model is wrong; they are raised here
    only if such a state is reachable. Raises MemoryError.
    """
    search = Search(packing, initial, successors, probabilities, progress, refusals)
    search.run()
    return search.result(name, alphabet)


class Search:
    """The search of ``reached``, which may pause."""

    def __init__(
        self,
        packing: Packing,
        initial: Words,
        successors: Successors,
        probabilities: Probabilities,
        progress: Progress = no_progress,
        refusals: tuple[type[Exception], ...] = (),
    ) -> None:
        self._packing = packing
        self._initial = initial
        self._successors = successors
        self._probabilities = probabilities
        self._progress = progress
        self._refusals = refusals
        self._table = StateTable(packing)
        self._table.add(initial)
        self._initial_states = len(self._table)
        self._columns: list[list[NDArray[Any]]] = [[] for _ in range(6)]
        self._explored = self._levels = 0
        self._small = packing.width == 1 and sum(packing.bits) <= _SMALL_SPACE
        self.transitions = 0

    @property
    def states(self) -> int:
        """The number of states found so far."""
        return len(self._table)

    def run(self, most_states: int | None = None, most_transitions: int | None = None) -> bool:
        """Search until all states are explored, or more than these are found; whether all are explored."""
        while self._explored < len(self._table):
            if most_states is not None and len(self._table) > most_states:
                return False
            if most_transitions is not None and self.transitions > most_transitions:
                return False
            self._step()
        return True

    def _step(self) -> None:
        """The moves of a batch of states that are not yet explored."""
        table, packing = self._table, self._packing
        self._levels += 1
        if self._small and self._levels > _FEW_LEVELS and self._levels * _LEVEL > 1 << sum(packing.bits):
            self._small = False
            try:
                table.add(_in_order(packing, self._initial, self._successors))
            except self._refusals:
                self._progress("the search goes on level by level")
        end = min(len(table), self._explored + _BATCH)
        words = table.words(self._explored, end)
        batches = [(action, moves) for action, moves in self._successors(words) if len(moves.row)]
        if batches:
            numbered = _numbered(self._explored, words, batches, table, self._probabilities)
            self.transitions += len(numbered[0])
            for column, numbers in zip(self._columns, numbered, strict=True):
                # All these numbers are below 2**31, as those of the table's states are.
                column.append(numbers.astype(np.int32) if numbers.dtype == np.int64 else numbers)
        self._explored = end
        self._progress(f"{len(table)} states found, {end} explored")

    def result(self, name: str, alphabet: Sequence[str]) -> ExploredSystem:
        """The system, once all states are explored; the search can do nothing more."""
        columns, table = self._columns, self._table
        origin = np.concatenate(columns[_ORIGIN]) if columns[_ORIGIN] else _NONE
        columns[_ORIGIN].clear()
        columns[_SIZE].insert(0, np.zeros(1, dtype=np.int32))
        columns[_WEIGHT], values = _used(columns[_WEIGHT], self._probabilities)
        source, action, begin_of, target, weight = (_joined(columns[k]) for k in range(6) if k != _ORIGIN)
        starts = np.cumsum(begin_of, out=begin_of)
        lpts = Lpts(name, tuple(alphabet), len(table), source, action, starts, target, weight, values)
        return ExploredSystem(lpts, table.words(0, len(table)).copy(), origin, self._initial_states)


def _joined(pieces: list[NDArray[Any]]) -> Numbers:
    """The pieces one after the other, as numbers of 64 bits; the list is empty then, so that they take no memory."""
    whole = np.concatenate(pieces, dtype=np.int64) if pieces else _NONE
    pieces.clear()
    return whole


def _in_order(packing: Packing, initial: Words, successors: Successors) -> Words:
    """The reachable states, breadth first, by the moves of all rows of numbers below ``packing.sizes``."""
    import scipy.sparse.csgraph  # here, because few searches need it and it takes time to import

    space = 1 << sum(packing.bits)
    words = np.arange(space, dtype=np.uint64).reshape(-1, 1)
    fits = np.ones(space, dtype=bool)
    for k, size in enumerate(packing.sizes):
        fits &= packing.column(words, k) < size
    words = words[fits]
    sources: list[Numbers] = []
    targets: list[Numbers] = []
    for begin in range(0, len(words), _BATCH):
        batch = words[begin : begin + _BATCH]
        batches = [(action, moves) for action, moves in successors(batch) if len(moves.row)]
        if batches:
            moves = concatenated([of_action for _, of_action in batches])
            order = np.lexsort((np.concatenate([action for action, _ in batches]), moves.row))
            entry, starts = entries_of(moves.begin, order)
            source = batch[np.repeat(moves.row[order], np.diff(starts))]
            sources.append(source[:, 0].astype(np.int64))
            targets.append((source + moves.shift[entry])[:, 0].astype(np.int64))
    # State number ``space`` stands before the initial ones.
    rows = np.searchsorted(np.concatenate((*sources, np.full(len(initial), space))), np.arange(space + 2))
    columns = np.concatenate((*targets, initial[:, 0].astype(np.int64)))
    graph = scipy.sparse.csr_array((np.ones(len(columns), dtype=bool), columns, rows), shape=(space + 1, space + 1))
    order = scipy.sparse.csgraph.breadth_first_order(graph, space, return_predecessors=False)
    found_words: Words = order[1:].astype(np.uint64).reshape(-1, 1)
    return found_words


def _numbered(
    first: int,
    words: Words,
    batches: Sequence[tuple[Numbers, MoveBatch]],
    table: StateTable,
    probabilities: Probabilities,
) -> tuple[NDArray[Any], ...]:
    """Source, action, size and origin of the transitions, target and weight of their entries, in an LPTS's order."""
    moves = concatenated([batch for _, batch in batches])
    action = np.concatenate([actions for actions, _ in batches])
    order = stable_order(moves.row * (int(action.max()) + 1) + action)
    entry, begin = entries_of(moves.begin, order)
    size = np.diff(begin)
    transition = np.repeat(np.arange(len(order)), size)
    source = moves.row[order]
    target = table.add(words[source[transition]] + moves.shift[entry])
    weight = moves.weight[entry]
    if len(entry) > len(order):
        sorting = stable_order(transition * len(table) + target)
        target, weight = target[sorting], weight[sorting]
        transition, target, weight = merged(transition, target, weight, probabilities)
        size = np.bincount(transition, minlength=len(order))
    return first + source, action[order], size, moves.origin[order], target, weight


def merged(
    transition: Numbers, target: Numbers, weight: Numbers, probabilities: Probabilities
) -> tuple[Numbers, Numbers, Numbers]:
    """Neighbours of the same transition and target become one entry, with the sum of their probabilities."""
    while True:
        same = (transition[1:] == transition[:-1]) & (target[1:] == target[:-1])
        if not same.any():
            return transition, target, weight
        # Of each group of equal entries the second joins the first, the fourth the third, and so on.
        group = np.concatenate(([0], np.cumsum(~same)))
        starts = np.flatnonzero(np.concatenate(([True], ~same)))
        odd = (np.arange(len(group)) - starts[group]) % 2 == 1
        second = np.flatnonzero(odd)
        weight = weight.copy()
        weight[second - 1] = probabilities.sums(weight[second - 1], weight[second])
        transition, target, weight = transition[~odd], target[~odd], weight[~odd]


def used(weight: Numbers, probabilities: Probabilities) -> tuple[Numbers, tuple[Fraction, ...]]:
    """Only the probabilities that occur, with new numbers."""
    (numbers,), values = _used([weight], probabilities)
    return numbers, values


def _used(weights: list[NDArray[Any]], probabilities: Probabilities) -> tuple[list[NDArray[Any]], tuple[Fraction, ...]]:
    """The same for numbers in several pieces."""
    occurring = np.zeros(len(probabilities.values), dtype=bool)
    for weight in weights:
        occurring[weight] = True
    numbers = (np.cumsum(occurring) - 1).astype(weights[0].dtype if weights else np.int64)
    values = tuple(probabilities.values[k] for k in np.flatnonzero(occurring).tolist())
    return [numbers[weight] for weight in weights], values
