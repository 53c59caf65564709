"""The moves of states of a composition, one state at a time: for searches whose levels have few states.

Arrays of a few states cost as much as arrays of hundreds.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symag.core.state_table import Packing
from symag.lts.acting_component import ActingComponent
from symag.lts.lts import ERROR, TAU

#: An action, the packed state afterwards, and the first component in ERROR (-1: none), as in ``Composing.successors``.
Move = tuple[int, tuple[int, ...], int]
#: The actions that a component allows in a state, see ``_as_number``, and the targets by its own actions and tau.
_Steps = tuple[int, dict[int, list[int]]]
#: Up to this number of states of components are kept with their steps.
_KEPT = 1 << 15


class SingleStates:
    """The moves of single states, in the order of ``Composing.successors``.

    ``high``: a row of bits as in ``ActingComponent.enabled``, the actions of high priority, of which tau is one if
    ``urgent_tau``; None without priorities.
    """

    def __init__(
        self,
        parts: Sequence[ActingComponent],
        packing: Packing,
        high: NDArray[np.uint64] | None,
        urgent_tau: bool,
    ) -> None:
        self._parts = parts
        self._columns = [
            (word, shift, (1 << bits) - 1)
            for word, shift, bits in zip(packing.word, packing.shift, packing.bits, strict=True)
        ]
        self._bits = 64 * parts[0].enabled.shape[1]
        self._high = None if high is None else _as_number(high)
        self._urgent_tau = urgent_tau
        self._owners: dict[int, list[int]] = {}
        self._steps: dict[tuple[int, int], _Steps] = {}

    def moves(self, state: Sequence[int]) -> list[Move]:
        """The moves of a packed state, given as its words. About 10 microseconds and 1 or 2 for each move."""
        local = [state[word] >> shift & mask for word, shift, mask in self._columns]
        steps = [self._steps_of(k, mine) for k, mine in enumerate(local)]
        enabled = steps[0][0]
        for allowed, _ in steps:
            enabled &= allowed
        silent = True
        if self._high is not None:
            urgent = enabled & self._high
            if urgent or (self._urgent_tau and any(TAU in targets for _, targets in steps)):
                enabled, silent = urgent, self._urgent_tau
        moves: list[Move] = []
        if silent:
            for k in reversed(range(len(steps))):
                for target in steps[k][1].get(TAU, ()):
                    moves.append((TAU, *self._moved(state, local, ((k, target),))))
        while enabled:
            length = enabled.bit_length()
            enabled ^= 1 << (length - 1)
            action = self._bits - length
            owners = self._owners_of(action)
            # The first owner's targets change fastest.
            choices = [[(k, target) for target in steps[k][1][action]] for k in reversed(owners)]
            for chosen in itertools.product(*choices):
                moves.append((action, *self._moved(state, local, chosen[::-1])))
        return moves

    def _moved(
        self, state: Sequence[int], local: Sequence[int], changes: Sequence[tuple[int, int]]
    ) -> tuple[tuple[int, ...], int]:
        """The state after some components have changed theirs, and the first of them that is in ERROR."""
        following = list(state)
        culprit = -1
        for k, target in changes:
            if target != ERROR:
                word, shift, _ = self._columns[k]
                following[word] += (target - local[k]) << shift
            elif culprit < 0:
                culprit = k
        return tuple(following), culprit

    def _owners_of(self, action: int) -> list[int]:
        owners = self._owners.get(action)
        if owners is None:
            owners = self._owners[action] = [k for k, part in enumerate(self._parts) if part.own[action]]
        return owners

    def _steps_of(self, k: int, local: int) -> _Steps:
        steps = self._steps.get((k, local))
        if steps is None:
            if len(self._steps) >= _KEPT:
                self._steps.clear()
            part = self._parts[k]
            steps = self._steps[k, local] = _as_number(part.enabled[local]), part.steps(local)
        return steps


def _as_number(row: NDArray[np.uint64]) -> int:
    """A row of bits as a number: its highest bit is the first action."""
    return int.from_bytes(row.tobytes(), "big")
