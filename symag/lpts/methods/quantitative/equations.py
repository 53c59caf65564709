"""Systems of equations x = max (or min) of b + A x over the rows of each unknown, in floating-point numbers.

They are solved from the last strongly connected component to the first, components of the same depth together:
where there is no cycle by substitution, else by value iteration and then by policy iteration, whose linear systems
are factored (Howard 1960; topological order: Dai, Mausam, Weld and Goldsmith, JAIR 42, 2011).
Nothing here is trusted: ``slack`` measures the errors of the values afterwards.
"""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg
from msgspec import Struct

from symag.core.limits import Progress, no_progress
from symag.core.ranges import distinct, grouped, ranges
from symag.lpts.lpts import Numbers
from symag.lpts.methods.quantitative.graphs import Floats

#: Steps of value iteration before policy iteration begins.
_FIRST_STEPS = 300
_ENOUGH = 1e-15
_MOST_POLICIES = 100
#: Linear systems of more unknowns are solved by iteration, with an incomplete factorisation.
_FACTORED = 12_000


class Equations(Struct, frozen=True, eq=False):
    """Row r is about unknown ``owner[r]`` (ascending; each has a row): ``constant[r]`` and the row of ``matrix``."""

    unknowns: int
    owner: Numbers
    matrix: scipy.sparse.csr_array
    constant: Floats


class Solution(Struct, frozen=True, eq=False):
    """A value of each unknown, and the number of a row that attains it, as far as floating-point numbers say."""

    values: Floats
    rows: Numbers


def solve(
    equations: Equations, maximise: bool, start: Numbers | None = None, progress: Progress = no_progress
) -> Solution:
    """An approximate solution. Policy iteration begins with ``start``, if given: a row for each unknown.

    Every policy that is better than ``start`` must have a solution.
    """
    n = equations.unknowns
    depth = _depths(equations)
    order = np.argsort(depth, kind="stable")
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    new_owner = place[equations.owner]
    rows = np.argsort(new_owner, kind="stable")
    matrix = equations.matrix[rows]
    matrix = scipy.sparse.csr_array((matrix.data, place[matrix.indices], matrix.indptr), shape=matrix.shape)
    owner, constant = new_owner[rows], equations.constant[rows]
    first = np.searchsorted(owner, np.arange(n + 1))
    new_start = None if start is None else np.argsort(rows)[start][order]
    solving = _Solving(matrix, constant, first, maximise, new_start)
    bounds = np.flatnonzero(np.diff(depth[order], prepend=-1, append=-1))
    for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        solving.level(low, high)
        progress(f"{high} of {n} values computed")
    return Solution(solving.values[place], rows[solving.rows[place]])


def _depths(equations: Equations) -> Numbers:
    """The distance of each unknown's component from those that depend on no other."""
    n = equations.unknowns
    size = np.diff(equations.matrix.indptr)
    sources, targets = np.repeat(equations.owner, size), equations.matrix.indices
    graph = scipy.sparse.coo_array((np.ones(len(sources), dtype=bool), (sources, targets)), shape=(n, n)).tocsr()
    count, labels = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
    pairs = distinct(labels[sources].astype(np.int64) * count + labels[targets])
    above, below = pairs // count, pairs % count
    above, below = above[above != below], below[above != below]
    waiting = np.bincount(above, minlength=count)
    order, begin = grouped(below, count)
    above = above[order]
    depth = np.zeros(count, dtype=np.int64)
    frontier = np.flatnonzero(waiting == 0)
    level = 0
    while len(frontier):
        depth[frontier] = level
        level += 1
        places = ranges(begin[frontier], begin[frontier + 1])
        freed, counts = np.unique(above[places], return_counts=True)
        waiting[freed] -= counts
        frontier = freed[waiting[freed] == 0]
    depths: Numbers = depth[labels]
    return depths


