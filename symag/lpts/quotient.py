"""Abstraction of an LPTS by a partition of its states (agar-lpts-2012, Definition 8)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symag.lpts.lpts import Lpts, Numbers


def quotient(system: Lpts, classes: Numbers) -> Lpts:
    """The system whose states are the classes; ``classes[s]`` is the class of state s, that of state 0 is 0.

    A class has the transitions of all its states, each target replaced by its class; equal ones count once.
    O(m log m) for m branches, with arrays.
    """
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
    kept = _distinct(source, action, begin, target, weight)
    taken = np.concatenate([np.arange(begin[k], begin[k + 1]) for k in kept]) if len(kept) else np.zeros(0, np.int64)
    return Lpts(
        f"{system.name}/",
        system.alphabet,
        count,
        source[kept],
        action[kept],
        np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
        target[taken],
        weight[taken],
        tuple(Fraction(int(value), common) for value in values.tolist()),
    )


def _distinct(source: Numbers, action: Numbers, begin: Numbers, target: Numbers, weight: Numbers) -> NDArray[np.int64]:
    """The first of each group of equal transitions, sorted by source and action."""
    sizes = np.diff(begin)
    order = np.lexsort((sizes, action, source))
    seen: set[tuple[int, int, bytes, bytes]] = set()
    kept = []
    sources, actions, begins = source.tolist(), action.tolist(), begin.tolist()
    for k in order.tolist():
        low, high = begins[k], begins[k + 1]
        key = sources[k], actions[k], target[low:high].tobytes(), weight[low:high].tobytes()
        if key not in seen:
            seen.add(key)
            kept.append(k)
    return np.array(kept, dtype=np.int64)
