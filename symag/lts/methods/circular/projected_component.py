"""Deterministic, prefix-closed automata by tables: assumptions, properties, the premises' parts, projected components.

The words of a component's projection to a part of its alphabet are its traces without all other actions; the automaton
is made as far as needed. Its states are sets of states of the component; if there are few of them, all are made and
equivalent ones are merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from symag.core.ranges import distinct
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

    def as_lts(self) -> Lts:
        """The automaton as a system, whose traces are its words. It must be complete."""
        state, column = np.nonzero(self.table != REFUSED)
        return Lts("A", ("tau", *self.actions), len(self.table), state, column + 1, self.table[state, column])


_UNKNOWN = -2

#: A system with more transitions is first replaced by a smaller one with the same words.
_MANY = 20_000


class _Moves(Struct, frozen=True, eq=False):
    """The moves ``begin[s]`` .. ``begin[s + 1]`` of state s; ``column`` is -1 for silent ones."""

    begin: Numbers
    column: Numbers
    target: Numbers

    def targets(self, state: int) -> list[int]:
        targets: list[int] = self.target[self.begin[state] : self.begin[state + 1]].tolist()
        return targets

    def moves(self, state: int) -> Iterator[tuple[int, int]]:
        mine = slice(self.begin[state], self.begin[state + 1])
        return zip(self.column[mine].tolist(), self.target[mine].tolist(), strict=True)


def _moves(lts: Lts, actions: Sequence[str]) -> tuple[_Moves, _Moves]:
    """The silent and the visible moves of a system, or of a smaller one with the same words."""
    if lts.transitions > _MANY:
        from symag.lts.reduction import reduced  # needs scipy, which is slow to import
        from symag.lts.view import View

        view = reduced(View.of(lts, actions))
        silent, seen = view.silent, view.seen
        return _Moves(silent.begin, silent.letter, silent.target), _Moves(seen.begin, seen.letter, seen.target)
    number = {label: index for index, label in enumerate(actions)}
    column_of = np.array([-1, *(number.get(label, -1) for label in lts.alphabet[1:])], dtype=np.int64)
    column = column_of[lts.action]
    moves = []
    for chosen in (column < 0, column >= 0):
        begin = np.searchsorted(lts.source[chosen], np.arange(lts.states + 1))
        moves.append(_Moves(begin, column[chosen], lts.target[chosen]))
    return moves[0], moves[1]


class ProjectedComponent(TableAutomaton):
    """The component ``lts`` (without ERROR) projected to ``actions``; state 0 is initial.

    At most ``small`` states are made at first, to merge the equivalent ones; a larger automaton grows when rows are
    read.
    """

    def __init__(self, lts: Lts, actions: Sequence[str], small: int = 4096) -> None:
        super().__init__(actions, np.full((64, len(actions)), _UNKNOWN, dtype=np.int64))
        self._silent, self._visible = _moves(lts, self.actions)
        self._sets: list[frozenset[int]] = []
        self._number: dict[frozenset[int], int] = {}
        self._closures: dict[int, frozenset[int]] = {}
        self._state(self._closure(0))
        self._is_complete = self._made(small)
        if self._is_complete:
            self.table = merged(self.table[: len(self._sets)])
            self._sets, self._number, self._closures = [], {}, {}

    @property
    def is_complete(self) -> bool:
        return self._is_complete

    @property
    def states(self) -> int:
        return len(self.table) if self.is_complete else len(self._sets)

    def row(self, state: int) -> Numbers:
        if not self.is_complete and len(self.actions) and self.table[state, 0] == _UNKNOWN:
            self._expand(state)
        return super().row(state)

    def rows(self, states: Numbers) -> Numbers:
        if not self.is_complete and len(self.actions):
            for state in distinct(states[self.table[states, 0] == _UNKNOWN]).tolist():
                self._expand(state)
        return super().rows(states)

    def _closure(self, state: int) -> frozenset[int]:
        if state not in self._closures:
            reached = {state}
            stack = [state]
            while stack:
                for target in self._silent.targets(stack.pop()):
                    if target not in reached:
                        reached.add(target)
                        stack.append(target)
            self._closures[state] = frozenset(reached)
        return self._closures[state]

    def _state(self, members: frozenset[int]) -> int:
        number = self._number.setdefault(members, len(self._sets))
        if number == len(self._sets):
            self._sets.append(members)
            if number == len(self.table):
                more = np.full_like(self.table, _UNKNOWN)
                self.table = np.concatenate([self.table, more])
        return number

    def _expand(self, state: int) -> None:
        targets: dict[int, set[int]] = {}
        for member in self._sets[state]:
            for column, target in self._visible.moves(member):
                targets.setdefault(column, set()).add(target)
        row = [REFUSED] * len(self.actions)
        for column in sorted(targets):
            row[column] = self._state(frozenset().union(*map(self._closure, targets[column])))
        self.table[state] = row

    def _made(self, small: int) -> bool:
        state = 0
        while state < len(self._sets):
            if len(self._sets) > small:
                return False
            self._expand(state)
            state += 1
        return True


def merged(table: Numbers) -> Numbers:
    """The minimal automaton of a complete table of targets (states x actions), state 0 first, breadth first."""
    block = np.zeros(len(table), dtype=np.int64)
    count = 1
    while True:
        code = block
        for column in range(table.shape[1]):
            target = table[:, column]
            after = np.where(target == REFUSED, 0, block[target] + 1)
            code = np.unique(code * (len(table) + 1) + after, return_inverse=True)[1]
        block = code
        following = int(block.max()) + 1
        if following == count:
            break
        count = following
    representative = np.unique(block, return_index=True)[1].tolist()
    targets, blocks = table.tolist(), block.tolist()
    order = [blocks[0]]
    place = {order[0]: 0}
    rows = []
    for number in order:
        images = [REFUSED if target == REFUSED else blocks[target] for target in targets[representative[number]]]
        for image in images:
            if image != REFUSED and image not in place:
                place[image] = len(order)
                order.append(image)
        rows.append([REFUSED if image == REFUSED else place[image] for image in images])
    return np.array(rows, dtype=np.int64).reshape(len(rows), table.shape[1])
