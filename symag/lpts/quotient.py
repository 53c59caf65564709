"""Abstraction of an LPTS by a partition of its states (agar-lpts-2012, Definition 8)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from symag.core.ranges import stable_order
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers

#: This many transitions are processed together.
_BATCH = 1 << 18


def quotient(system: Lpts, classes: Numbers) -> Lpts:
    """The system whose states are the classes; ``classes[s]`` is the class of state s, that of state 0 is 0.

    A class has the transitions of all its states, each target replaced by its class; equal ones count once.
    O(m log m) for m branches, with arrays; beside the result, memory is for ``_BATCH`` transitions at a time.
    """
    if system.transitions <= _BATCH:
        return quotient_with_image(system, classes)[0]
    pieces = [
        quotient_with_image(_some_transitions(system, low, min(low + _BATCH, system.transitions)), classes)[0]
        for low in range(0, system.transitions, _BATCH)
    ]
    number: dict[Fraction, int] = {}
    weights = [
        np.array([number.setdefault(value, len(number)) for value in piece.probabilities], dtype=np.int64)[piece.weight]
        for piece in pieces
    ]
    ends = np.cumsum([0, *(piece.entries for piece in pieces)])
    begins = [piece.begin[:-1] + start for piece, start in zip(pieces, ends[:-1].tolist(), strict=True)]
    joined = replace(
        pieces[0],
        name=system.name,
        source=np.concatenate([piece.source for piece in pieces]),
        action=np.concatenate([piece.action for piece in pieces]),
        begin=np.concatenate([*begins, ends[-1:]]),
        target=np.concatenate([piece.target for piece in pieces]),
        weight=np.concatenate(weights),
        probabilities=tuple(number),
    )
    return quotient_with_image(joined, np.arange(joined.states))[0]


def _some_transitions(system: Lpts, low: int, high: int) -> Lpts:
    """The system with the transitions from number ``low`` to ``high`` - 1 alone."""
    entries = slice(int(system.begin[low]), int(system.begin[high]))
    return replace(
        system,
        source=system.source[low:high],
        action=system.action[low:high],
        begin=system.begin[low : high + 1] - system.begin[low],
        target=system.target[entries],
        weight=system.weight[entries],
    )


def quotient_with_image(system: Lpts, classes: Numbers) -> tuple[Lpts, Numbers]:
    """The quotient, and the number of the quotient's transition that each transition of the system becomes."""
    common = system.denominator()
    exact = np.int64 if common < 2**31 else np.object_
    count = int(classes.max()) + 1
    numerators = np.array([int(p * common) for p in system.probabilities], dtype=exact)
    owner = np.repeat(np.arange(system.transitions), np.diff(system.begin))
    key = owner * count + classes[system.target]
    order = stable_order(key)
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
    if not len(source):
        return source, source
    key = (source * (int(action.max()) + 1) + action) * (int(sizes.max()) + 1) + sizes
    order = stable_order(key)
    key = key[order]
    changes = np.zeros(len(order), dtype=bool)
    changes[1:] = key[1:] != key[:-1]
    group = np.cumsum(changes)
    entry = np.unique(target * (int(weight.max()) + 1) + weight, return_inverse=True)[1].reshape(-1)
    entries = int(entry.max()) + 1
    longer, offset = np.arange(len(order)), 0
    while len(longer):
        # Groups are split by their transitions' entries, one position after the other.
        mine = order[longer]
        split = np.unique(group[longer] * entries + entry[begin[mine] + offset], return_inverse=True)[1].reshape(-1)
        group[longer] = len(order) * (offset + 1) + split
        offset += 1
        longer = longer[sizes[order[longer]] > offset]
    _, first, groups = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    image = np.empty(len(order), dtype=np.int64)
    image[order] = rank[groups.reshape(-1)]
    return order[np.sort(first)], image
