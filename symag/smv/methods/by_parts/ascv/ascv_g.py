"""ASCV_G: assumptions for any number of modules under Rule-G (paper, Fig. 7, Sections 5.4 and 6.2).

Rule-G: if every module M_i satisfies the property under its assumption A_i (premise 1), and no word is
rejected by all assumptions (last premise), then the composition satisfies the property.

This form is guided by the last premise; ``printed`` has the loop as the paper prints it. Edge deletion is
done in one fix-point. Only words of safe* . unsafe matter, so all edges that premise 1 would delete lead to
the sink at once: one reachability analysis gives the strongest assumption with the same states
(``automaton.strengthened``).
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.learning.counterexample import NotACounterexample
from symag.learning.symbolic_table import Conjecture
from symag.smv.methods.by_parts.ascv.discharge import discharge
from symag.smv.methods.by_parts.ascv.falsification import EarlyFalsification
from symag.smv.methods.by_parts.ascv.sides import (
    ModuleLearner,
    Rounds,
    RuleProof,
    SpuriousWord,
    ViolatingWord,
    produces,
)
from symag.smv.methods.by_parts.automaton import StateBits, SymbolicAutomaton
from symag.smv.methods.by_parts.module import Module


class AscvG:
    """One run of the algorithm on given modules.

    The modules are searched in step, ring by ring. With edge deletion the last premise is asked as soon as
    some module shows a new unsafe ending, with assumptions as strong as the rings so far allow. A word that
    these reject is still rejected when the search is complete. Early falsification gets a turn whenever a
    premise fails.
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
        self._ending = modules[0].ending
        self._hiding = any(module.hidden for module in modules)
        self.sides = [
            ModuleLearner(module, StateBits(self._context, f"{name}A{i}")) for i, module in enumerate(modules)
        ]
        # Not the composition's letter bits: they include variables that these modules may hide.
        self.letter_bits = tuple(dict.fromkeys(bit for module in modules for bit in module.letter_bits))
        self.equivalence_queries = 0

    @property
    def states(self) -> int:
        """The size of the largest assumption."""
        return max(side.states for side in self.sides)

    @property
    def figures(self) -> dict[str, int]:
        """Questions so far, by the names of the statistics."""
        return {
            "membership_queries": sum(side.table.queries for side in self.sides),
            "equivalence_queries": self.equivalence_queries,
        }

    def rounds(self) -> Rounds:
        """Learn until the rule is satisfied or a violation is found."""
        word = self._word_shorter_than_an_ending()
        if word is not None:
            return self._judged(word)
        while True:
            yield self.states
            refutation = self._search()
            if refutation is not None:
                return refutation
            deletion = self._edge_deletion
            assumptions = tuple(side.strengthened() if deletion else side.conjecture for side in self.sides)
            word = self._last_premise(assumptions)
            if word is not None:
                if all(produces(side.module, word) for side in self.sides):
                    return self._judged(word)
                real = None if self._falsification is None else self._falsification.search()
                if real is not None:
                    return ViolatingWord(tuple(real), by_early_falsification=True)
                self._refine(assumptions, word)
            elif all(side.exploration.complete for side in self.sides):
                deleted = any(side.forbidden != self._context.false for side in self.sides)
                return RuleProof(assumptions, tuple(side.exploration for side in self.sides), deleted)

    def _word_shorter_than_an_ending(self) -> list[Bdd] | None:
        """With look-ahead: a word of one unsafe letter that all modules can show, or None."""
        if self._ending.length == 1:
            return None
        letters = self._context.conjunction(side.module.unsafe_letters(side.module.initial()) for side in self.sides)
        if letters == self._context.false:
            return None
        return self._ending.letters(self.letter_bits, self._context.pick(letters))[:1]

    def _judged(self, word: Sequence[Bdd]) -> ViolatingWord | SpuriousWord:
        """Whether a word that every module can produce is a violation or spurious."""
        if not self._hiding or produces(self._composition, word):
            return ViolatingWord(tuple(word))
        return SpuriousWord(tuple(word))

    def _search(self) -> ViolatingWord | None:
        """Premise 1: search all modules until the last premise is worth asking (see the class)."""
        deletion = self._edge_deletion
        while True:
            for side in self.sides:
                while side.forbidden != self._context.false and not (deletion and side.suspected):
                    side.suspected = True
                    word = None if self._falsification is None else self._falsification.search()
                    if word is not None:
                        return ViolatingWord(tuple(word), by_early_falsification=True)
                    if not deletion:
                        self.equivalence_queries += 1
                        side.refine(side.violation())
            if all(side.exploration.complete for side in self.sides) or (deletion and self._worth_asking()):
                return None
            for side in self.sides:
                if not side.exploration.complete:
                    side.exploration.advance()
            lengths = ", ".join(str(len(side.exploration.rings) - 1) for side in self.sides)
            self._progress(
                ProgressFigures(
                    f"premise 1: rings {lengths}; assumption states {self._sizes()}",
                    {"assumption_states": self.states, **self.figures},
                )
            )

    def _sizes(self) -> str:
        return ", ".join(str(side.automaton.states) for side in self.sides)

    def _worth_asking(self) -> bool:
        """Whether every module shows unsafe endings, and one of them shows some that the last premise has not seen."""
        shown = [side.exploration.unsafe for side in self.sides]
        if any(letters == self._context.false for letters in shown):
            return False
        return any(letters != side.judged for side, letters in zip(self.sides, shown, strict=True))

    def _last_premise(self, assumptions: Sequence[Conjecture]) -> list[Bdd] | None:
        """A word that all assumptions reject, or None if the last premise holds."""
        self.equivalence_queries += 1
        automata = [
            SymbolicAutomaton.of(self._context, side.bits, assumption)
            for side, assumption in zip(self.sides, assumptions, strict=True)
        ]
        for side in self.sides:
            side.judged = side.exploration.unsafe
        return discharge(self._context, automata, self._ending, self.letter_bits, self._progress)

    def _refine(self, assumptions: Sequence[Conjecture], word: Sequence[Bdd]) -> None:
        """Refine the assumption of every module that cannot produce the word.

        If only the assumption with deleted edges rejects the word, the table's conjecture is right about it. Then
        the module shows the same ending after another word to the same state, and that one refines the conjecture.
        """
        read = len(word) - self._ending.length
        for side, assumption in zip(self.sides, assumptions, strict=True):
            if produces(side.module, word):
                continue
            try:
                side.refine(word)
            except NotACounterexample:
                state = assumption.run(word[:read])[-1]
                target = side.bits.state(state) & self._ending.diagram(word[read:], side.module.letter_bits)
                own = side.exploration.word_to(target, side.module.letter_bits)
                if own is None:
                    raise AssertionError("an assumption rejects a letter that its module never shows") from None
                side.refine(own)
