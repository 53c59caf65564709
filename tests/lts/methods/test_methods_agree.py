"""Every assume-guarantee method against brute force on random systems: verdicts, words, certificates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts import Lts, System, read_text
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import SafetyOutcome, safety_problem
from tests.lts.agreement import METHODS, agreed
from tests.lts.strategies import safety_systems


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("refinement", [True, False])
@settings(max_examples=100, deadline=None)
@given(system=safety_systems(most=5, states=4))
def test_each_component_on_its_own(method: str, refinement: bool, system: System) -> None:
    agreed(system, method, LtsOptions(refinement))


@st.composite
def arranged(draw: st.DrawFn, count: int) -> LtsOptions:
    """Two parts or more, in some order."""
    places = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    groups = (tuple(k for k in range(count) if places[k] == part) for part in range(3))
    order = draw(st.permutations(range(count)))
    return LtsOptions(draw(st.booleans()), tuple(filter(None, groups)), tuple(order), seed=draw(st.integers(0, 3)))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=75, deadline=None)
@given(system=safety_systems(most=4, states=4), data=st.data())
def test_groups_in_any_order(method: str, system: System, data: st.DataObject) -> None:
    agreed(system, method, data.draw(arranged(len(safety_problem(system).components))))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("refinement", [True, False])
def test_special_cases(method: str, refinement: bool) -> None:
    loop = Lts.of("M", ("tau", "a", "b"), 1, [(0, 1, 0), (0, 2, 0)])
    quiet = Lts.of("Q", ("tau",), 2, [(0, 0, 1)])
    never = Lts.of("P", ("tau", "b"), 1, [(0, 1, -1)], is_property=True)
    unheard = Lts.of("P", ("tau", "z"), 1, [(0, 1, -1)], is_property=True)
    fails = Lts.of("F", ("tau", "a"), 1, [(0, 0, -1)])
    turns = Lts.of("T", ("tau", "a", "b"), 2, [(0, 1, 1), (1, 1, 0)])
    options = LtsOptions(refinement)
    for components, verdict in (
        ([loop], Verdict.HOLDS),  # nothing is forbidden, and there is one part
        ([loop, loop], Verdict.HOLDS),
        ([loop, never], Verdict.VIOLATED),
        ([never], Verdict.VIOLATED),
        ([quiet, unheard], Verdict.VIOLATED),  # an action that only the property has
        ([quiet, fails], Verdict.VIOLATED),  # before any visible action
        ([loop, turns, never], Verdict.HOLDS),  # b is in an alphabet that never does it
        ([quiet, quiet, quiet], Verdict.HOLDS),
    ):
        system = System("S", tuple(components), None, None, False, frozenset())
        assert agreed(system, method, options).verdict is verdict


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_answer(method: str) -> None:
    model = read_text(
        """
        USER = (ask -> get -> use -> put -> USER).
        SERVER = (a.ask -> a.get -> a.put -> SERVER | b.ask -> b.get -> b.put -> SERVER).
        property SAFE = (a.use -> a.put -> SAFE | b.use -> b.put -> SAFE).
        ||SYS = (a:USER || b:USER || SERVER || SAFE).
        """
    )
    first, second = (agreed(model.composite("SYS"), method, LtsOptions(seed=1)) for _ in range(2))
    assert _without_times(first) == _without_times(second)


def _without_times(outcome: SafetyOutcome) -> SafetyOutcome:
    kept = {name: value for name, value in outcome.statistics.items() if not name.endswith("seconds")}
    return replace(outcome, statistics=kept)
