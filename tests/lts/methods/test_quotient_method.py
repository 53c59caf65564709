"""The method quotient: verdicts, shortest words, and what stops it early."""

from __future__ import annotations

import itertools
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.lts.lts import Lts
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.quotient.environment_refinement import EnvironmentRefinement
from symag.lts.methods.quotient.method import decide, replacement, two_parts
from symag.lts.methods.quotient.modal_abstraction import two_processes
from symag.lts.safety_problem import SafetyProblem
from tests.lts.explicit_safety import distance_to_error, violates
from tests.lts.quotient_brute_force import divided, problems, properties, satisfies
from tests.lts.strategies import systems


@st.composite
def several(draw: st.DrawFn) -> SafetyProblem:
    components = draw(st.lists(systems("C", states=3, errors=False), min_size=1, max_size=4))
    return SafetyProblem(tuple(components), draw(properties()))


@settings(max_examples=300, deadline=None)
@given(several(), st.none() | st.integers(0, 2))
def test_verdicts_and_shortest_words_are_those_of_brute_force(problem: SafetyProblem, steps: int | None) -> None:
    outcome = decide(problem, LtsOptions(steps=steps), no_progress)
    everything = (*problem.components, problem.property)
    length = distance_to_error(everything)
    assert outcome.verdict is (Verdict.HOLDS if length is None else Verdict.VIOLATED)
    if outcome.word is not None and length is not None:
        assert violates(everything, outcome.word)
        assert len(outcome.word) <= length


@settings(max_examples=100, deadline=None)
@given(problems(), st.integers(0, 3))
def test_the_quotient_can_stand_for_n_after_any_number_of_steps(problem: tuple[Lts, Lts, Lts], steps: int) -> None:
    m, n, prop = problem
    found = replacement(SafetyProblem((m, n), prop), LtsOptions(steps=steps), no_progress)
    assert found.steps <= steps
    assert satisfies(m, found.quotient, prop) == satisfies(m, n, prop)
    expected = divided(found.n, found.classes.tolist())
    assert (found.quotient.states, found.quotient.triples()) == (expected.states, expected.triples())


def test_the_first_part_is_m_and_all_others_are_n() -> None:
    one = Lts("C", ("tau",), 1)
    problem = SafetyProblem((one, one, one), one)
    assert two_parts(problem, LtsOptions()) == ((0,), (1, 2))
    assert two_parts(problem, LtsOptions(groups=((0, 2), (1,)))) == ((0, 2), (1,))
    assert two_parts(problem, LtsOptions(order=(2,))) == ((2,), (0, 1))
    assert two_parts(SafetyProblem((one,), one), LtsOptions()) == ((), (0,))


def test_without_time_left_it_answers_by_the_trivial_abstraction() -> None:
    ring = Lts.of("M", ("tau", "a", "b"), 4, [(0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 0)])
    other = Lts.of("N", ("tau", "a", "b"), 4, [(0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 0)])
    never = Lts.of("P", ("tau", "b"), 2, [(0, 1, 1), (1, 1, 1)])
    for abstraction in (True, False):
        options = LtsOptions(seconds=0.0, abstraction=abstraction)
        outcome = decide(SafetyProblem((ring, other), never), options, no_progress)
        assert (outcome.verdict, outcome.statistics["steps"], outcome.statistics["exact"]) == (Verdict.HOLDS, 0, 0)


@settings(max_examples=100, deadline=None)
@given(problems(), st.integers(0, 60))
def test_a_refinement_that_is_interrupted_anywhere_has_right_classes(problem: tuple[Lts, Lts, Lts], rows: int) -> None:
    """The clock stands still until so many rows have been looked at, and then time is up."""
    m, n, prop = problem
    refinement = EnvironmentRefinement(two_processes(m, n, prop))
    ticks = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symag.lts.methods.quotient.flows.time.monotonic", lambda: float(next(ticks)))
        with suppress(TimeoutError):
            while refinement.step(until=rows):
                pass
    assert satisfies(m, divided(n, refinement.classes().tolist()), prop) == satisfies(m, n, prop)
