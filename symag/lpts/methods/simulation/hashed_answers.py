"""Answers of a specification by hashes of the questions, kept from one system to the next.

A question is an action with the mass of each set of states of the specification. Premise 1 of abstraction refinement is
nearly the same system in each round, and asks mostly what was asked before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from symag.core.state_table import Words
from symag.lpts.lpts import Numbers


@dataclass(slots=True)
class StateSets:
    """Numbered sets of the specification's states: each as bits of an integer, as a row of words, as a random word."""

    width: int
    random: np.random.Generator
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
                fresh = self.random.integers(0, 2**64, size=more, dtype=np.uint64)
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
    """``answer[h]`` is the number of the set of states that answer the questions with hash h."""

    def __init__(self, width: int, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self.sets = StateSets(width, self._random)
        self.answer: dict[int, int] = {}
        self._actions: dict[str, int] = {}

    def action_words(self, alphabet: Sequence[str]) -> Words:
        """A random word for each action, the same for the same name."""
        for name in alphabet:
            if name not in self._actions:
                self._actions[name] = int(self._random.integers(0, 2**64, dtype=np.uint64))
        return np.array([self._actions[name] for name in alphabet], dtype=np.uint64)
