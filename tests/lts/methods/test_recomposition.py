"""Hypotheses that begin with earlier ones, and recomposition: right answers, and the groupings that are tried."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import UsageError
from symag.core.limits import no_progress
from symag.lts import read
from symag.lts.composition import composed
from symag.lts.language.systems import System
from symag.lts.methods import groupings
from symag.lts.methods.lstar import method
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import safety_problem
from tests.conftest import ROOT
from tests.lts.agreement import agreed
from tests.lts.strategies import safety_systems

_MODELS = ROOT / "models" / "lts"


@settings(max_examples=100, deadline=None)
@given(system=safety_systems(most=5, states=4), refines=st.booleans(), reuses=st.booleans())
def test_the_verdict_is_right_with_and_without_reuse(system: System, refines: bool, reuses: bool) -> None:
    agreed(system, "lstar", LtsOptions(refines, reuse_hypotheses=reuses))


@settings(max_examples=100, deadline=None)
@given(system=safety_systems(most=5, states=4), refines=st.booleans(), data=st.data())
def test_the_verdict_is_right_after_every_attempt(system: System, refines: bool, data: st.DataObject) -> None:
    sizes = tuple(data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=3).map(sorted)))
    conjectures = data.draw(st.integers(0, 2))
    learner = data.draw(st.sampled_from(("lstar", "separating")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groupings, "_SIZES", sizes)
        patch.setattr(groupings, "_CONJECTURES", conjectures)
        agreed(system, "lstar", LtsOptions(refines, recomposition=True, learner=learner))


@settings(max_examples=60, deadline=None)
@given(system=safety_systems(most=5, states=4), sizes=st.lists(st.integers(1, 60), min_size=1, max_size=3))
def test_attempts_have_parts_of_their_size_and_larger_budgets(system: System, sizes: list[int]) -> None:
    problem = safety_problem(system)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groupings, "_SIZES", tuple(sorted(sizes)))
        tried = list(groupings.attempts(problem))
    everything = list(range(len(problem.components)))
    assert all(sorted(itertools.chain(*attempt.parts)) == everything for attempt in tried)
    assert [attempt.conjectures is None for attempt in tried] == [False] * (len(tried) - 1) + [True]
    budgets = [attempt.conjectures or 0 for attempt in tried[:-1]]
    assert budgets == sorted(set(budgets))
    counts = [len(attempt.parts) for attempt in tried]
    assert len(tried) == 1 or counts[-1] >= 2
    assert counts == sorted(set(counts), reverse=True)
    for part in tried[-1].parts:
        if len(part) > 1:
            assert composed([problem.components[k] for k in part], "M").lts.states <= max(sizes)


def test_reuse_saves_conjectures_of_the_gas_station() -> None:
    problem = safety_problem(read(str(_MODELS / "gas_station.lts"), (), {"Customers": 2}).composite("GAS_STATION"))
    fresh, reused = (
        method.decide(problem, LtsOptions(reuse_hypotheses=reuses), no_progress).statistics for reuses in (False, True)
    )
    assert reused["reused_words"] > 0
    assert reused["iterations"] < fresh["iterations"]


def test_recomposition_excludes_parts_of_the_user() -> None:
    with pytest.raises(UsageError, match="--recomposition finds the parts"):
        LtsOptions(recomposition=True, group_names=("A,B",))
