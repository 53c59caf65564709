"""What finds the assumptions of Rule 1: L*, or separating automata of least size by SAT.

Both learn from counterexamples of the premises. L* moves towards the weakest assumption, the words that cannot lead
``M1 || P`` to ERROR. A separating automaton accepts what M2 does and refuses what leads ``M1 || P`` to ERROR, and is
free about all other words, so it can be much smaller than the weakest assumption:

- Y.-F. Chen, A. Farzan, E. M. Clarke, Y.-K. Tsay, B.-Y. Wang, "Learning minimal separating DFA's for compositional
  verification" (TACAS 2009): the least assumption is a least separating automaton;
- A. Gupta, K. L. McMillan, Z. Fu, "Automated assumption generation for compositional verification" (CAV 2007): the
  automaton from a sample of words, which grows by counterexamples;
- D. Neider, "Computing minimal separating DFAs and regular invariants using SAT and SMT solvers" (ATVA 2012): a least
  one by SAT (``least_automaton``).

Why the answer is least: every word of the sample is a word of M2, or leads ``M1 || P`` to ERROR, and words with the
same residual have the same continuations, so every assumption over the letters that satisfies both premises agrees with
the sample. The solver has refuted all automata with fewer
states that agree with it. Automata are deterministic here, all their states accept, and they refuse a letter by having
no transition: an assumption is prefix-closed, since the words of M2 are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from symag.learning.observation_table import ObservationTable
from symag.lts.determinisation import strongly_minimised
from symag.lts.lts import Lts, Numbers
from symag.lts.methods.lstar.least_automaton import LeastAutomatonSearch
from symag.lts.methods.lstar.residuals import Residuals
from symag.lts.words import Word

#: Counterexamples at a time for each state of an assumption, where the learner can use several.
COUNTEREXAMPLES = 4
#: L* asks this many membership queries before the weakest assumption is built from residuals.
MANY_QUERIES = 1 << 18
#: A step of that, for each query: a state of L* takes queries about all experiments, a residual one step a letter.
_STEPS = 4


class AssumptionLearner(Protocol):
    """Conjectures of an assumption over some letters; counterexamples refine them."""

    def conjecture(self) -> Lts:
        """An assumption that is right about all words so far."""
        ...

    def refine(self, words: Sequence[Word], *, accepted: bool) -> None:
        """Words about which the last conjecture is wrong: M2 does them, or they lead ``M1 || P`` to ERROR."""
        ...

    def common_word(self) -> Word | None:
        """A word of M2 that leads ``M1 || P`` to ERROR, if the learner knows one."""
        ...

    def is_costly(self) -> bool:
        """Whether so much was asked that it is better to try other letters."""
        ...

    def experiments(self) -> tuple[Word, ...]:
        """What distinguishes words for the learner, for one that learns a similar assumption."""
        ...

    def figures(self) -> dict[str, int | float]:
        """Cost so far, by the names of the statistics."""
        ...

    def close(self) -> None:
        """Free what the learner holds outside of Python."""
        ...


class TableLearner:
    """L* with the words that cannot lead ``M1 || P`` to ERROR as the language.

    After many membership queries, and each time that they have doubled, it tries to build the language's automaton
    itself, with at most this many times as many steps.
    """

    def __init__(self, letters: Sequence[str], teacher: Residuals, experiments: Sequence[Word] = ()) -> None:
        self._letters = tuple(letters)
        self._teacher = teacher
        self._many = MANY_QUERIES
        self._number = {label: letter for letter, label in enumerate(letters)}
        known = [word for word in experiments if self._number.keys() >= set(word)]
        self._table = ObservationTable(teacher, [tuple(map(self._number.__getitem__, word)) for word in known])

    def conjecture(self) -> Lts:
        queries = self._table.queries
        if queries >= self._many:
            self._many = 2 * queries
            weakest = weakest_assumption(self._letters, self._teacher, _STEPS * queries // len(self._letters))
            if weakest is not None:
                return weakest
        return automaton(self._letters, self._table.conjecture())

    def refine(self, words: Sequence[Word], *, accepted: bool) -> None:
        """Learn from the first word."""
        self._table.refine([self._number[label] for label in words[0]])

    def common_word(self) -> Word | None:
        return None

    def is_costly(self) -> bool:
        return self._table.queries >= MANY_QUERIES

    def experiments(self) -> tuple[Word, ...]:
        return tuple(tuple(self._letters[letter] for letter in word) for word in self._table.experiments)

    def figures(self) -> dict[str, int | float]:
        return {"membership_queries": self._table.queries}

    def close(self) -> None:
        """Nothing is held."""


class SeparatingLearner:
    """The least automata that agree with a sample of words.

    ``dangerous`` has the residuals of what leads ``M1 || P`` to ERROR, ``possible`` those of the words of M2; words
    with the same residual are not told apart. After each word of M2 all letters are tried: what leads to ERROR there
    joins the sample without a counterexample.
    """

    def __init__(self, letters: Sequence[str], dangerous: Residuals, possible: Residuals) -> None:
        self._letters = tuple(letters)
        self._number = {label: letter for letter, label in enumerate(letters)}
        self._dangerous = dangerous
        self._possible = possible
        self._nodes: dict[tuple[str, int], int] = {}
        self._start = dangerous.initial()
        self._node("dangerous", self._start)
        self._node("possible", possible.initial())
        self._tried: set[int] = set()
        self._paths: dict[int, dict[int, int]] = {}
        self._search = LeastAutomatonSearch(len(self._letters), roots=2)
        self._try_letters(self._start)

    def conjecture(self) -> Lts:
        return automaton(self._letters, self._search.smallest())

    def refine(self, words: Sequence[Word], *, accepted: bool) -> None:
        for word in words:
            self._add_dangerous([self._number[label] for label in word], tries=accepted)
            if accepted:
                self._add_possible([self._number[label] for label in word])

    def common_word(self) -> Word | None:
        """A word of M2 that leads ``M1 || P`` to ERROR, on known paths of M2; then no automaton separates the two."""
        start = self._possible.initial(), self._start
        seen: dict[tuple[int, int], tuple[int, ...]] = {start: ()}
        waiting = [start]
        for here, state in waiting:
            for letter, after in self._paths.get(here, {}).items():
                word = (*seen[here, state], letter)
                following = self._dangerous.successor(state, letter)
                if not self._dangerous.is_member(following):
                    return tuple(self._letters[k] for k in word)
                if (after, following) not in seen:
                    seen[after, following] = word
                    waiting.append((after, following))
        return None

    def is_costly(self) -> bool:
        return False

    def _node(self, side: str, residual: int) -> int:
        return self._nodes.setdefault((side, residual), len(self._nodes))

    def _add_dangerous(self, word: Sequence[int], *, tries: bool) -> None:
        here = self._start
        for letter in word:
            after = self._dangerous.successor(here, letter)
            self._add_successor(here, letter, after)
            if not self._dangerous.is_member(after):
                return
            here = after
            if tries:
                self._try_letters(here)

    def _add_successor(self, here: int, letter: int, after: int) -> None:
        node = self._node("dangerous", here)
        if self._dangerous.is_member(after):
            self._search.follow(node, letter, self._node("dangerous", after))
        else:
            self._search.refuse(node, letter)

    def _try_letters(self, residual: int) -> None:
        if residual in self._tried:
            return
        self._tried.add(residual)
        for letter in range(len(self._letters)):
            self._add_successor(residual, letter, self._dangerous.successor(residual, letter))

    def _add_possible(self, word: Sequence[int]) -> None:
        here = self._possible.initial()
        for letter in word:
            after = self._possible.successor(here, letter)
            self._paths.setdefault(here, {})[letter] = after
            self._search.require(self._node("possible", here), letter, self._node("possible", after))
            here = after

    def experiments(self) -> tuple[Word, ...]:
        return ()

    def figures(self) -> dict[str, int | float]:
        return {
            "membership_queries": len(self._tried) * len(self._letters),
            "sample_constraints": self._search.constraints,
            "sat_calls": self._search.calls,
            "sat_seconds": self._search.seconds,
        }

    def close(self) -> None:
        self._search.close()


def automaton(letters: Sequence[str], successors: Numbers) -> Lts:
    """The automaton of a table: row q and column a have the state after q by letter a, negative if there is none."""
    state, letter = np.nonzero(successors >= 0)
    return Lts("A", ("tau", *letters), len(successors), state, letter + 1, successors[state, letter])


def weakest_assumption(letters: Sequence[str], teacher: Residuals, most: int) -> Lts | None:
    """The least deterministic automaton of the safe words; None if they have more than ``most`` residuals.

    Source: D. Giannakopoulou, C. S. Pasareanu, H. Barringer, "Assumption generation for software component
    verification" (ASE 2002). L* arrives at the same automaton, with one counterexample and one check of both premises
    for every state.

    The empty word must be safe. Costs a successor for each residual and letter; they stay in ``teacher``.
    """
    number = {teacher.initial(): 0}
    waiting = [teacher.initial()]
    targets: list[int] = []
    for residual in waiting:
        for letter in range(len(letters)):
            after = teacher.successor(residual, letter)
            if not teacher.is_member(after):
                targets.append(-1)
                continue
            if after not in number:
                if len(number) >= most:
                    return None
                number[after] = len(number)
                waiting.append(after)
            targets.append(number[after])
    table = np.array(targets, dtype=np.int64).reshape(len(number), len(letters))
    state, column = np.nonzero(table >= 0)
    safe = Lts("A", ("tau", *letters), len(number), state, column + 1, table[state, column])
    # All states accept, so deterministic states have the same words iff they are bisimilar.
    return strongly_minimised(safe)
