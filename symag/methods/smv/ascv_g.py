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
from symag.methods.smv.falsification import EarlyFalsification
from symag.methods.smv.module import Module, Residual, Suffix
from symag.methods.smv.premise import Exploration
from symag.symbolic.context import Bdd


@dataclass(frozen=True, slots=True, eq=False)
class Proved:
    """The assumptions satisfy the rule; ``explorations[i]`` pairs module i with its assumption."""

    assumptions: tuple[Conjecture, ...]
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
    """One module with its learner, its present conjecture and the search of their pairs."""

    module: Module
    bits: StateBits
    table: SymbolicTable[Residual, Suffix] = field(init=False)
    conjecture: Conjecture = field(init=False)
    automaton: SymbolicAutomaton = field(init=False)
    exploration: Exploration = field(init=False)
    judged: Bdd = field(init=False)
    suspected: bool = field(init=False)

    def __post_init__(self) -> None:
        self.table = SymbolicTable(self.module)
        self._restart()

    def refine(self, word: Sequence[Bdd]) -> None:
        """Learn from a word and begin the search anew."""
        self.table.refine(word)
        self._restart()

    def _restart(self) -> None:
        self.conjecture = self.table.conjecture()
        self.automaton = SymbolicAutomaton.of(self.module.context, self.bits, self.conjecture)
        self.exploration = Exploration(self.module, self.automaton, self.module.letter_bits)
        self.judged = self.module.context.false
        self.suspected = False

    @property
    def forbidden(self) -> Bdd:
        """Unsafe letters that the module shows and the conjecture allows: violations of premise 1."""
        return self.exploration.unsafe & ~self.automaton.rejects

    def strengthened(self) -> Conjecture:
        """The conjecture after edge deletion, by what the search has seen so far."""
        available = self.exploration.available()
        return strengthened(self.module.context, self.bits, self.conjecture, available, self.module.unsafe)


class AscvG:
    """One run of the algorithm on given modules.

    The modules are searched in step, ring by ring. With edge deletion the last premise is asked as soon as
    some module shows a new unsafe letter, with the assumptions as strong as the rings so far allow: what
    it finds is a word that the assumptions will still reject when the search is complete.
    """

    def __init__(
        self,
        modules: Sequence[Module],
        composition: Module,
        falsification: EarlyFalsification | None,
        edge_deletion: bool,
        progress: Progress,
        name: str = "",
    ) -> None:
        self._composition = composition
        self._falsification = falsification
        self._edge_deletion = edge_deletion
        self._progress = progress
        self._context = composition.context
        self._hiding = any(module.hidden for module in modules)
        self.sides = [_Side(module, StateBits(self._context, f"{name}A{i}")) for i, module in enumerate(modules)]
        # Not the composition's: it also shows what these modules may hide from each other.
        self.letter_bits = tuple(dict.fromkeys(bit for module in modules for bit in module.letter_bits))
        self.equivalence_queries = 0

    @property
    def states(self) -> int:
        """The size of the largest assumption."""
        return max(side.table.states for side in self.sides)

    def rounds(self) -> Rounds:
        """Learn until the rule is satisfied or a violation is found."""
        while True:
            yield self.states
            refutation = self._search()
            if refutation is not None:
                return refutation
            assumptions, word = self._last_premise()
            if word is not None:
                if not all(_produces(side.module, word) for side in self.sides):
                    self._refine(assumptions, word)
                elif not self._hiding or self._is_real(word):
                    return Refuted(tuple(word))
                else:
                    return None
            elif all(side.exploration.complete for side in self.sides):
                deleted = any(side.forbidden != self._context.false for side in self.sides)
                return Proved(assumptions, tuple(side.exploration for side in self.sides), deleted)

    def _search(self) -> Refuted | None:
        """Premise 1: search all modules until the last premise is worth asking (see the class)."""
        deletion = self._edge_deletion
        while True:
            for side in self.sides:
                while side.forbidden != self._context.false and not (deletion and side.suspected):
                    side.suspected = True
                    word = None if self._falsification is None else self._falsification.search()
                    if word is not None:
                        return Refuted(tuple(word), by_early_falsification=True)
                    if not deletion:
                        self.equivalence_queries += 1
                        side.refine(self._violation(side))
            if all(side.exploration.complete for side in self.sides) or (deletion and self._worth_asking()):
                return None
            for side in self.sides:
                if not side.exploration.complete:
                    side.exploration.advance()
            lengths = ", ".join(str(len(side.exploration.rings) - 1) for side in self.sides)
            sizes = ", ".join(str(side.automaton.states) for side in self.sides)
            self._progress(f"premise 1: rings {lengths}; assumption states {sizes}")

    def _worth_asking(self) -> bool:
        """Whether every module shows an unsafe letter, and one shows one that was not judged yet."""
        shown = [side.exploration.unsafe for side in self.sides]
        if any(letters == self._context.false for letters in shown):
            return False
        return any(letters != side.judged for side, letters in zip(self.sides, shown, strict=True))

    def _last_premise(self) -> tuple[tuple[Conjecture, ...], list[Bdd] | None]:
        """The assumptions, and a word that all of them reject if there is one."""
        self.equivalence_queries += 1
        deletion = self._edge_deletion
        assumptions = tuple(side.strengthened() if deletion else side.conjecture for side in self.sides)
        automata = [
            SymbolicAutomaton.of(self._context, side.bits, assumption)
            for side, assumption in zip(self.sides, assumptions, strict=True)
        ]
        for side in self.sides:
            side.judged = side.exploration.unsafe
        return assumptions, discharge(self._context, automata, self.letter_bits, self._progress)

    def _violation(self, side: _Side) -> list[Bdd]:
        word = side.exploration.word_to(side.forbidden, side.module.letter_bits)
        if word is None:
            raise AssertionError("the module shows a letter at no position")
        return word

    def _is_real(self, word: Sequence[Bdd]) -> bool:
        """Whether the whole system, which sees more than the modules' letters show, can produce the word."""
        return _produces(self._composition, word)

    def _refine(self, assumptions: Sequence[Conjecture], word: Sequence[Bdd]) -> None:
        """Teach every module that cannot produce the word.

        The word need not separate the table's conjecture from W: the conjecture may reject it only since
        its edges were deleted. Then some other word that leads to the same state was the reason, and
        that one does separate.
        """
        for side, assumption in zip(self.sides, assumptions, strict=True):
            if _produces(side.module, word):
                continue
            try:
                side.refine(word)
            except NotACounterexample:
                state = assumption.run(word[:-1])[-1]
                target = side.bits.state(state) & side.module.pick(word[-1])
                own = side.exploration.word_to(target, side.module.letter_bits)
                if own is None:
                    raise AssertionError("an assumption rejects a letter that its module never shows") from None
                side.refine(own)


def _produces(module: Module, word: Sequence[Bdd]) -> bool:
    return module.produces(module.initial(), module.suffixes(word)[0])
