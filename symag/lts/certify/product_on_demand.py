"""The composition of a system, one state at a time, by the definitions."""

from __future__ import annotations

import itertools

import numpy as np

from symag.lts.language.systems import System
from symag.lts.lts import Lts

State = tuple[int, ...]
_Move = tuple[str, State]
#: The moves of up to this number of states of a component are kept.
_KEPT = 1 << 15


class ProductOnDemand:
    """The composition of a system, explored on demand."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._components = system.components
        self._priority = system.priority
        self._outgoing = [_Outgoing(lts) for lts in system.components]
        self._owners: dict[str, list[int]] = {}
        for index, lts in enumerate(system.components):
            for label in dict.fromkeys(lts.alphabet[1:]):
                self._owners.setdefault(label, []).append(index)
        self.labels = tuple(self._owners)
        ending = [lts for lts in system.components if lts.end is not None and lts.end > 0]
        alphabet = {label for lts in ending for label in lts.alphabet}
        others = [lts for lts in system.components if lts.end is None or lts.end == 0]
        self._may_end = bool(ending) and all(alphabet.issuperset(lts.alphabet) for lts in others)

    @property
    def start(self) -> State:
        """The initial state: all components are in state 0."""
        return (0,) * len(self._components)

    def moves(self, state: State) -> set[_Move]:
        """Labels with the states that follow; a state with ERROR among its parts is the error state."""
        moves: set[_Move] = set()
        possible = {label for outgoing, local in zip(self._outgoing, state, strict=True) for label in outgoing[local]}
        for label in possible - {"tau"}:
            owners = self._owners[label]
            targets = [self._outgoing[owner][state[owner]].get(label, ()) for owner in owners]
            for chosen in itertools.product(*targets):
                following = list(state)
                for index, target in zip(owners, chosen, strict=True):
                    following[index] = target
                moves.add((label, tuple(following)))
        for index, outgoing in enumerate(self._outgoing):
            for target in outgoing[state[index]].get("tau", ()):
                moves.add(("tau", (*state[:index], target, *state[index + 1 :])))
        if self._priority is None:
            return moves
        return {move for move in moves if self._is_high(move[0])} or moves

    def _is_high(self, label: str) -> bool:
        assert self._priority is not None
        if label == "tau":
            return self._priority.low
        prefixes = {".".join(label.split(".")[: k + 1]) for k in range(label.count(".") + 1)}
        return bool(prefixes & self._priority.labels) != self._priority.low

    def has_ended(self, state: State) -> bool:
        """Whether a state without a successor has ended, so that it is not a deadlock."""
        return self._may_end and all(
            lts.end is None or lts.end == local for lts, local in zip(self._components, state, strict=True)
        )


class _Outgoing:
    """The moves of one component: ``[state][label]`` are targets. Those of a state cost a search in the moves."""

    def __init__(self, lts: Lts) -> None:
        self._alphabet = lts.alphabet
        order = np.argsort(lts.source, kind="stable")
        self._source, self._action, self._target = lts.source[order], lts.action[order], lts.target[order]
        self._kept: dict[int, dict[str, list[int]]] = {}

    def __getitem__(self, state: int) -> dict[str, list[int]]:
        steps = self._kept.get(state)
        if steps is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            steps = self._kept[state] = {}
            first, last = np.searchsorted(self._source, (state, state + 1)).tolist()
            actions, targets = self._action[first:last].tolist(), self._target[first:last].tolist()
            for action, target in zip(actions, targets, strict=True):
                steps.setdefault(self._alphabet[action], []).append(target)
        return steps
