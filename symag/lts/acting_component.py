"""A component over the actions of a composition, on arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from symag.lts.lts import TAU, Lts, Numbers

#: Places of targets are in a table of states times actions if it has at most this many cells.
_CELLS = 1 << 24


class ActingComponent:
    """A component over the actions of the composition.

    The targets of its own actions (``own``) are ranges of ``targets``, see ``targets_of``. Those of tau in state s are
    ``silent[s]`` from ``first[s]`` on. ``enabled[s]`` has a bit for each action: 1 if the component allows it in s. It
    allows the actions of others.
    """

    def __init__(self, lts: Lts, number: dict[str, int]) -> None:
        actions = np.array([number[label] for label in lts.alphabet], dtype=np.int64)
        self.own = np.zeros(len(number), dtype=bool)
        self.own[actions[1:]] = True
        self._width = len(number)
        keys = lts.source * self._width + actions[lts.action]
        order = np.argsort(keys, kind="stable")
        self.targets = lts.target[order]
        self.has_error = lts.has_error
        keys = keys[order]
        self._begin = np.flatnonzero(np.diff(keys, prepend=-1))
        self._count = np.diff(self._begin, append=len(keys))
        self._keys = keys[self._begin]
        source, action = np.divmod(self._keys, self._width)
        self.is_deterministic = bool((self._count[action != TAU] <= 1).all())
        self.first = np.searchsorted(keys, np.arange(lts.states) * self._width)
        self.silent = np.zeros(lts.states, dtype=np.int64)
        self.silent[source[action == TAU]] = self._count[action == TAU]
        self.enabled = bit_rows(lts.states, self._width, source[action != TAU], action[action != TAU])
        foreign = np.flatnonzero(~self.own)
        self.enabled |= bit_rows(1, self._width, np.zeros(len(foreign), dtype=np.int64), foreign)
        self._place: NDArray[np.int32] | None = None
        if lts.states * self._width <= _CELLS:
            self._place = np.zeros(lts.states * self._width, dtype=np.int32)
            self._place[self._keys] = np.arange(len(self._keys))

    def steps(self, state: int) -> dict[int, list[int]]:
        """The targets of a state by each of its own actions and tau. Logarithmic."""
        first, last = np.searchsorted(self._keys, (state * self._width, (state + 1) * self._width)).tolist()
        actions = (self._keys[first:last] - state * self._width).tolist()
        begins, counts = self._begin[first:last].tolist(), self._count[first:last].tolist()
        return {
            action: self.targets[begin : begin + count].tolist()
            for action, begin, count in zip(actions, begins, counts, strict=True)
        }

    def targets_of(self, states: Numbers, actions: Numbers) -> tuple[Numbers, Numbers]:
        """Where the targets of these states by these actions, which are own and enabled, begin, and how many they are.

        Constant time each by a table of states times actions, logarithmic where that would be large.
        """
        keys = states * self._width + actions
        place = np.searchsorted(self._keys, keys) if self._place is None else self._place[keys]
        return self._begin[place], self._count[place]


def bit_rows(rows: int, columns: int, row: Numbers, column: Numbers) -> NDArray[np.uint64]:
    """Rows of words in which the bits at these places are 1, each given once; tau never is."""
    table = np.zeros((rows, -(-columns // 64) * 8), dtype=np.uint8)
    proper = column != TAU
    row, column = row[proper], column[proper]
    np.bitwise_or.at(table, (row, column >> 3), (128 >> (column & 7)).astype(np.uint8))
    return table.view(np.uint64)
