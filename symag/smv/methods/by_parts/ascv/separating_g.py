"""Rule-G with the smallest automata that suffice, found by SAT for all modules together.

The automata only say how words are told apart: each module then gets the strongest assumption with the states of its
automaton (edge deletion), which it respects by construction. So the last premise alone refutes. A word that all
assumptions reject must end, in the automaton of some module that cannot produce it, in another state than the words
with which the module shows the same ending there. Which module that is, is left to the solver; where only one cannot
produce the word, all words that the others can show by the same runs must be told apart (``samples``).

The runs of the rule with one assumption are in ``separating_s``, with the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.learning.separating_search import LetterClasses, Moves, SeparatingSearch
from symag.learning.symbolic_table import Conjecture
from symag.smv.methods.by_parts.ascv.falsification import EarlyFalsification
from symag.smv.methods.by_parts.ascv.last_premise import LastPremise
from symag.smv.methods.by_parts.ascv.sides import (
    Rounds,
    RuleProof,
    SearchedModule,
    SpuriousWord,
    ViolatingWord,
    produces,
    shown_along_a_run,
)
from symag.smv.methods.by_parts.automaton import StateBits
from symag.smv.methods.by_parts.module import Module, letter_cube

_Word = tuple[Bdd, ...]


@dataclass(eq=False)
class SeparatingSide(SearchedModule):
    """One module with its automaton.

    ``shown`` are words of sets of letters that the module shows, each with its node; ``excluded`` words of the others,
    each with its goal and with the letters of all modules.
    """

    letters: LetterClasses = field(kw_only=True)
    shown: list[tuple[_Word, int]] = field(default_factory=list)
    excluded: list[tuple[_Word, int, _Word]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.restart(((0,),))

    def restart(self, moves: Moves) -> None:
        """Begin the search anew with an automaton over the classes of letters."""
        self.begin(Conjecture(self.letters.edges(moves), (self.module.context.false,) * len(moves)))


class SeparatingG(LastPremise[SeparatingSide]):
    """One run of the search on given modules, without look-ahead; the same contract as ``AscvG``."""

    def __init__(
        self,
        modules: Sequence[Module],
        composition: Module,
        falsification: EarlyFalsification | None,
        progress: Progress,
        name: str = "",
    ) -> None:
        self._search = SeparatingSearch(len(modules))
        bits = (StateBits(composition.context, f"{name}A{i}") for i in range(len(modules)))
        sides = [
            SeparatingSide(module, state, letters=LetterClasses(self._search, i, module.safe))
            for i, (module, state) in enumerate(zip(modules, bits, strict=True))
        ]
        super().__init__(sides, composition, falsification, progress)

    @property
    def figures(self) -> dict[str, int]:
        """Cost so far, by the names of the statistics."""
        return {
            "sat_calls": self._search.calls,
            "sample_words": sum(len(side.shown) + len(side.excluded) for side in self.sides),
            "letter_classes": sum(len(side.letters.classes) for side in self.sides),
            "equivalence_queries": self.equivalence_queries,
        }

    def rounds(self) -> Rounds:
        """Search until the rule is satisfied or a violation is found."""
        try:
            while True:
                yield self.states
                outcome = self._falsified() or self._round()
                if outcome is not None:
                    return outcome
        finally:
            self._search.close()

    def _round(self) -> RuleProof | ViolatingWord | SpuriousWord | None:
        """One choice of automata, with the modules searched in step: None if the last premise refutes it."""
        for side, moves in zip(self.sides, self._search.smallest(), strict=True):
            side.restart(moves)
        while True:
            complete = all(side.exploration.complete for side in self.sides)
            if complete or self._worth_asking():
                assumptions = tuple(side.strengthened() for side in self.sides)
                word = self._last_premise(assumptions)
                if word is not None:
                    return self._refuted(assumptions, word)
            if complete:
                return RuleProof(assumptions, tuple(side.exploration for side in self.sides))
            for side in self.sides:
                if not side.exploration.complete:
                    side.exploration.advance()
            sizes = ", ".join(str(side.states) for side in self.sides)
            figures = {"assumption_states": self.states, **self.figures}
            self._progress(ProgressFigures(f"automata of {sizes} states", figures))

    def _refuted(self, assumptions: Sequence[Conjecture], word: Sequence[Bdd]) -> ViolatingWord | SpuriousWord | None:
        """A word that all assumptions reject joins the samples of the modules that cannot produce it."""
        able = [side for side in self.sides if produces(side.module, word)]
        unable = [number for number, side in enumerate(self.sides) if side not in able]
        if not unable:
            return self._judged(word)
        sets = tuple(word)
        if len(unable) == 1:
            runs = [shown_along_a_run(side.module, word) for side in able]
            sets = tuple(self._context.conjunction(letters) for letters in zip(*runs, strict=True))
        goals = []
        for number in unable:
            side = self.sides[number]
            own = self._word_of_the_module(side, assumptions[number], word)
            common = self._show(number, tuple(shown_along_a_run(side.module, own)))
            goal, other = self._exclude(number, sets)
            goals.append(goal)
            if common is not None or other is not None:
                return self._judged(common or other or ())
        self._search.demand(goals)
        return None

    def _show(self, number: int, sets: _Word) -> list[Bdd] | None:
        """A word that a module shows joins its sample; a word that all modules show, if this reveals one."""
        side = self.sides[number]
        node = side.letters.node(sets[:-1])
        side.shown.append((sets, node))
        for excluded, goal, whole in side.excluded:
            if (common := self._related(sets, node, excluded, goal, whole)) is not None:
                return common
        return None

    def _exclude(self, number: int, whole: _Word) -> tuple[int, list[Bdd] | None]:
        """The goal that a module's automaton tells its own words from these of the others; a word of all as above."""
        side = self.sides[number]
        bits = frozenset(side.module.letter_bits)
        sets = tuple(self._context.exists(self._context.support(letters) - bits, letters) for letters in whole)
        goal = self._search.goal(number, side.letters.node(sets[:-1]))
        side.excluded.append((sets, goal, whole))
        for shown, node in side.shown:
            if (common := self._related(shown, node, sets, goal, whole)) is not None:
                return goal, common
        return goal, None

    def _related(self, shown: _Word, node: int, excluded: _Word, goal: int, whole: _Word) -> list[Bdd] | None:
        """Tell a module's words from excluded ones with the same ending; a word of all modules if they have one."""
        context = self._context
        if shown[-1] & excluded[-1] == context.false:
            return None
        if len(shown) == len(excluded):
            both = [own & letters for own, letters in zip(shown, whole, strict=True)]
            if all(letters != context.false for letters in both):
                return [letter_cube(context, self.letter_bits, context.pick(letters)) for letters in both]
        self._search.differ(goal, node)
        return None
