"""From the moves of single states to a whole LPTS: the states that can be reached, breadth first, on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from symag.limits import Progress, no_progress
from symag.lpts.distributions import Moves, Probabilities, concatenated, entries_of
from symag.lpts.lpts import Lpts, Numbers
from symag.state_table import Packing, StateTable, Words

_BATCH = 1 << 15
_NONE = np.zeros(0, dtype=np.int64)

#: For packed states (one a row): moves of these states in any order, and beside them the action of each.
Successors = Callable[[Words], Sequence[tuple[Numbers, Moves]]]


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """``words[s]`` is the packed state that state s of ``lpts`` is; the first ``initial_states`` are initial.

    ``origin`` has a row for each transition, as ``Moves`` has it.
    """

    lpts: Lpts
    words: Words
    origin: Numbers
    initial_states: int


def reached(
    name: str,
    alphabet: Sequence[str],
    packing: Packing,
    initial: Words,
    successors: Successors,
    probabilities: Probabilities,
    progress: Progress = no_progress,
) -> Reached:
    """All that can be reached from packed states; states are numbered breadth first.

    Costs time and memory in proportion to the entries of the result (about 60 bytes each, and for each
    state 50), and a constant for each level of the search. Raises MemoryError.
    """
    table = StateTable(packing)
    table.add(initial)
    initial_states = len(table)
    parts: list[tuple[Numbers, ...]] = []
    begin = 0
    while begin < len(table):
        end = min(len(table), begin + _BATCH)
        words = table.words(begin, end)
        found = [(action, moves) for action, moves in successors(words) if len(moves.row)]
        if found:
            parts.append(_numbered(begin, words, found, table, probabilities))
        begin = end
        progress(f"{len(table)} states found, {begin} explored")
    arrays = [np.concatenate(each) for each in zip(*parts, strict=True)] if parts else [_NONE] * 6
    source, action, size, origin, target, weight = arrays
    del parts
    weight, values = used(weight, probabilities)
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(size)))
    lpts = Lpts(name, tuple(alphabet), len(table), source, action, starts, target, weight, values)
    return Reached(lpts, table.words(0, len(table)).copy(), origin, initial_states)


def _numbered(
    first: int, words: Words, found: Sequence[tuple[Numbers, Moves]], table: StateTable, probabilities: Probabilities
) -> tuple[Numbers, ...]:
    """Source, action, size and origin of the transitions, target and weight of their entries, in an LPTS's order."""
    moves = concatenated([each for _, each in found])
    action = np.concatenate([each for each, _ in found])
    order = np.lexsort((action, moves.row))
    entry, begin = entries_of(moves.begin, order)
    size = np.diff(begin)
    transition = np.repeat(np.arange(len(order)), size)
    source = moves.row[order]
    target = table.add(words[source[transition]] + moves.shift[entry])
    weight = moves.weight[entry]
    if len(entry) > len(order):
        sorting = np.lexsort((target, transition))
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
    used, numbers = np.unique(weight, return_inverse=True)
    return numbers.astype(np.int64), tuple(probabilities.values[k] for k in used.tolist())
