"""Re-check of evidence about formulas with probabilities and rewards, from the model and the vectors alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from msgspec import Struct

from symag.core.limits import Deadline
from symag.core.ranges import distinct
from symag.lpts.certificates.bounds import QuantitativeEvidence
from symag.lpts.certify.exact_sums import Integers, Mask, Sums, nonnegative, refused, times
from symag.lpts.certify.quantity_bounds import bounds_of_steps, check_probability, check_reward
from symag.lpts.certify.weights import of_another_kind
from symag.lpts.problems import Atom, Boolean, Comparison, Measure, Problem, QuantitativeProblem, Query, StateFormula


class ProvenBounds(Struct, frozen=True, eq=False):
    """Bounds of a measure in every state, each over its denominator, and where it is infinite."""

    lower: Integers
    upper: Integers
    lower_denominator: int
    upper_denominator: int
    infinite: Mask


CERTIFICATE = QuantitativeEvidence


def check(problem: Problem, evidence: QuantitativeEvidence, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, QuantitativeProblem):
        raise of_another_kind()
    broken = problem.system.broken_law()
    if broken is not None or len(distinct(problem.system.source)) != problem.system.states:
        raise refused(broken or "a state has no transition")
    checking = _Checking(problem, evidence, deadline)
    initial = slice(0, problem.initial_states)
    if isinstance(problem.formula, Query):
        if evidence.verdict != "computed":
            raise refused("a value is asked for, not a verdict")
        _check_value(checking.proven(problem.formula.measure), problem, evidence, problem.formula.complement)
    else:
        true, false = checking.truth(problem.formula)
        accepted = {"holds": true[initial].all(), "violated": false[initial].any()}
        if not accepted.get(evidence.verdict, False):
            raise refused("the bounds do not prove the verdict")
    if checking.remaining:
        raise refused("there are bounds that belong to no sub-formula")


def _check_value(
    proven: ProvenBounds, problem: QuantitativeProblem, evidence: QuantitativeEvidence, complement: bool
) -> None:
    """Accept the claimed bounds if they contain the proven bounds of every initial state."""
    if evidence.value is None:
        raise refused("there is no value")
    low, high = evidence.value
    if complement:
        if low is None or high is None:
            raise refused("a probability is infinite")
        low, high = 1 - high, 1 - low
    for state in range(problem.initial_states):
        if proven.infinite[state]:
            fits = high is None
        else:
            fits = low is not None and Fraction(int(proven.lower[state]), proven.lower_denominator) >= low
            fits &= high is None or Fraction(int(proven.upper[state]), proven.upper_denominator) <= high
        if not fits:
            raise refused("the value is not proven")


class _Checking:
    def __init__(self, problem: QuantitativeProblem, evidence: QuantitativeEvidence, deadline: Deadline) -> None:
        self._problem = problem
        self._sums = Sums(problem.system)
        self._grid = evidence.grid
        self._deadline = deadline
        self.remaining = list(reversed(evidence.bounds))

    def truth(self, formula: StateFormula) -> tuple[Mask, Mask]:
        """The states where the formula is proven, and those where it is refuted."""
        self._deadline.check()
        match formula:
            case Atom(number):
                states = self._problem.conditions[number]
                return states, ~states
            case Boolean("not", (operand,)):
                true, false = self.truth(operand)
                return false, true
            case Boolean(operator, operands) if operator != "not":
                parts = [self.truth(conjunct) for conjunct in operands]
                every: Mask = np.ones(self._problem.system.states, dtype=bool)
                some = ~every
                for true, false in parts:
                    every = every & (true if operator == "and" else false)
                    some = some | (false if operator == "and" else true)
                return (every, some) if operator == "and" else (some, every)
            case Comparison(measure, relation, bound):
                return _compared(self.proven(measure), relation, bound)
        raise refused("the formula makes no sense")

    def proven(self, measure: Measure) -> ProvenBounds:
        """Bounds that the evidence proves, or that are computed again."""
        operands = [self._known(operand) for operand in measure.operands]
        self._deadline.check()
        states = self._problem.system.states
        nowhere = np.zeros(states, dtype=bool)
        rewards = None if measure.rewards is None else self._problem.rewards[measure.rewards]
        if measure.kind != "reach" and (measure.kind != "until" or measure.steps is not None):
            steps = bounds_of_steps(self._sums, measure, operands, rewards, self._grid, self._deadline)
            return ProvenBounds(steps.lower, steps.upper, steps.denominator, steps.denominator, nowhere)
        if not self.remaining:
            raise refused("the bounds of a sub-formula are missing")
        bounds = self.remaining.pop()
        infinite = nowhere
        if measure.kind == "until":
            before, goal = operands
            check_probability(self._sums, before & ~goal, goal, measure.optimum == "max", bounds)
        else:
            assert rewards is not None
            infinite = check_reward(self._sums, operands[0], rewards, measure.optimum == "max", bounds)
        lower, upper = nonnegative(bounds.lower, states), nonnegative(bounds.upper, states)
        return ProvenBounds(lower, upper, bounds.lower.denominator, bounds.upper.denominator, infinite)

    def _known(self, formula: StateFormula) -> Mask:
        true, false = self.truth(formula)
        if not (true ^ false).all():
            raise refused("the truth of a sub-formula is not proven everywhere")
        return true


def _compared(proven: ProvenBounds, relation: str, bound: Fraction) -> tuple[Mask, Mask]:
    low, low_bound = times(proven.lower, bound.denominator), bound.numerator * proven.lower_denominator
    high, high_bound = times(proven.upper, bound.denominator), bound.numerator * proven.upper_denominator
    if relation in ("<", "<="):
        strict = relation == "<"
        true = ~proven.infinite & (high < high_bound if strict else high <= high_bound)
        return true, proven.infinite | (low >= low_bound if strict else low > low_bound)
    strict = relation == ">"
    true = proven.infinite | (low > low_bound if strict else low >= low_bound)
    return true, ~proven.infinite & (high <= high_bound if strict else high < high_bound)
