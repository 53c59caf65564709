"""Constraints on the assumptions from a counterexample of a premise: Algorithms 2 to 5 of the paper on ACR.

Every constraint is satisfied by every tuple of assumptions that passes all premises, and by ``g_i = M_i`` projected
to the alphabet of g_i (Lemma 6). Words whose constraints stay right when the alphabets grow are kept for that.

A word of some components is extended to one of one more by Lemma 1: a word is a trace of a composition if its
projections are traces of the components.

Reference: K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, CAV 2016, sections 6.2, 6.3 and 7.1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from symag.lts.methods.circular.premises import SimplifiedRule
from symag.lts.methods.circular.projected_component import REFUSED, ProjectedComponent, TableAutomaton
from symag.lts.words import Word, projected

_Order = dict[tuple[str, int], set[tuple[str, int]]]


def carried_over(word: Word, covered: Collection[str], automaton: TableAutomaton) -> Word | None:
    """A shortest word that is ``word`` on ``covered`` and in the automaton; None if there is none.

    It extends ``word`` only by actions outside ``covered``, none of them after its last action. Costs a search of at
    most (length + 1) x states pairs.
    """
    own = {label: column for column, label in enumerate(automaton.actions)}
    private = [(label, column) for label, column in own.items() if label not in covered]
    start = (0, 0)
    came: dict[tuple[int, int], tuple[tuple[int, int], str]] = {}
    reached = {start}
    waiting = [start]
    for node in waiting:
        length, state = node
        if length == len(word):
            labels = []
            while node != start:
                node, label = came[node]
                labels.append(label)
            return tuple(reversed(labels))
        for label, after in _moves(word[length], length, state, own, private, automaton):
            if after not in reached:
                reached.add(after)
                came[after] = node, label
                waiting.append(after)
    return None


def _moves(
    label: str, length: int, state: int, own: dict[str, int], private: list[tuple[str, int]], automaton: TableAutomaton
) -> Iterator[tuple[str, tuple[int, int]]]:
    row = automaton.row(state)
    if label not in own:
        yield label, (length + 1, state)
    elif row[own[label]] != REFUSED:
        yield label, (length + 1, int(row[own[label]]))
    for other, column in private:
        if row[column] != REFUSED:
            yield other, (length, int(row[column]))


def actions_on_cycles(words: Sequence[Word]) -> set[str]:
    """The actions whose orders in the words contradict each other, so that no word has all these projections.

    Each word orders occurrences of actions (the k-th a). The result are the actions of occurrences on a cycle of all
    these orders, or between two cycles. Every two of the words must agree on the actions that both have.
    """
    after: _Order = {}
    for word in words:
        counts: dict[str, int] = {}
        events = []
        for label in word:
            counts[label] = counts.get(label, 0) + 1
            events.append((label, counts[label]))
        for event in events:
            after.setdefault(event, set())
        for event, following in pairwise(events):
            after[event].add(following)
    return {label for label, _ in _trimmed(_backwards(_trimmed(after)))}


def _trimmed(order: _Order) -> _Order:
    """The order without events that have no successor, repeated until every event has one."""
    while free := {event for event, following in order.items() if not following}:
        order = {event: following - free for event, following in order.items() if event not in free}
    return order


def _backwards(order: _Order) -> _Order:
    return {event: {other for other, following in order.items() if event in following} for event in order}


class Membership(Struct, frozen=True, order=True):
    """``+(word, place)`` if ``accepted``, else ``-(word, place)``; the word is over the alphabet of that assumption."""

    place: int
    word: Word
    accepted: bool


#: At least one of these is true.
Constraint = tuple[Membership, ...]


Kind = Literal["final", "others", "default"]


class IncrementalWord(Struct, frozen=True):
    """A word whose constraint of this kind holds over larger alphabets too; ``place`` is its premise (-1: the last)."""

    kind: Kind
    place: int
    word: Word


class Analysis(Struct, frozen=True):
    """``violation``: a word of all components, over the current alphabets, that the property forbids; or else
    constraints that exclude the counterexample. ``incremental``: words with constraints for larger alphabets too.
    """

    violation: Word | None
    constraints: tuple[Constraint, ...] = ()
    incremental: tuple[IncrementalWord, ...] = ()


class ProjectedComponents(Struct, frozen=True):
    """The components projected to the alphabets of the assumptions, the property and the simplified rule."""

    alphabets: tuple[frozenset[str], ...]
    components: tuple[ProjectedComponent, ...]
    goal: TableAutomaton
    rule: SimplifiedRule

    def constraint(self, incremental: IncrementalWord) -> Constraint:
        """The constraint of such a word over these alphabets, without checking its conditions again."""
        rule, word = self.rule, incremental.word
        match incremental.kind:
            case "final":
                return self._none_of(rule.final, word)
            case "others":
                return self._none_of(rule.final - {incremental.place}, word)
            case "default":
                return (*self._none_of(rule.used[incremental.place], word[:-1]), self._member(incremental.place, word))

    def of_last_premise(self, word: Word) -> Analysis:
        """The analysis of a word that is in all g_j of the last premise and violates the property."""
        if self._in_all(self.rule.final, word):
            return Analysis(word)
        return self._incremental([IncrementalWord("final", -1, word)])

    def of_premise(self, component: int, word: Word) -> Analysis:
        """Analyses a word in M_i, not in g_i; without its last action it is in g_i and all g_j of S(G_i)."""
        rule = self.rule
        word = self._extended(component, word)
        shorter = word[:-1]
        for violation in (shorter, word):
            if not self._allowed(violation) and self._in_all(rule.final, violation):
                return Analysis(violation)
        constraints: list[Constraint] = []
        for closure in rule.closures[component]:
            if self._in_all(closure, word):
                constraints += [(self._member(j, word),) for j in sorted(closure)]
            elif self._in_all(closure, shorter):
                constraints += [(self._member(j, shorter),) for j in sorted(closure)]
                constraints.append((self._member(component, word),))
        if constraints:
            return Analysis(None, tuple(constraints))
        words = [IncrementalWord("default", component, word)]
        if component in rule.final:
            words += [
                IncrementalWord("others", component, prefix) for prefix in (word, shorter) if not self._allowed(prefix)
            ]
        return self._incremental(words)

    def _incremental(self, words: Sequence[IncrementalWord]) -> Analysis:
        return Analysis(None, tuple(self.constraint(word) for word in words), tuple(words))

    def _extended(self, component: int, word: Word) -> Word:
        covered = self.alphabets[component].union(*(self.alphabets[j] for j in self.rule.used[component]))
        for other in sorted(self.rule.final):
            if not self.alphabets[other] <= covered:
                labels = carried_over(word, covered, self.components[other])
                if labels is not None:
                    word, covered = labels, covered | self.alphabets[other]
        if not covered.issuperset(self.goal.actions):
            word = carried_over(word, covered, self.goal) or word
        return word

    def _allowed(self, word: Word) -> bool:
        return self.goal.accepts(projected(word, self.goal.actions))

    def _in_all(self, places: Iterable[int], word: Word) -> bool:
        return all(self.components[j].after(projected(word, self.alphabets[j])) != REFUSED for j in places)

    def _member(self, component: int, word: Word) -> Membership:
        return Membership(component, projected(word, self.alphabets[component]), True)

    def _none_of(self, places: Iterable[int], word: Word) -> Constraint:
        return tuple(Membership(j, projected(word, self.alphabets[j]), False) for j in sorted(places))
