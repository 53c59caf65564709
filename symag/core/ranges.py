"""Many ranges of numbers joined without a loop, such as the entries of some rows of a sparse matrix."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.int64]


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
