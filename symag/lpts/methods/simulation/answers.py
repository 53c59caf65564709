"""The answers of a specification: which of its states can follow a transition, given the relation so far."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from symag.core.random_words import RandomWords
from symag.core.state_table import Words
from symag.lpts.bisimulation import bisimulation_classes, quotient
from symag.lpts.lpts import Lpts, Numbers
from symag.lpts.methods.simulation.flow import WeightNetwork
from symag.lpts.methods.simulation.sides import Side, Sides, side_of, sides_on_demand

#: For each action its distributions, each with the set of states that have it, as bits.
_Having = Mapping[str, tuple[tuple[int, int], ...]]


class SpecificationAnswers:
    """What the states of a specification answer to transitions, each question decided once.

    The states are taken up to bisimilarity: state t is bit ``bit[t]`` of a set, and ``states`` is their number. Masses
    are integers over ``total``. ``beside`` is the specification as the other engines look at it. ``by_hash`` keeps what
    ``blocks`` asked, for systems that are related later.
    """

    def __init__(self, bit: Numbers, states: int, beside: Sides, side: Side, having: _Having) -> None:
        self.bit = bit
        self.states = states
        self.total = beside.total
        self.beside = beside
        self._distributions = side.distributions
        self._supports = [sum(1 << t for t in nu.support) for nu in side.distributions]
        self._having = having
        self._known: dict[tuple[str, frozenset[tuple[int, int]]], int] = {}
        #: By the number of bits of a hash, and a seed.
        self.by_hash: dict[tuple[int, int], HashedAnswers] = {}
        self._within: dict[tuple[str, int], tuple[int, list[tuple[int, int]]]] = {}
        self._flows: dict[tuple[int, frozenset[tuple[int, int]]], bool] = {}

    @classmethod
    def of(cls, specification: Lpts, system: Lpts) -> SpecificationAnswers:
        """Of a specification, completed for all systems with the actions and the denominators of this one."""
        beside = sides_on_demand(system, specification)
        bit = bisimulation_classes(beside.specification)
        small = quotient(beside.specification, bit)
        side = side_of(small, {name: index for index, name in enumerate(small.alphabet)}, beside.total)
        having: dict[str, dict[int, int]] = {name: {} for name in small.alphabet}
        for t, moves in enumerate(side.moves):
            for action, distribution in moves:
                mine = having[small.alphabet[action]]
                mine[distribution] = mine.get(distribution, 0) | 1 << t
        return cls(bit, small.states, beside, side, {name: tuple(answers.items()) for name, answers in having.items()})

    @property
    def flows(self) -> int:
        """The number of questions that needed a flow."""
        return len(self._flows)

    def answering(self, action: str, masses: Mapping[int, int]) -> int:
        """The set of states that answer an action with a distribution above this one.

        ``masses`` has the mass of the states that are simulated by exactly the states of a set, for each such set.
        """
        key = action, frozenset(masses.items())
        if key not in self._known:
            common = functools.reduce(operator.and_, masses)  # what simulates all of the mass
            answering, others = self._within_common(action, common)
            if len(masses) > 1:
                for number, states in others:
                    if states & ~answering and self._is_below(masses, number):
                        answering |= states
            self._known[key] = answering
        return self._known[key]

    def _within_common(self, action: str, common: int) -> tuple[int, list[tuple[int, int]]]:
        """The states with a distribution on states of ``common``, and the other distributions on several states."""
        if (action, common) not in self._within:
            answering, others = 0, list[tuple[int, int]]()
            for number, states in self._having.get(action, ()):
                if self._supports[number] & ~common == 0:
                    answering |= states
                elif len(self._distributions[number].support) > 1:
                    others.append((number, states))
            self._within[action, common] = answering, others
        return self._within[action, common]

    def _is_below(self, masses: Mapping[int, int], number: int) -> bool:
        """Whether a weight function takes these masses to a distribution."""
        nu = self._distributions[number]
        support = self._supports[number]
        merged: dict[int, int] = {}
        for simulating, mass in masses.items():
            merged[simulating & support] = merged.get(simulating & support, 0) + mass
        if 0 in merged:
            return False
        key = number, frozenset(merged.items())
        if key not in self._flows:
            related = [{j for j, t in enumerate(nu.support) if simulating >> t & 1} for simulating in merged]
            self._flows[key] = WeightNetwork(list(merged.values()), nu.mass, related).maximise()
        return self._flows[key]


class StateSets(Struct):
    """Numbered sets of the specification's states: each as bits of an integer, as a row of words, as a random word."""

    width: int
    random: RandomWords
    bits: list[int] = field(default_factory=list)
    number: dict[int, int] = field(default_factory=dict)
    rows: Words = field(default_factory=lambda: np.zeros((0, 0), dtype=np.uint64))
    words: Words = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))

    def add(self, bits: int) -> int:
        """The number of a set."""
        index = self.number.setdefault(bits, len(self.bits))
        if index == len(self.bits):
            if index == len(self.words):
                more = max(64, index)
                self.rows = np.concatenate(
                    [self.rows.reshape(index, self.width), np.zeros((more, self.width), dtype=np.uint64)]
                )
                fresh = self.random.words(more)
                self.words = np.concatenate([self.words, fresh])
            self.bits.append(bits)
            self.rows[index] = np.frombuffer(bits.to_bytes(8 * self.width, "little"), dtype=np.uint64)
        return index

    def intersections(self, numbers: Numbers, begin: Numbers) -> Words:
        """The intersections of sets, as rows: one for each place in ``begin``, of the sets from there to the next."""
        if self.width == 1:
            # Several times faster than along an axis.
            return np.bitwise_and.reduceat(self.rows[numbers, 0], begin).reshape(-1, 1)
        return np.bitwise_and.reduceat(self.rows[numbers], begin, axis=0)

    def numbers(self, rows: Words) -> Numbers:
        """The numbers of sets given as rows of words."""
        if self.width == 1:
            distinct, inverse = np.unique(rows[:, 0], return_inverse=True)
            distinct = distinct.reshape(-1, 1)
        else:
            distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
        numbers = [self.add(int.from_bytes(row.tobytes(), "little")) for row in distinct]
        result: Numbers = np.array(numbers, dtype=np.int64)[inverse.reshape(-1)]
        return result


class HashedAnswers:
    """Answers of a specification by hashes of the questions, kept from one system to the next.

    A question is an action with the mass of each set of states of the specification. Premise 1 of abstraction
    refinement is nearly the same system in each round, and asks mostly what was asked before. ``answer[h]`` is the
    number of the set of states that answer the questions with hash h.
    """

    def __init__(self, width: int, seed: int) -> None:
        self._random = RandomWords(seed)
        self.sets = StateSets(width, self._random)
        self.answer: dict[int, int] = {}
        self._actions: dict[str, int] = {}

    def action_words(self, alphabet: Sequence[str]) -> Words:
        """A random word for each action, the same for the same name."""
        for name in alphabet:
            if name not in self._actions:
                self._actions[name] = int(self._random.words(1)[0])
        return np.array([self._actions[name] for name in alphabet], dtype=np.uint64)
