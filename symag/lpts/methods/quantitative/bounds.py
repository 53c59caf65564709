"""Bounds of unbounded probabilities and rewards in every state, and the evidence for them.

States whose value a graph search knows are left out. End components in which a run can stay for ever become one state
(Haddad and Monmege: Interval iteration algorithm for MDPs and IMDPs, TCS 735, 2018). The other values are computed in
floating-point numbers, and moved until they are inductive bounds.
Let r be such that every row loses at least 1/2 of it in one step: A r <= r - 1/2. If x misses its equations by at most
e, then x + 2 e r is above what each row makes of it, and x - 2 e r is below (a scaled ranking supermartingale).
The errors of floating-point sums are estimated from above, and rounding to multiples of a unit is added.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse
from msgspec import Struct

from symag.core.limits import Progress, no_progress
from symag.core.ranges import missing
from symag.lpts.certificates.bounds import ExactVector, MeasureBounds
from symag.lpts.lpts import Numbers
from symag.lpts.methods.quantitative.equations import Equations, Solution, solve
from symag.lpts.methods.quantitative.graphs import Floats, Mask, Mdp, end_components, may_reach, may_surely, must_near
from symag.lpts.problems import RewardStructure

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


def enclosed(equations: Equations, maximise: bool, unit: float, progress: Progress) -> Enclosure:
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


def enclosed_costs(equations: Equations, start: Numbers, unit: float, progress: Progress) -> Enclosure:
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


_UNITS = 1 << 50


def greatest_probability(mdp: Mdp, before: Mask, goal: Mask, progress: Progress = no_progress) -> MeasureBounds:
    """Bounds of the greatest probability of reaching the goal through ``before``. Raises UnsolvedError."""
    through = before & ~goal
    everything = np.ones(len(mdp.source), dtype=bool)
    possible = may_reach(mdp, goal, through, everything).states
    sure = may_surely(mdp, goal, through)
    open_ = through & possible & ~sure.states
    quotient = _Quotient(mdp, open_, everything)
    equations = quotient.equations(mdp, mdp.chance * sure.states[mdp.target])
    enclosure = enclosed(equations, True, 1 / _UNITS, progress)
    lower, upper = (quotient.expanded(bound, sure.states.astype(float)) for bound in (enclosure.lower, enclosure.upper))
    low, high = _vector(np.floor(np.maximum(lower, 0) * _UNITS)), _vector(np.ceil(np.minimum(upper, 1) * _UNITS))
    choices = quotient.scheduler(mdp, enclosure.rows, sure.choices)
    positive = through & (np.array(low.numerators) > 0)
    choices = np.where(positive, choices, -1)
    return MeasureBounds(low, high, _plain(choices), _plain(_ranks_of(mdp, choices, ~positive)))


def least_probability(mdp: Mdp, before: Mask, goal: Mask, progress: Progress = no_progress) -> MeasureBounds:
    """Bounds of the least probability of reaching the goal through ``before``. Raises UnsolvedError."""
    through = before & ~goal
    everything = np.ones(len(mdp.source), dtype=bool)
    ranks = must_near(mdp, goal, through)
    never = ranks < 0
    sure = ~may_reach(mdp, never, through, everything).states
    open_ = through & ~never & ~sure
    quotient = _Quotient(mdp, open_, np.zeros(len(mdp.source), dtype=bool))
    equations = quotient.equations(mdp, mdp.chance * sure[mdp.target])
    enclosure = enclosed(equations, False, 1 / _UNITS, progress)
    lower, upper = (quotient.expanded(bound, sure.astype(float)) for bound in (enclosure.lower, enclosure.upper))
    low, high = _vector(np.floor(np.maximum(lower, 0) * _UNITS)), _vector(np.ceil(np.minimum(upper, 1) * _UNITS))
    avoiding = _one_of(mdp, mdp.all_targets(never))
    choices = quotient.scheduler(mdp, enclosure.rows, np.where(never, avoiding, mdp.first[:-1]))
    return MeasureBounds(low, high, _plain(np.where(through, choices, -1)), _plain(ranks))


def greatest_reward(mdp: Mdp, goal: Mask, rewards: RewardStructure, progress: Progress = no_progress) -> MeasureBounds:
    """Bounds of the greatest expected reward until the goal. Raises UnsolvedError."""
    everything = np.ones(len(mdp.source), dtype=bool)
    near = must_near(mdp, goal, ~goal)
    staying = near < 0
    endless = may_reach(mdp, staying, ~goal, everything)
    levels = np.where(endless.states, endless.ranks, -1)
    finite = ~endless.states
    quotient = _Quotient(mdp, finite & ~goal, np.zeros(len(mdp.source), dtype=bool))
    earned = _earned(mdp, rewards)
    equations = quotient.equations(mdp, np.zeros(len(mdp.target)), earned)
    unit = _unit(rewards, equations)
    enclosure = enclosed(equations, True, 1 / unit, progress)
    escaping = np.where(staying, _one_of(mdp, mdp.all_targets(staying)), endless.choices)
    choices = quotient.scheduler(mdp, enclosure.rows, escaping)
    vectors = _reward_vectors(quotient, enclosure, unit)
    return MeasureBounds(
        *vectors, _plain(np.where(goal, -1, choices)), _plain(np.where(finite, near, -1)), _plain(levels)
    )


def least_reward(mdp: Mdp, goal: Mask, rewards: RewardStructure, progress: Progress = no_progress) -> MeasureBounds:
    """Bounds of the least expected reward until the goal, by schedulers that surely reach it. Raises UnsolvedError."""
    sure = may_surely(mdp, goal, ~goal)
    finite = sure.states
    usable = mdp.all_targets(finite)
    earned = _earned(mdp, rewards)
    quotient = _Quotient(mdp, finite & ~goal, usable & (earned == 0), usable)
    equations = quotient.equations(mdp, np.zeros(len(mdp.target)), earned)
    unit = _unit(rewards, equations)
    enclosure = enclosed_costs(equations, quotient.starting_rows(sure.ranks, sure.choices), 1 / unit, progress)
    choices = np.where(finite & ~goal, quotient.scheduler(mdp, enclosure.rows, sure.choices), -1)
    ranks = _ranks_of(mdp, choices, goal, finite)
    return MeasureBounds(
        *_reward_vectors(quotient, enclosure, unit), _plain(choices), _plain(ranks), _plain(sure.levels)
    )


class _Quotient:
    """Open states as unknowns; the states of an end component of ``mergeable`` transitions are one unknown."""

    def __init__(self, mdp: Mdp, open_: Mask, mergeable: Mask, usable: Mask | None = None) -> None:
        self.open = open_
        components, self.staying = end_components(mdp, open_, mergeable)
        self.merged = components >= 0
        single = open_ & ~self.merged
        count = int(components.max(initial=-1)) + 1
        self.block = components.copy()
        self.block[single] = count + np.arange(int(single.sum()))
        self.unknowns = count + int(single.sum())
        leaving = open_[mdp.source] & ~self.staying
        rows = np.flatnonzero(leaving if usable is None else leaving & usable)
        #: The transition of each row.
        self.transitions: Numbers = rows[np.argsort(self.block[mdp.source[rows]], kind="stable")]
        self.owner = self.block[mdp.source[self.transitions]]

    def equations(self, mdp: Mdp, constants: Floats, earned: Floats | None = None) -> Equations:
        """Each row: the sum of ``constants`` over its entries, what it has ``earned``, and its open targets."""
        row = np.full(len(mdp.source), -1)
        row[self.transitions] = np.arange(len(self.transitions))
        rows = row[mdp.transition]
        known = rows >= 0
        sums = np.bincount(rows[known], weights=constants[known], minlength=len(self.transitions))
        constant = np.asarray(sums, dtype=np.float64)
        if earned is not None:
            constant += earned[self.transitions]
        inner = known & self.open[mdp.target]
        entries = (mdp.chance[inner], (rows[inner], self.block[mdp.target[inner]]))
        matrix = scipy.sparse.coo_array(entries, shape=(len(self.transitions), self.unknowns)).tocsr()
        return Equations(self.unknowns, self.owner, matrix, constant)

    def expanded(self, values: Floats, others: Floats) -> Floats:
        """The values of all states: those of their unknowns, and ``others``."""
        expanded = others.copy()
        expanded[self.open] = values[self.block[self.open]]
        return expanded

    def scheduler(self, mdp: Mdp, rows: Numbers, others: Numbers) -> Numbers:
        """The transition of each state; in an end component, one towards the state that its row's transition leaves."""
        choices_ = others.copy()
        taken = self.transitions[rows]
        leaving = np.zeros(mdp.states, dtype=bool)
        leaving[mdp.source[taken]] = True
        inner = may_reach(mdp, leaving, self.merged, self.staying)
        choices_[self.merged] = inner.choices[self.merged]
        choices_[mdp.source[taken]] = taken
        return choices_

    def starting_rows(self, ranks: Numbers, choices: Numbers) -> Numbers:
        """For each unknown the row of the choice of its state of least rank."""
        states = np.flatnonzero(self.open)
        order = states[np.lexsort((ranks[states], self.block[states]))]
        first = order[np.flatnonzero(np.diff(self.block[order], prepend=-1))]
        place = np.argsort(self.transitions)
        rows: Numbers = place[np.searchsorted(self.transitions, choices[first], sorter=place)]
        return rows


