"""Safety questions as problems for assume-guarantee methods, and words made runs again."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import UnsupportedError
from symag.core.grouping import parts
from symag.core.limits import Deadline
from symag.lts import ERROR, Lts, System
from symag.lts.certify.properties import check_violation
from symag.lts.composition import Priority
from symag.lts.questions import CompositeQuestion
from symag.lts.safety_problem import safety_problem
from symag.lts.words import realised
from tests.lts.explicit_safety import Product, distance_to_error, violates
from tests.lts.strategies import LABELS, safety_systems

_SAFETY = CompositeQuestion(1, "safety", None, "", None, "S")


def system_of(*components: Lts, priority: Priority | None = None) -> System:
    return System("S", components, priority, None, False, frozenset())


@settings(max_examples=300, deadline=None)
@given(safety_systems(most=3))
def test_a_problem_has_the_laws_of_its_file_and_the_answer_of_its_system(system: System) -> None:
    problem = safety_problem(system)
    judge = problem.property
    assert problem.components
    origins = [system.components[place].name if place >= 0 else "free" for place in problem.indices]
    assert origins == [lts.name for lts in problem.components]
    assert not any(lts.has_error or lts.is_property for lts in problem.components)
    assert judge.is_deterministic()
    assert judge.transitions == judge.states * (len(judge.alphabet) - 1)
    assert {label for lts in problem.components for label in lts.alphabet} >= set(judge.alphabet)
    found = distance_to_error(system.components)
    asked = distance_to_error([*problem.components, judge])
    assert (found is None) == (asked is None)
    assert found is None or asked in (found, found + 1)  # with a fresh action after it


@settings(max_examples=300, deadline=None)
@given(safety_systems(most=3), st.lists(st.sampled_from(LABELS), max_size=4))
def test_a_word_is_realised_exactly_if_a_run_along_it_comes_to_error(system: System, word: list[str]) -> None:
    labels = {label for lts in system.components for label in lts.alphabet[1:]}
    private = {label for label in labels if sum(label in lts.alphabet for lts in system.components) == 1}
    trace = realised(system, word)
    if trace is None:
        assert not labels.issuperset(word) or not violates(system.components, word)
        return
    check_violation(system, _SAFETY, trace, Deadline(None))
    said = [step.action for step in trace.steps[:-1] if step.action != "tau" and step.action not in private]
    wanted = [label for label in word if label not in private]
    assert said == wanted[: len(said)]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(safety_systems(most=3), st.data())
def test_a_violating_run_is_found_again_from_its_visible_actions(system: System, data: st.DataObject) -> None:
    assume(distance_to_error(system.components) is not None)
    product = Product(system.components)
    state, word, steps = product.start, [], 0
    while ERROR not in state and steps < 30:
        possible = sorted(product.moves(state))
        failing = [move for move in possible if ERROR in move[1]]
        label, state = data.draw(st.sampled_from(failing or possible)) if possible else ("tau", state)
        word.append(label)
        steps += 1
    assume(ERROR in state)
    trace = realised(system, [label for label in word if label != "tau"])
    assert trace is not None
    assert len(trace.steps) - 1 <= steps
    check_violation(system, _SAFETY, trace, Deadline(None))


def test_a_component_that_fails_does_so_by_a_fresh_action() -> None:
    worker = Lts.of("W", ("tau", "a", "b"), 2, [(0, 1, 1), (1, 2, ERROR)])
    problem = safety_problem(system_of(worker))
    (component,) = problem.components
    assert component.alphabet == ("tau", "a", "b", "ERROR.W")
    assert component.triples() == [(0, 1, 1), (1, 2, 2), (2, 3, 2)]
    assert problem.property.triples() == [(0, 1, ERROR)]
    assert problem.observed(["a", "b", "ERROR.W", "ERROR.W"]) == ("a", "b")


def test_actions_that_only_a_property_has_are_free() -> None:
    judge = Lts.of("P", ("tau", "x"), 1, [(0, 1, ERROR)], is_property=True)
    problem = safety_problem(system_of(Lts.of("M", ("tau", "a"), 1, [(0, 1, 0)]), judge))
    assert [(lts.name, lts.alphabet[1:]) for lts in problem.components] == [("M", ("a",)), ("free", ("x",))]
    alone = safety_problem(system_of(judge))
    assert [lts.name for lts in alone.components] == ["free"]


def test_priorities_are_refused_where_they_can_matter() -> None:
    loop = Lts.of("M", ("tau", "a"), 1, [(0, 1, 0)])
    assert safety_problem(system_of(loop, priority=Priority(frozenset("z"), True))).components
    with pytest.raises(UnsupportedError, match="priority"):
        safety_problem(system_of(loop, priority=Priority(frozenset("a"), True)))


def test_parts_follow_the_order() -> None:
    assert parts(4, ()) == ((0,), (1,), (2,), (3,))
    assert parts(4, ((3, 1),)) == ((0,), (1, 3), (2,))
    assert parts(4, ((3, 1),), (2, 3)) == ((2,), (1, 3), (0,))
