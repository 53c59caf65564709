"""A system as arrays that graph searches and sums run over."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Mdp(Struct, frozen=True, eq=False):
    """Transition k goes from ``source[k]``; its entries are ``begin[k]`` to ``begin[k + 1]`` - 1.

    ``first`` says where each state's transitions begin, ``transition`` of which transition each entry is,
    ``chance`` its probability. The entries into state s are ``into[into_begin[s]]`` to ``into[into_begin[s + 1] - 1]``.
    """

    states: int
    source: Numbers
    first: Numbers
    begin: Numbers
    target: Numbers
    transition: Numbers
    chance: Floats
    into: Numbers
    into_begin: Numbers

    @classmethod
    def of(cls, lpts: Lpts) -> Mdp:
        """Linear; every state of the system has a transition."""
        into = np.argsort(lpts.target, kind="stable")
        into_begin = np.concatenate(([0], np.cumsum(np.bincount(lpts.target, minlength=lpts.states))))
        chances = np.array([float(p) for p in lpts.probabilities])
        return cls(
            lpts.states,
            lpts.source,
            lpts.offsets(),
            lpts.begin,
            lpts.target,
            np.repeat(np.arange(lpts.transitions), np.diff(lpts.begin)),
            chances[lpts.weight],
            into,
            into_begin,
        )

    def transitions_into(self, states: Numbers) -> Numbers:
        """The transitions with an entry into one of these states; a transition may occur several times."""
        places, _ = entries_of(self.into_begin, states)
        transitions: Numbers = self.transition[self.into[places]]
        return transitions

    def all_targets(self, inside: Mask) -> Mask:
        """For each transition, whether all its targets are inside."""
        return np.logical_and.reduceat(inside[self.target], self.begin[:-1])
