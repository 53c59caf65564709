"""Probabilities and rewards against an enumeration of schedulers; their evidence, and that no wrong one is accepted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.certificates.bounds import ExactVector, MeasureBounds, QuantitativeEvidence
from symag.lpts.certify.quantities import check
from symag.lpts.lpts import Lpts
from symag.lpts.methods.quantitative.deciding import decide_quantities
from symag.lpts.problems import (
    Atom,
    Boolean,
    Comparison,
    Measure,
    QuantitativeProblem,
    Query,
    RewardStructure,
)
from symag.lpts.state_values import without_deadlocks
from tests.lpts import schedulers_by_hand as hand
from tests.lpts.strategies import systems

NEVER = Deadline(None)
BOUNDS = tuple(map(Fraction, ("0", "1/4", "1/3", "1/2", "3/4", "99/100", "1")))
SMALL = Fraction(1, 10**6)


def closed() -> st.SearchStrategy[Lpts]:
    return systems(states=4, actions="ab", moves=8, silent=True).map(without_deadlocks)


def mask(system: Lpts, states: set[int]) -> np.ndarray:  # type: ignore[type-arg]
    return np.array([s in states for s in range(system.states)])


def inside(system: Lpts, states: set[int]) -> set[int]:
    return {s for s in states if s < system.states}


SETS = st.sets(st.integers(0, 3))


def evidence_for(problem: QuantitativeProblem) -> QuantitativeEvidence:
    """The evidence of an answer, which separate code accepts."""
    outcome = decide_quantities(problem)
    assert outcome.evidence is not None, outcome.reason
    check(problem, outcome.evidence, NEVER)
    return outcome.evidence


def contains(evidence: QuantitativeEvidence, value: Fraction | None) -> bool:
    assert evidence.value is not None
    low, high = evidence.value
    if value is None:
        return low is None and high is None
    return low is not None and high is not None and low <= value <= high and high - low <= SMALL * max(1, value)


@settings(max_examples=60, deadline=None)
@given(closed(), SETS, SETS, st.sampled_from(("max", "min")))
def test_probabilities_are_those_of_the_best_scheduler(
    system: Lpts, before: set[int], goal: set[int], optimum: str
) -> None:
    before, goal = inside(system, before), inside(system, goal)
    measure = Measure("until", optimum, (Atom(0), Atom(1)))  # type: ignore[arg-type]
    asked = QuantitativeProblem(system, 1, (mask(system, before), mask(system, goal)), (), Query(measure))
    expected = hand.probabilities(system, before, goal, optimum == "max")
    assert evidence_for(asked).value == (expected[0], expected[0])
    for bound in {Fraction(0), Fraction(1, 3), Fraction(1), expected[0]}:
        for relation, true in (("<=", expected[0] <= bound), (">", expected[0] > bound)):
            compared = replace(asked, formula=Comparison(measure, relation, bound))  # type: ignore[arg-type]
            assert evidence_for(compared).verdict == ("holds" if true else "violated")


@settings(max_examples=60, deadline=None)
@given(
    closed(), SETS, st.lists(st.sampled_from((0, 0, 1, 3)), min_size=16, max_size=16), st.sampled_from(("max", "min"))
)
def test_rewards_are_those_of_the_best_scheduler(system: Lpts, goal: set[int], earned: list[int], optimum: str) -> None:
    goal = inside(system, goal)
    rewards = RewardStructure(
        "r", np.array(earned[: system.states]), np.resize(np.array(earned[4:]), system.transitions), 3
    )
    measure = Measure("reach", optimum, (Atom(0),), rewards=0)  # type: ignore[arg-type]
    asked = QuantitativeProblem(system, 1, (mask(system, goal),), (rewards,), Query(measure))
    state = [Fraction(int(v), 3) for v in rewards.state]
    transition = [Fraction(int(v), 3) for v in rewards.transition]
    expected = hand.rewards_until(system, goal, state, transition, optimum == "max")
    assert evidence_for(asked).value == (expected[0], expected[0])


@settings(max_examples=60, deadline=None)
@given(closed(), SETS, SETS, st.integers(0, 5), st.sampled_from(("max", "min")), st.booleans())
def test_bounded_probabilities(
    system: Lpts, before: set[int], goal: set[int], steps: int, optimum: str, complement: bool
) -> None:
    before, goal = inside(system, before), inside(system, goal)
    measure = Measure("until", optimum, (Atom(0), Atom(1)), steps)  # type: ignore[arg-type]
    conditions = (mask(system, before), mask(system, goal))
    asked = QuantitativeProblem(system, 1, conditions, (), Query(measure, complement))
    expected = hand.within(system, before, goal, steps, optimum == "max")[0]
    evidence = evidence_for(asked)
    value = 1 - expected if complement else expected
    assert evidence.value == (value, value)


@settings(max_examples=60, deadline=None)
@given(closed(), SETS, SETS, st.sampled_from(BOUNDS), st.sampled_from(("max", "min")), st.sampled_from("<>"))
def test_nested_formulas(
    system: Lpts, goal: set[int], other: set[int], bound: Fraction, optimum: str, relation: str
) -> None:
    goal, other = inside(system, goal), inside(system, other)
    everywhere = Boolean("and", ())
    inner = Measure("until", optimum, (everywhere, Atom(0)))  # type: ignore[arg-type]
    outer = Measure("until", "max", (Boolean("not", (Atom(1),)), Comparison(inner, relation, bound)))  # type: ignore[arg-type]
    conditions = (mask(system, goal), mask(system, other))
    asked = QuantitativeProblem(system, 1, conditions, (), Query(outer))
    everything = set(range(system.states))
    values = hand.probabilities(system, everything, goal, optimum == "max")
    there = {s for s in everything if (values[s] < bound if relation == "<" else values[s] > bound)}
    expected = hand.probabilities(system, everything - other, there, True)[0]
    outcome = decide_quantities(asked)
    if outcome.evidence is None:
        assert bound in values
        assert bound not in (0, 1)
        return
    check(asked, outcome.evidence, NEVER)
    assert contains(outcome.evidence, expected)


def coin() -> QuantitativeProblem:
    """A fair coin is tossed until heads (goal 2) or edge (1), each with a third."""
    third = Fraction(1, 3)
    system = without_deadlocks(Lpts.of("L", ("",), 3, [(0, 0, {0: third, 1: third, 2: third})]))
    goal = np.array([False, False, True])
    measure = Measure("until", "max", (Boolean("and", ()), Atom(0)))
    return QuantitativeProblem(system, 1, (goal,), (), Query(measure))


def moved(vector: ExactVector, state: int, by: Fraction) -> ExactVector:
    numbers = list(vector.numerators)
    numbers[state] += int(by * vector.denominator)
    return ExactVector(vector.denominator, tuple(numbers))


@pytest.mark.parametrize("what", ["lower", "upper", "value", "rank", "choice"])
def test_wrong_evidence_is_refused(what: str) -> None:
    problem = coin()
    evidence = evidence_for(problem)
    (bounds,) = evidence.bounds
    wrong: MeasureBounds = bounds
    if what == "lower":
        wrong = replace(bounds, lower=moved(bounds.lower, 0, Fraction(1, 100)))
    elif what == "upper":
        wrong = replace(bounds, upper=moved(bounds.upper, 0, Fraction(-1, 100)))
    elif what == "rank":
        wrong = replace(bounds, ranks=(-1,) * len(bounds.ranks))
    elif what == "choice":
        wrong = replace(bounds, choices=(1, *bounds.choices[1:]))
    changed = replace(evidence, bounds=(wrong,))
    if what == "value":
        changed = replace(evidence, value=(Fraction(51, 100), Fraction(52, 100)))
    with pytest.raises(CertificationError):
        check(problem, changed, NEVER)


def test_bounds_of_a_state_that_loops_for_ever_are_refused() -> None:
    """A lower bound of 1 in a self-loop fits every equation, and is wrong."""
    system = without_deadlocks(Lpts.of("L", ("",), 2, []))
    measure = Measure("until", "max", (Boolean("and", ()), Atom(0)))
    problem = QuantitativeProblem(system, 1, (np.array([False, True]),), (), Query(measure))
    ones = ExactVector(1, (1, 1))
    claim = QuantitativeEvidence(
        "computed", (Fraction(1), Fraction(1)), (MeasureBounds(ones, ones, (0, -1), (1, 0)),), 0
    )
    with pytest.raises(CertificationError):
        check(problem, claim, NEVER)


CHANGES = st.lists(
    st.tuples(st.sampled_from(("lower", "upper", "choices", "ranks", "levels")), st.integers(0, 3), st.integers(-3, 3)),
    max_size=3,
)


def changed(bounds: MeasureBounds, changes: list[tuple[str, int, int]]) -> MeasureBounds:
    """Right evidence on a coarse grid, with some numbers moved."""
    parts: dict[str, list[int]] = {
        "lower": [4 * n // bounds.lower.denominator for n in bounds.lower.numerators],
        "upper": [-(-4 * n // bounds.upper.denominator) for n in bounds.upper.numerators],
        "choices": list(bounds.choices),
        "ranks": list(bounds.ranks),
        "levels": list(bounds.levels),
    }
    for part, place, by in changes:
        if place < len(parts[part]):
            parts[part][place] += by
    lower, upper = (ExactVector(4, tuple(max(0, n) for n in parts[each])) for each in ("lower", "upper"))
    return MeasureBounds(lower, upper, tuple(parts["choices"]), tuple(parts["ranks"]), tuple(parts["levels"]))


@settings(max_examples=250, deadline=None)
@given(
    closed(),
    SETS,
    CHANGES,
    st.lists(st.sampled_from((0, 1, 2)), min_size=12, max_size=12),
    st.sampled_from(("max", "min")),
    st.booleans(),
)
def test_whatever_is_accepted_is_true(
    system: Lpts, goal: set[int], changes: list[tuple[str, int, int]], earned: list[int], optimum: str, of_rewards: bool
) -> None:
    """Right evidence of which some numbers are changed: what it still proves of the initial state is so."""
    goal = inside(system, goal)
    n = system.states
    rewards = RewardStructure("r", np.array(earned[:n]), np.resize(np.array(earned), system.transitions), 4)
    if of_rewards:
        measure = Measure("reach", optimum, (Atom(0),), rewards=0)  # type: ignore[arg-type]
        state, transition = ([Fraction(int(v), 4) for v in each] for each in (rewards.state, rewards.transition))
        expected = hand.rewards_until(system, goal, state, transition, optimum == "max")[0]
    else:
        measure = Measure("until", optimum, (Boolean("and", ()), Atom(0)))  # type: ignore[arg-type]
        expected = hand.probabilities(system, set(range(n)), goal, optimum == "max")[0]
    asked = QuantitativeProblem(system, 1, (mask(system, goal),), (rewards,), Query(measure))
    outcome = decide_quantities(asked)
    assert outcome.evidence is not None
    bounds = changed(outcome.evidence.bounds[0], changes)
    low, high = (Fraction(each.numerators[0], 4) for each in (bounds.lower, bounds.upper))
    for value in ((low, high), (None, None)):
        try:
            check(asked, QuantitativeEvidence("computed", value, (bounds,), 0), NEVER)
        except CertificationError:
            continue
        if expected is None or value == (None, None):
            assert expected is None
            assert value == (None, None)
        else:
            assert low <= expected <= high


def test_a_complement_is_not_infinite() -> None:
    """A lower bound of infinity means infinity; of 1 minus a probability it was taken for no bound at all."""
    system = Lpts.of("S", ("", "a"), 2, [(0, 1, {0: Fraction(1, 2), 1: Fraction(1, 2)}), (1, 1, {1: Fraction(1)})])
    measure = Measure("until", "max", (Boolean("and", ()), Atom(0)), steps=1)
    asked = QuantitativeProblem(system, 1, (np.array([False, True]),), (), Query(measure, complement=True))
    evidence = evidence_for(asked)
    assert contains(evidence, Fraction(1, 2))
    for value in ((None, Fraction(1, 2)), (None, Fraction(1)), (None, None), (Fraction(1), None)):
        with pytest.raises(CertificationError):
            check(asked, replace(evidence, value=value), NEVER)


@pytest.mark.parametrize("grid", [10**5, 10**30])
def test_a_grid_without_measure_is_refused(grid: int) -> None:
    system = Lpts.of("S", ("", "a"), 1, [(0, 1, {0: Fraction(1)})])
    measure = Measure("until", "max", (Boolean("and", ()), Atom(0)), steps=1)
    asked = QuantitativeProblem(system, 1, (np.array([True]),), (), Query(measure))
    with pytest.raises(CertificationError):
        check(asked, replace(evidence_for(asked), grid=grid), NEVER)


def test_a_choice_without_measure_is_refused() -> None:
    """Also where the scheduler has nothing to choose."""
    system = Lpts.of("S", ("", "a"), 1, [(0, 1, {0: Fraction(1)})])
    measure = Measure("until", "max", (Boolean("and", ()), Atom(0)))
    asked = QuantitativeProblem(system, 1, (np.array([False]),), (), Query(measure))
    evidence = evidence_for(asked)
    bounds = replace(evidence.bounds[0], choices=(10**30,))
    with pytest.raises(CertificationError):
        check(asked, replace(evidence, bounds=(bounds,)), NEVER)
