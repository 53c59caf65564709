"""Several initial states: simulated exactly if each of them is."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.results import Verdict
from symag.lpts.lpts import Lpts
from symag.lpts.methods.agar import agar
from symag.lpts.methods.monolithic import decide
from symag.lpts.methods.options import LptsOptions
from symag.lpts.problems import SimulationProblem
from symag.lpts.state_values import StateValues, started, with_start
from tests.lpts.strategies import composed, simulated, systems


def from_state(system: Lpts, state: int) -> Lpts:
    """The system with another initial state, which changes its number with state 0."""
    moved = {0: state, state: 0}
    triples = [(moved.get(s, s), a, {moved.get(t, t): p for t, p in mu.items()}) for s, a, mu in system.triples()]
    return Lpts.of(system.name, system.alphabet, system.states, triples)


@settings(max_examples=150, deadline=None)
@given(
    systems(states=3, moves=5), systems(states=2, moves=4, actions="bc"), systems(moves=12, actions="abc"), st.data()
)
def test_each_initial_state_is_simulated_by_some(left: Lpts, other: Lpts, wanted: Lpts, data: st.DataObject) -> None:
    mine = data.draw(st.integers(1, left.states))
    theirs = data.draw(st.integers(1, wanted.states))
    several = with_start(left, mine)
    assert several.broken_law() is None
    numbered = [StateValues.numbered("x", each.states) for each in (several, other)]
    components, _ = started([several, other], numbered)
    specification = with_start(wanted, theirs) if theirs > 1 else wanted
    expected = all(
        any(simulated(composed([from_state(left, s), other])[0], from_state(wanted, t)) for t in range(theirs))
        for s in range(mine)
    )
    for method in (decide, agar):
        outcome = method(SimulationProblem(tuple(components), specification), LptsOptions())
        assert (outcome.verdict is Verdict.HOLDS) == expected
