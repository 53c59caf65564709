"""L* and AGAR against brute force, with and without alphabet refinement, two parts and more."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.lts import read
from symag.lts.language.composites import System
from symag.lts.methods import agar
from symag.lts.methods.lstar import method as lstar
from symag.lts.methods.options import LtsOptions
from symag.lts.safety_problem import safety_problem
from tests.lts.explicit_safety import distance_to_error, violates
from tests.lts.strategies import safety_systems

DECIDE = {"agar": agar.decide, "lstar": lstar.decide}


@pytest.mark.smoke
@pytest.mark.parametrize("method", DECIDE)
@settings(max_examples=200, deadline=None)
@given(system=safety_systems(), refines=st.booleans(), data=st.data())
def test_the_verdict_is_right(method: str, system: System, refines: bool, data: st.DataObject) -> None:
    problem = safety_problem(system)
    count = len(problem.components)
    numbers = st.integers(0, count - 1)
    group = data.draw(st.lists(numbers, unique=True, max_size=count - 1))
    order = data.draw(st.lists(numbers, unique=True))
    options = LtsOptions(refines, (tuple(group),) if group else (), tuple(order))
    outcome = DECIDE[method](problem, options, no_progress)
    components = (*problem.components, problem.property)
    if outcome.verdict is Verdict.VIOLATED:
        assert outcome.word is not None
        assert violates(components, outcome.word)
    else:
        assert outcome.verdict is Verdict.HOLDS
        assert distance_to_error(components) is None
        assert outcome.certificate is not None


def _channel(method: str) -> dict[str, int | float]:
    model = read(str(Path(__file__).parents[2] / "models" / "lts" / "input_output.lts"))
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
