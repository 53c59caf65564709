"""The method ``agar``: assume-guarantee abstraction refinement.

Sources: agar-lts-2008, Algorithms 2 and 3 for two components and Rule 3 (Section 6) for n. The first premise
``<A_1> M_1 <P>`` is the only one that is checked; counterexamples refine the abstractions, several in an
iteration (nested_abstractions.py). Of two parts, where that has cost more than the composition of both is likely to,
all letters of the interface are compared, and each iteration also splits every block by the moves of its states: after
at most as many as the second part is deep the assumption is that part, reduced. (With a part of the letters, its moves
may be many more: Chiron.)

Alphabets. The interface of level i are the actions that the first i components or the property share with the others.
With alphabet refinement the assumptions begin with the property's part of it. A counterexample that is real for these
letters gives one word of each component. If the words have a common extension, it is an error of the system; otherwise
the actions on which they differ are added. (The paper compares *sets* of actions, which can be equal while the orders
differ: here the words are compared, from the end.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import Verdict
from symag.lts.composition import composed
from symag.lts.methods.abstraction import AbstractPath
from symag.lts.methods.nested_abstractions import Level
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.parts import Parts, chosen_letters, common_word, followed
from symag.lts.reduction import reduced
from symag.lts.safety_problem import SafetyOutcome, SafetyProblem
from symag.lts.view import (
    ErrorSearch,
    JointStep,
    View,
    run_to_error,
    towards_error,
    universal,
    visible_word,
    word_automaton,
)
from symag.lts.words import Word


def decide(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
    """Holds with a certificate of Rule 1 or 3, or violated with a word of all parts. Raises MemoryError."""
    return _Agar(Parts.of(problem, options), progress).answer(options.alphabet_refinement)


#: An iteration refines by this many words at most. With 16 in the place of 1, chiron2 4 takes 367 iterations of 1041.
_CONFLICTS = 16
#: After its first word a search goes on until it has done so much work.
_FURTHER = 2_000_000
#: After so much work, in pairs of an abstract and a concrete state, single splits have failed: 5 to 10 seconds.
_WORK = 50_000_000
#: A split costs as much as this many pairs for each state that the abstraction has: measured on Chiron with 5 handlers.
_SPLIT = 20


@dataclass(slots=True)
class _Figures:
    iterations: int = 0
    refinements: int = 0
    alphabet_refinements: int = 0
    assumption_states_max: int = 0
    largest: tuple[int, int] = (0, 0)


class _Agar:
    def __init__(self, parts: Parts, progress: Progress) -> None:
        self._parts = parts
        self._progress = progress
        self._first = composed((parts.systems[0], parts.property), "M1 || P").lts
        self._towards_error = towards_error(self._first)
        self._count = len(parts.systems)
        self._interfaces = [parts.interface(part) for part in range(self._count - 1)]
        self._figures = _Figures()
        self._work = 0  # for all alphabets together

    def answer(self, refines_alphabet: bool) -> SafetyOutcome:
        """Algorithm 3; Algorithm 2 if the alphabet is the whole interface from the start."""
        alphabet = set(self._parts.property.alphabet[1:])
        if not refines_alphabet:
            alphabet.update(*self._interfaces)
        while True:
            levels = self._levels(alphabet)
            words = self._checked(levels)
            if words is None:
                return self._holds(levels)
            common = self._common(words) if words else frozenset[str]().union(*self._interfaces)
            if not isinstance(common, frozenset):
                automata = tuple(levels[0].automata()) if levels else ()
                figures = self._statistics(levels)
                return SafetyOutcome(Verdict.VIOLATED, word=common, statistics=figures, assumptions=automata)
            fresh = common - alphabet
            assert fresh, "words that agree on all letters so far differ on another one"
            alphabet |= fresh
            self._figures.refinements += sum(level.refinements for level in levels)
            self._figures.largest = max(self._figures.largest, *(level.largest for level in levels))
            self._figures.alphabet_refinements += 1
            self._progress(ProgressFigures(f"comparing {', '.join(sorted(fresh))} too", self._statistics(levels)))

    def _levels(self, alphabet: set[str]) -> list[Level]:
        level: Level | None = None
        for part in range(self._count - 1, 0, -1):
            letters = chosen_letters(self._interfaces[part - 1], alphabet)
            level = Level(self._parts.systems[part], level, letters)
        return [] if level is None else level.levels()

    def _checked(self, levels: list[Level]) -> list[Word] | None:
        """Algorithm 2: a word of each part, which together violate as far as the levels' letters show, or None.

        No words if single splits have failed before all letters are compared.
        """
        if self._towards_error is None:
            self._figures.assumption_states_max = min(1, len(levels))
            return None
        if not levels:
            run = run_to_error(universal(()), View.of(self._towards_error, ()))
            return None if run is None else [self._first_word((), ())]
        top = levels[0]
        view = reduced(View.of(self._towards_error, top.letters))
        rounds = 1
        while True:
            if len(levels) == 1 and self._work > _WORK:
                if len(top.letters) < len(self._interfaces[0]):
                    return []
                # A search costs ten times a round of splits, so each is after twice as many.
                for _ in range(rounds):
                    top.split_everywhere()
                rounds *= 2
            self._figures.iterations += 1
            splits = top.refinements
            self._figures.assumption_states_max = max(
                self._figures.assumption_states_max, *(level.states for level in levels)
            )
            search = ErrorSearch(top.abstraction.automaton(), view, _CONFLICTS, _FURTHER)
            runs = search.runs()
            if not runs:
                return None
            line = f"iteration {self._figures.iterations}, {top.states} abstract states, word of {len(runs[0])}"
            self._progress(ProgressFigures(line, self._statistics(levels)))
            blocks = top.abstraction.blocks
            for run in runs:
                path = top.refined(_path(run, top), blocks)
                words = None if path is None else top.words(path)
                if path is not None and words is not None:
                    return [self._first_word(top.letters, [top.letters[letter] for letter in path.letters]), *words]
            splits = top.refinements - splits
            self._work += search.work + _SPLIT * splits * top.abstraction.view.states

    def _first_word(self, letters: tuple[str, ...], word: Sequence[str]) -> Word:
        """A run of the first part with the property to ERROR, along at most this word of the interface."""
        assert self._towards_error is not None
        automaton = word_automaton(letters, word, accepting=False)
        run = run_to_error(automaton, View.of(self._towards_error, letters, merged=False))
        assert run is not None, "the word leads to ERROR"
        return visible_word(run)

    def _common(self, words: list[Word]) -> Word | frozenset[str]:
        alphabets = [self._parts.alphabet(part) for part in range(self._count)]
        common = common_word(words, alphabets)
        if isinstance(common, frozenset):
            return followed(words[0], self._parts.systems[1:], alphabets) or common
        return common

    def _holds(self, levels: list[Level]) -> SafetyOutcome:
        automata = levels[0].automata() if levels else []
        return SafetyOutcome(
            Verdict.HOLDS, certificate=self._parts.certificate(automata), statistics=self._statistics(levels)
        )

    def _statistics(self, levels: list[Level]) -> dict[str, int]:
        figures = self._figures
        sizes = [(self._first.states, self._first.transitions), *(level.largest for level in levels)]
        largest = max(*sizes, figures.largest)
        return {
            "assumption_states_max": figures.assumption_states_max,
            "assumption_states": max((level.states for level in levels), default=0),
            "iterations": figures.iterations,
            "refinements": figures.refinements + sum(level.refinements for level in levels),
            "alphabet_refinements": figures.alphabet_refinements,
            "interface_alphabet": len(set().union(*self._interfaces)),
            "assumption_alphabet": len({letter for level in levels for letter in level.letters}),
            "first_part_states": self._first.states,
            "second_part_states": self._parts.systems[1].states if self._count > 1 else 0,
            "largest_lts_states": largest[0],
            "largest_lts_transitions": largest[1],
        }


def _path(run: Sequence[JointStep], level: Level) -> AbstractPath:
    """The assumption's steps along a run: those in which it takes part."""
    number = {label: letter for letter, label in enumerate(level.letters)}
    seen = [move for move in run if move.is_seen]
    states = (0, *(move.state for move in seen))
    return AbstractPath(states, tuple(number[move.label] for move in seen))
