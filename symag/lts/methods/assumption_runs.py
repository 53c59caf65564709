"""The states of an assumption along a trace, which the page of a violation shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from symag.lts.lts import ERROR, Lts
from symag.lts.view import states_text


class TracedAssumption(Protocol):
    """An automaton over some actions."""

    def run_along(self, labels: Sequence[str | None]) -> tuple[str, ...]:
        """The states before each label of a word and after the last, as text."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LtsAssumption:
    """An LTS that stands for some components; its tau happens unseen."""

    lts: Lts

    def run_along(self, labels: Sequence[str | None]) -> tuple[str, ...]:
        """As ``WordAutomaton.run_along``. Costs a look at every transition for each label."""
        number = {label: action for action, label in enumerate(self.lts.alphabet) if action}
        states = self._with_tau({0})
        texts = [states_text(states)]
        for label in labels:
            action = None if label is None else number.get(label)
            if action is not None:
                states = self._with_tau(self._after(states, action))
            texts.append(states_text(states))
        return tuple(texts)

    def _after(self, states: Iterable[int], action: int) -> set[int]:
        chosen = (self.lts.action == action) & np.isin(self.lts.source, list(states))
        return {int(state) for state in np.unique(self.lts.target[chosen]) if state != ERROR}

    def _with_tau(self, states: set[int]) -> set[int]:
        reached, frontier = set(states), set(states)
        while frontier:
            frontier = self._after(frontier, 0) - reached
            reached |= frontier
        return reached
