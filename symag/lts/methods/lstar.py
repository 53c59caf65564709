"""The method ``lstar``: assume-guarantee reasoning with learned assumptions.

Sources: Cobleigh, Giannakopoulou and Pasareanu, "Learning assumptions for compositional verification" (2003), for
Rule 1 and its two oracles; Gheorghiu, Giannakopoulou and Pasareanu, "Refining interface alphabets for compositional
verification" (2007), for alphabets; agar-lts-2008, Section 2, summarises both. n parts are decided recursively, as in
those papers: Oracle 2 for assumption A of part k, ``part k+1 || .. || part n |= A``, is the same problem with A as the
property. So a proof is one by Rule 3 of agar-lts-2008.

The assumption is learned as a deterministic automaton over ``letters``, at first (with alphabet refinement) the
property's part of the interface. Oracle 1: ``A || M_k |= P_k``. A counterexample of Oracle 2 that is not in the
weakest assumption gives one word of M_k and P_k and one of the rest. If these agree on the whole interface they are
an error of the system; otherwise the actions on which they differ (from the end) become letters, and learning begins
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import Verdict
from symag.learning.observation_table import ObservationTable
from symag.lts.composition import composed
from symag.lts.lts import Lts, Numbers, completed_with_error
from symag.lts.methods.common_word import common_word, differing, followed
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.outcome import SafetyOutcome
from symag.lts.methods.parts import Parts, chosen_letters
from symag.lts.methods.residuals import Residuals
from symag.lts.projection import Word, projected
from symag.lts.reduction import reduced
from symag.lts.safety_problem import SafetyProblem
from symag.lts.view import View, run_to_error, towards_error, universal, visible_word, word_automaton


def decide(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
    """Holds with a certificate of Rule 1 or 3, or violated with a word of all parts. Raises MemoryError."""
    parts = Parts.of(problem, options)
    learning = _Learning(parts, options.alphabet_refinement, progress)
    answer = learning.decided(parts.systems, parts.property)
    figures = learning.statistics()
    if answer.word is not None:
        return SafetyOutcome(Verdict.VIOLATED, word=answer.word, statistics=figures, assumptions=answer.automata)
    sizes = [automaton.states for automaton in answer.automata]
    figures["assumption_states"] = max(sizes, default=0)
    figures["assumption_alphabet"] = len({letter for automaton in answer.automata for letter in automaton.alphabet[1:]})
    return SafetyOutcome(Verdict.HOLDS, certificate=parts.certificate(answer.automata), statistics=figures)


#: The actions of the first part with the property, and those of all other parts.
_Sides = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Conclusion:
    """A violating word of all given systems, or the assumptions that prove that there is none."""

    word: Word | None
    automata: tuple[Lts, ...] = ()


class _Learning:
    def __init__(self, parts: Parts, refines_alphabet: bool, progress: Progress) -> None:
        self._refines_alphabet = refines_alphabet
        self._progress = progress
        self._largest = (0, 0)
        self._first = 0
        self._second = parts.systems[1].states if len(parts.systems) > 1 else 0
        self._interface = len({a for k in range(len(parts.systems) - 1) for a in parts.interface(k)})
        self._figures = {
            "assumption_states_max": 0,
            "assumption_states": 0,
            "iterations": 0,
            "membership_queries": 0,
            "equivalence_queries": 0,
            "refinements": 0,
            "alphabet_refinements": 0,
            "assumption_alphabet": 0,
        }

    def statistics(self) -> dict[str, int]:
        """The statistics so far."""
        return {
            **self._figures,
            "interface_alphabet": self._interface,
            "first_part_states": self._first,
            "second_part_states": self._second,
            "largest_lts_states": self._largest[0],
            "largest_lts_transitions": self._largest[1],
        }

    def decided(self, systems: Sequence[Lts], checked: Lts) -> _Conclusion:
        """Whether the systems together reach the ERROR of ``checked``, a complete property."""
        if len(systems) == 1:
            return _Conclusion(self._last(systems[0], checked))
        first = composed((systems[0], checked), "M || P").lts
        self._largest = max(self._largest, (first.states, first.transitions))
        self._first = self._first or first.states
        wrong = towards_error(first)
        if wrong is None:
            self._figures["assumption_states_max"] = max(self._figures["assumption_states_max"], 1)
            return _Conclusion(None, (universal(()),) * (len(systems) - 1))
        own = frozenset(first.alphabet[1:])
        rest = frozenset[str]().union(*(system.alphabet[1:] for system in systems[1:]))
        interface = tuple(sorted(own & rest))
        alphabet = set(checked.alphabet[1:] if self._refines_alphabet else interface)
        while True:
            letters = chosen_letters(interface, alphabet)
            answer = self._learned(wrong, systems[1:], letters, (own, rest))
            if isinstance(answer, _Conclusion):
                return answer
            fresh = answer - alphabet
            assert fresh, "words that agree on all letters so far differ on another one"
            alphabet |= fresh
            self._figures["alphabet_refinements"] += 1

    def _last(self, system: Lts, checked: Lts) -> Word | None:
        letters = tuple(checked.alphabet[1:])
        if set(letters) <= set(system.alphabet):
            run = run_to_error(checked, View.of(system, letters, merged=False))
        else:
            both = composed((system, checked), "M || P").lts
            run = run_to_error(universal(()), View.of(both, (), merged=False))
        return None if run is None else visible_word(run)

    def _learned(
        self,
        wrong: Lts,
        rest: Sequence[Lts],
        letters: tuple[str, ...],
        alphabets: _Sides,
    ) -> _Conclusion | frozenset[str]:
        """A conclusion, or further actions to compare."""
        view = reduced(View.of(wrong, letters))
        teacher = Residuals(view)
        if not teacher.is_member(teacher.initial()):
            return self._judged(wrong, rest, (), letters, alphabets)
        table = ObservationTable(teacher)
        number = {label: letter for letter, label in enumerate(letters)}
        counted = 0
        try:
            while True:
                assumption = _automaton(letters, table.conjecture())
                self._figures["membership_queries"] += table.queries - counted
                counted = table.queries
                self._note(assumption.states)
                run = run_to_error(assumption, view)
                if run is not None:
                    table.refine([number[move.label] for move in run if move.is_seen])
                    self._figures["refinements"] += 1
                    continue
                inner = self.decided(rest, completed_with_error(assumption))
                if inner.word is None:
                    return _Conclusion(None, (assumption, *inner.automata))
                word = [number[label] for label in inner.word if label in number]
                if not teacher.accepts(teacher.initial(), word):
                    judged = self._judged(wrong, rest, inner.word, letters, alphabets)
                    if isinstance(judged, frozenset):
                        return judged
                    return replace(judged, automata=(assumption, *inner.automata))
                table.refine(word)
                self._figures["refinements"] += 1
        finally:
            self._figures["membership_queries"] += table.queries - counted

    def _note(self, states: int) -> None:
        figures = self._figures
        figures["iterations"] += 1
        figures["equivalence_queries"] += 1
        figures["assumption_states_max"] = max(figures["assumption_states_max"], states)
        self._progress(ProgressFigures(f"iteration {figures['iterations']}, {states} states", self.statistics()))

    def _judged(
        self,
        wrong: Lts,
        rest: Sequence[Lts],
        word: Word,
        letters: tuple[str, ...],
        alphabets: _Sides,
    ) -> _Conclusion | frozenset[str]:
        """A violation, or actions to compare, for a ``word`` of the rest that, by its letters, leads to ERROR.

        It is a violation if the first part and the rest have a common word, perhaps one that follows the run of either.
        """
        seen = projected(word, frozenset(letters))
        run = run_to_error(word_automaton(letters, seen, accepting=False), View.of(wrong, letters, merged=False))
        assert run is not None, "the word is not in the weakest assumption"
        mine = visible_word(run)
        word = _cut(word, frozenset(letters), sum(move.is_seen for move in run))
        both = alphabets[0] & alphabets[1]
        differ = differing(projected(mine, both), projected(word, both))
        if not differ:
            return _Conclusion(_common(mine, word, alphabets))
        theirs = self._dangerous(wrong, projected(word, both), both)
        if theirs is not None:
            return _Conclusion(_common(theirs, word, alphabets))
        together = followed(mine, rest, [alphabets[0], *(frozenset(system.alphabet[1:]) for system in rest)])
        return differ if together is None else _Conclusion(together)

    def _dangerous(self, wrong: Lts, word: Word, alphabet: frozenset[str]) -> Word | None:
        """A word of the first part to ERROR whose shared actions are a prefix of this word, or None."""
        letters = tuple(sorted(alphabet))
        run = run_to_error(word_automaton(letters, word, accepting=False), View.of(wrong, letters, merged=False))
        return None if run is None else visible_word(run)


def _common(mine: Word, word: Word, alphabets: _Sides) -> Word:
    """A common word, where the shared actions of ``mine`` are a prefix of those of ``word``."""
    both = alphabets[0] & alphabets[1]
    word = _cut(word, both, sum(action in both for action in mine))
    common = common_word([mine, word], alphabets)
    assert not isinstance(common, frozenset), "two words that agree on what they share fit together"
    return common


def _cut(word: Word, alphabet: frozenset[str], count: int) -> Word:
    """The shortest prefix with this many actions of the alphabet."""
    places = [index for index, action in enumerate(word) if action in alphabet]
    return word[: places[count - 1] + 1] if count else ()


def _automaton(letters: Sequence[str], successors: Numbers) -> Lts:
    state, letter = np.nonzero(successors >= 0)
    return Lts("A", ("tau", *letters), len(successors), state, letter + 1, successors[state, letter])
