"""Many moves of many states at once, as arrays: their distributions, side by side and multiplied."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from symag.core.ranges import ranges, ranks
from symag.core.state_table import Words
from symag.lpts.lpts import Numbers

#: Numbers of states or transitions, in as few bits as the largest needs.
Origins = NDArray[np.signedinteger[Any]]
#: So many pairs of probabilities are looked up in a table.
_TABLE = 1 << 16


class Probabilities:
    """Distinct fractions with numbers; sums and products of many of them cost one operation for each new pair."""

    def __init__(self) -> None:
        self.values: list[Fraction] = []
        self._number: dict[Fraction, int] = {}
        self._products: dict[tuple[int, int], int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self.one = self.number(Fraction(1))

    def number(self, value: Fraction) -> int:
        """The number of a fraction."""
        number = self._number.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number

    def products(self, left: Numbers, right: Numbers) -> Numbers:
        """The products, element by element."""
        if (left == self.one).all():
            return right
        if (right == self.one).all():
            return left
        return self._combined(left, right, self._products, operator.mul)

    def sums(self, left: Numbers, right: Numbers) -> Numbers:
        """The sums, element by element."""
        return self._combined(left, right, self._sums, operator.add)

    def _combined(
        self,
        left: Numbers,
        right: Numbers,
        known: dict[tuple[int, int], int],
        operation: Callable[[Fraction, Fraction], Fraction],
    ) -> Numbers:
        count = len(self.values)
        if count * count < _TABLE:
            codes = left * count + right
            occurring = np.zeros(count * count, dtype=bool)
            occurring[codes] = True
            pairs = np.flatnonzero(occurring)
            table = np.zeros(count * count, dtype=np.int64)
            table[pairs] = self._results(pairs // count, pairs % count, known, operation)
            numbers: Numbers = table[codes]
            return numbers
        codes, inverse = np.unique((left << 31) | right, return_inverse=True)
        return self._results(codes >> 31, codes & 0x7FFFFFFF, known, operation)[inverse]

    def _results(
        self,
        left: Numbers,
        right: Numbers,
        known: dict[tuple[int, int], int],
        operation: Callable[[Fraction, Fraction], Fraction],
    ) -> Numbers:
        numbers: Numbers = np.empty(len(left), dtype=np.int64)
        for index, pair in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            if pair not in known:
                known[pair] = self.number(operation(self.values[pair[0]], self.values[pair[1]]))
            numbers[index] = known[pair]
        return numbers


class MoveBatch(Struct, frozen=True, eq=False):
    """Move k is a move of state ``row[k]`` of a batch of states; the rows ascend unless stated otherwise.

    Its distribution is entries ``begin[k]`` to ``begin[k + 1]`` - 1: with probability number ``weight[e]`` the
    packed state changes by ``shift[e]`` (a row of words, added). The shifts of different entries may be equal.
    ``origin[k]`` has a column for each part of the system that remembers its moves: 1 + the number of the part's
    transition in the move, 0 if it makes none.
    """

    row: Numbers
    begin: Numbers
    shift: Words
    weight: Numbers
    origin: Origins


def entries_of(begin: Numbers, chosen: Numbers) -> tuple[Numbers, Numbers]:
    """The entries of these distributions, one after the other, and where each distribution begins among them."""
    sizes = begin[chosen + 1] - begin[chosen]
    ends = np.concatenate(([0], np.cumsum(sizes)))
    return ranges(begin[chosen], begin[chosen + 1]), ends


def concatenated(parts: Sequence[MoveBatch]) -> MoveBatch:
    """All these moves, in no order."""
    if len(parts) == 1:
        return parts[0]
    lengths = np.cumsum([0, *(len(part.shift) for part in parts)])
    begin = np.concatenate([part.begin[:-1] + start for part, start in zip(parts, lengths, strict=False)])
    return MoveBatch(
        np.concatenate([part.row for part in parts]),
        np.concatenate((begin, lengths[-1:])),
        np.concatenate([part.shift for part in parts]),
        np.concatenate([part.weight for part in parts]),
        np.concatenate([part.origin for part in parts]),
    )


def ordered(moves: MoveBatch) -> MoveBatch:
    """The moves in an order in which the rows ascend."""
    if (moves.row[1:] >= moves.row[:-1]).all():
        return moves
    order = np.argsort(moves.row, kind="stable")
    entry, begin = entries_of(moves.begin, order)
    return MoveBatch(moves.row[order], begin, moves.shift[entry], moves.weight[entry], moves.origin[order])


def joined(left: MoveBatch, right: MoveBatch, rows: int, probabilities: Probabilities) -> MoveBatch:
    """Both at once: each move of a row on the left with each on the right, their distributions multiplied.

    The rows of both ascend, and all are below ``rows``.
    """
    partners = np.bincount(right.row, minlength=rows)
    first = np.cumsum(partners) - partners
    count = partners[left.row]
    a = np.repeat(np.arange(len(left.row)), count)
    b = first[left.row[a]] + ranks(count)
    left_size = left.begin[a + 1] - left.begin[a]
    right_size = right.begin[b + 1] - right.begin[b]
    size = left_size * right_size
    if (right_size == 1).all():
        entry_a = ranges(left.begin[a], left.begin[a + 1])
        entry_b = np.repeat(right.begin[b], size)
    else:
        within = ranks(size)
        width = np.repeat(right_size, size)
        entry_a = np.repeat(left.begin[a], size) + within // width
        entry_b = np.repeat(right.begin[b], size) + within % width
    return MoveBatch(
        left.row[a],
        np.concatenate(([0], np.cumsum(size))),
        left.shift[entry_a] + right.shift[entry_b],
        probabilities.products(left.weight[entry_a], right.weight[entry_b]),
        left.origin[a] + right.origin[b],
    )