def _ranks_of(mdp: Mdp, choices: Numbers, goal: Mask, states: Mask | None = None) -> Numbers:
    """The least number of steps by which ``choices`` reach the goal, in each state with one. Raises UnsolvedError."""
    allowed = np.zeros(len(mdp.source), dtype=bool)
    allowed[choices[choices >= 0]] = True
    ranks = may_reach(mdp, goal, choices >= 0, allowed).ranks
    if (ranks[(choices >= 0) if states is None else states] < 0).any():
        raise UnsolvedError
    return ranks


def _one_of(mdp: Mdp, allowed: Mask) -> Numbers:
    """The last allowed transition of each state, -1 if there is none."""
    choices = np.full(mdp.states, -1)
    moves = np.flatnonzero(allowed)
    choices[mdp.source[moves]] = moves
    return choices


def _earned(mdp: Mdp, rewards: RewardStructure) -> Floats:
    """The reward of each transition with that of its state."""
    total = rewards.state[mdp.source] + rewards.transition
    return np.asarray(total, dtype=np.float64) / rewards.denominator


def _unit(rewards: RewardStructure, equations: Equations) -> int:
    """The denominator of the bounds: a multiple of the rewards' own, as large as numbers of 50 bits allow."""
    largest = float(equations.constant.max(initial=1.0))
    return rewards.denominator << max(0, 40 - math.ceil(math.log2(max(1.0, largest))))


def _reward_vectors(quotient: _Quotient, enclosure: Enclosure, unit: int) -> tuple[ExactVector, ExactVector]:
    nothing = np.zeros(len(quotient.open))
    lower, upper = (
        quotient.expanded(np.maximum(enclosure.lower, 0), nothing),
        quotient.expanded(enclosure.upper, nothing),
    )
    return _vector(np.floor(lower * unit), unit), _vector(np.ceil(upper * unit), unit)


def _vector(numerators: Floats, denominator: int = _UNITS) -> ExactVector:
    return ExactVector(denominator, tuple(int(numerator) for numerator in numerators.tolist()))


def _plain(numbers: Numbers) -> tuple[int, ...]:
    return tuple(numbers.tolist())
