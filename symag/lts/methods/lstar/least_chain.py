"""The assumptions of a proof by Rule 3, each replaced by the smallest one that fits between its neighbours.

Premise k of the rule is ``M_k || A_k |= A_k-1`` (A_-1 is P; the last premise has no assumption). So A_k must refuse
what leads ``M_k || A_k-1`` to ERROR, and accept what ``M_k+1 || A_k+1`` does: it separates two languages, as in the
rule for two parts. Learning separating automata for the nested rule itself asks for the later assumptions again for
each small conjecture, which does not end in time for three parts and more; L* needs few conjectures.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.limits import Progress
from symag.lts.composition import composed
from symag.lts.lts import Lts, completed_with_error
from symag.lts.methods.lstar.learners import COUNTEREXAMPLES, SeparatingLearner
from symag.lts.methods.lstar.residuals import Residuals
from symag.lts.reduction import reduced
from symag.lts.view import JointStep, View, runs_to_error, towards_error, universal
from symag.lts.words import Word


def with_least_assumptions(
    systems: Sequence[Lts], property_: Lts, automata: Sequence[Lts], progress: Progress
) -> tuple[tuple[Lts, ...], dict[str, int | float]]:
    """The assumptions, and what finding them cost; the last one first.

    ``automata[k]`` abstracts the systems after k, over the letters that it keeps. Raises MemoryError.
    """
    least = list(automata)
    figures: dict[str, int | float] = {}
    for k in reversed(range(len(least))):
        before = property_ if k == 0 else completed_with_error(least[k - 1])
        wrong = towards_error(composed((systems[k], before), "M || P").lts)
        if wrong is None:
            least[k] = universal(())
            continue
        later = [systems[k + 1], *least[k + 1 : k + 2]]
        between = _Between(wrong, later, least[k])
        least[k] = between.least()
        progress(f"assumption {k}: {automata[k].states} states, {least[k].states} are enough")
        for name, figure in between.figures.items():
            figures[name] = figures.get(name, 0) + figure
    return tuple(least), figures


class _Between:
    """One assumption, between what must be refused and what must be accepted; ``known`` is one that fits."""

    def __init__(self, wrong: Lts, later: Sequence[Lts], known: Lts) -> None:
        self.figures: dict[str, int | float] = {}
        letters = known.alphabet[1:]
        self._known = known
        self._letters = letters
        self._wrong = reduced(View.of(wrong, letters))
        # A letter that the later systems do not have can happen there at any time.
        free = universal(sorted(set(letters).difference(*(system.alphabet for system in later))))
        self._later = reduced(View.of(composed((*later, free), "M || A").lts, letters))

    def least(self) -> Lts:
        """The assumption."""
        learner = SeparatingLearner(self._letters, Residuals(self._wrong), Residuals(self._later))
        try:
            while True:
                assumption = learner.conjecture()
                if assumption.states >= self._known.states:
                    return self._known  # there is none with fewer states
                limit = COUNTEREXAMPLES * assumption.states
                dangerous = runs_to_error(assumption, self._wrong, limit)
                learner.refine(_words(dangerous), accepted=False)
                possible = runs_to_error(completed_with_error(assumption), self._later, limit)
                learner.refine(_words(possible), accepted=True)
                if not dangerous and not possible:
                    return assumption
        finally:
            self.figures = learner.figures()
            learner.close()


def _words(runs: Sequence[Sequence[JointStep]]) -> list[Word]:
    return [tuple(move.label for move in run if move.is_seen) for run in runs]
