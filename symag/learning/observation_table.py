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
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from symag.learning.counterexample import NotACounterexample

ResidualT = TypeVar("ResidualT")
Row = tuple[bool, ...]


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

    def is_member(self, residual: ResidualT) -> bool:
        """Whether the words with this residual belong to the language."""
        ...


@dataclass(frozen=True, slots=True)
class ConjecturedAutomaton:
    """``successors[q][a]`` is a state, or None for the words that are rejected for good. State 0 is initial.

    Without states it accepts nothing.
    """

    successors: tuple[tuple[int | None, ...], ...]

    @property
    def states(self) -> int:
        """Accepting states; the one that rejects is not counted."""
        return len(self.successors)


class ObservationTable(Generic[ResidualT]):
    """The learner: ``conjecture()`` reads the table, ``refine(word)`` grows it.

    ``queries`` counts the membership queries: pairs of a residual and an experiment.
    """

    def __init__(self, teacher: WordTeacher[ResidualT]) -> None:
        self._teacher = teacher
        self._experiments: list[tuple[int, ...]] = [()]
        self._known: dict[ResidualT, list[bool]] = {}
        self._representatives: list[ResidualT] = []
        self._state_of: dict[Row, int] = {}
        self._targets: list[list[int]] = []
        self.queries = 0
        self._close()

    def conjecture(self) -> ConjecturedAutomaton:
        """The automaton of the table, without the state that rejects."""
        accepting = [state for state, residual in enumerate(self._representatives) if self._row(residual)[0]]
        number: dict[int, int] = {state: place for place, state in enumerate(accepting)}
        return ConjecturedAutomaton(
            tuple(tuple(number.get(target) for target in self._targets[state]) for state in accepting)
        )

    def refine(self, word: Sequence[int]) -> None:
        """Learn from a word on whose membership the conjecture errs; a logarithmic number of queries.

        Raises NotACounterexample if it does not err.
        """
        states = [0]
        for letter in word:
            states.append(self._targets[states[-1]][letter])
        first = self._is_member(self._representatives[0], word)
        if first == self._is_member(self._representatives[states[-1]], ()):
            raise NotACounterexample
        low, high = 0, len(word)
        while high - low > 1:
            middle = (low + high) // 2
            if self._is_member(self._representatives[states[middle]], word[middle:]) == first:
                low = middle
            else:
                high = middle
        self._experiments.append(tuple(word[high:]))
        self._close()

    def _is_member(self, residual: ResidualT, word: Sequence[int]) -> bool:
        self.queries += 1
        for letter in word:
            if not self._teacher.is_member(residual):
                return False
            residual = self._teacher.successor(residual, letter)
        return self._teacher.is_member(residual)

    def _row(self, residual: ResidualT) -> Row:
        row = self._known.setdefault(residual, [])
        for experiment in self._experiments[len(row) :]:
            row.append(self._is_member(residual, experiment))
        return tuple(row)

    def _close(self) -> None:
        """Every state keeps its representative and so its number: a new experiment only tells more words apart."""
        if not self._representatives:
            self._representatives.append(self._teacher.initial())
        self._state_of = {self._row(residual): state for state, residual in enumerate(self._representatives)}
        self._targets = []
        for residual in self._representatives:  # grows
            targets = []
            for letter in range(self._teacher.letters):
                after = self._teacher.successor(residual, letter)
                row = self._row(after)
                if row not in self._state_of:
                    self._state_of[row] = len(self._representatives)
                    self._representatives.append(after)
                targets.append(self._state_of[row])
            self._targets.append(targets)
