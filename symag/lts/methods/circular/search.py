"""Automated circular reasoning (ACR), Algorithm 1: assumptions by SAT, premises, constraints, larger alphabets.

Reference: K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, "Automated Circular Assume-Guarantee
Reasoning with N-way Decomposition and Alphabet Refinement" (CAV 2016).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from msgspec import Struct

from symag.core.limits import Progress, ProgressFigures
from symag.lts.lts import ERROR, Lts
from symag.lts.methods.circular.assumption_search import AssumptionSearch
from symag.lts.methods.circular.constraint_generation import (
    Analysis,
    Constraint,
    IncrementalWord,
    ProjectedComponents,
    actions_on_cycles,
    carried_over,
)
from symag.lts.methods.circular.premises import GuaranteeSets, Premise, PremiseProduct, simplified
from symag.lts.methods.circular.projected_component import REFUSED, ProjectedComponent, TableAutomaton
from symag.lts.methods.parts import differing
from symag.lts.words import Word, projected

#: Counterexamples per iteration and premise, for each state of the assumptions: four times as many as in the paper.
_COUNTEREXAMPLES = 4
#: The number of states of each product that are explored before any product is explored completely.
_SHORT_LOOK = 1 << 11


class CircularProof(Struct, frozen=True):
    """The assumptions of the last premise by component, and the assumptions that the premise of each uses."""

    assumptions: dict[int, TableAutomaton]
    used: dict[int, frozenset[int]]


class _Check(Struct, frozen=True):
    """The check of a premise; ``place`` is None for the last one."""

    place: int | None
    exploration: PremiseProduct

    def analysed(self, system: ProjectedComponents, word: Word) -> Analysis:
        if self.place is None:
            return system.of_last_premise(word)
        return system.of_premise(self.place, word)


@dataclass(slots=True)
class CircularStatistics:
    """The figures of the paper's tables, and the cost."""

    iterations: int = 0
    refinements: int = 0
    counterexamples: int = 0
    constraints: int = 0
    reused_constraints: int = 0
    sat_calls: int = 0
    sat_seconds: float = 0.0
    assumption_states: int = 0
    assumption_states_max: int = 0
    assumption_states_min: int = 0
    interface_alphabet: int = 0
    assumption_alphabet: int = 0
    largest_lts_states: int = 0
    largest_lts_transitions: int = 0


def property_automaton(property_: Lts) -> TableAutomaton:
    """The deterministic property, complete with ERROR, as an automaton that refuses words to ERROR."""
    table = np.full((property_.states, len(property_.alphabet) - 1), REFUSED, dtype=np.int64)
    table[property_.source, property_.action - 1] = np.where(property_.target == ERROR, REFUSED, property_.target)
    return TableAutomaton(property_.alphabet[1:], table)


def interfaces(components: Sequence[Lts], property_: Lts) -> tuple[frozenset[str], ...]:
    """Per component the actions that it shares with other components or with the property (Definition 2)."""
    alphabets = [frozenset(component.alphabet[1:]) for component in components]
    result = []
    for index, mine in enumerate(alphabets):
        others = [alphabet for other, alphabet in enumerate(alphabets) if other != index]
        result.append(mine & frozenset(property_.alphabet[1:]).union(*others))
    return tuple(result)


