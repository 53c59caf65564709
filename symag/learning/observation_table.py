"""L* with an explicit observation table, for prefix-closed languages over finitely many letters.

Sources: D. Angluin, "Learning regular sets from queries and counterexamples" (1987); R. L. Rivest and R. E. Schapire,
"Inference of finite automata using homing sequences" (1993), for the analysis of counterexamples: each adds one
experiment, so the rows of different states differ and consistency needs no check.

Invariants:

- A *residual* is the teacher's representation of a word; words with equal residuals have the same continuations.
  Queries are about residuals, so words with the same residual share them.
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
    """Membership queries. Residuals are hashable; every prefix of a member is a member."""

    @property
    def letters(self) -> int:
        """The number of letters, which are 0 .. letters - 1."""
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

    def __init__(self, teacher: WordTeacher[ResidualT], experiments: Sequence[tuple[int, ...]] = ()) -> None:
        """``experiments`` are those of a similar language; they make the first conjecture finer."""
        self._teacher = teacher
        self._experiments: list[tuple[int, ...]] = [(), *filter(None, dict.fromkeys(experiments))]
        # Residuals in the order in which they were added, each with its index and its row as bits.
        self._index_of: dict[ResidualT, int] = {}
        self._residuals: list[ResidualT] = []
        self._rows: list[int] = []
        # For each state the indices of its representative and of its successors; for each index the state.
        self._representatives: list[int] = []
        self._successors: list[list[int]] = []
        self._state: list[int] = []
        self.queries = 0
        self._add_state(self._index(teacher.initial()))
        self._close()

    @property
    def experiments(self) -> tuple[tuple[int, ...], ...]:
        """The experiments so far; the first is the empty word."""
        return tuple(self._experiments)

    def conjecture(self) -> NDArray[np.int64]:
        """The automaton of the table: ``[q, a]`` is the successor, or -1 if all continuations are rejected.

        State 0 is initial; all states accept. An automaton without states accepts nothing.
        """
        targets = np.array(self._state, dtype=np.int64)[self._targets()]
        accepting = np.array([self._rows[row] & 1 for row in self._representatives], dtype=bool)
        number = np.where(accepting, np.cumsum(accepting) - 1, -1)
        successors: NDArray[np.int64] = number[targets[accepting]]
        return successors

    def refine(self, word: Sequence[int]) -> None:
        """Learn from a word that the conjecture classifies wrongly; the search makes logarithmically many queries.

        Raises NotACounterexample if the conjecture is right about the word.
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

    def _index(self, residual: ResidualT) -> int:
        """The index of a residual, which is added with its row if it is new."""
        index = self._index_of.setdefault(residual, len(self._residuals))
        if index == len(self._residuals):
            self._residuals.append(residual)
            self._rows.append(sum(self._answer(index, experiment) for experiment in range(len(self._experiments))))
        return index

    def _add_state(self, index: int) -> None:
        residual = self._residuals[index]
        self._representatives.append(index)
        after = (self._teacher.successor(residual, letter) for letter in range(self._teacher.letters))
        self._successors.append([self._index(successor) for successor in after])

    def _targets(self) -> NDArray[np.int64]:
        shape = (len(self._successors), self._teacher.letters)
        return np.array(self._successors, dtype=np.int64).reshape(shape)

    def _close(self) -> None:
        """Add states until every successor has one.

        Old states keep their representatives and numbers: a new experiment only distinguishes more words.
        """
        state_of = {self._rows[index]: state for state, index in enumerate(self._representatives)}
        self._state = [state_of.get(row, -1) for row in self._rows]
        for successors in self._successors:  # grows
            for index in successors:
                if index >= len(self._state):
                    self._state += [state_of.get(row, -1) for row in self._rows[len(self._state) :]]
                if self._state[index] < 0:
                    row = self._rows[index]
                    if row not in state_of:
                        state_of[row] = len(self._representatives)
                        self._add_state(index)
                    self._state[index] = state_of[row]
        self._state += [state_of[row] for row in self._rows[len(self._state) :]]
