"""Linear relations that sampled states satisfy, with exact integer coefficients (Karr's affine hull).

M. Karr, Affine relationships among variables of a program, Acta Informatica 6, 1976.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]

#: Elimination is done modulo this prime; the relations are then tested on the samples.
PRIME = 1_048_573
#: The largest absolute value of a coefficient.
LARGEST = 1_000
#: How often every relation is tried for a shorter one.
_ROUNDS = 3


def null_space(samples: NDArray[np.float64], seed: int) -> Rows:
    """Relations c with c . s = 0 for every row s of ``samples``, shortened by sums and differences.

    The samples are first combined at random, which loses a part of their span with a probability of about 1 / PRIME.
    Costs n^3 for n columns. Relations without small integer coefficients are left out.
    """
    count, width = samples.shape
    size = min(count, width + 8)
    draw = np.random.default_rng(abs(seed))
    if count > size:
        samples = draw.integers(0, PRIME, size=(size, count)).astype(np.float64) @ samples
    reduced = np.mod(samples, PRIME).astype(np.int64)
    pivots: list[int] = []
    for column in range(width - 1, -1, -1):
        row = len(pivots)
        if row == len(reduced):
            break
        # Only the pivot's row and column are reduced modulo PRIME: sums of millions of steps fit into 64 bits.
        factors = reduced[:, column] % PRIME
        nonzero = np.nonzero(factors[row:])[0]
        if len(nonzero) == 0:
            continue
        pivot = row + int(nonzero[0])
        if pivot != row:
            reduced[[row, pivot]] = reduced[[pivot, row]]
            factors[[row, pivot]] = factors[[pivot, row]]
        reduced[row] = reduced[row] % PRIME * pow(int(factors[row]), PRIME - 2, PRIME) % PRIME
        factors[row] = 0
        support = np.nonzero(reduced[row])[0]
        reduced[:, support] -= np.outer(factors, reduced[row, support])
        pivots.append(column)
    reduced %= PRIME
    free_columns = sorted(set(range(width)) - set(pivots))
    basis = np.zeros((len(free_columns), width), dtype=np.int64)
    for number, free in enumerate(free_columns):
        basis[number, free] = 1
        for row, column in enumerate(pivots):
            basis[number, column] = -reduced[row, free] % PRIME
    small = [vector for row in basis if (vector := _small(row)) is not None]
    return shortened(np.array(small, dtype=np.int64).reshape(len(small), width))


def _small(row: Rows) -> Rows | None:
    for denominator in range(1, 25):
        scaled = row * denominator % PRIME
        scaled = np.where(scaled > PRIME // 2, scaled - PRIME, scaled)
        if int(np.abs(scaled).max()) <= LARGEST:
            return normal(scaled)
    return None


def normal(row: Rows) -> Rows:
    """The relation with coprime coefficients, the first of them positive."""
    divisor = int(np.gcd.reduce(row))
    if divisor == 0:
        return row
    first = row[np.nonzero(row)[0][0]]
    return row // (divisor if first > 0 else -divisor)


def shortened(rows: Rows) -> Rows:
    """Shorter relations for the same space: a sum or difference with another row replaces a longer row."""
    rows = rows.copy()
    sizes = np.count_nonzero(rows, axis=1)
    for _ in range(_ROUNDS):
        changed = False
        for number in np.argsort(-sizes, kind="stable"):
            for sign in (1, -1):
                lengths = np.count_nonzero(rows[number] + sign * rows, axis=1)
                lengths[number] = sizes[number]
                lengths[lengths == 0] = sizes[number]
                best = int(np.argmin(lengths))
                if lengths[best] < sizes[number]:
                    rows[number] = normal(rows[number] + sign * rows[best])
                    sizes[number] = lengths[best]
                    changed = True
        if not changed:
            break
    return rows


def weakened(rows: Rows, state: Rows) -> Rows:
    """The relations, changed so that they also hold in one more state.

    The longest relation that fails there is combined with the others that fail, and becomes the empty relation; so
    does one whose coefficients would grow beyond LARGEST.
    """
    errors = rows @ state
    failing = [int(number) for number in np.nonzero(errors)[0]]
    if not failing:
        return rows
    lengths = np.count_nonzero(rows, axis=1)
    pivot = max(failing, key=lambda number: (lengths[number], number))
    result = rows.copy()
    result[pivot] = 0
    for number in failing:
        if number != pivot:
            divisor = math.gcd(int(errors[pivot]), int(errors[number]))
            combined = rows[number] * (errors[pivot] // divisor) - rows[pivot] * (errors[number] // divisor)
            result[number] = normal(combined) if int(np.abs(combined).max()) <= LARGEST else 0
    return result
