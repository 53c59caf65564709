"""Formulas with probabilities and rewards: bounds of every measure, and what they say of every state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct, field

from symag.core.limits import Progress, no_progress
from symag.core.results import Reason
from symag.lpts.certificates.bounds import ExactVector, MeasureBounds, QuantitativeEvidence
from symag.lpts.methods.quantitative.bounds import (
    UnsolvedError,
    greatest_probability,
    greatest_reward,
    least_probability,
    least_reward,
)
from symag.lpts.methods.quantitative.exact import exact_bounds
from symag.lpts.methods.quantitative.graphs import Mask, Mdp
from symag.lpts.methods.quantitative.horizon import grid_of, stepwise
from symag.lpts.problems import (
    Atom,
    Boolean,
    Comparison,
    Measure,
    QuantitativeProblem,
    Query,
    StateFormula,
    Whole,
    measures,
)


class QuantitativeOutcome(Struct, frozen=True):
    """Evidence, or the reason why there is none."""

    evidence: QuantitativeEvidence | None
    reason: str = ""
    statistics: Mapping[str, int] = field(default_factory=dict)


class Range(Struct, frozen=True, eq=False):
    """Bounds of a measure in every state; ``infinite`` where its value is, ``bounded`` where it has an upper bound."""

    lower: Whole
    upper: Whole
    lower_denominator: int
    upper_denominator: int
    infinite: Mask
    bounded: Mask

    def of(self, states: Sequence[int]) -> tuple[Fraction | None, Fraction | None]:
        """The least lower and the greatest upper bound of some states; None for infinity."""
        lows = [None if self.infinite[s] else Fraction(int(self.lower[s]), self.lower_denominator) for s in states]
        highs = [Fraction(int(self.upper[s]), self.upper_denominator) if self.bounded[s] else None for s in states]
        finite = [low for low in lows if low is not None]
        above = [high for high in highs if high is not None]
        return (min(finite) if finite else None), (max(above) if len(above) == len(highs) else None)


class UndecidedError(Exception):
    """The bounds of a measure do not decide a comparison."""


def decide_quantities(problem: QuantitativeProblem, progress: Progress = no_progress) -> QuantitativeOutcome:
    """A verdict or a value with its evidence. Raises MemoryError."""
    if isinstance(problem.formula, Query) and problem.initial_states > 1:
        reason = Reason.UNSUPPORTED.text(
            f"a value is that of one initial state, and there are {problem.initial_states}"
        )
        return QuantitativeOutcome(None, reason)
    deciding = _Deciding(problem, progress)
    sizes = {"system_states": problem.system.states, "system_transitions": problem.system.transitions}
    initial = range(problem.initial_states)
    try:
        if isinstance(problem.formula, Query):
            low, high = deciding.range(problem.formula.measure, exactly=True).of(initial)
            if problem.formula.complement:
                low, high = (None if bound is None else 1 - bound for bound in (high, low))
            return QuantitativeOutcome(deciding.evidence("computed", (low, high)), statistics=sizes)
        yes, no = deciding.truth(problem.formula)
        if not (yes[: problem.initial_states].all() or no[: problem.initial_states].any()):
            # A value may be its bound: then only exact numbers decide.
            deciding = _Deciding(problem, progress, exactly=True)
            yes, no = deciding.truth(problem.formula)
    except UndecidedError as error:
        return QuantitativeOutcome(None, str(error), sizes)
    except UnsolvedError:
        reason = Reason.OTHER.text() + "no bounds: the equations are beyond floating-point numbers"
        return QuantitativeOutcome(None, reason, sizes)
    if yes[: problem.initial_states].all():
        return QuantitativeOutcome(deciding.evidence("holds", None), statistics=sizes)
    if no[: problem.initial_states].any():
        return QuantitativeOutcome(deciding.evidence("violated", None), statistics=sizes)
    return QuantitativeOutcome(None, deciding.too_near(), sizes)


class _Deciding:
    def __init__(self, problem: QuantitativeProblem, progress: Progress, exactly: bool = False) -> None:
        self._exactly = exactly
        self._problem = problem
        self._progress = progress
        self._mdp: Mdp | None = None
        self._bounds: list[MeasureBounds] = []
        self._last: tuple[Fraction | None, Fraction | None] | None = None
        stepped = [measure for measure in measures(problem.formula) if not _unbounded(measure)]
        self._grid = grid_of(problem.system, stepped, problem.rewards)

    def evidence(self, verdict: str, value: tuple[Fraction | None, Fraction | None] | None) -> QuantitativeEvidence:
        """The bounds as evidence of this verdict."""
        return QuantitativeEvidence(verdict, value, tuple(self._bounds), self._grid)  # type: ignore[arg-type]  # one of its words

    def too_near(self) -> str:
        """Why a comparison of an initial state is not decided."""
        low, high = (None, None) if self._last is None else self._last
        if low is None or high is None:
            return "undecided: a value is too near its bound"
        return f"undecided: the value is between {float(low):.17g} and {float(high):.17g}, too near its bound"

    # -------------------------------------------------------------------------------- of states

    def truth(self, formula: StateFormula) -> tuple[Mask, Mask]:
        """Where the formula is true and where it is false, as far as bounds tell."""
        match formula:
            case Atom(number):
                states = self._problem.conditions[number]
                return states, ~states
            case Boolean("not", (operand,)):
                yes, no = self.truth(operand)
                return no, yes
            case Boolean(operator, operands):
                both = [self.truth(conjunct) for conjunct in operands]
                some, every = (np.zeros, np.ones)
                yes, no = every(self._states, dtype=bool), some(self._states, dtype=bool)
                for true, false in both:
                    yes, no = yes & (true if operator == "and" else false), no | (false if operator == "and" else true)
                return (yes, no) if operator == "and" else (no, yes)
            case Comparison(measure, relation, bound):
                return self._compared(self.range(measure), relation, bound)

    @property
    def _states(self) -> int:
        return self._problem.system.states

    def _compared(self, values: Range, relation: str, bound: Fraction) -> tuple[Mask, Mask]:
        low = _sign(values.lower, values.lower_denominator, bound)
        high = _sign(values.upper, values.upper_denominator, bound)
        self._last = values.of(range(self._problem.initial_states))
        above = values.infinite | (low > 0)
        at_least = values.infinite | (low >= 0)
        below, at_most = values.bounded & (high < 0), values.bounded & (high <= 0)
        match relation:
            case "<":
                return below, at_least
            case "<=":
                return at_most, above
            case ">":
                return above, at_most
            case _:
                return at_least, below

    # --------------------------------------------------------------------------------- measures

    def range(self, measure: Measure, exactly: bool = False) -> Range:
        """Bounds of a measure, equal in initial states if ``exactly`` and possible; some become evidence."""
        operands = [self._decided(operand) for operand in measure.operands]
        exactly = exactly or self._exactly
        problem = self._problem
        all_, none = np.ones(self._states, dtype=bool), np.zeros(self._states, dtype=bool)
        if not _unbounded(measure):
            steps = stepwise(problem.system, measure, operands, problem.rewards, self._grid, self._progress)
            return Range(steps.lower, steps.upper, steps.denominator, steps.denominator, none, all_)
        if self._mdp is None:
            self._mdp = Mdp.of(problem.system)
        if measure.kind == "until":
            bounds_of = greatest_probability if measure.optimum == "max" else least_probability
            enclosure, infinite = bounds_of(self._mdp, operands[0], operands[1], self._progress), none
        else:
            assert measure.rewards is not None
            reward_of = greatest_reward if measure.optimum == "max" else least_reward
            enclosure = reward_of(self._mdp, operands[0], problem.rewards[measure.rewards], self._progress)
            levels = np.array(enclosure.levels)
            infinite = levels >= 0 if measure.optimum == "max" else levels > 0
        if exactly:
            self._progress("looking for exact values")
            structure = None if measure.rewards is None else problem.rewards[measure.rewards]
            maximum = measure.optimum == "max"
            exact = exact_bounds(problem.system, self._mdp, enclosure, maximum, problem.initial_states, structure)
            enclosure = enclosure if exact is None else exact
        self._bounds.append(enclosure)
        low, high = _numbers(enclosure.lower), _numbers(enclosure.upper)
        return Range(low, high, enclosure.lower.denominator, enclosure.upper.denominator, infinite, ~infinite)

    def _decided(self, formula: StateFormula) -> Mask:
        yes, no = self.truth(formula)
        if not (yes | no).all():
            raise UndecidedError("undecided: the value of a sub-formula is too near its bound in a state")
        return yes


def _unbounded(measure: Measure) -> bool:
    return measure.kind == "reach" or (measure.kind == "until" and measure.steps is None)


def _numbers(vector: ExactVector) -> Whole:
    fits = max(vector.numerators, default=0) < 1 << 62
    return np.array(vector.numerators, dtype=np.int64 if fits else object)


def _sign(numerators: Whole, denominator: int, bound: Fraction) -> Whole:
    """For each value, whether it is below, at or above the bound: -1, 0 or 1."""
    # n / d > b exactly if n > floor(d b), and n / d < b exactly if n < ceil(d b).
    scaled = denominator * bound
    floor, ceiling = scaled.__floor__(), scaled.__ceil__()
    return (numerators > floor).astype(np.int64) - (numerators < ceiling).astype(np.int64)
