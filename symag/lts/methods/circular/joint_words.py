"""One word for several components: a word of some of them is extended to a word of one more.

References: Algorithms 4 and 5 of the CAV 2016 paper on circular reasoning (see circular.py), and Lemma 1 there: a word
is a trace of a composition if its projections are traces of the components.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from symag.lts.methods.circular.projected_component import REFUSED, TableAutomaton
from symag.lts.words import Word

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


def differing_actions(first: Word, second: Word, ignored: Collection[str]) -> set[str]:
    """The first two actions, from the end, that differ (one if a word is shorter), without those in ``ignored``."""
    common = 0
    while common < min(len(first), len(second)) and first[-1 - common] == second[-1 - common]:
        common += 1
    return {word[-1 - common] for word in (first, second) if common < len(word)}.difference(ignored)


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
