"""ASCV_S: one assumption for two modules under Rule-S (paper, Fig. 6, Section 5.3).

Rule-S: if M1 satisfies the property under A (premise 1) and every trace of M2 is one of A (premise 2),
then the composition satisfies the property.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from types import MappingProxyType

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


#: A search whose pairs need more nodes is given up: the attempt must cost little beside learning.
NODES = 2_000

_FIGURES: Mapping[str, int] = MappingProxyType({"membership_queries": 0, "equivalence_queries": 1})


class Memoryless:
    """The strongest assumption that remembers nothing: as ``AscvS``, but the attempt may end without an outcome.

    One module shows no letters but those of a set: the letters that it can show after words of safe letters. No
    assumption that remembers nothing suffices if this one does not: premise 2 allows no smaller set, and a larger one
    helps premise 1 less. As an automaton it has two states: in the first all is as assumed, in the second any unsafe
    letter is rejected.
    """

    def __init__(
        self, first: Module, second: Module, letter_bits: Sequence[str], progress: Progress, name: str = ""
    ) -> None:
        self._modules = (first, second)
        self._letter_bits = letter_bits
        self._progress = progress
        self.bits = StateBits(first.context, f"{name}A")
        self.conjecture = Conjecture((((0, first.safe),),), (first.context.false,))

    @property
    def states(self) -> int:
        """The size of the assumption."""
        return len(self.conjecture.edges)

    @property
    def figures(self) -> Mapping[str, int]:
        """Cost, by the names of the statistics: it learns nothing."""
        return _FIGURES

    def rounds(self) -> Generator[int, None, ProvedByRuleS | None]:
        """The proof, if the assumption suffices and is small."""
        yield self.states
        proof = memoryless(*self._modules, self.bits, self._letter_bits, self._progress)
        if proof is not None:
            self.conjecture = proof.assumption
        return proof


def memoryless(
    first: Module, second: Module, bits: StateBits, letter_bits: Sequence[str], progress: Progress
) -> ProvedByRuleS | None:
    """The proof by such an assumption about ``second``; None if it does not suffice or becomes too large.

    Costs a search of ``second`` alone, and one of ``first`` with the letters of the set.
    """
    context = first.context
    bits.reserve(2)
    other = _searched(second, first.safe, bits, letter_bits, progress)
    if other is None:
        return None
    shown = context.exists(bits.current, other.available())
    own = _searched(first, first.safe & shown, bits, letter_bits, progress, stop=shown)
    if own is None:
        return None
    # Letters that neither module shows may be in the set or not: the smaller diagram.
    seen = context.exists(bits.current, own.available())
    allowed = context.restrict(shown, seen | shown)
    edges = (
        tuple((target, letters) for target, letters in ((0, first.safe & allowed), (1, first.safe & ~allowed))),
        ((1, first.safe),),
    )
    rejects = (first.unsafe & ~allowed, first.unsafe)
    reached = (own.reached & bits.state(0) | bits.state(1), other.reached & bits.state(0))
    return ProvedByRuleS(Conjecture(edges, rejects), reached)


def _searched(
    module: Module,
    letters: Bdd,
    bits: StateBits,
    letter_bits: Sequence[str],
    progress: Progress,
    stop: Bdd | None = None,
) -> ModuleExploration | None:
    """The module along words of these letters; None if it becomes too large or shows an unsafe letter in ``stop``."""
    context = module.context
    conjecture = Conjecture((((0, letters),),), (context.false,))
    exploration = ModuleExploration(module, SymbolicAutomaton.of(context, bits, conjecture), letter_bits)
    while not exploration.complete:
        if stop is not None and exploration.unsafe & stop != context.false:
            return None
        if context.size(exploration.reached) > NODES:
            return None
        exploration.advance()
        line = f"an assumption that remembers nothing: ring {len(exploration.rings) - 1}"
        progress(ProgressFigures(line, {"assumption_states": 2, **_FIGURES}))
    return exploration
