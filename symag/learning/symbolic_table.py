"""L* with a symbolic alphabet: the observation table of the paper, Sections 4 and 6.1.

Invariants:

- State i has a representative (its residual) and a row: entry j says whether the representative
  followed by experiment j is in U. Rows of different states differ, so the table never has more
  states than U has Nerode classes of safe words (Theorems 1 and 2).
- For every state the safe letters are split into classes by the row of the state they lead to; the
  classes are the edges of the conjecture. They are disjoint and cover all safe letters.
- A counterexample adds exactly one experiment (Rivest and Schapire), and every new experiment
  separates two words that the conjecture identified: each refinement adds a state.
- The conjecture is deterministic and complete over safe letters; which unsafe letters it rejects is
  exact for the representatives (``Conjecture.rejects``). With look-ahead the pairs of letters are
  exact, and experiments have two letters or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.learning.counterexample import NotACounterexample

#: The residual of a word of safe letters: the set of states that the module may be in after it.
ResidualT = TypeVar("ResidualT")
#: The end of a word in U, as the set of residual states that can produce it.
SuffixT = TypeVar("SuffixT")


class Teacher(Protocol, Generic[ResidualT, SuffixT]):
    """Membership queries about U, for whole sets of letters at once; no implementation enumerates letters.

    A module M and a safety property define a language U over letters (valuations of the I/O variables): the words
    ``w b`` such that every letter of w satisfies the property, b violates it, and M has a run that is consistent with
    ``w b`` (see ``by_parts.module``). The weakest safe assumption W is the set of words without a prefix in U.
    Therefore learning U over safe* . unsafe is learning W: "already violated" follows from the word and needs no state.

    There are no equivalence queries: the premises of a rule, outside this contract, decide whether a
    conjecture is good enough.
    """

    @property
    def safe(self) -> Bdd:
        """All letters that satisfy the property."""
        ...

    def initial(self) -> ResidualT:
        """The residual of the empty word."""
        ...

    def successor(self, residual: ResidualT, letter: Bdd) -> ResidualT:
        """The residual after one more safe letter (a cube of all I/O bits that the module sees)."""
        ...

    def suffixes(self, word: Sequence[Bdd]) -> list[SuffixT]:
        """For a word in safe* . unsafe: at index k the suffix from letter k on. One preimage for each letter."""
        ...

    def produces(self, residual: ResidualT, suffix: SuffixT) -> bool:
        """Membership query: is (word of the residual) . suffix in U?"""
        ...

    def producing_letters(self, residual: ResidualT, suffix: SuffixT) -> Bdd:
        """All letters a for which (word of the residual) . a . suffix is in U. One relational product."""
        ...

    @property
    def ending_length(self) -> int:
        """The number of letters of an ending in ``unsafe_endings``: 1, or 2 with look-ahead."""
        ...

    def unsafe_endings(self, residual: ResidualT) -> Bdd:
        """All endings e (unsafe letters, or a safe and an unsafe one) for which (word of the residual) . e is in U."""
        ...

    def pick(self, letters: Bdd) -> Bdd:
        """One letter of a non-empty set, as a cube; the same set gives the same letter."""
        ...


Row = tuple[bool, ...]


class Conjecture(Struct, frozen=True):
    """A deterministic automaton over sets of letters; state 0 is initial.

    ``edges[q]`` lists (target, letters) with disjoint letters that cover the safe ones; ``rejects[q]``
    is the set of unsafe letters (with look-ahead: pairs of a safe and an unsafe letter) that the state forbids.
    """

    edges: tuple[tuple[tuple[int, Bdd], ...], ...]
    rejects: tuple[Bdd, ...]

    def run(self, word: Sequence[Bdd]) -> list[int]:
        """The state before each letter of a word of safe letters, then the last state."""
        states = [0]
        for letter in word:
            states.append(next(target for target, letters in self.edges[states[-1]] if _meets(letters, letter)))
        return states

    def run_to(self, word: Sequence[Bdd], ending: Bdd, length: int) -> tuple[str, ...]:
        """The state before each letter of a word, as text; its last ``length`` letters are an ``ending``.

        The last text ends with ``rejects`` if the state before the ending forbids it.
        """
        states = self.run(word[: max(0, len(word) - 1)])
        forbidding = states[max(0, len(word) - length)]
        texts = [str(state) for state in states]
        if _meets(self.rejects[forbidding], ending):
            texts[-1] += " rejects"
        return tuple(texts)


class SymbolicTable(Generic[ResidualT, SuffixT]):
    """The learner: ``conjecture()`` reads the table, ``refine(word)`` grows it.

    ``queries`` counts membership queries (a symbolic one over all letters counts once) and
    ``refinements`` the wrong conjectures so far.
    """

    def __init__(self, teacher: Teacher[ResidualT, SuffixT]) -> None:
        self._teacher = teacher
        self._experiments: list[SuffixT] = []
        self._representatives: list[ResidualT] = []
        self._rows: list[Row] = []
        self._state_of: dict[Row, int] = {}
        self._classes: list[dict[Row, Bdd]] = []
        self.queries = 0
        self.refinements = 0
        self._add_state(teacher.initial(), ())
        self._close()

    @property
    def states(self) -> int:
        """The number of states of the present conjecture."""
        return len(self._rows)

    def conjecture(self) -> Conjecture:
        """The automaton that the table describes."""
        edges = tuple(
            tuple(
                sorted(((self._state_of[row], letters) for row, letters in classes.items()), key=lambda edge: edge[0])
            )
            for classes in self._classes
        )
        self.queries += len(self._representatives)
        return Conjecture(edges, tuple(self._teacher.unsafe_endings(residual) for residual in self._representatives))

    def refine(self, word: Sequence[Bdd]) -> None:
        """Learn from a word of safe* . unsafe that the conjecture classifies wrongly with respect to U.

        Raises NotACounterexample if replacing prefixes by representatives never changes the answer.
        Costs one preimage and one query for each letter, and one relational product for each state.
        """
        read = len(word) - self._teacher.ending_length
        if read < 0:
            raise NotACounterexample
        suffixes = self._teacher.suffixes(word)[: read + 1]
        states = self.conjecture().run(word[:read])
        answers = [
            self._ask(self._representatives[state], suffix) for state, suffix in zip(states, suffixes, strict=True)
        ]
        for position in range(len(answers) - 1):
            if answers[position] != answers[position + 1]:
                self._add_experiment(suffixes[position + 1])
                self.refinements += 1
                return
        raise NotACounterexample

    def _ask(self, residual: ResidualT, suffix: SuffixT) -> bool:
        self.queries += 1
        return self._teacher.produces(residual, suffix)

    def _add_state(self, residual: ResidualT, row: Row) -> None:
        self._state_of[row] = len(self._rows)
        self._representatives.append(residual)
        self._rows.append(row)
        classes: dict[Row, Bdd] = {(): self._teacher.safe}
        for suffix in self._experiments:
            classes = self._split(classes, residual, suffix)
        self._classes.append(classes)

    def _split(self, classes: dict[Row, Bdd], residual: ResidualT, suffix: SuffixT) -> dict[Row, Bdd]:
        self.queries += 1
        producing = self._teacher.producing_letters(residual, suffix)
        result: dict[Row, Bdd] = {}
        for row, letters in classes.items():
            for answer, part in ((False, letters & ~producing), (True, letters & producing)):
                if not _empty(part):
                    result[(*row, answer)] = part
        return result

    def _add_experiment(self, suffix: SuffixT) -> None:
        self._experiments.append(suffix)
        self._rows = [
            (*row, self._ask(residual, suffix)) for row, residual in zip(self._rows, self._representatives, strict=True)
        ]
        self._state_of = {row: state for state, row in enumerate(self._rows)}
        self._classes = [
            self._split(classes, residual, suffix)
            for classes, residual in zip(self._classes, self._representatives, strict=True)
        ]
        self._close()

    def _close(self) -> None:
        state = 0
        while state < len(self._rows):
            for row in sorted(self._classes[state]):
                if row not in self._state_of:
                    letter = self._teacher.pick(self._classes[state][row])
                    self._add_state(self._teacher.successor(self._representatives[state], letter), row)
            state += 1


def _empty(letters: Bdd) -> bool:
    return bool(letters == letters & ~letters)


def _meets(letters: Bdd, letter: Bdd) -> bool:
    return not _empty(letters & letter)
