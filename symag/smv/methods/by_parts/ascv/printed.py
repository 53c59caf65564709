"""ASCV_G as the paper prints it (Fig. 7 with line 5' and edge deletion, Sections 5.4 and 6.2).

The modules are searched one after the other, each until premise 1 is decided. A counterexample refines the
module's own assumption, with two exceptions: early falsification shows that it is real in every other module,
or edge deletion postpones it (the assumption then has the same states, and forbids this and all further
counterexamples). Then the last premise is asked. If it fails with a word that some module cannot produce, the
assumptions with deleted edges are given up, and each module whose edges were deleted learns from its own
counterexample (the word itself may be one that its table already rejects). If no edge was deleted, the first
module that cannot produce the word learns from it.

Two things necessarily differ from the print. Whether a counterexample is feasible in the other modules is
decided for all of them together, along the letters that its module shows, because two of them may follow
different words of a set. And a module's letters are only those that it can see: others have no effect on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.bdd.context import Bdd
from symag.core.limits import ProgressFigures
from symag.learning.symbolic_table import Conjecture
from symag.smv.methods.by_parts.ascv.ascv_g import AscvG
from symag.smv.methods.by_parts.ascv.premise import walk_back
from symag.smv.methods.by_parts.ascv.sides import ModuleLearner, Rounds, RuleProof, ViolatingWord, produces
from symag.smv.methods.by_parts.module import Module


class PrintedAscvG(AscvG):
    """One run of the paper's loop; the same contract as ``AscvG``."""

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
