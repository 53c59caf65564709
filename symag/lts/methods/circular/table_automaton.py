"""Deterministic, prefix-closed automata by tables: assumptions, properties and the premises' parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symag.lts.lts import Lts, Numbers

#: The entry of a table where a state does not allow an action.
REFUSED = -1


class TableAutomaton:
    """``table[state, column]`` is the target by action ``actions[column]``, or REFUSED; state 0 is initial.

    All states accept. A subclass may fill its table as far as it is read: all readers but those of a whole automaton
    (``as_lts``) ask by ``row`` and ``rows``.
    """

    def __init__(self, actions: Sequence[str], table: Numbers) -> None:
        self.actions = tuple(actions)
        self.table = table

    @property
    def is_complete(self) -> bool:
        """Whether the whole table is filled."""
        return True

    @property
    def states(self) -> int:
        """The number of states so far."""
        return len(self.table)

    def row(self, state: int) -> Numbers:
        """The states after each action, REFUSED where there is none."""
        row: Numbers = self.table[state]
        return row

    def rows(self, states: Numbers) -> Numbers:
        """The rows of these states."""
        rows: Numbers = self.table[states]
        return rows

    def after(self, word: Sequence[str]) -> int:
        """The state that the word leads to, or REFUSED. Raises ValueError for an action that the automaton lacks."""
        state = 0
        for label in word:
            state = int(self.row(state)[self.actions.index(label)])
            if state == REFUSED:
                return REFUSED
        return state

    def accepts(self, word: Sequence[str]) -> bool:
        """Whether the word is in the language. Raises ValueError for an action that the automaton lacks."""
        return self.after(word) != REFUSED

    def as_lts(self, name: str) -> Lts:
        """The automaton as a system, whose traces are its words. It must be complete."""
        state, column = np.nonzero(self.table != REFUSED)
        return Lts(name, ("tau", *self.actions), len(self.table), state, column + 1, self.table[state, column])