class CircularSearch:
    """Decides whether the components satisfy the property.

    ``figures`` are the statistics so far, ``assumptions`` the last ones by part.
    ``sets`` are the G_i of the rule. With ``refine`` the assumptions begin with the actions of the property.
    """

    def __init__(
        self,
        components: Sequence[Lts],
        property_: Lts,
        sets: GuaranteeSets,
        progress: Progress,
        *,
        refine: bool,
        selectors: bool,
    ) -> None:
        self._components = tuple(components)
        self._goal = property_automaton(property_)
        self._sets = sets
        self._interfaces = interfaces(components, property_)
        self._progress = progress
        self._selectors = selectors
        self._kept: list[IncrementalWord] = []
        self._projections: dict[tuple[int, frozenset[str]], ProjectedComponent] = {}
        everything = frozenset().union(*self._interfaces)
        self._seen = frozenset(self._goal.actions) if refine else everything
        self._everything = everything
        self.figures = CircularStatistics(interface_alphabet=len(everything))
        self.assumptions: dict[int, TableAutomaton] = {}

    def decided(self) -> CircularProof | Word:
        """A proof, or a word over all visible actions that is in all components and that the property forbids."""
        while True:
            decision = self._with_alphabets()
            if isinstance(decision, CircularProof):
                return decision
            answer = refined(decision, self._seen, [self._interface(i) for i in range(len(self._components))])
            if isinstance(answer, tuple):
                return self._with_private_actions(answer)
            self.figures.refinements += 1
            self._grow(answer)

    def _with_alphabets(self) -> CircularProof | Word:
        """Algorithm 1, lines 5 to 9: over the current alphabets."""
        alphabets = tuple(interface & self._seen for interface in self._interfaces)
        rule = simplified(self._sets, alphabets, frozenset(self._goal.actions))
        components = tuple(self._projection(index, alphabet) for index, alphabet in enumerate(alphabets))
        system = ProjectedComponents(alphabets, components, self._goal, rule)
        self.figures.assumption_alphabet = max(len(alphabet) for alphabet in alphabets)
        places = sorted(rule.final)
        search = AssumptionSearch(
            {component: components[component].actions for component in places},
            lambda component, word: components[component].after(word) != REFUSED,
            selectors=self._selectors,
        )
        try:
            reused = search.require(map(system.constraint, self._kept))
            self.figures.reused_constraints += reused
            while True:
                automata = search.smallest()
                self.assumptions = automata
                self._report(automata)
                answer = self._applied(system, automata)
                if not isinstance(answer, list):
                    return answer
                self.figures.constraints += search.require(answer)
        finally:
            self.figures.sat_calls += search.calls
            self.figures.sat_seconds += search.seconds
            search.close()

    def _report(self, automata: dict[int, TableAutomaton]) -> None:
        figures = self.figures
        figures.iterations += 1
        sizes = [automaton.states for automaton in automata.values()] or [0]
        figures.assumption_states = sum(sizes)
        figures.assumption_states_max, figures.assumption_states_min = max(sizes), min(sizes)
        line = f"iteration {figures.iterations}: assumptions of {'+'.join(map(str, sizes))} states"
        self._progress(ProgressFigures(line, asdict(figures)))

    def _applied(
        self, system: ProjectedComponents, automata: dict[int, TableAutomaton]
    ) -> CircularProof | Word | list[Constraint]:
        """Algorithm 2, with several counterexamples for each premise."""
        rule = system.rule
        limit = _COUNTEREXAMPLES * (1 + sum(automaton.states for automaton in automata.values()))
        checks: list[_Check] = []
        for component, assumption in automata.items():
            guards = tuple(automata[j] for j in sorted(rule.used[component]))
            checks.append(
                _Check(component, PremiseProduct(Premise((system.components[component],), guards, assumption)))
            )
        checks.append(_Check(None, PremiseProduct(Premise(tuple(automata.values()), (), self._goal))))
        # If a few states show a counterexample, the whole products are not explored.
        constraints: list[Constraint] = []
        for states in (_SHORT_LOOK, None):
            for check in checks:
                words = () if constraints and states is None else check.exploration.refutations(limit, states)
                for word in words:
                    analysis = check.analysed(system, word)
                    if analysis.violation is not None:
                        return analysis.violation
                    constraints.extend(analysis.constraints)
                    self._kept.extend(analysis.incremental)
                self._count(check.exploration, words)
        return constraints or CircularProof(automata, {component: rule.used[component] for component in automata})

    def _count(self, explored: PremiseProduct, words: Sequence[Word]) -> None:
        self.figures.largest_lts_states = max(self.figures.largest_lts_states, explored.states)
        self.figures.largest_lts_transitions = max(self.figures.largest_lts_transitions, explored.transitions)
        self.figures.counterexamples += len(words)

    def _grow(self, added: frozenset[str]) -> None:
        """Enlarge the alphabet; the kept words become words of their components over full interfaces."""
        words = dict.fromkeys(self._concrete(word) for word in self._kept)
        self._kept = list(words)
        self._seen |= added
        self._progress(f"the assumptions see {len(self._seen)} of {len(self._everything)} actions")

    def _concrete(self, incremental: IncrementalWord) -> IncrementalWord:
        if incremental.kind == "final":
            return incremental
        component = self._interface(incremental.place)
        covered = frozenset(incremental.word) | self._seen
        word = carried_over(incremental.word, covered, component)
        assert word is not None, "the word is in the component projected to the actions seen"
        return IncrementalWord(incremental.kind, incremental.place, word)

    def _projection(self, component: int, alphabet: frozenset[str]) -> ProjectedComponent:
        key = (component, alphabet)
        if key not in self._projections:
            self._projections[key] = ProjectedComponent(self._components[component], sorted(alphabet))
        return self._projections[key]

    def _interface(self, component: int) -> ProjectedComponent:
        return self._projection(component, self._interfaces[component])

    def _with_private_actions(self, word: Word) -> Word:
        """Lemma 7: the word up to the first violation, extended by the private actions of the components."""
        for length in range(len(word) + 1):
            if not self._goal.accepts(projected(word[:length], self._goal.actions)):
                word = word[:length]
                break
        covered = self._everything
        for component in self._components:
            full = ProjectedComponent(component, component.alphabet[1:])
            labels = carried_over(word, covered, full)
            assert labels is not None, "the word is in every component over its interface"
            word, covered = labels, covered.union(component.alphabet[1:])
        return word


def refined(word: Word, seen: Collection[str], full: Sequence[ProjectedComponent]) -> Word | frozenset[str]:
    """A word of all components over their full interface alphabets, or actions outside ``seen`` to add.

    Reference: Algorithm 5 (AlphaRefine) of circular-nway-2016, section 7; its backward heuristic is that of
    M. Gheorghiu, D. Giannakopoulou and C. S. Pasareanu, "Refining interface alphabets for compositional verification"
    (TACAS 2007). If all pairs of projections agree without a joint word, the orders of the projections form a cycle, a
    case that the paper does not treat: the actions of the cycle are added.

    ``word`` is over the actions ``seen``, and in every component projected to them; ``full[i]`` is component i over its
    interface with the others and the property. A returned word has the projection ``word`` to ``seen``.
    """
    joint, covered = word, frozenset(seen)
    projections: list[Word | None] = []
    for component in full:
        labels = carried_over(joint, covered, component)
        if labels is None:
            alone = carried_over(projected(word, component.actions), frozenset(seen), component)
            assert alone is not None, "the word is in every component projected to the actions seen"
            projections.append(alone)
        else:
            projections.append(None)
            joint, covered = labels, covered.union(component.actions)
    if all(projection is None for projection in projections):
        return joint
    words = [
        projected(joint, component.actions) if alone is None else alone
        for alone, component in zip(projections, full, strict=True)
    ]
    added: set[str] = set()
    for index, (first, mine) in enumerate(zip(words, full, strict=True)):
        for second, theirs in zip(words[index + 1 :], full[index + 1 :], strict=True):
            common = frozenset(mine.actions).intersection(theirs.actions)
            added |= differing(projected(first, common), projected(second, common)).difference(seen)
    return frozenset(added or actions_on_cycles(words).difference(seen))
