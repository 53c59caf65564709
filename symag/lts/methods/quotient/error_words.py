"""A shortest word by which M || N violates P, given that M || N/~ does.

A* search in M || N || P. The distance to the error in M || N/~ || P is a lower bound of the real one, because the
quotient only has more runs; so the first run to the error is a shortest one.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence

import numpy as np

from symag.core.ranges import distinct, ranges
from symag.lts.composition import Composition
from symag.lts.lts import ERROR, TAU, Lts, Numbers

_Triple = tuple[int, int, int]


def shortest_word(processes: tuple[Lts, Lts, Lts], small: Composition, classes: Numbers) -> tuple[str, ...]:
    """The visible actions of a shortest run of the three processes M, N and P to ERROR; there is one.

    ``small`` is the composition of M, N's quotient and P, and ``classes`` the class of each state of N. Costs at worst
    the whole product, mostly the states near shortest runs.
    """
    distance = dict(zip(map(tuple, small.local_states.tolist()), distances_to_error(small.lts).tolist(), strict=True))
    block = classes.tolist()
    outgoing = [_by_label(lts) for lts in processes]
    owned = [frozenset(lts.alphabet[1:]) for lts in processes]
    start: _Triple = (0, 0, 0)
    reached: dict[_Triple, tuple[int, tuple[_Triple, str] | None]] = {start: (0, None)}
    order = itertools.count()
    waiting = [(distance[start], next(order), start)]
    done: set[_Triple] = set()
    while waiting:
        _, _, triple = heapq.heappop(waiting)
        if triple in done:
            continue
        done.add(triple)
        length = reached[triple][0] + 1
        for label, after in _moves(outgoing, owned, triple):
            if after[2] == ERROR:
                return _word(reached, triple, label)
            left = distance[(after[0], block[after[1]], after[2])]
            if left >= 0 and (after not in reached or length < reached[after][0]):
                reached[after] = length, (triple, label)
                heapq.heappush(waiting, (length + left, next(order), after))
    raise AssertionError("the quotient violates the property, the system does not: the equivalence is wrong")


def distances_to_error(lts: Lts) -> Numbers:
    """The length of a shortest path to ERROR from each state, -1 if there is none."""
    distances = np.full(lts.states, -1, dtype=np.int64)
    order = np.argsort(lts.target, kind="stable")
    source, target = lts.source[order], lts.target[order]
    frontier, length = np.array([ERROR]), 0
    while len(frontier):
        length += 1
        low, high = np.searchsorted(target, frontier), np.searchsorted(target, frontier, side="right")
        before = distinct(source[ranges(low, high)])
        frontier = before[distances[before] < 0]
        distances[frontier] = length
    return distances


def _by_label(lts: Lts) -> list[dict[str, list[int]]]:
    steps: list[dict[str, list[int]]] = [{} for _ in range(lts.states)]
    for source, action, target in lts.triples():
        steps[source].setdefault("" if action == TAU else lts.alphabet[action], []).append(target)
    return steps


def _moves(
    outgoing: Sequence[list[dict[str, list[int]]]], owned: Sequence[frozenset[str]], triple: _Triple
) -> list[tuple[str, _Triple]]:
    """The possible moves; a silent one has the empty label. The error is ERROR of the property."""
    steps: list[tuple[str, _Triple]] = []
    here = [moves[state] for moves, state in zip(outgoing, triple, strict=True)]
    for label in sorted(set().union(*here)):
        if label == "":
            continue
        choices = [
            moves.get(label, ()) if label in labels else (state,)
            for moves, labels, state in zip(here, owned, triple, strict=True)
        ]
        steps.extend((label, (m, n, p)) for m, n, p in itertools.product(*choices))
    steps.extend(("", (m, triple[1], triple[2])) for m in here[0].get("", ()))
    steps.extend(("", (triple[0], n, triple[2])) for n in here[1].get("", ()))
    return steps


def _word(
    reached: dict[_Triple, tuple[int, tuple[_Triple, str] | None]], triple: _Triple, last: str
) -> tuple[str, ...]:
    labels = [last]
    while (before := reached[triple][1]) is not None:
        triple, label = before
        labels.append(label)
    return tuple(label for label in reversed(labels) if label)
