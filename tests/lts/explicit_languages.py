"""Languages of small systems by brute force: which words are traces, and exact assumptions built from that."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from symag.lts.certificates import LabelledAssumption
from symag.lts.lts import ERROR, Lts


def projected(word: Sequence[str], labels: Iterable[str]) -> tuple[str, ...]:
    kept = frozenset(labels)
    return tuple(label for label in word if label in kept)


def after(lts: Lts, word: Sequence[str]) -> frozenset[int]:
    """The states in which the system may be when it has done the word, which consists of its own actions."""

    def closed(states: Iterable[int]) -> frozenset[int]:
        found = set(states)
        waiting = list(found)
        while waiting:
            state = waiting.pop()
            for s, a, t in lts.triples():
                if s == state and a == 0 and t not in found:
                    found.add(t)
                    waiting.append(t)
        return frozenset(found)

    states = closed((0,))
    for label in word:
        states = closed(t for s, a, t in lts.triples() if s in states and lts.alphabet[a] == label)
    return states


def can_do(lts: Lts, word: Sequence[str]) -> bool:
    """Whether the word, without what is not the system's, is a trace of it."""
    return bool(after(lts, projected(word, lts.alphabet[1:])))


def allows(assumption: LabelledAssumption, word: Sequence[str]) -> bool:
    """Whether the word, without what is not the assumption's, is in its language."""
    states = {0}
    for label in projected(word, assumption.alphabet):
        action = assumption.alphabet.index(label)
        states = {t for s, a, t in assumption.transitions if s in states and a == action}
    return bool(states)


def is_safe(judge: Lts, word: Sequence[str]) -> bool:
    """Whether a property allows the word."""
    return ERROR not in after(judge, projected(word, judge.alphabet[1:]))


def words(labels: Sequence[str], length: int) -> Iterable[tuple[str, ...]]:
    """All words of at most so many letters, the short ones first."""
    return itertools.chain.from_iterable(itertools.product(labels, repeat=count) for count in range(length + 1))


def exact(machines: Sequence[Lts | LabelledAssumption], labels: Sequence[str]) -> LabelledAssumption:
    """The language of a composition, in these actions, as a deterministic automaton: by its subsets of states."""
    tables = [_table(each) for each in machines]
    own = [set(each.alphabet[1:] if isinstance(each, Lts) else each.alphabet) for each in machines]
    every = sorted(set().union(*own))

    def successors(state: tuple[int, ...], label: str) -> Iterable[tuple[int, ...]]:
        if label == "tau":
            for k, table in enumerate(tables):
                for target in table.get((state[k], "tau"), ()):
                    yield (*state[:k], target, *state[k + 1 :])
            return
        choices = [
            table.get((local, label), ()) if label in mine else (local,)
            for table, mine, local in zip(tables, own, state, strict=True)
        ]
        yield from itertools.product(*choices)

    def closed(states: set[tuple[int, ...]]) -> frozenset[tuple[int, ...]]:
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            for label in ["tau", *(label for label in every if label not in labels)]:
                for target in successors(state, label):
                    if target not in states:
                        states.add(target)
                        waiting.append(target)
        return frozenset(states)

    start = closed({(0,) * len(machines)})
    number = {start: 0}
    waiting = [start]
    transitions = []
    for states in waiting:
        for action, label in enumerate(labels):
            following = closed({target for state in states for target in successors(state, label)})
            if following:
                if following not in number:
                    number[following] = len(number)
                    waiting.append(following)
                transitions.append((number[states], action, number[following]))
    return LabelledAssumption(tuple(labels), len(number), tuple(transitions))


def _table(machine: Lts | LabelledAssumption) -> dict[tuple[int, str], tuple[int, ...]]:
    triples = machine.triples() if isinstance(machine, Lts) else machine.transitions
    found: dict[tuple[int, str], tuple[int, ...]] = {}
    for source, action, target in triples:
        key = source, machine.alphabet[action]
        found[key] = (*found.get(key, ()), target)
    return found
