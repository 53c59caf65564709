"""ASCV_G: assumptions for any number of modules under Rule-G (paper, Fig. 7, Sections 5.4 and 6.2).

Rule-G: if every module M_i satisfies the property under its assumption A_i (premise 1), and no word is
rejected by all assumptions (last premise), then the composition satisfies the property.

This form is guided by the last premise; ``PrintedAscvG`` has the loop as the paper prints it. Edge deletion is
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
from symag.smv.methods.by_parts.ascv.falsification import EarlyFalsification
from symag.smv.methods.by_parts.ascv.last_premise import LastPremise
from symag.smv.methods.by_parts.ascv.premise import walk_back
from symag.smv.methods.by_parts.ascv.sides import ModuleLearner, Rounds, RuleProof, ViolatingWord, produces
from symag.smv.methods.by_parts.automaton import StateBits
from symag.smv.methods.by_parts.module import Module


class AscvG(LastPremise[ModuleLearner]):
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
        bits = (StateBits(composition.context, f"{name}A{i}") for i in range(len(modules)))
        sides = [ModuleLearner(module, state) for module, state in zip(modules, bits, strict=True)]
        super().__init__(sides, composition, falsification, progress)
        self._edge_deletion = edge_deletion

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
                real = self._falsified()
                if real is not None:
                    return real
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

    def _search(self) -> ViolatingWord | None:
        """Premise 1: search all modules until the last premise is worth asking (see the class)."""
        deletion = self._edge_deletion
        while True:
            for side in self.sides:
                while side.forbidden != self._context.false and not (deletion and side.suspected):
                    side.suspected = True
                    real = self._falsified()
                    if real is not None:
                        return real
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

    def _refine(self, assumptions: Sequence[Conjecture], word: Sequence[Bdd]) -> None:
        """Refine the assumption of every module that cannot produce the word.

        If only the assumption with deleted edges rejects the word, the table's conjecture is right about it. Then
        the module shows the same ending after another word to the same state, and that one refines the conjecture.
        """
        for side, assumption in zip(self.sides, assumptions, strict=True):
            if produces(side.module, word):
                continue
            try:
                side.refine(word)
            except NotACounterexample:
                side.refine(self._word_of_the_module(side, assumption, word))


class PrintedAscvG(AscvG):
    """One run of the loop as the paper prints it (Fig. 7 with line 5' and edge deletion, Sections 5.4 and 6.2).

    The modules are searched one after the other, each until premise 1 is decided. A counterexample refines the module's
    own assumption, with two exceptions: early falsification shows that it is real in every other module, or edge
    deletion postpones it (the assumption then has the same states, and forbids this and all further counterexamples).
    Then the last premise is asked. If it fails with a word that some module cannot produce, the assumptions with
    deleted edges are given up, and each module whose edges were deleted learns from its own counterexample (the word
    itself may be one that its table already rejects). If no edge was deleted, the first module that cannot produce the
    word learns from it.

    Two things necessarily differ from the print. Whether a counterexample is feasible in the other modules is decided
    for all of them together, along the letters that its module shows, because two of them may follow different words of
    a set. And a module's letters are only those that it can see: others have no effect on it.
    """

    def rounds(self) -> Rounds:
        """Learn until the rule is satisfied or a violation is found."""
        word = self._word_shorter_than_an_ending()
        if word is not None:
            return self._judged(word)
        while True:
            yield self.states
            assumptions: list[Conjecture] = []
            postponed: dict[int, list[Bdd]] = {}
            for number, side in enumerate(self.sides):
                while (cex := self._safe_assumption(side)) is not None:
                    real = None if self._falsification is None else feasible(self._composition, cex)
                    if real is not None:
                        return ViolatingWord(tuple(real), by_early_falsification=True)
                    if self._edge_deletion:
                        postponed[number] = cex
                        break
                    side.refine(cex)
                    yield self.states
                if number in postponed:
                    side.exploration.finish(self._progress)
                assumptions.append(side.without_forbidden() if number in postponed else side.conjecture)
            word = self._last_premise(assumptions)
            if word is None:
                return RuleProof(tuple(assumptions), tuple(side.exploration for side in self.sides), bool(postponed))
            unable = [side for side in self.sides if not produces(side.module, word)]
            if not unable:
                return self._judged(word)
            for number, cex in postponed.items():
                self.sides[number].refine(cex)
            if not postponed:
                unable[0].refine(word)

    def _safe_assumption(self, side: ModuleLearner) -> list[Bdd] | None:
        """Premise 1 of one module: a shortest counterexample, or None after a complete search."""
        self.equivalence_queries += 1
        while side.forbidden == self._context.false:
            if side.exploration.complete:
                return None
            side.exploration.advance()
            length = len(side.exploration.rings) - 1
            line = f"premise of module {self.sides.index(side)}: ring {length}; states {self._sizes()}"
            self._progress(ProgressFigures(line, {"assumption_states": self.states, **self.figures}))
        return side.violation()


def feasible(composition: Module, word: Sequence[Bdd]) -> list[Bdd] | None:
    """A word of the whole system that agrees with a module's word (cubes of the module's letter bits).

    None if there is none. Costs one image of the system for each letter, within concrete letters.
    """
    context = composition.context
    step = composition.product("image", (*composition.invar, *composition.trans), composition.passing_bits)
    rings = [composition.started(composition.initial()) & word[0]]
    for letter in word[1:]:
        rings.append(composition.encoding.to_current(step.apply(rings[-1])) & letter)
        if rings[-1] == context.false:
            return None
    meeting = context.conjunction((rings[-1], composition.unsafe, *composition.invar))
    if meeting == context.false:
        return None
    return walk_back(composition, None, rings, context.pick(meeting), composition.letter_bits)
