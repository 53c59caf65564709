"""Simulation of explored states by an assumption, which implies language inclusion; in polynomial time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symag.core.deadlines import Deadline
from symag.core.ranges import distinct
from symag.lts.certify.machines import AssumptionJudge
from symag.lts.certify.states import ExploredStates, ranges

_Words = NDArray[np.uint64]


def is_simulated(left: ExploredStates, judge: AssumptionJudge, deadline: Deadline) -> bool:
    """Whether the assumption's initial state simulates that of the left side; then it allows all words of that.

    ``able[s]`` are the assumption's states that may simulate s, as bits of 64-bit words, at first all. A state is
    removed if it cannot match a step of s by one to a state that may simulate the state after it; for an action
    outside its alphabet it matches by staying. No move of the left side may lead to ERROR. Raises OutOfTimeError.
    """
    count = len(judge.machine.steps)
    full = _packed([(1 << count) - 1], count)[0]
    able: _Words = np.tile(full, (left.states, 1))
    order = np.argsort(left.target, kind="stable")
    source, label = left.source[order], left.label[order]
    begin = np.searchsorted(left.target[order], np.arange(left.states + 1))
    judged = np.array([action in judge.alphabet for action in left.labels], dtype=bool)
    changed = np.arange(left.states)
    while len(changed):
        deadline.check()
        moves = ranges(begin[changed], begin[changed + 1])
        after = able[np.repeat(changed, begin[changed + 1] - begin[changed])]
        before = able.copy()
        for number in distinct(label[moves]):
            mine = label[moves] == number
            needed = after[mine]
            if judged[number]:
                kinds, which = np.unique(needed, axis=0, return_inverse=True)
                earlier = [judge.before(left.labels[number], _unpacked(kind)) for kind in kinds]
                needed = _packed(earlier, count)[which.reshape(-1)]
            for word in range(able.shape[1]):
                np.bitwise_and.at(able[:, word], source[moves[mine]], needed[:, word])
        changed = np.flatnonzero((able != before).any(axis=1))
    return bool(able[0, 0] & np.uint64(1))


def _packed(numbers: Sequence[int], bits: int) -> _Words:
    width = -(-bits // 64)
    mask = (1 << 64) - 1
    return np.array([[number >> 64 * k & mask for k in range(width)] for number in numbers], dtype=np.uint64)


def _unpacked(words: _Words) -> int:
    return sum(int(word) << 64 * k for k, word in enumerate(words))
