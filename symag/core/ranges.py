"""Arrays of numbers without a loop: many ranges joined, such as the entries of some rows of a sparse matrix; sets."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int64]
_Number = TypeVar("_Number", bound=np.number)


def ranges(first: Numbers, last: Numbers) -> Numbers:
    """first[0], .., last[0] - 1, first[1], .., last[1] - 1, and so on; no first is larger than its last. Linear."""
    lengths = last - first
    numbers: Numbers = np.arange(int(lengths.sum())) + np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
    return numbers


def ranks(counts: Numbers) -> Numbers:
    """0 .. count - 1 for each count, one after the other."""
    return ranges(np.zeros_like(counts), counts)


def stable_order(keys: Numbers) -> Numbers:
    """The positions of numbers (not negative) in ascending order; equal numbers stay in their order.

    Several times faster than a stable sort where a number and its position fit into one word. O(n log n).
    """
    bits = max(len(keys) - 1, 0).bit_length()
    if not len(keys) or int(keys.max()) >> (62 - bits):
        return np.argsort(keys, kind="stable")
    order: Numbers = np.sort((keys << bits) | np.arange(len(keys))) & ((1 << bits) - 1)
    return order


def grouped(keys: npt.NDArray[np.integer[Any]], count: int) -> tuple[Numbers, Numbers]:
    """The positions of numbers from 0 to below ``count``, ordered by them, and where those of each number begin.

    Those of number k are ``order[first[k] : first[k + 1]]``, ascending. O(n log n + count).
    """
    first = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys, minlength=count), out=first[1:])
    return stable_order(keys.astype(np.int64, copy=False)), first


def alike(words: npt.NDArray[np.uint64]) -> tuple[Numbers, Numbers]:
    """The place of one of each group of equal words, in the order of the words, and the group of each. O(n log n)."""
    order = np.argsort(words)
    ordered = words[order]
    differs = np.ones(len(words), dtype=bool)
    differs[1:] = ordered[1:] != ordered[:-1]
    groups = np.empty(len(words), dtype=np.int64)
    groups[order] = np.cumsum(differs) - 1
    places: Numbers = order[differs]
    return places, groups


def distinct(numbers: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """The numbers of an array of one dimension, ascending, each once. Costs a sort.

    ``numpy.unique`` hashes the numbers since numpy 2.3, and takes 40 times as long for a million of them (4 times for
    ten); it imports numpy's masked arrays, too (7 ms).
    """
    ascending = np.sort(numbers)
    first = np.empty(len(ascending), dtype=bool)
    first[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return ascending[first]


def missing(numbers: npt.NDArray[_Number], below: int) -> Numbers:
    """The numbers from 0 that are less than ``below`` and not in the array, ascending. The array's are less than it."""
    absent = np.ones(below, dtype=bool)
    absent[numbers] = False
    return np.flatnonzero(absent)
