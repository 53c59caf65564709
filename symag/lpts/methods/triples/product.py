"""The product of components with monitors, and the part of it in which a triple is decided.

A monitor blocks nothing, and makes the actions alone that no component has: so the plain composition of components and
monitors is the paper's M[alpha_A] with its automata. Only the states count from which the guarantee may still cost
something; in the others a scheduler stops, which is worth 0.

A fair scheduler stops only where it can stay and be fair. That is one more row of costs: stopping there by a transition
costs -1, and the limit is -1; so all of a flow has to stop so.
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
from symag.lpts.methods.triples.fairness import Mask, closed_part, leading
from symag.lpts.problems import Limit, Monitor, Whole

Floats = NDArray[np.float64]
_MOST_COMMON = 1 << 40


class TripleProduct(Struct, frozen=True, eq=False):
    """The states that count, 0 .. ``states`` - 1, in which each has a transition; state ``states`` stands for the rest.

    Transition k is ``origin[k]`` of the composition, whose state s is ``number[s]`` here (-1: not reached). Entry e has
    the probability ``share[e] / common``. ``costs[j, k]`` over ``scale[j]`` is the cost of transition k: of the
    guarantee (j = 0), then of the assumptions. ``initial`` may be the rest.

    Under ``fair`` schedulers the states that count are those from which one can be fair, and there is a last row of
    costs for transitions with the origin -1, by which it stops. ``staying`` are those of the composition that it
    takes after that, and ``reached`` the states of it that a re-check sees.
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
    reached: Mask
    staying: Mask | None = None

    def cost(self, index: int) -> Floats:
        """The cost of each transition as a floating-point number."""
        row: Floats = self.costs[index].astype(np.float64) / float(self.scale[index])
        return row


class NotFairError(Exception):
    """No scheduler is fair to every component."""


class ProductTooLargeError(Exception):
    """The numbers of a model are too long for exact equations in machine words."""


def product_of(
    components: Sequence[Lpts],
    guarantee: Monitor,
    assumptions: Sequence[tuple[Monitor, Fraction]],
    progress: Progress,
    fair: bool,
) -> TripleProduct:
    """The product for a guarantee, and assumptions with their limits.

    A limit of 0 means that no transition that costs something is ever taken: these are left out. Raises MemoryError,
    ProductTooLargeError, and NotFairError.
    """
    monitors = [guarantee, *(monitor for monitor, _ in assumptions)]
    composition = composed([*components, *(monitor.system for monitor in monitors)], "product", progress)
    lpts = composition.lpts
    costs, scale = _costs(composition, len(components), monitors)
    never = [index for index, (_, most) in enumerate(assumptions, 1) if most == 0]
    kept: Mask = np.all(costs[never] <= 0, axis=0)
    common = lpts.denominator()
    if common >= _MOST_COMMON:
        raise ProductTooLargeError
    reached = _reached(lpts, kept)
    staying = None
    if fair:
        free = kept & (costs[0] >= 0) & (costs[1:] <= 0).all(axis=0)
        staying = _staying(lpts, free, composition.moves[:, : len(components)] >= 0)
        kept = closed_part(lpts, kept, [staying])
    counting = leading(lpts, kept, kept if fair else costs[0] > 0)
    states = np.flatnonzero(counting & reached)
    number = np.where(reached, len(states), -1)
    number[states] = np.arange(len(states))
    origin = np.flatnonzero(kept & reached[lpts.source] & counting[lpts.source])
    source, costs = number[lpts.source[origin]], costs[:, origin]
    if staying is not None:
        stops = number[distinct(lpts.source[staying & reached[lpts.source]])]
        source = np.append(source, stops)
        order = np.argsort(source, kind="stable")
        source, origin = source[order], np.append(origin, np.full(len(stops), -1))[order]
        costs = np.vstack((np.pad(costs, ((0, 0), (0, len(stops))))[:, order], np.where(origin < 0, -1, 0)))
        scale = (*scale, 1)
    begin, target, share = _branches(lpts, origin, number, len(states), common)
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
        costs,
        scale,
        matrix,
        reached,
        staying,
    )


def _branches(lpts: Lpts, origin: Numbers, number: Numbers, rest: int, common: int) -> tuple[Numbers, Numbers, Numbers]:
    """Where the branches of transitions begin, their targets and shares; where the origin is -1, one to the rest."""
    # After all transitions of the composition, one that stands for stopping.
    shares = np.array([int(p * common) for p in lpts.probabilities], dtype=np.int64)
    targets, weights = np.append(number[lpts.target], rest), np.append(shares[lpts.weight], common)
    entries, begin = entries_of(np.append(lpts.begin, lpts.begin[-1] + 1), origin % (lpts.transitions + 1))
    return begin, targets[entries], weights[entries]


def _staying(lpts: Lpts, free: Mask, members: Mask) -> Mask:
    """The transitions by which a fair scheduler can stay for ever, of those that are free.

    Raises NotFairError if no scheduler is fair, whatever it costs.
    """
    goals = [members[:, k] for k in range(members.shape[1])]
    everything = np.ones(lpts.transitions, dtype=bool)
    if not (closed_part(lpts, everything, [closed_part(lpts, everything, goals)]) & (lpts.source == 0)).any():
        raise NotFairError
    return closed_part(lpts, free, goals)


def _costs(composition: Composition, members: int, monitors: Sequence[Monitor]) -> tuple[Whole, tuple[int, ...]]:
    """The numerators of the costs of each transition for each monitor, and their denominators."""
    transitions = composition.lpts.transitions
    rows: list[Whole] = []
    scale: list[int] = []
    for index, monitor in enumerate(monitors):
        common = math.lcm(1, *(cost.denominator for cost in monitor.costs))
        own = np.array([int(cost * common) for cost in (*monitor.costs, Fraction())], dtype=object)
        if max(map(abs, own.tolist())) >= _MOST_COMMON:
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


def limits_of(limits: Sequence[Limit]) -> dict[int, Fraction]:
    """The smallest limit of each monitor."""
    smallest: dict[int, Fraction] = {}
    for limit in limits:
        smallest[limit.monitor] = min(limit.most, smallest.get(limit.monitor, limit.most))
    return smallest
