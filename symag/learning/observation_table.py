"""L* with an explicit observation table, for prefix-closed languages over finitely many letters.

Sources: D. Angluin, "Learning regular sets from queries and counterexamples" (1987); R. L. Rivest and R. E. Schapire,
"Inference of finite automata using homing sequences" (1993), for the analysis of counterexamples: one experiment each,
so the rows of different states differ and consistency never has to be asked for.

Laws of this file:

- A *residual* is what the teacher keeps of a word; words with equal residuals have the same continuations. Words are
  asked through residuals, so a question about a residual is asked once whatever words lead to it.
- States have different rows; entry j of a row says whether the representative followed by experiment j is a member.
  Experiment 0 is the empty word.
- Every refinement adds a state, and the table never has more states than the language has Nerode classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from symag.learning.counterexample import NotACounterexample

ResidualT = TypeVar("ResidualT")


class WordTeacher(Protocol, Generic[ResidualT]):
    """Membership queries. Residuals are hashable; no word is a member that has a prefix that is none."""

    @property
    def letters(self) -> int:
        """Letters are 0 .. letters - 1."""
        ...

    def initial(self) -> ResidualT:
        """The residual of the empty word."""
        ...

    def successor(self, residual: ResidualT, letter: int) -> ResidualT:
        """The residual after one more letter."""
        ...

    def accepts(self, residual: ResidualT, word: Sequence[int]) -> bool:
        """Membership query: does a word with this residual, continued by ``word``, belong to the language?"""
        ...


class ObservationTable(Generic[ResidualT]):
    """The learner: ``conjecture()`` reads the table, ``refine(word)`` grows it.

    ``queries`` counts the membership queries: pairs of a residual and an experiment.
    """

    def __init__(self, teacher: WordTeacher[ResidualT]) -> None:
        self._teacher = teacher
        self._experiments: list[tuple[int, ...]] = [()]
        # Residuals that occur in the table, in the order in which they came, with their rows as bits.
        self._place: dict[ResidualT, int] = {}
        self._residuals: list[ResidualT] = []
        self._rows: list[int] = []
        # States: the place of the representative, the places of its successors; and the state of each place.
        self._representatives: list[int] = []
        self._successors: list[list[int]] = []
        self._state: list[int] = []
        self.queries = 0
        self._add_state(self._placed(teacher.initial()))
        self._close()

    def conjecture(self) -> NDArray[np.int64]:
        """The automaton of the table: ``[q, a]`` is a state, or -1 for the words that are rejected for good.

        State 0 is initial, and all accept. Without states it accepts nothing.
        """
        targets = np.array(self._state, dtype=np.int64)[self._targets()]
        accepting = np.array([self._rows[row] & 1 for row in self._representatives], dtype=bool)
        number = np.where(accepting, np.cumsum(accepting) - 1, -1)
        successors: NDArray[np.int64] = number[targets[accepting]]
        return successors

    def refine(self, word: Sequence[int]) -> None:
        """Learn from a word on whose membership the conjecture errs; a logarithmic number of queries.

        Raises NotACounterexample if it does not err.
        """
        states = [0]
        for letter in word:
            states.append(self._state[self._successors[states[-1]][letter]])
        first = self._is_member(states[0], word)
        if first == self._is_member(states[-1], ()):
            raise NotACounterexample
        low, high = 0, len(word)
        while high - low > 1:
            middle = (low + high) // 2
            if self._is_member(states[middle], word[middle:]) == first:
                low = middle
            else:
                high = middle
        self._experiments.append(tuple(word[high:]))
        for index in range(len(self._rows)):
            self._rows[index] |= self._answer(index, len(self._experiments) - 1)
        self._close()

    def _is_member(self, state: int, word: Sequence[int]) -> bool:
        self.queries += 1
        return self._teacher.accepts(self._residuals[self._representatives[state]], word)

    def _answer(self, row: int, experiment: int) -> int:
        """The bit of an experiment in a row."""
        self.queries += 1
        return self._teacher.accepts(self._residuals[row], self._experiments[experiment]) << experiment

    def _placed(self, residual: ResidualT) -> int:
        row = self._place.setdefault(residual, len(self._residuals))
        if row == len(self._residuals):
            self._residuals.append(residual)
            self._rows.append(sum(self._answer(row, experiment) for experiment in range(len(self._experiments))))
        return row

    def _add_state(self, row: int) -> None:
        residual = self._residuals[row]
        self._representatives.append(row)
        after = (self._teacher.successor(residual, letter) for letter in range(self._teacher.letters))
        self._successors.append([self._placed(word) for word in after])

    def _targets(self) -> NDArray[np.int64]:
        shape = (len(self._successors), self._teacher.letters)
        return np.array(self._successors, dtype=np.int64).reshape(shape)

    def _close(self) -> None:
        """Every state keeps its representative and so its number: a new experiment only tells more words apart."""
        state_of = {self._rows[place]: state for state, place in enumerate(self._representatives)}
        self._state = [state_of.get(row, -1) for row in self._rows]
        for successors in self._successors:  # grows
            for place in successors:
                if place >= len(self._state):
                    self._state += [state_of.get(row, -1) for row in self._rows[len(self._state) :]]
                if self._state[place] < 0:
                    row = self._rows[place]
                    if row not in state_of:
                        state_of[row] = len(self._representatives)
                        self._add_state(place)
                    self._state[place] = state_of[row]
        self._state += [state_of[row] for row in self._rows[len(self._state) :]]
