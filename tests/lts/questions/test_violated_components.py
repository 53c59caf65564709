"""Which components a trace to ERROR violates, by its last action."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings

from symag.core.limits import no_progress
from symag.lts import System
from symag.lts.lts import ERROR
from symag.lts.methods.monolithic import decide
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names, violated_components
from tests.lts.strategies import safety_systems


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(safety_systems())
def test_the_named_components_are_those_with_a_transition_to_error(system: System) -> None:
    safety = CompositeQuestion(0, "safety", None, "ERROR is not reached", None, system.name)
    (result,) = decide(system, (safety,), no_progress)
    assume(result.trace is not None)
    before = result.trace.steps[-2]
    expected = set()
    for name, component in zip(local_names(system.components), system.components, strict=True):
        rows = zip(component.source.tolist(), component.action.tolist(), component.target.tolist(), strict=True)
        for source, action, target in rows:
            if (source, component.alphabet[action], target) == (before.state[name], before.action, ERROR):
                expected.add(name)
    assert set(violated_components(system.components, result.trace)) == expected
    assert expected
