"""Strong probabilistic bisimilarity of states, by refining partitions on arrays.

Two states are bisimilar if for each transition of one the other has one with the same action that gives the same
probability to every class (K. G. Larsen and A. Skou, "Bisimulation through probabilistic testing", 1991; with
nondeterminism: R. Segala and N. Lynch, 1995). Refinement is by signatures (S. Blom and S. Orzan, 2005): the set of
pairs (action, probability of each class). Signatures are compared by hashes: sums over the probabilities, as integers
over a common denominator. When a round splits no class, the partition is checked exactly; if two hashes were equal by
chance, refinement goes on with other hashes.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from symag.core.limits import Progress, no_progress
from symag.core.random_words import RandomWords, mixed
from symag.core.ranges import distinct, stable_order
from symag.core.state_table import Words
from symag.core.values import replace
from symag.lpts.distributions import entries_of
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.state_values import NamedStates, StateValues


def bisimulation_classes(
    system: Lpts, progress: Progress = no_progress, seed: int = 0, apart: Numbers | None = None
) -> Numbers:
    """The class of each state in the coarsest bisimulation; classes are numbered by their first states.

    States with different numbers in ``apart`` get different classes. The result is exact for every ``seed`` of the
    hashes. A round costs O(m log m) for m branches, with arrays of 8 bytes a branch; there are at most as many rounds
    as states, mostly a few dozen.
    """
    hashes = Hashes(system, seed)
    classes: Numbers = np.zeros(system.states, dtype=np.int64) if apart is None else by_first_states(apart)
    count = int(classes.max()) + 1
    while True:
        classes, refined_count = hashes.refined(classes)
        progress(f"{refined_count:,} classes of {system.states:,} states")
        if refined_count == count and is_stable(system, classes):
            return by_first_states(classes)
        count = refined_count


def is_stable(system: Lpts, classes: Numbers) -> bool:
    """Whether a partition is a bisimulation, exactly. O(m log m) for m branches."""
    quotient, image = quotient_with_image(system, classes)
    if not system.transitions:
        return True
    answers = len(distinct(system.source * quotient.transitions + image))
    return answers == int(np.diff(quotient.offsets())[classes].sum())


def by_first_states(classes: Numbers) -> Numbers:
    """The same classes, numbered in the order of their first members: that of state 0 is 0."""
    _, first, inverse = np.unique(classes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    numbers: Numbers = rank[inverse.reshape(-1)]
    return numbers


def masses(system: Lpts, total: int) -> Words:
    """For every branch its probability times ``total``, a multiple of all denominators, modulo 2**64."""
    scaled = [int(probability * total) & 0xFFFFFFFFFFFFFFFF for probability in system.probabilities]
    weights: Words = np.array(scaled, dtype=np.uint64)[system.weight]
    return weights


class Hashes:
    """Random hashes of classes, actions and transitions; two different ones are equal with probability 2**-64."""

    def __init__(self, system: Lpts, seed: int) -> None:
        self._system = system
        self.words = RandomWords(seed).words
        self._mass = masses(system, system.denominator())
        self._action = self.words(len(system.alphabet))[system.action]
        offsets = system.offsets()
        self._leaving = np.flatnonzero(np.diff(offsets))
        self._first = offsets[self._leaving]
        self._reactive = system.is_reactive()

    def refined(self, classes: Numbers) -> tuple[Numbers, int]:
        """The classes split by the signatures of their states, and the number of classes."""
        system = self._system
        signature = mixed(classes.astype(np.uint64) + self.words(1))
        if system.transitions:
            word = self.words(int(classes.max()) + 1)
            words = np.add.reduceat(self._mass * word[classes[system.target]], system.begin[:-1])
            words = mixed(words ^ self._action)
            if not self._reactive:
                words = self._once(words)
            signature[self._leaving] ^= mixed(np.add.reduceat(mixed(words), self._first))
        values, numbers = np.unique(signature, return_inverse=True)
        return numbers.reshape(-1).astype(np.int64), len(values)

    def _once(self, words: Words) -> Words:
        """The hashes in the order of the sources; a hash that its state has already had becomes 0."""
        order = np.lexsort((words, self._system.source))
        words, source = words[order], self._system.source[order]
        again = np.zeros(len(words), dtype=bool)
        again[1:] = (words[1:] == words[:-1]) & (source[1:] == source[:-1])
        return np.where(again, np.uint64(0), words)


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


def minimised(named: NamedStates, progress: Progress) -> NamedStates:
    """The smallest system that is strongly bisimilar, where bisimilar states have the same labels.

    A state has the values of the first of those that it stands for. Costs what ``bisimulation_classes`` does.
    """
    apart = np.zeros(named.lpts.states, dtype=np.int64)
    for _, states in named.labels:
        having = np.zeros(named.lpts.states, dtype=np.int64)
        having[states] = 1
        apart = np.unique(apart * 2 + having, return_inverse=True)[1].reshape(-1)
    classes = bisimulation_classes(named.lpts, progress, apart=apart)
    first = np.unique(classes, return_index=True)[1]
    values = StateValues(
        named.values.names, named.values.is_bool, tuple(column[first] for column in named.values.columns)
    )
    labels = tuple((name, distinct(classes[states])) for name, states in named.labels)
    initial_states = int(classes[: named.initial_states].max()) + 1
    return NamedStates(quotient(named.lpts, classes), values, labels, initial_states, named.warnings)
