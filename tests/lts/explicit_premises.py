"""Premises and automata by brute force, from the definitions alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from symag.lts.lts import TAU, Lts
from symag.lts.methods.circular.projected_component import TableAutomaton

REFUSED = -1


def automata(actions: Sequence[str], states: int) -> Iterator[TableAutomaton]:
    """All deterministic ones with at most so many states, most of them several times."""
    for count in range(1, states + 1):
        for targets in itertools.product(range(-1, count), repeat=count * len(actions)):
            table = np.array(targets, dtype=np.int64).reshape(count, len(actions))
            yield TableAutomaton(tuple(actions), table)


def step(automaton: TableAutomaton, state: int, label: str) -> int:
    """The next state; an action that the automaton does not have changes nothing."""
    if label not in automaton.actions:
        return state
    return int(automaton.table[state, automaton.actions.index(label)])


def closure(lts: Lts, states: frozenset[int]) -> frozenset[int]:
    """With all states that tau leads to."""
    while True:
        larger = states.union(t for s, a, t in lts.triples() if a == TAU and s in states)
        if larger == states:
            return states
        states = larger


def after(lts: Lts, states: frozenset[int], label: str) -> frozenset[int]:
    """The states after a visible action; those themselves if it is not an action of the system."""
    if label not in lts.alphabet[1:]:
        return states
    action = lts.alphabet.index(label)
    return closure(lts, frozenset(t for s, a, t in lts.triples() if a == action and s in states))


def has_trace(lts: Lts, word: Sequence[str]) -> bool:
    """Whether the word, without the actions that the system does not have, is a trace of it."""
    states = closure(lts, frozenset((0,)))
    for label in word:
        states = after(lts, states, label)
    return bool(states)


def has_projected_trace(lts: Lts, word: Sequence[str], seen: frozenset[str]) -> bool:
    """Whether the word, restricted to ``seen``, is a trace of the system with all other actions left out."""
    hidden = [0 if label not in seen else number for number, label in enumerate(lts.alphabet)]
    silent = Lts.of("", lts.alphabet, lts.states, [(s, hidden[a], t) for s, a, t in lts.triples()])
    return has_trace(silent, [label for label in word if label in seen])


def premise_holds(lts: Lts, guards: Sequence[TableAutomaton], goal: TableAutomaton) -> bool:
    """Definition 3: M |= A > g, the last action of a word need not be in A."""
    labels = sorted(set(lts.alphabet[1:]).union(goal.actions, *(guard.actions for guard in guards)))
    start = (closure(lts, frozenset((0,))), (0,) * len(guards), 0)
    seen, waiting = {start}, [start]
    for states, locals_, state in waiting:
        for label in labels:
            next_states, next_goal = after(lts, states, label), step(goal, state, label)
            if not next_states:
                continue
            if next_goal == REFUSED:
                return False
            next_locals = tuple(step(guard, local, label) for guard, local in zip(guards, locals_, strict=True))
            following = (next_states, next_locals, next_goal)
            if REFUSED not in next_locals and following not in seen:
                seen.add(following)
                waiting.append(following)
    return True


def conclusion_holds(assumptions: Sequence[TableAutomaton], wanted: TableAutomaton) -> bool:
    """g_1 || .. || g_n |= P; the property is complete but for what it forbids, and observes."""
    labels = sorted(set(wanted.actions).union(*(each.actions for each in assumptions)))
    start = ((0,) * len(assumptions), 0)
    seen, waiting = {start}, [start]
    for locals_, state in waiting:
        for label in labels:
            next_locals = tuple(step(each, local, label) for each, local in zip(assumptions, locals_, strict=True))
            if REFUSED in next_locals:
                continue
            following = (next_locals, step(wanted, state, label))
            if following[1] == REFUSED:
                return False
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return True
