"""Minimal systems by strong and by weak bisimulation.

As in LTSA the weakly minimal system has the transitions of the original between its classes, without tau from a class
to itself.
"""

from __future__ import annotations

import numpy as np

from symag.core.ranges import ranges
from symag.lts.equivalence import strong_classes, weak_classes
from symag.lts.lts import ERROR, TAU, Lts, Numbers, reachable


def strongly_minimised(system: Lts) -> Lts:
    """The quotient by strong bisimulation; its states are in the order of the first members of the classes."""
    return quotient(system, strong_classes(system))


def minimised(system: Lts) -> Lts:
    """The quotient by weak bisimulation, in the same order; without tau from a class to itself."""
    small = quotient(system, weak_classes(system))
    proper = (small.action != TAU) | (small.source != small.target)
    columns = small.source[proper], small.action[proper], small.target[proper]
    return Lts.of_arrays(small.name, small.alphabet, small.states, *columns, small.end, small.is_property)


def quotient(system: Lts, classes: Numbers) -> Lts:
    """One state for each class; ``classes`` holds the number of each state's class, numbered without gaps."""
    number = np.append(classes, ERROR)  # index -1 is the last entry: ERROR
    columns = number[system.source], system.action, number[system.target]
    end = None if system.end is None else int(classes[system.end])
    count = int(classes.max()) + 1
    return Lts.of_arrays(system.name, system.alphabet, count, *columns, end, system.is_property)


def without_needless_tau(system: Lts) -> Lts:
    """The system without states that only tau leaves: transitions to such a state lead to the targets of its taus.

    The initial state stays, and the remaining states are reachable. ``a -> (tau -> P | tau -> Q)`` becomes ``a -> P |
    a -> Q``, which is not weakly bisimilar; LTSA does this before it minimises a composite.
    """
    while True:
        proper = (system.action != TAU) | (system.source != system.target)
        source, action, target = system.source[proper], system.action[proper], system.target[proper]
        leaving = np.bincount(source, minlength=system.states)
        # Index -1 is the last entry: ERROR.
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
