"""The product of components with monitors, and the part of it in which a triple is decided.

A monitor blocks nothing, and makes the actions alone that no component has: so the plain composition of components and
monitors is the paper's M[alpha_A] with its automata. Only the states count from which the guarantee may still cost
something; in the others a scheduler stops, which is worth 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.sparse
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.limits import Progress
from symag.core.ranges import distinct
from symag.lpts.composition import Composition, composed
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.problems import Limit, Monitor, Whole

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
_MOST_COMMON = 1 << 40


class TripleProduct(Struct, frozen=True, eq=False):
    """The states that count, 0 .. ``states`` - 1, in which each has a transition; state ``states`` stands for the rest.

    Transition k is ``origin[k]`` of the composition, whose state s is ``number[s]`` here (-1: not reached). Entry e has
    the probability ``share[e] / common``. ``costs[j, k]`` over ``scale[j]`` is the cost of transition k: of the
    guarantee (j = 0), then of the assumptions. ``initial`` may be the rest.
    """

    composition: Composition
    number: Numbers
    states: int
    initial: int
    origin: Numbers
    source: Numbers
    first: Numbers
    begin: Numbers
    target: Numbers
    share: Numbers
    common: int
    costs: Whole
    scale: tuple[int, ...]
    matrix: scipy.sparse.csr_array

    def cost(self, index: int) -> Floats:
        """The cost of each transition as a floating-point number."""
        row: Floats = self.costs[index].astype(np.float64) / float(self.scale[index])
        return row


class ProductTooLargeError(Exception):
    """The numbers of a model are too long for exact equations in machine words."""


def product_of(
    components: Sequence[Lpts],
    guarantee: Monitor,
    assumptions: Sequence[tuple[Monitor, Fraction]],
    progress: Progress,
) -> TripleProduct:
    """The product for a guarantee, and assumptions with their limits.

    A limit of 0 means that no transition that costs something is ever taken: these are left out. Raises MemoryError
    and ProductTooLargeError.
    """
    monitors = [guarantee, *(monitor for monitor, _ in assumptions)]
    systems = [*components, *(monitor.system for monitor in monitors)]
    composition = composed(systems, "product", progress)
    lpts = composition.lpts
    costs, scale = _costs(composition, len(components), monitors)
    kept = np.ones(lpts.transitions, dtype=bool)
    for index, (_, most) in enumerate(assumptions, 1):
        if most == 0:
            kept &= costs[index] == 0
    common = lpts.denominator()
    if common >= _MOST_COMMON:
        raise ProductTooLargeError
    reached = _reached(lpts, kept)
    counting = _counting(lpts, kept, costs[0] > 0) & reached
    states = np.flatnonzero(counting)
    number = np.where(reached, len(states), -1)
    number[states] = np.arange(len(states))
    origin = np.flatnonzero(kept & counting[lpts.source])
    entries, begin = entries_of(lpts.begin, origin)
    shares = np.array([int(p * common) for p in lpts.probabilities], dtype=np.int64)
    source = number[lpts.source[origin]]
    target, share = number[lpts.target[entries]], shares[lpts.weight[entries]]
    matrix = scipy.sparse.csr_array((share / common, target, begin), shape=(len(origin), len(states) + 1))
    return TripleProduct(
        composition,
        number,
        len(states),
        int(number[0]),
        origin,
        source,
        np.searchsorted(source, np.arange(len(states) + 1)),
        begin,
        target,
        share,
        common,
        costs[:, origin],
        scale,
        matrix,
    )


def _costs(composition: Composition, members: int, monitors: Sequence[Monitor]) -> tuple[Whole, tuple[int, ...]]:
    """The numerators of the costs of each transition for each monitor, and their denominators."""
    transitions = composition.lpts.transitions
    rows: list[Whole] = []
    scale: list[int] = []
    for index, monitor in enumerate(monitors):
        common = math.lcm(1, *(cost.denominator for cost in monitor.costs))
        own = np.array([int(cost * common) for cost in (*monitor.costs, Fraction())], dtype=object)
        if int(own.max()) >= _MOST_COMMON:
            raise ProductTooLargeError
        # The last entry, which -1 selects, is the cost of a transition in which the monitor takes no part.
        rows.append(own.astype(np.int64)[composition.moves[:, members + index]])
        scale.append(common)
    return np.array(rows, dtype=np.int64).reshape(len(monitors), transitions), tuple(scale)


def _reached(lpts: Lpts, kept: Mask) -> Mask:
    """The states that kept transitions reach from state 0."""
    reached = np.zeros(lpts.states, dtype=bool)
    offsets = lpts.offsets()
    frontier = np.zeros(1, dtype=np.int64)
    reached[0] = True
    while len(frontier):
        moves, _ = entries_of(offsets, frontier)
        entries, _ = entries_of(lpts.begin, moves[kept[moves]])
        targets = distinct(lpts.target[entries])
        frontier = targets[~reached[targets]]
        reached[frontier] = True
    return reached


def _counting(lpts: Lpts, kept: Mask, costly: Mask) -> Mask:
    """The states from which kept transitions may lead to a costly one."""
    owner = np.repeat(np.arange(lpts.transitions), np.diff(lpts.begin))
    order = np.argsort(lpts.target, kind="stable")
    into = owner[order]
    begin = np.searchsorted(lpts.target[order], np.arange(lpts.states + 1))
    counting = np.zeros(lpts.states, dtype=bool)
    frontier = distinct(lpts.source[kept & costly])
    counting[frontier] = True
    while len(frontier):
        places, _ = entries_of(begin, frontier)
        moves = into[places]
        sources = distinct(lpts.source[moves[kept[moves]]])
        frontier = sources[~counting[sources]]
        counting[frontier] = True
    return counting


def limits_of(limits: Sequence[Limit]) -> dict[int, Fraction]:
    """The smallest limit of each monitor."""
    smallest: dict[int, Fraction] = {}
    for limit in limits:
        smallest[limit.monitor] = min(limit.most, smallest.get(limit.monitor, limit.most))
    return smallest
