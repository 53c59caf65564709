"""How far approximate solutions of equations have to be moved to become inductive bounds.

Let r be such that every row loses at least 1/2 of it in one step: A r <= r - 1/2. If x misses its equations by at most
e, then x + 2 e r is above what each row makes of it, and x - 2 e r is below (a scaled ranking supermartingale).
The errors of floating-point sums are estimated from above, and rounding to multiples of a unit is added.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse
from msgspec import Struct

from symag.core.limits import Progress, no_progress
from symag.core.ranges import missing
from symag.lpts.lpts import Numbers
from symag.lpts.methods.quantitative.equations import Equations, Solution, solve
from symag.lpts.methods.quantitative.graphs import Floats, Mask

_PRECISION = 2.0**-52


class UnsolvedError(Exception):
    """No bounds follow from the floating-point numbers."""


class Enclosure(Struct, frozen=True, eq=False):
    """For each unknown a value, bounds that are inductive once they are rounded to multiples of the unit, and a row.

    The rows attain the lower bounds of a maximum and the upper bounds of a minimum.
    """

    lower: Floats
    upper: Floats
    rows: Numbers


def error_of(equations: Equations, largest: float, unit: float) -> float:
    """The greatest error of a sum over a row, with numbers up to ``largest`` and rounding to units."""
    longest = int(np.diff(equations.matrix.indptr).max(initial=0))
    return 2 * unit + 4 * (longest + 4) * _PRECISION * largest


def enclosed(equations: Equations, maximise: bool, unit: float, progress: Progress = no_progress) -> Enclosure:
    """Bounds of equations in which every run ends, whatever rows are chosen. Raises UnsolvedError."""
    solution = solve(equations, maximise, progress=progress)
    steps = _steps(equations, progress)
    loss = _loss(equations, steps)
    error = error_of(equations, float(np.abs(solution.values).max(initial=1.0)), unit)
    gain = equations.constant + equations.matrix @ solution.values - solution.values[equations.owner]
    chosen = solution.rows
    above, below = (slice(None), chosen) if maximise else (chosen, slice(None))
    up = max(0.0, float(((gain[above] + error) / loss[above]).max(initial=0.0)))
    down = max(0.0, float(((error - gain[below]) / loss[below]).max(initial=0.0)))
    return Enclosure(solution.values - down * steps, solution.values + up * steps, chosen)


def enclosed_costs(equations: Equations, start: Numbers, unit: float, progress: Progress = no_progress) -> Enclosure:
    """Bounds of least costs, where a run may go on for ever but then costs infinitely much.

    No row has a negative cost, and every run by rows without cost ends. ``start`` are the rows of a scheduler whose
    runs end. Raises UnsolvedError.
    """
    solution = solve(equations, False, start, progress)
    values, chosen = solution.values, solution.rows
    error = error_of(equations, float(np.abs(values).max(initial=1.0)), unit)
    gain = equations.constant + equations.matrix @ values - values[equations.owner]
    taken = Equations(equations.unknowns, equations.owner[chosen], equations.matrix[chosen], equations.constant[chosen])
    steps = _steps(taken, progress)
    up = max(0.0, float(((gain[chosen] + error) / _loss(taken, steps)).max(initial=0.0)))
    # From below the values are scaled, which helps where a row costs something, and moved where it does not.
    free = equations.constant == 0
    idle = _free_steps(equations, free, progress)
    loss = idle[equations.owner] - equations.matrix @ idle
    if free.any() and loss[free].min() < 0.5:
        raise UnsolvedError
    down = max(0.0, float(((error - gain[free]) / loss[free]).max(initial=0.0))) if free.any() else 0.0
    missing = error - gain[~free] - down * loss[~free]
    scale = max(0.0, float((missing / equations.constant[~free]).max(initial=0.0)))
    return Enclosure((1 - min(1.0, scale)) * values - down * idle, values + up * steps, chosen)


def _steps(equations: Equations, progress: Progress) -> Floats:
    """The greatest expected number of steps of a run."""
    ones = Equations(equations.unknowns, equations.owner, equations.matrix, np.ones(len(equations.owner)))
    solution: Solution = solve(ones, True, progress=progress)
    return solution.values * (1 + 1e-9)


def _free_steps(equations: Equations, free: Mask, progress: Progress) -> Floats:
    """The greatest expected number of steps without cost, before a run costs something."""
    without = missing(equations.owner[free], equations.unknowns)
    size = equations.matrix.shape[1]
    nothing = scipy.sparse.csr_array((len(without), size))
    owner = np.concatenate((equations.owner[free], without))
    matrix = scipy.sparse.vstack((equations.matrix[free], nothing), format="csr")
    constant = np.concatenate((np.ones(int(free.sum())), np.zeros(len(without))))
    order = np.argsort(owner, kind="stable")
    solution = solve(
        Equations(equations.unknowns, owner[order], matrix[order], constant[order]), True, progress=progress
    )
    return solution.values * (1 + 1e-9)


def _loss(equations: Equations, steps: Floats) -> Floats:
    loss: Floats = steps[equations.owner] - equations.matrix @ steps
    if len(loss) and not loss.min() >= 0.5:
        raise UnsolvedError
    return loss
