"""What both learners of Rule-G share: modules that are searched in step, and the last premise of the rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from symag.bdd.context import Bdd, BddContext
from symag.core.limits import Progress
from symag.learning.symbolic_table import Conjecture
from symag.smv.methods.by_parts.ascv.falsification import EarlyFalsification
from symag.smv.methods.by_parts.ascv.sides import SearchedModule, SpuriousWord, ViolatingWord, produces
from symag.smv.methods.by_parts.automaton import SymbolicAutomaton, WordEnding
from symag.smv.methods.by_parts.module import Module, letter_cube
from symag.smv.symbolic.relational_product import RelationalProduct


def discharge(
    context: BddContext,
    automata: Sequence[SymbolicAutomaton],
    ending: WordEnding,
    letter_bits: Sequence[str],
    progress: Progress,
) -> list[Bdd] | None:
    """A shortest word of safe* . unsafe that every automaton rejects, or None if the premise holds.

    ``ending`` is the kind of ending that the automata reject; shorter words are not judged. Letters are cubes
    of ``letter_bits``, all I/O bits of the system. The search is a reachability analysis of the product of
    the complements: one image for each ring.
    """
    state_bits = [bit for automaton in automata for bit in automaton.bits.current]
    conjuncts = [automaton.transition for automaton in automata]
    step = RelationalProduct.of(context, conjuncts, (*state_bits, *letter_bits))
    rejected = RelationalProduct.of(context, [automaton.rejects for automaton in automata], ())
    ring = context.conjunction(automaton.bits.state(0) for automaton in automata)
    reached, rings = ring, [ring]
    while True:
        meeting = rejected.apply(ring)
        if meeting != context.false:
            return _word(context, automata, ending, letter_bits, rings, meeting)
        image = step.apply(ring)
        for automaton in automata:
            image = automaton.bits.to_current(image)
        ring = image & ~reached
        if ring == context.false:
            return None
        reached = reached | ring
        rings.append(ring)
        progress(f"last premise: ring {len(rings) - 1}")


def _word(
    context: BddContext,
    automata: Sequence[SymbolicAutomaton],
    ending: WordEnding,
    letter_bits: Sequence[str],
    rings: Sequence[Bdd],
    meeting: Bdd,
) -> list[Bdd]:
    chosen = context.pick(meeting)
    word = ending.letters(letter_bits, chosen)[::-1]
    for ring in reversed(rings[:-1]):
        following = {
            then: chosen.get(now, False)
            for automaton in automata
            for now, then in zip(automaton.bits.current, automaton.bits.next, strict=True)
        }
        before = ring
        for automaton in automata:
            before = before & context.cofactor(automaton.transition, following)
        chosen = context.pick(before)
        word.append(letter_cube(context, letter_bits, chosen))
    return word[::-1]


_Side = TypeVar("_Side", bound=SearchedModule)


class LastPremise(Generic[_Side]):
    """The sides of one run, with the question whether some word is rejected by all their assumptions."""

    def __init__(
        self,
        sides: Sequence[_Side],
        composition: Module,
        falsification: EarlyFalsification | None,
        progress: Progress,
    ) -> None:
        self.sides = sides
        # Not the composition's letter bits: they include variables that these modules may hide.
        self.letter_bits = tuple(dict.fromkeys(bit for side in sides for bit in side.module.letter_bits))
        self.equivalence_queries = 0
        self._composition = composition
        self._falsification = falsification
        self._progress = progress
        self._context = composition.context
        self._ending = sides[0].module.ending
        self._hiding = any(side.module.hidden for side in sides)

    @property
    def states(self) -> int:
        """The size of the largest assumption."""
        return max(side.states for side in self.sides)

    def _falsified(self) -> ViolatingWord | None:
        """A turn of early falsification: a violation if it finds one."""
        word = None if self._falsification is None else self._falsification.search()
        return None if word is None else ViolatingWord(tuple(word), by_early_falsification=True)

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

    def _judged(self, word: Sequence[Bdd]) -> ViolatingWord | SpuriousWord:
        """Whether a word that every module can produce is a violation or spurious."""
        if not self._hiding or produces(self._composition, word):
            return ViolatingWord(tuple(word))
        return SpuriousWord(tuple(word))

    def _word_of_the_module(self, side: _Side, assumption: Conjecture, word: Sequence[Bdd]) -> list[Bdd]:
        """A word of the module that leads its assumption to the state, and has the ending, of a rejected word."""
        read = len(word) - self._ending.length
        state = assumption.run(word[:read])[-1]
        target = side.bits.state(state) & self._ending.diagram(word[read:], side.module.letter_bits)
        own = side.exploration.word_to(target, side.module.letter_bits)
        if own is None:
            raise AssertionError("an assumption rejects a letter that its module never shows")
        return own
