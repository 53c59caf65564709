"""Abstraction of an LPTS by a partition of its states (agar-lpts-2012, Definition 8)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers


def quotient(system: Lpts, classes: Numbers) -> Lpts:
    """The system whose states are the classes; ``classes[s]`` is the class of state s, that of state 0 is 0.

    A class has the transitions of all its states, each target replaced by its class; equal ones count once.
    O(m log m) for m branches, with arrays.
    """
    return quotient_with_image(system, classes)[0]


def quotient_with_image(system: Lpts, classes: Numbers) -> tuple[Lpts, Numbers]:
    """The quotient, and for each transition of the system the one of the quotient that it has become."""
    common = system.denominator()
    exact = np.int64 if common < 2**31 else np.object_
    count = int(classes.max()) + 1
    numerators = np.array([int(p * common) for p in system.probabilities], dtype=exact)
    owner = np.repeat(np.arange(system.transitions), np.diff(system.begin))
    key = owner * count + classes[system.target]
    order = np.argsort(key, kind="stable")
    key = key[order]
    fresh = np.ones(len(key), dtype=bool)
    fresh[1:] = key[1:] != key[:-1]
    starts = np.flatnonzero(fresh)
    mass = np.add.reduceat(numerators[system.weight[order]], starts) if len(starts) else numerators[:0]
    values, weight = np.unique(mass, return_inverse=True)
    weight = weight.reshape(-1).astype(np.int64)
    target, sizes = key[starts] % count, np.bincount(key[starts] // count, minlength=system.transitions)
    begin = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    source, action = classes[system.source], system.action
    representatives, image = _distinct(source, action, begin, target, weight)
    taken, starts = entries_of(begin, representatives)
    merged = Lpts(
        f"{system.name}/",
        system.alphabet,
        count,
        source[representatives],
        action[representatives],
        starts.astype(np.int64),
        target[taken],
        weight[taken],
        tuple(Fraction(int(value), common) for value in values.tolist()),
    )
    return merged, image


def _distinct(
    source: Numbers, action: Numbers, begin: Numbers, target: Numbers, weight: Numbers
) -> tuple[Numbers, Numbers]:
    """The first of each group of equal transitions, sorted by source and action; and the group of each transition."""
    sizes = np.diff(begin)
    order = np.lexsort((sizes, action, source))
    if not len(order):
        return order, order
    changes = np.zeros(len(order), dtype=bool)
    for column in (source, action, sizes):
        sorted_column = column[order]
        changes[1:] |= sorted_column[1:] != sorted_column[:-1]
    group = np.cumsum(changes)
    entry = np.unique(target * (int(weight.max()) + 1) + weight, return_inverse=True)[1].reshape(-1)
    entries = int(entry.max()) + 1
    longer, offset = np.arange(len(order)), 0
    while len(longer):
        # Groups are parted by their transitions' entries, one place after the other.
        mine = order[longer]
        parted = np.unique(group[longer] * entries + entry[begin[mine] + offset], return_inverse=True)[1].reshape(-1)
        group[longer] = len(order) * (offset + 1) + parted
        offset += 1
        longer = longer[sizes[order[longer]] > offset]
    _, first, groups = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    image = np.empty(len(order), dtype=np.int64)
    image[order] = rank[groups.reshape(-1)]
    return order[np.sort(first)], image
