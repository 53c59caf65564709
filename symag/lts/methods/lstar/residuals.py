"""Residuals of a component after a word: membership queries ``<word> M <P>`` by subset construction on demand.

The language is the weakest assumption of the view: the words that cannot lead it to ERROR (Giannakopoulou, Pasareanu
and Barringer, "Assumption generation for software component verification", 2002). It is prefix-closed.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.lts.lts import ERROR
from symag.lts.view import View

_LOST = 0


class Residuals:
    """A ``WordTeacher``: a residual is the number of a set of states; 0 is that of words that can lead to ERROR.

    Each set and each of its successors is computed once; ``len`` is the number of sets.
    """

    def __init__(self, view: View) -> None:
        begin, target = view.silent.begin.tolist(), view.silent.target.tolist()
        self._silent = [target[begin[state] : begin[state + 1]] for state in range(view.states)]
        self._view = view
        self._seen: list[dict[int, list[int]] | None] = [None] * view.states
        self._sets: list[frozenset[int]] = [frozenset()]
        self._number: dict[frozenset[int] | None, int] = {None: _LOST}
        self._successors: dict[int, int] = {}
        self._letters = len(view.letters)
        self._initial = self._numbered({0})

    @property
    def letters(self) -> int:
        return self._letters

    def __len__(self) -> int:
        return len(self._sets)

    def initial(self) -> int:
        """The residual of the empty word."""
        return self._initial

    def is_member(self, residual: int) -> bool:
        """Whether the words with this residual are safe."""
        return residual != _LOST

    def accepts(self, residual: int, word: Sequence[int]) -> bool:
        """Whether no prefix of a word with this residual, continued by ``word``, can lead to ERROR."""
        letters, successors = self._letters, self._successors
        for letter in word:
            successor = successors.get(residual * letters + letter)
            residual = self.successor(residual, letter) if successor is None else successor
            if residual == _LOST:
                return False
        return residual != _LOST

    def successor(self, residual: int, letter: int) -> int:
        """The residual after one more letter."""
        if residual == _LOST:
            return _LOST
        key = residual * self.letters + letter
        successor = self._successors.get(key)
        if successor is None:
            reached: set[int] = set()
            for state in self._sets[residual]:
                reached.update(self._moves(state).get(letter, ()))
            successor = self._successors[key] = self._numbered(reached)
        return successor

    def _moves(self, state: int) -> dict[int, list[int]]:
        moves = self._seen[state]
        if moves is None:
            seen = self._view.seen
            begin, end = int(seen.begin[state]), int(seen.begin[state + 1])
            moves = {}
            for letter, target in zip(seen.letter[begin:end].tolist(), seen.target[begin:end].tolist(), strict=True):
                moves.setdefault(letter, []).append(target)
            self._seen[state] = moves
        return moves

    def _numbered(self, states: set[int]) -> int:
        """The number of the closure of a set."""
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state == ERROR:
                return _LOST
            for target in self._silent[state]:
                if target not in states:
                    states.add(target)
                    waiting.append(target)
        if ERROR in states:
            return _LOST
        key = frozenset(state for state in states if self._moves(state))
        number = self._number.setdefault(key, len(self._sets))
        if number == len(self._sets):
            self._sets.append(key)
        return number
