"""One word from the words of several components, or the actions on which they cannot agree.

Used when each component has a run of its own and only some of the shared actions were compared (alphabet refinement:
Gheorghiu, Giannakopoulou and Pasareanu, "Refining interface alphabets for compositional verification", 2007; scan from
the end, take the first actions that differ). It is not enough that every pair agrees: the orders can form a cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, zip_longest

from symag.lts.lts import Lts
from symag.lts.view import View, run_to_error, visible_word, word_automaton
from symag.lts.words import Word, projected


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
