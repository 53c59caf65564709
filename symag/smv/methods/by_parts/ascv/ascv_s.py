"""ASCV_S: one assumption for two modules under Rule-S (paper, Fig. 6, Section 5.3).

Rule-S: if M1 satisfies the property under A (premise 1) and every trace of M2 is one of A (premise 2),
then the composition satisfies the property.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from msgspec import Struct

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.learning.symbolic_table import Conjecture, SymbolicTable
from symag.smv.methods.by_parts.ascv.premise import ModuleExploration
from symag.smv.methods.by_parts.ascv.sides import ViolatingWord, produces
from symag.smv.methods.by_parts.automaton import StateBits, SymbolicAutomaton
from symag.smv.methods.by_parts.module import Module


class ProvedByRuleS(Struct, frozen=True, eq=False):
    """The assumption, and the pairs of each module and the assumption after at least one letter."""

    assumption: Conjecture
    reached: tuple[Bdd, Bdd]


class AscvS:
    """One run of the algorithm; the assumption is learned for ``first``."""

    def __init__(
        self, first: Module, second: Module, letter_bits: Sequence[str], progress: Progress, name: str = ""
    ) -> None:
        self._first = first
        self._second = second
        self._letter_bits = letter_bits
        self._progress = progress
        self.bits = StateBits(first.context, f"{name}A")
        self._table = SymbolicTable(first)
        self._equivalence_queries = 0

    @property
    def states(self) -> int:
        """The size of the assumption."""
        return self._table.states

    @property
    def figures(self) -> dict[str, int]:
        """Cost so far, by the names of the statistics."""
        return {"membership_queries": self._table.queries, "equivalence_queries": self._equivalence_queries}

    @property
    def conjecture(self) -> Conjecture:
        """The present assumption."""
        return self._table.conjecture()

    def rounds(self) -> Generator[int, None, ProvedByRuleS | ViolatingWord]:
        """Learn until both premises hold or a violation is found; yields the size before each query."""
        first, second = self._first, self._second
        while True:
            yield self.states
            self._equivalence_queries += 1
            line = f"premise 1: {self.states} assumption states"
            self._progress(ProgressFigures(line, {"assumption_states": self.states, **self.figures}))
            conjecture = self._table.conjecture()
            automaton = SymbolicAutomaton.of(first.context, self.bits, conjecture)
            premise1 = ModuleExploration(first, automaton, first.letter_bits)
            forbidden = first.context.false
            while forbidden == first.context.false and not premise1.complete:
                forbidden = premise1.unsafe & ~automaton.rejects
                premise1.advance()
            word = premise1.word_to(forbidden, self._letter_bits)
            if word is not None:
                self._table.refine(word)
                continue
            premise2 = ModuleExploration(second, automaton, self._letter_bits)
            premise2.finish(self._progress)
            word = premise2.word_to(automaton.rejects, self._letter_bits)
            if word is None:
                return ProvedByRuleS(conjecture, (premise1.reached, premise2.reached))
            if produces(first, word):
                return ViolatingWord(tuple(word))
            self._table.refine(word)
