"""The method ``lstar``: assume-guarantee reasoning with learned assumptions.

Sources: Cobleigh, Giannakopoulou and Pasareanu, "Learning assumptions for compositional verification" (2003), for
Rule 1 and its two oracles; Gheorghiu, Giannakopoulou and Pasareanu, "Refining interface alphabets for compositional
verification" (2007), for alphabets; agar-lts-2008, Section 2, summarises both. n parts are decided recursively, as in
those papers: Oracle 2 for assumption A of part k, ``part k+1 || .. || part n |= A``, is the same problem with A as the
property. So a proof is one by Rule 3 of agar-lts-2008.

The assumption is learned as a deterministic automaton over ``letters``, at first (with alphabet refinement) the
property's part of the interface; ``learners`` has the ways to learn it. Oracle 1: ``A || M_k |= P_k``. A
counterexample of Oracle 2 that is not in the weakest assumption gives one word of M_k and P_k and one of the rest. If
these agree on the whole interface they are an error of the system; otherwise the actions on which they differ (from
the end) become letters, and learning begins again. If learning over some letters is costly, all become letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.core.limits import Progress, ProgressFigures
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts.composition import composed
from symag.lts.lts import ERROR, Lts, completed_with_error
from symag.lts.methods.groupings import attempts
from symag.lts.methods.lstar.learners import COUNTEREXAMPLES, AssumptionLearner, SeparatingLearner, TableLearner
from symag.lts.methods.lstar.least_chain import with_least_assumptions
from symag.lts.methods.lstar.residuals import Residuals
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.parts import Parts, chosen_letters, common_word, differing, followed, trace_of
from symag.lts.reduction import reduced
from symag.lts.safety_problem import SafetyOutcome, SafetyProblem
from symag.lts.view import View, run_to_error, runs_to_error, towards_error, universal, visible_word, word_automaton
from symag.lts.words import Word, projected


def decide(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
    """Holds with a certificate of Rule 1 or 3, or violated with a word of all parts. Raises MemoryError."""
    if not options.recomposition:
        return _decided(problem, options, progress, None)
    for number, attempt in enumerate(attempts(problem), start=1):
        grouped = replace(options, groups=attempt.parts, order=tuple(part[0] for part in attempt.parts))
        try:
            outcome = _decided(problem, grouped, progress, attempt.conjectures)
        except _TooManyConjectures:
            progress(f"{len(attempt.parts)} parts: more than {attempt.conjectures} conjectures")
            continue
        figures = {**outcome.statistics, "attempts": number, "parts": len(attempt.parts)}
        return replace(outcome, statistics=figures)
    raise AssertionError("the last attempt has no limit")


class _TooManyConjectures(Exception):  # noqa: N818 - an answer to a question about cost, not a fault
    """More conjectures than the caller allows."""


def _decided(problem: SafetyProblem, options: LtsOptions, progress: Progress, most: int | None) -> SafetyOutcome:
    """Raises _TooManyConjectures if more than ``most`` are needed."""
    parts = Parts.of(problem, options)
    learning = _Learning(parts, options, progress, most)
    answer = learning.decided(parts.systems, parts.property)
    figures = learning.statistics()
    if answer.word is not None:
        return SafetyOutcome(Verdict.VIOLATED, word=answer.word, statistics=figures, assumptions=answer.automata)
    if options.learner == "separating" and len(parts.systems) > 2:
        automata, cost = with_least_assumptions(parts.systems, parts.property, answer.automata, progress)
        answer = _Conclusion(None, automata)
        figures |= {name: figures.get(name, 0) + figure for name, figure in cost.items()}
    sizes = [automaton.states for automaton in answer.automata]
    figures["assumption_states"] = max(sizes, default=0)
    figures["assumption_alphabet"] = len({letter for automaton in answer.automata for letter in automaton.alphabet[1:]})
    return SafetyOutcome(Verdict.HOLDS, certificate=parts.certificate(answer.automata), statistics=figures)


#: The actions of the first part with the property, and those of all other parts.
_Sides = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Conclusion:
    """Violating words of all given systems, or the assumptions that prove that there is none.

    ``word`` is a violating word; ``others`` are more of them, at most as many as the learner can use.
    """

    word: Word | None
    automata: tuple[Lts, ...] = ()
    others: tuple[Word, ...] = ()


class _Learning:
    """``most``: how many conjectures are allowed, None for any number.

    What was learned about the last systems, of the same number, begins the next hypothesis: words of theirs, which may
    refuse it at once, and the experiments of the observation table. Both are about fewer parts than the problem has.
    """

    def __init__(self, parts: Parts, options: LtsOptions, progress: Progress, most: int | None) -> None:
        self._options = options
        self._most_conjectures = most
        self._separates = options.learner == "separating" and len(parts.systems) == 2
        self._progress = progress
        self._largest = (0, 0)
        self._words: dict[int, dict[Word, None]] = {}
        self._experiments: dict[int, tuple[Word, ...]] = {}
        self._first = 0
        self._second = parts.systems[1].states if len(parts.systems) > 1 else 0
        self._interface = len({a for k in range(len(parts.systems) - 1) for a in parts.interface(k)})
        names = """assumption_states_max assumption_states iterations membership_queries equivalence_queries refinements
            alphabet_refinements assumption_alphabet"""
        self._figures: dict[str, int | float] = dict.fromkeys(names.split(), 0)

    def statistics(self) -> dict[str, int | float]:
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
            words = self._last(systems[0], checked)
            return _Conclusion(words[0], others=tuple(words[1:])) if words else _Conclusion(None)
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
        alphabet = set(checked.alphabet[1:] if self._options.alphabet_refinement else interface)
        while True:
            letters = chosen_letters(interface, alphabet)
            answer = self._learned(wrong, systems[1:], letters, (own, rest))
            if isinstance(answer, _Conclusion):
                return answer
            fresh = answer - alphabet
            assert fresh, "words that agree on all letters so far differ on another one"
            alphabet |= fresh
            self._figures["alphabet_refinements"] += 1

    def _last(self, system: Lts, checked: Lts) -> list[Word]:
        letters = tuple(checked.alphabet[1:])
        limit = self._most(checked)
        if set(letters) <= set(system.alphabet):
            runs = runs_to_error(checked, View.of(system, letters, merged=False), limit)
        else:
            both = composed((system, checked), "M || P").lts
            runs = runs_to_error(universal(()), View.of(both, (), merged=False), limit)
        return [visible_word(run) for run in runs]

    def _most(self, assumption: Lts) -> int:
        """How many counterexamples the learner can use at once."""
        return COUNTEREXAMPLES * assumption.states if self._separates else 1

    def _learned(
        self, wrong: Lts, rest: Sequence[Lts], letters: tuple[str, ...], alphabets: _Sides
    ) -> _Conclusion | frozenset[str]:
        """A conclusion, or further actions to compare."""
        view = reduced(View.of(wrong, letters))
        teacher = Residuals(view)
        if not teacher.is_member(teacher.initial()):
            return self._judged(wrong, rest, (), letters, alphabets)
        number = {label: letter for letter, label in enumerate(letters)}
        learner = self._learner(letters, teacher, rest)
        counted: dict[str, int | float] = {}
        try:
            while True:
                if learner.is_costly() and set(letters) < alphabets[0] & alphabets[1]:
                    # What the hidden letters leave open makes the weakest assumption larger than they would.
                    return alphabets[0] & alphabets[1]
                assumption = learner.conjecture()
                self._count(learner, counted)
                self._note(assumption.states)
                runs = runs_to_error(assumption, view, self._most(assumption))
                if runs:
                    words = [tuple(move.label for move in run if move.is_seen) for run in runs]
                    learner.refine(words, accepted=False)
                    self._figures["refinements"] += 1
                    continue
                inner = self._refused(rest, assumption) or self.decided(rest, completed_with_error(assumption))
                self._remember(rest, inner)
                if inner.word is None:
                    return _Conclusion(None, (assumption, *inner.automata))
                refuting = [inner.word, *inner.others]
                words = [projected(word, frozenset(letters)) for word in refuting]
                for word, seen in zip(refuting, words, strict=True):
                    if not teacher.accepts(teacher.initial(), [number[label] for label in seen]):
                        judged = self._judged(wrong, rest, word, letters, alphabets)
                        automata = (assumption, *inner.automata)
                        return judged if isinstance(judged, frozenset) else replace(judged, automata=automata)
                learner.refine(words, accepted=True)
                self._figures["refinements"] += 1
                common = learner.common_word()
                if common is not None:
                    trace = trace_of(rest[0], common, frozenset(letters))
                    assert trace is not None, "the word is one of M2"
                    judged = self._judged(wrong, rest, trace, letters, alphabets)
                    return judged if isinstance(judged, frozenset) else replace(judged, automata=(assumption,))
        finally:
            self._count(learner, counted)
            if self._options.reuse_hypotheses:
                self._experiments[len(rest)] = learner.experiments()
            learner.close()

    def _refused(self, rest: Sequence[Lts], assumption: Lts) -> _Conclusion | None:
        """A word of the rest, from an earlier conjecture, that the assumption refuses."""
        if not self._options.reuse_hypotheses:
            return None
        moves = {(s, assumption.alphabet[a]): t for s, a, t in assumption.triples()}
        letters = frozenset(assumption.alphabet[1:])
        for word in self._words.get(len(rest), {}):
            state = 0
            for label in word:
                if label in letters:
                    state = moves.get((state, label), ERROR)
                    if state == ERROR:
                        self._figures["reused_words"] = self._figures.get("reused_words", 0) + 1
                        return _Conclusion(word)
        return None

    def _remember(self, rest: Sequence[Lts], inner: _Conclusion) -> None:
        words = dict.fromkeys(word for word in (inner.word, *inner.others) if word is not None)
        self._words.setdefault(len(rest), {}).update(words)

    def _learner(self, letters: tuple[str, ...], teacher: Residuals, rest: Sequence[Lts]) -> AssumptionLearner:
        if not self._separates:
            return TableLearner(letters, teacher, self._experiments.get(len(rest), ()))
        return SeparatingLearner(letters, teacher, Residuals(reduced(View.of(rest[0], letters))))

    def _count(self, learner: AssumptionLearner, counted: dict[str, int | float]) -> None:
        """Add what a learner has done since ``counted``."""
        for name, figure in learner.figures().items():
            self._figures[name] = self._figures.get(name, 0) + figure - counted.get(name, 0)
            counted[name] = figure

    def _note(self, states: int) -> None:
        figures = self._figures
        figures["iterations"] += 1
        if self._most_conjectures is not None and figures["iterations"] > self._most_conjectures:
            raise _TooManyConjectures
        figures["equivalence_queries"] += 1
        figures["assumption_states_max"] = max(figures["assumption_states_max"], states)
        self._progress(ProgressFigures(f"iteration {figures['iterations']}, {states} states", self.statistics()))

    def _judged(
        self, wrong: Lts, rest: Sequence[Lts], word: Word, letters: tuple[str, ...], alphabets: _Sides
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
