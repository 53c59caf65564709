"""A smaller system for simulation: states that only a silent move leaves are skipped, bisimilar states are merged.

Each class has the moves of all its states, so every word of the system is one of the result, whatever the classes are:
what is accepted of the result needs no proof that they are bisimilar.
"""

from __future__ import annotations

import numpy as np

from symag.core.limits import Deadline
from symag.core.ranges import alike, distinct
from symag.lts.certify.sorted_states import Integers, Words, hashes_of
from symag.lts.lts import Lts


def merged_states(system: Lts, deadline: Deadline) -> Lts:
    """The system with classes as states, without silent moves inside of them. Moves go to states, not to ERROR.

    Blocks are split by the hash of their states' moves until their number stays: equal hashes of different moves make
    the result allow more words. Costs sorting the moves for each round. Raises OutOfTimeError.
    """
    shorter = _with_classes(system, _skipped(_with_classes(system, np.arange(system.states))))
    width = len(shorter.alphabet)
    block = np.zeros(shorter.states, dtype=np.int64)
    count = 0
    while True:
        deadline.check()
        moves = distinct((shorter.source * width + shorter.action) * shorter.states + block[shorter.target])
        source, move = np.divmod(moves, width * shorter.states)
        sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(_hashes(move), dtype=np.uint64)))
        first = np.searchsorted(source, np.arange(shorter.states + 1))
        places, block = alike(_hashes(block) + (sums[first[1:]] - sums[first[:-1]]))
        if len(places) == count:
            return _with_classes(shorter, block)
        count = len(places)


def _hashes(numbers: Integers) -> Words:
    return hashes_of(numbers.astype(np.uint64).reshape(-1, 1), 0)


def _skipped(system: Lts) -> Integers:
    """For each state one that its only moves, silent ones, lead to; itself if it has another move, or none."""
    alone = np.bincount(system.source, minlength=system.states) == 1
    passing = (system.action == 0) & alone[system.source]
    goal = np.arange(system.states)
    goal[system.source[passing]] = system.target[passing]
    for _ in range(system.states.bit_length()):
        goal = goal[goal]
    return goal


def _with_classes(system: Lts, class_of: Integers) -> Lts:
    """The system of the classes; that of state 0 is 0."""
    classes = distinct(class_of)
    number = np.searchsorted(classes, class_of)
    exchanged = np.arange(len(classes))
    exchanged[[0, number[0]]] = exchanged[[number[0], 0]]
    number = exchanged[number]
    source, target = number[system.source], number[system.target]
    proper = (system.action != 0) | (source != target)
    return Lts.of_arrays(
        "classes", system.alphabet, len(classes), source[proper], system.action[proper], target[proper]
    )
