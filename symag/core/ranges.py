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
