"""Random words of 64 bits, for hashes: numpy's own generators take 15 ms to import, in every process that uses them."""

from __future__ import annotations

import numpy as np

from symag.core.state_table import Words

_STEP = 0x9E3779B97F4A7C15
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def mixed(words: Words) -> Words:
    """A bijection of 64 bits that spreads small differences (the last step of splitmix64)."""
    words = words ^ (words >> _SHIFTS[0])
    words *= _FACTORS[0]
    words ^= words >> _SHIFTS[1]
    words *= _FACTORS[1]
    words ^= words >> _SHIFTS[2]
    return words


class RandomWords:
    """splitmix64 (G. L. Steele, D. Lea, C. H. Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).

    The same ``seed`` gives the same words.
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def words(self, count: int) -> Words:
        """The next words; linear."""
        steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_STEP)
        result = mixed(steps + np.uint64(self._state & 0xFFFFFFFFFFFFFFFF))
        self._state += count * _STEP
        return result
