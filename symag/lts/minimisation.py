"""Minimal systems: by strong and by weak bisimulation, and as deterministic automata.

As in LTSA the weakly minimal system keeps the transitions of the original between its classes, without tau from a
class to itself.
"""

from __future__ import annotations

import numpy as np

from symag.lts.components import strongly_connected
from symag.lts.equivalence import finer_classes, strong_classes, weak_classes
from symag.lts.lts import ERROR, TAU, Lts, Numbers, ranges, reachable


def strongly_minimised(system: Lts) -> Lts:
    """The quotient by strong bisimulation; its states are in the order of the first members of the classes."""
    return _quotient(system, strong_classes(system))


def minimised(system: Lts) -> Lts:
    """The quotient by weak bisimulation, in the same order; without tau from a class to itself."""
    small = _quotient(system, weak_classes(system))
    proper = (small.action != TAU) | (small.source != small.target)
    columns = small.source[proper], small.action[proper], small.target[proper]
    return Lts.of_arrays(small.name, small.alphabet, small.states, *columns, small.end, small.is_property)


def _quotient(system: Lts, classes: Numbers) -> Lts:
    number = np.append(classes, ERROR)  # the last entry, which -1 means too, is ERROR
    columns = number[system.source], system.action, number[system.target]
    end = None if system.end is None else int(classes[system.end])
    count = int(classes.max()) + 1
    return Lts.of_arrays(system.name, system.alphabet, count, *columns, end, system.is_property)


def determinised(system: Lts) -> Lts:
    """A deterministic system without tau with the same traces, minimal unless it was one already.

    A trace that may lead to ERROR does. Costs time in proportion to the sizes of all sets of states that the subset
    construction meets.
    """
    if system.is_deterministic():
        return system
    system = _quotient(system, finer_classes(system))
    closure = _tau_closure(system)
    following = _visible_moves(system, closure)
    start = closure[0] - {ERROR}
    number = {start: 0}
    triples: list[tuple[int, int, int]] = []
    waiting = [start]
    for place, states in enumerate(waiting):
        targets: dict[int, frozenset[int]] = {}
        for state in states:
            for action, found in following[state].items():
                known = targets.get(action)
                targets[action] = found if known is None else known | found
        for action in sorted(targets):
            found = targets[action]
            if ERROR in found:
                triples.append((place, action, ERROR))
                continue
            after = number.setdefault(found, len(number))
            if after == len(waiting):
                waiting.append(found)
            triples.append((place, action, after))
    end = None if system.end is None else number.get(frozenset((system.end,)))
    return minimised(Lts.of(system.name, system.alphabet, len(number), triples, end, system.is_property))


def _tau_closure(system: Lts) -> list[frozenset[int]]:
    """Per state all states that tau alone leads to, itself and perhaps ERROR among them.

    States that lead to each other share one set.
    """
    silent = system.action == TAU
    source, target = system.source[silent], system.target[silent]
    inner = target != ERROR
    count, cycle = strongly_connected(system.states, source[inner], target[inner])
    members: list[set[int]] = [set() for _ in range(count)]
    for state, number in enumerate(cycle.tolist()):
        members[number].add(state)
    leading: list[set[int]] = [set() for _ in range(count)]
    for one, other in zip(source.tolist(), target.tolist(), strict=True):
        leading[int(cycle[one])].add(ERROR if other == ERROR else int(cycle[other]))
    closed: list[frozenset[int] | None] = [None] * count
    for root in range(count):
        stack = [root]
        while stack:
            number = stack[-1]
            further = [each for each in leading[number] if each not in (ERROR, number) and closed[each] is None]
            if further and closed[number] is None:
                stack.extend(further)
                continue
            stack.pop()
            if closed[number] is None:
                ends = [closed[each] or frozenset() for each in leading[number] if each not in (ERROR, number)]
                error = (ERROR,) if ERROR in leading[number] else ()
                closed[number] = frozenset(members[number]).union(error, *ends)
    return [closed[number] or frozenset() for number in cycle.tolist()]


def _visible_moves(system: Lts, closure: list[frozenset[int]]) -> list[dict[int, frozenset[int]]]:
    """Per state and action the states that ``action tau*`` leads to."""
    error = frozenset((ERROR,))
    found: list[dict[int, frozenset[int]]] = [{} for _ in range(system.states)]
    for source, action, target in system.triples():
        if action != TAU:
            ends = error if target == ERROR else closure[target]
            known = found[source].get(action)
            found[source][action] = ends if known is None else known | ends
    return found


def without_needless_tau(system: Lts) -> Lts:
    """A state that tau alone leaves is left out: what leads to it leads to where its taus lead.

    The initial state stays, and what is left is reachable. ``a -> (tau -> P | tau -> Q)`` becomes ``a -> P | a -> Q``,
    which is not weakly bisimilar; LTSA does this before it minimises a composite.
    """
    while True:
        proper = (system.action != TAU) | (system.source != system.target)
        source, action, target = system.source[proper], system.action[proper], system.target[proper]
        leaving = np.bincount(source, minlength=system.states)
        # The last entry, which -1 means too, is ERROR.
        passing = np.append((leaving > 0) & (np.bincount(source[action == TAU], minlength=system.states) == leaving), 0)
        passing = passing.astype(bool)
        passing[0] = False
        if not passing.any():
            return _with(system, source, action, target)
        into = passing[target] & ~passing[source]
        first = np.searchsorted(source, np.arange(system.states + 1))
        via = target[into]
        times = leaving[via]
        smaller = reachable(
            _with(
                system,
                np.concatenate([source[~into], np.repeat(source[into], times)]),
                np.concatenate([action[~into], np.repeat(action[into], times)]),
                np.concatenate([target[~into], target[ranges(first[via], first[via + 1])]]),
            )
        )
        if smaller.states == system.states:
            return smaller
        system = smaller


def _with(system: Lts, source: Numbers, action: Numbers, target: Numbers) -> Lts:
    columns = source, action, target
    return Lts.of_arrays(system.name, system.alphabet, system.states, *columns, system.end, system.is_property)
