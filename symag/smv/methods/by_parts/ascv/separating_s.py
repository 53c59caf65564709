"""Rule-S with an assumption between the strongest and the weakest: any automaton that keeps two sets of words apart.

The assumption must reject the words of safe* . unsafe that the first module shows (the weakest rejects these alone),
and none of those that the second shows (the strongest rejects all others). The smallest deterministic automata that
agree with a sample of words of both modules are tried (``separating_search``), until one keeps all words apart. Before
each of them a run of the whole system is searched, a few rings at a time, for the words of a violation may be many. L*
instead learns the weakest assumption.

The idea is of Y.-F. Chen, A. Farzan, E. M. Clarke, Y.-K. Tsay, B.-Y. Wang, "Learning minimal separating DFA's for
compositional verification" (TACAS 2009); here letters are sets.
"""

from __future__ import annotations

from collections.abc import Generator

from symag.bdd.context import Bdd
from symag.core.limits import Progress, ProgressFigures
from symag.learning.separating_search import LetterClasses, SeparatingSearch
from symag.learning.symbolic_table import Conjecture
from symag.smv.methods.by_parts.ascv.ascv_s import ProvedByRuleS
from symag.smv.methods.by_parts.ascv.falsification import EarlyFalsification
from symag.smv.methods.by_parts.ascv.premise import ModuleExploration
from symag.smv.methods.by_parts.ascv.sides import ViolatingWord, produces, shown_along_a_run
from symag.smv.methods.by_parts.automaton import StateBits, SymbolicAutomaton
from symag.smv.methods.by_parts.module import Module, letter_cube

#: A word of sets of letters, and its node without the last (of the first module's), or the goal of that node.
_Sample = tuple[tuple[Bdd, ...], int]


class SeparatingS:
    """One run of the search for the assumption of ``first``; the same contract as ``AscvS``."""

    def __init__(self, first: Module, second: Module, whole: Module, progress: Progress, name: str = "") -> None:
        self._modules = (first, second)
        self._letter_bits = whole.letter_bits
        self._progress = progress
        self._falsification = EarlyFalsification(whole, (first, second))
        self._context = first.context
        self.bits = StateBits(first.context, f"{name}A")
        self.conjecture = Conjecture((((0, first.safe),),), (first.context.false,))
        self._search = SeparatingSearch(1)
        self._letters = LetterClasses(self._search, 0, first.safe)
        self._samples: tuple[list[_Sample], list[_Sample]] = ([], [])
        self._known: set[tuple[Bdd, ...]] = set()
        self._queries = 0

    @property
    def states(self) -> int:
        """The size of the assumption."""
        return len(self.conjecture.edges)

    @property
    def figures(self) -> dict[str, int]:
        """Cost so far, by the names of the statistics."""
        return {
            "sat_calls": self._search.calls,
            "sample_words": len(self._known),
            "letter_classes": len(self._letters.classes),
            "equivalence_queries": self._queries,
        }

    def rounds(self) -> Generator[int, None, ProvedByRuleS | ViolatingWord]:
        """Search until both premises hold or a violation is found; yields the size before each conjecture."""
        try:
            while True:
                yield self.states
                word = self._falsification.search()
                if word is not None:
                    return ViolatingWord(tuple(word), by_early_falsification=True)
                outcome = self._round()
                if outcome is not None:
                    return outcome
        finally:
            self._search.close()

    def _round(self) -> ProvedByRuleS | ViolatingWord | None:
        """One conjecture and its premises, ring by ring: None if words of the modules refute it."""
        context = self._context
        (moves,) = self._search.smallest()
        edges = self._letters.edges(moves)
        self.conjecture = Conjecture(edges, (context.false,) * len(edges))
        self._queries += 1
        line = f"premises: {self.states} assumption states, {len(self._known)} words"
        self._progress(ProgressFigures(line, {"assumption_states": self.states, **self.figures}))
        automaton = SymbolicAutomaton.of(context, self.bits, self.conjecture)
        first, second = (ModuleExploration(module, automaton, self._letter_bits) for module in self._modules)
        while True:
            common = first.unsafe & second.unsafe
            if common != context.false:
                return self._refuted((first, second), common)
            if first.complete and second.complete:
                return ProvedByRuleS(self._assumption(first, second), (first.reached, second.reached))
            for exploration in (first, second):
                if not exploration.complete:
                    exploration.advance()

    def _assumption(self, first: ModuleExploration, second: ModuleExploration) -> Conjecture:
        """The conjecture with a small set of rejected letters between what must be rejected and what must not."""
        context = self._context
        rejects = []
        for state in range(self.states):
            must, must_not = (
                context.exists(self.bits.current, shown.unsafe & self.bits.state(state)) for shown in (first, second)
            )
            rejects.append(context.restrict(must, must | must_not) if must != context.false else must)
        return Conjecture(self.conjecture.edges, tuple(rejects))

    def _refuted(self, explorations: tuple[ModuleExploration, ModuleExploration], common: Bdd) -> ViolatingWord | None:
        """Words of both modules with the same unsafe letter in the same state join the sample, one pair a state."""
        context = self._context
        added = False
        for state in range(self.states):
            here = common & self.bits.state(state)
            if here == context.false:
                continue
            target = self.bits.state(state) & letter_cube(context, self._letter_bits, context.pick(here))
            for side, exploration in enumerate(explorations):
                word = exploration.word_to(target, self._letter_bits)
                if word is None:
                    raise AssertionError("a module shows a letter at no position")
                if produces(self._modules[1 - side], word):
                    return ViolatingWord(tuple(word))
                sets = tuple(shown_along_a_run(self._modules[side], word))
                if sets not in self._known:
                    self._known.add(sets)
                    added = True
                    violation = self._add(side, sets)
                    if violation is not None:
                        return violation
        if not added:
            raise AssertionError("a conjecture does not agree with the sample")
        return None

    def _add(self, side: int, sets: tuple[Bdd, ...]) -> ViolatingWord | None:
        """A word of one module joins the sample; a violation if it has a word in common with one of the other's."""
        number = self._letters.node(sets[:-1])
        if side == 1:
            number = self._search.goal(0, number)
            self._search.demand([number])
        self._samples[side].append((sets, number))
        for others, other in self._samples[1 - side]:
            if sets[-1] & others[-1] == self._context.false:
                continue
            if len(others) == len(sets):
                both = [one & another for one, another in zip(sets, others, strict=True)]
                if all(letters != self._context.false for letters in both):
                    return ViolatingWord(tuple(self._modules[0].pick(letters) for letters in both))
            goal, node = (number, other) if side == 1 else (other, number)
            self._search.differ(goal, node)
        return None