class _Solving:
    def __init__(
        self, matrix: scipy.sparse.csr_array, constant: Floats, first: Numbers, maximise: bool, start: Numbers | None
    ) -> None:
        self.matrix = matrix
        self.constant = constant
        self.first = first
        self.best = np.maximum if maximise else np.minimum
        self.sign = 1.0 if maximise else -1.0
        self.start = start
        self.values = np.zeros(len(first) - 1)
        self.rows = np.zeros(len(first) - 1, dtype=np.int64)

    def level(self, low: int, high: int) -> None:
        """Unknowns low .. high - 1, which depend on smaller ones and on each other."""
        begin, end = int(self.first[low]), int(self.first[high])
        m, at = self.matrix, self.matrix.indptr
        part = scipy.sparse.csr_array(
            (m.data[at[begin] : at[end]], m.indices[at[begin] : at[end]], at[begin : end + 1] - at[begin]),
            shape=(end - begin, len(self.values)),
        )
        constant = self.constant[begin:end] + part @ self.values
        first = self.first[low:high] - begin
        inner = (part.indices >= low) & (part.indices < high)
        if not inner.any():
            self.values[low:high] = self.best.reduceat(constant, first)
        else:
            kept = np.concatenate(([0], np.cumsum(inner)))[part.indptr]
            local = scipy.sparse.csr_array(
                (part.data[inner], part.indices[inner] - low, kept), shape=(end - begin, high - low)
            )
            start = None if self.start is None else self.start[low:high] - begin
            self.values[low:high] = self._settled(local, constant, first, start)
            constant = constant + local @ self.values[low:high]
        self.rows[low:high] = begin + self._argbest(constant, first, self.values[low:high])

    def _argbest(self, sums: Floats, first: Numbers, values: Floats) -> Numbers:
        """The first row of each unknown with the best sum."""
        size = np.diff(np.append(first, len(sums)))
        best = self.best.reduceat(sums, first)
        there = np.flatnonzero(sums == np.repeat(best, size))
        owner = np.repeat(np.arange(len(first)), size)[there]
        return there[np.searchsorted(owner, np.arange(len(first)))]

    def _settled(
        self, local: scipy.sparse.csr_array, constant: Floats, first: Numbers, start: Numbers | None
    ) -> Floats:
        values = np.zeros(len(first))
        if start is None:
            for _ in range(_FIRST_STEPS):
                new = self.best.reduceat(constant + local @ values, first)
                change = np.abs(new - values).max()
                values = new
                if change <= _ENOUGH * np.abs(values).max():
                    return values
            rows = self._argbest(constant + local @ values, first, values)
        else:
            rows = start
        identity = scipy.sparse.eye_array(len(first), format="csr")
        size = np.diff(np.append(first, len(constant)))
        for _ in range(_MOST_POLICIES):
            solved = _linear(identity - local[rows], constant[rows], values)
            if solved is None:
                break
            values = solved
            sums = constant + local @ values
            gain = self.sign * (sums - np.repeat(values, size))
            better = np.maximum.reduceat(gain, first) > 1e-12 * np.maximum(1.0, np.abs(values))
            if not better.any():
                break
            rows = np.where(better, self._argbest(sums, first, values), rows)
        return self._polished(local, constant, first, values)

    def _polished(self, local: scipy.sparse.csr_array, constant: Floats, first: Numbers, values: Floats) -> Floats:
        """Some more steps of value iteration, as long as they change less and less."""
        last = np.inf
        for _ in range(20):
            new = self.best.reduceat(constant + local @ values, first)
            change = float(np.abs(new - values).max())
            if not change < last:
                break
            values, last = new, change
        return values


def _linear(matrix: scipy.sparse.csr_array, constant: Floats, guess: Floats) -> Floats | None:
    """The solution of a linear system, None if it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", scipy.sparse.linalg.MatrixRankWarning)
        try:
            if len(constant) <= _FACTORED:
                solution = scipy.sparse.linalg.splu(matrix.tocsc()).solve(constant)
            else:
                solution = _iterated(matrix, constant, guess)
        except (RuntimeError, scipy.sparse.linalg.MatrixRankWarning):
            return None
    return solution if np.isfinite(solution).all() else None


def _iterated(matrix: scipy.sparse.csr_array, constant: Floats, guess: Floats) -> Floats:
    columns = matrix.tocsc()
    factors = scipy.sparse.linalg.spilu(columns, drop_tol=1e-4, fill_factor=10)
    preconditioner = scipy.sparse.linalg.LinearOperator(matrix.shape, factors.solve)
    solution = guess
    for _ in range(3):
        solution, _ = scipy.sparse.linalg.bicgstab(
            matrix, constant, x0=solution, rtol=1e-14, atol=0.0, maxiter=200, M=preconditioner
        )
    return np.asarray(solution, dtype=np.float64)
