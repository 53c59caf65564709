"""ASCV_G: assumptions for any number of modules under Rule-G (paper, Fig. 7, Sections 5.4 and 6.2).

Rule-G: if every module M_i satisfies the property under its assumption A_i (premise 1), and no word is
rejected by all assumptions (last premise), then the composition satisfies the property.

Edge deletion is done in one fix-point: since only words of safe* . unsafe matter, all edges that Pr1
would ask to delete lead to the sink at once, so the strongest assumption with the same states comes out
of one reachability analysis (``automaton.strengthened``).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from symag.learning.symbolic_table import Conjecture, NotACounterexample, SymbolicTable
from symag.limits import Progress
from symag.methods.smv.automaton import StateBits, SymbolicAutomaton, strengthened
from symag.methods.smv.discharge import discharge
from symag.methods.smv.module import Module, Residual, Suffix
from symag.methods.smv.options import Options
from symag.methods.smv.premise import Exploration, explore, word_to
from symag.symbolic.context import Bdd


@dataclass(frozen=True, slots=True, eq=False)
class Proved:
    """The assumptions satisfy the rule; ``explorations[i]`` pairs module i with its assumption."""

    assumptions: tuple[Conjecture, ...]
    automata: tuple[SymbolicAutomaton, ...]
    explorations: tuple[Exploration, ...]
    by_edge_deletion: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Refuted:
    """A word over the I/O bits along which the composition has a run that violates the property."""

    word: tuple[Bdd, ...]
    by_early_falsification: bool = False


#: Yields the largest number of states of an assumption before each round. Returns the outcome, or None if
#: the letters show too little to tell (only possible with hidden variables).
Rounds = Generator[int, None, Proved | Refuted | None]


@dataclass(eq=False)
class _Side:
    """One module with its learner and the assumption of the present round."""

    module: Module
    bits: StateBits
    table: SymbolicTable[Residual, Suffix] = field(init=False)
    assumption: Conjecture = field(init=False)
    automaton: SymbolicAutomaton = field(init=False)
    exploration: Exploration = field(init=False)
    counterexample: list[Bdd] | None = None
    current: bool = False

    def __post_init__(self) -> None:
        self.table = SymbolicTable(self.module)

    def refine(self, word: Sequence[Bdd]) -> None:
        self.table.refine(word)
        self.current = False


class AscvG:
    """One run of the algorithm on given modules. ``counts`` gathers the statistics of the paper's tables."""

    def __init__(
        self, modules: Sequence[Module], composition: Module, options: Options, progress: Progress, name: str = ""
    ) -> None:
        self._composition = composition
        self._options = options
        self._progress = progress
        self._context = composition.context
        self._hiding = any(module.hidden for module in modules)
        self.sides = [_Side(module, StateBits(self._context, f"{name}A{i}")) for i, module in enumerate(modules)]
        self.letter_bits = composition.letter_bits
        self.equivalence_queries = 0

    @property
    def states(self) -> int:
        """The size of the largest assumption."""
        return max(side.table.states for side in self.sides)

    def rounds(self) -> Rounds:
        """Learn until the rule is satisfied or a violation is found; each round asks the last premise once."""
        while True:
            yield self.states
            for side in self.sides:
                while not side.current:
                    refutation = self._first_premise(side)
                    if refutation is not None:
                        return refutation
            self.equivalence_queries += 1
            automata = tuple(side.automaton for side in self.sides)
            word = discharge(self._context, automata, self.letter_bits, self._progress)
            if word is None:
                deleted = any(side.counterexample is not None for side in self.sides)
                explorations = tuple(side.exploration for side in self.sides)
                return Proved(tuple(side.assumption for side in self.sides), automata, explorations, deleted)
            spurious = [side for side in self.sides if not _produces(side.module, word)]
            if not spurious:
                return Refuted(tuple(word)) if not self._hiding or self._is_real(word) else None
            self._refine(spurious, word)

    def _first_premise(self, side: _Side) -> Refuted | None:
        """Ask premise 1; sets ``side.current`` unless the table was refined instead."""
        self.equivalence_queries += 1
        side.assumption = side.table.conjecture()
        side.automaton = SymbolicAutomaton.of(self._context, side.bits, side.assumption)
        module = side.module
        side.exploration = explore(module, side.automaton, module.letter_bits, self._progress)
        forbidden = side.exploration.available & module.unsafe & ~side.automaton.rejects
        side.counterexample = word_to(module, side.automaton, side.exploration, forbidden)
        if side.counterexample is not None:
            if self._options.early_falsification and self._is_real(side.counterexample):
                return Refuted(tuple(side.counterexample), by_early_falsification=True)
            if not self._options.edge_deletion:
                side.refine(side.counterexample)
                return None
        if self._options.edge_deletion:
            available = side.exploration.available
            side.assumption = strengthened(self._context, side.bits, side.assumption, available, module.unsafe)
            side.automaton = SymbolicAutomaton.of(self._context, side.bits, side.assumption)
        side.current = True
        return None

    def _is_real(self, word: Sequence[Bdd]) -> bool:
        """Early falsification: one run of the whole system along the letters of a single module.

        Asking every other module by itself is not enough: they may need different letters where this
        module sees none (measured.md, lesson 5).
        """
        residual = self._composition.initial()
        for letter in word[:-1]:
            residual = self._composition.successor(residual, letter)
            if residual.states == self._context.false:
                return False
        return bool(self._composition.unsafe_letters(residual) & word[-1] != self._context.false)

    def _refine(self, spurious: Sequence[_Side], word: Sequence[Bdd]) -> None:
        for side in spurious:
            try:
                side.refine(word)
            except NotACounterexample:
                side.refine(self._own_counterexample(side, word))

    def _own_counterexample(self, side: _Side, word: Sequence[Bdd]) -> list[Bdd]:
        """The word by which the strengthened assumption came to reject the last letter after these states.

        The last premise's word need not separate the table's conjecture from W: the conjecture may
        reject it only since its edges were deleted. Then some other word that leads to the same state
        was the reason, and that one does separate.
        """
        state = side.assumption.run(word[:-1])[-1]
        target = side.bits.state(state) & side.module.pick(word[-1])
        own = word_to(side.module, side.automaton, side.exploration, target)
        if own is None:
            raise AssertionError("an assumption rejects a letter that its module never shows there")
        return own


def _produces(module: Module, word: Sequence[Bdd]) -> bool:
    return module.produces(module.initial(), module.suffixes(word)[0])
