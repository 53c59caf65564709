"""Two systems over one alphabet, and beside each other as one system."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from symag.core.ranges import stable_order
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers


def common_alphabet(left: Lpts, right: Lpts) -> tuple[str, ...]:
    """ "", the actions of both, and last a name that stands for moves without a label."""
    names = sorted({*left.alphabet[1:], *right.alphabet[1:]})
    unlabelled = "(no label)"
    while unlabelled in names:
        unlabelled += "'"
    return ("", *names, unlabelled)


def over(alphabet: tuple[str, ...], system: Lpts) -> tuple[Lpts, Numbers]:
    """The system over a common alphabet, whose last action replaces ""; and the number that each transition had."""
    number = {name: index for index, name in enumerate(alphabet)}
    numbers = [len(alphabet) - 1, *(number[name] for name in system.alphabet[1:])]
    action = np.array(numbers, dtype=np.int64)[system.action]
    order = stable_order(system.source * len(alphabet) + action)
    entry, begin = entries_of(system.begin, order)
    return replace(
        system,
        alphabet=alphabet,
        source=system.source[order],
        action=action[order],
        begin=begin.astype(np.int64),
        target=system.target[entry],
        weight=system.weight[entry],
    ), order


def beside(left: Lpts, right: Lpts) -> Lpts:
    """The disjoint union of two systems over one alphabet; the states of the right one follow those of the left."""
    number: dict[Fraction, int] = {}
    weights = [
        np.array([number.setdefault(value, len(number)) for value in system.probabilities], dtype=np.int64)[
            system.weight
        ]
        for system in (left, right)
    ]
    return replace(
        left,
        states=left.states + right.states,
        source=np.concatenate((left.source, right.source + left.states)),
        action=np.concatenate((left.action, right.action)),
        begin=np.concatenate((left.begin, right.begin[1:] + left.entries)),
        target=np.concatenate((left.target, right.target + left.states)),
        weight=np.concatenate(weights),
        probabilities=tuple(number),
    )
