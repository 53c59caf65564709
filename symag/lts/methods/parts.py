"""The parts of a safety problem: composed, with interfaces and the certificate of their assumptions; a word of all.

A common word is made of a run of each component, of which only some shared actions were compared (alphabet refinement;
Gheorghiu, Giannakopoulou and Pasareanu, "Refining interface alphabets for compositional verification", 2007; scan from
the end, take the first actions that differ). It is not enough that every pair agrees: the orders can form a cycle.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, zip_longest

from msgspec import Struct

from symag.core.grouping import parts
from symag.core.values import replace
from symag.lts.certificates import LabelledAssumption, LabelledAssumptions
from symag.lts.composition import composed
from symag.lts.lts import Lts
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import SafetyProblem
from symag.lts.view import View, run_to_error, visible_word, word_automaton
from symag.lts.words import Word, projected


class Parts(Struct, frozen=True, eq=False):
    """``systems[k]`` is the composition of the components ``members[k]``; ``property`` the problem's."""

    members: tuple[tuple[int, ...], ...]
    systems: tuple[Lts, ...]
    property: Lts

    @classmethod
    def of(cls, problem: SafetyProblem, options: LtsOptions) -> Parts:
        """The parts of a problem; parts of several components are composed. Raises MemoryError."""
        members = parts(len(problem.components), options.groups, options.order)
        systems = []
        for group in members:
            # An end state would merge states of the product; it does not matter for safety.
            chosen = [replace(problem.components[number], end=None) for number in group]
            systems.append(chosen[0] if len(chosen) == 1 else composed(chosen, chosen[0].name).lts)
        return cls(members, tuple(systems), replace(problem.property, end=None))

    def alphabet(self, part: int) -> frozenset[str]:
        """The actions of a part; those of the first one are also the property's."""
        own = frozenset(self.systems[part].alphabet[1:])
        return own | frozenset(self.property.alphabet[1:]) if part == 0 else own

    def interface(self, part: int) -> tuple[str, ...]:
        """The actions that the later parts share with this one, those before it and the property; sorted."""
        before = frozenset[str]().union(*(self.alphabet(k) for k in range(part + 1)))
        after = frozenset[str]().union(*(self.alphabet(k) for k in range(part + 1, len(self.systems))))
        return tuple(sorted(before & after))

    def certificate(self, automata: Sequence[Lts]) -> LabelledAssumptions:
        """Rule 1 for two parts, Rule 3 for any other number; automaton k abstracts the parts after part k."""
        assumptions = tuple(map(LabelledAssumption.of, automata))
        return LabelledAssumptions("rule-1" if len(self.systems) == 2 else "rule-3", self.members, assumptions)


def chosen_letters(interface: Sequence[str], chosen: Collection[str]) -> tuple[str, ...]:
    """The letters of an interface that are compared so far, in its order."""
    return tuple(letter for letter in interface if letter in chosen)


def differing(left: Sequence[str], right: Sequence[str]) -> frozenset[str]:
    """The actions at the first place, from the end, where the words differ; empty if they are equal."""
    for first, second in zip_longest(reversed(left), reversed(right)):
        if first != second:
            return frozenset(action for action in (first, second) if action is not None)
    return frozenset()


def common_word(words: Sequence[Word], alphabets: Sequence[frozenset[str]]) -> Word | frozenset[str]:
    """A word over all alphabets whose projections are the words; if there is none, actions to compare too.

    Word k is over alphabet k. If the words have a common word over a set of actions, at least one of the returned
    actions is outside this set.
    """
    actions: set[str] = set()
    for (left, first), (right, second) in combinations(zip(words, alphabets, strict=True), 2):
        both = first & second
        actions |= differing(projected(left, both), projected(right, both))
    return frozenset(actions) if actions else _merged(words, alphabets)


def followed(word: Word, systems: Sequence[Lts], alphabets: Sequence[frozenset[str]]) -> Word | None:
    """A word of the first part, joined with runs of the other parts that agree with it (line 7 of Algorithm 3).

    The parts are taken in this order, each with its shortest run; None if one has no such run.
    """
    joint = alphabets[0]
    for system, alphabet in zip(systems, alphabets[1:], strict=True):
        mine = trace_of(system, projected(word, alphabet), joint & alphabet)
        if mine is None:
            return None
        both = common_word([word, mine], [joint, alphabet])
        assert not isinstance(both, frozenset), "two words that agree on what they share fit together"
        word, joint = both, joint | alphabet
    return word


def trace_of(system: Lts, word: Word, alphabet: frozenset[str]) -> Word | None:
    """A trace of the system whose projection to the alphabet is the word, None if there is none."""
    if not word:
        return ()
    letters = tuple(sorted(alphabet))
    run = run_to_error(word_automaton(letters, word, accepting=True), View.of(system, letters, merged=False))
    return None if run is None else visible_word(run)


def _merged(words: Sequence[Word], alphabets: Sequence[frozenset[str]]) -> Word | frozenset[str]:
    positions = [0] * len(words)
    merged: list[str] = []
    while True:
        heads = [word[k] if k < len(word) else None for word, k in zip(words, positions, strict=True)]
        ready = next((head for head in heads if head is not None and _is_ready(head, heads, alphabets)), None)
        if ready is None:
            return tuple(merged) if not any(heads) else _cycle(heads, alphabets)
        merged.append(ready)
        for k, head in enumerate(heads):
            positions[k] += head == ready


def _is_ready(action: str, heads: Sequence[str | None], alphabets: Sequence[frozenset[str]]) -> bool:
    return all(head == action or action not in alphabet for head, alphabet in zip(heads, alphabets, strict=True))


def _cycle(heads: Sequence[str | None], alphabets: Sequence[frozenset[str]]) -> frozenset[str]:
    """The actions of a cycle: each of these heads waits for a component that must do the next one first."""
    order: list[str] = []
    action = next(head for head in heads if head is not None)
    while action not in order:
        order.append(action)
        blocking = (head for head, alphabet in zip(heads, alphabets, strict=True) if action in alphabet)
        action = next(head for head in blocking if head is not None and head != action)
    return frozenset(order[order.index(action) :])
