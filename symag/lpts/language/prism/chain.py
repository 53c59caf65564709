"""Discrete-time Markov chains: a state chooses among its moves with equal probability, as in PRISM."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from msgspec import Struct

from symag.lpts.distributions import Probabilities
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.search import merged, used


class ResolvedChain(Struct, frozen=True, eq=False):
    """``lpts`` has at most one transition in each state; in ``mixed``, states of several actions, its action is ""."""

    lpts: Lpts
    mixed: Numbers


def resolved(lpts: Lpts) -> ResolvedChain:
    """Each state's moves become one, the mean of their distributions."""
    offsets = lpts.offsets()
    count = np.diff(offsets)
    first = offsets[:-1][count > 0]
    source = lpts.source[first]
    lowest = lpts.action[first]
    highest = lpts.action[offsets[1:][count > 0] - 1]
    action = np.where(lowest == highest, lowest, 0)
    probabilities = Probabilities()
    numbers = np.array([probabilities.number(probability) for probability in lpts.probabilities], dtype=np.int64)
    shares = np.array([probabilities.number(Fraction(1, max(1, k))) for k in range(int(count.max(initial=0)) + 1)])
    owner = np.repeat(lpts.source, np.diff(lpts.begin))
    weight = probabilities.products(numbers[lpts.weight], shares[count[owner]])
    order = np.lexsort((lpts.target, owner))
    owner, target, weight = merged(owner[order], lpts.target[order], weight[order], probabilities)
    begin = np.concatenate((np.searchsorted(owner, source), [len(owner)]))
    weight, values = used(weight, probabilities)
    chain = Lpts(lpts.name, lpts.alphabet, lpts.states, source, action, begin, target, weight, values)
    return ResolvedChain(chain, source[lowest != highest])
