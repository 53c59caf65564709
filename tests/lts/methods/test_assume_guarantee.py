"""L* and AGAR against brute force, with and without alphabet refinement, two parts and more."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.learning.observation_table import ObservationTable
from symag.lts import read
from symag.lts.composition import composed
from symag.lts.language.systems import System
from symag.lts.lts import Lts
from symag.lts.methods import agar
from symag.lts.methods.lstar import learners
from symag.lts.methods.lstar import method as lstar
from symag.lts.methods.lstar.learners import automaton, weakest_assumption
from symag.lts.methods.lstar.residuals import Residuals
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.parts import Parts
from symag.lts.safety_problem import safety_problem
from symag.lts.view import View, towards_error
from tests.lts.explicit_safety import distance_to_error, violates
from tests.lts.strategies import safety_systems

DECIDE = {"agar": agar.decide, "lstar": lstar.decide}
MODELS = Path(__file__).parents[3] / "models" / "lts"


@pytest.mark.smoke
@pytest.mark.parametrize("method", DECIDE)
@settings(max_examples=200, deadline=None)
@given(system=safety_systems(), refines=st.booleans(), data=st.data())
def test_the_verdict_is_right(method: str, system: System, refines: bool, data: st.DataObject) -> None:
    _answered(method, system, refines, data)


def _answered(method: str, system: System, refines: bool, data: st.DataObject, two: bool = False) -> None:
    """The method's answer against brute force, with random parts; ``two``: with two of them."""
    problem = safety_problem(system)
    count = len(problem.components)
    numbers = st.integers(0, count - 1)
    group = data.draw(st.lists(numbers, unique=True, max_size=count - 1))
    order = data.draw(st.lists(numbers, unique=True))
    groups = [tuple(group)] if group else []
    if two:
        groups.append(tuple(number for number in range(count) if number not in group))
    options = LtsOptions(refines, tuple(groups), tuple(order))
    outcome = DECIDE[method](problem, options, no_progress)
    components = (*problem.components, problem.property)
    if outcome.verdict is Verdict.VIOLATED:
        assert outcome.word is not None
        assert violates(components, outcome.word)
    else:
        assert outcome.verdict is Verdict.HOLDS
        assert distance_to_error(components) is None
        assert outcome.certificate is not None


@settings(max_examples=100, deadline=None)
@given(system=safety_systems(most=3), refines=st.booleans(), data=st.data())
def test_the_verdict_is_right_where_all_blocks_are_split(system: System, refines: bool, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agar, "_WORK", data.draw(st.sampled_from((-1, 10, 30))))
        _answered("agar", system, refines, data, two=True)


@pytest.mark.parametrize(("work", "iterations", "letters"), [(None, 29, 7), (10_000, 6, 10)])
def test_all_letters_are_compared_once_single_splits_have_failed(
    work: int | None, iterations: int, letters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if work is not None:
        monkeypatch.setattr(agar, "_WORK", work)
    problem = safety_problem(read(str(MODELS / "chiron.lts"), (), {"Handlers": 3}).composite("CHIRON_P2"))
    outcome = agar.decide(problem, LtsOptions(groups=((0, 1, 2), (3, 4, 5, 6))), no_progress)
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.statistics["iterations"] == iterations
    assert outcome.statistics["assumption_alphabet"] == letters


@settings(max_examples=100, deadline=None)
@given(system=safety_systems(), refines=st.booleans(), data=st.data())
def test_the_verdict_is_right_with_the_weakest_assumption(system: System, refines: bool, data: st.DataObject) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learners, "MANY_QUERIES", data.draw(st.integers(0, 40)))
        _answered("lstar", system, refines, data)


@settings(max_examples=100, deadline=None)
@given(system=safety_systems(most=2))
def test_the_weakest_assumption_is_what_learning_comes_to(system: System) -> None:
    """L*, which is told every difference from the weakest assumption, ends with as many states and the same words."""
    parts = Parts.of(safety_problem(system), LtsOptions())
    wrong = towards_error(composed((parts.systems[0], parts.property), "M").lts)
    assume(wrong is not None and len(parts.systems) == 2)
    assert wrong is not None
    letters = parts.interface(0)
    teacher = Residuals(View.of(wrong, letters))
    assume(letters and teacher.is_member(teacher.initial()))
    weakest = weakest_assumption(letters, teacher, 1000)
    assert weakest is not None
    table = ObservationTable(teacher)
    while True:
        learned = automaton(letters, table.conjecture())
        word = _difference(weakest, learned)
        if word is None:
            break
        table.refine([letters.index(label) for label in word])
    assert learned.states == weakest.states
    assert weakest_assumption(letters, teacher, 0) is None or weakest.states == 1


def _difference(one: Lts, other: Lts) -> tuple[str, ...] | None:
    """A shortest word that one of two deterministic automata does, None if there is none."""
    both = [{(s, lts.alphabet[a]): t for s, a, t in lts.triples()} for lts in (one, other)]
    seen: dict[tuple[int, int], tuple[str, ...]] = {(0, 0): ()}
    waiting = [(0, 0)]
    for here in waiting:
        for label in one.alphabet[1:]:
            after = [moves.get((state, label)) for moves, state in zip(both, here, strict=True)]
            if after[0] is None and after[1] is None:
                continue
            if after[0] is None or after[1] is None:
                return (*seen[here], label)
            if (after[0], after[1]) not in seen:
                seen[after[0], after[1]] = (*seen[here], label)
                waiting.append((after[0], after[1]))
    return None


def _channel(method: str) -> dict[str, int | float]:
    model = read(str(MODELS / "input_output.lts"))
    outcome = DECIDE[method](safety_problem(model.composite("CHANNEL")), LtsOptions(False), no_progress)
    assert outcome.verdict is Verdict.HOLDS
    return dict(outcome.statistics)


def test_the_channel_of_figure_1_as_published_for_agar() -> None:
    figures = _channel("agar")
    assert (figures["assumption_states"], figures["refinements"]) == (2, 1)


def test_learning_the_channel_needs_less_than_published() -> None:
    """Published: 4 states and two iterations more than AGAR's two."""
    figures = _channel("lstar")
    assert figures["assumption_states"] <= 4
    assert figures["iterations"] <= 4
