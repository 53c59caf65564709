"""One premise: what an assumption allows, against the inclusion of exact languages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.lts import Lts, System
from symag.lts.certificates import LabelledAssumption
from symag.lts.certify.machines import AssumptionJudge, Machine, machine_of, safety_question
from symag.lts.certify.rules import JudgedPremise
from tests.lts.explicit_languages import exact
from tests.lts.strategies import LABELS, systems


@st.composite
def assumptions(draw: st.DrawFn) -> LabelledAssumption:
    """With a choice of targets more often than not, and allowing much."""
    alphabet = tuple(draw(st.lists(st.sampled_from(LABELS), unique=True, min_size=1, max_size=2)))
    states = draw(st.integers(1, 4))
    state = st.integers(0, states - 1)
    transitions = {
        (source, action, target)
        for source in range(states)
        for action in range(len(alphabet))
        for target in draw(st.lists(state, max_size=3))
    }
    return LabelledAssumption(alphabet, states, tuple(sorted(transitions)))


def _machines(components: list[Lts]) -> tuple[Machine, ...]:
    found = safety_question(System("S", tuple(components), None, None, False, frozenset()))
    return found.components


def _is_included(left: LabelledAssumption, right: LabelledAssumption) -> bool:
    """Of two deterministic automata over the same actions."""
    first = {(source, action): target for source, action, target in left.transitions}
    second = {(source, action): target for source, action, target in right.transitions}
    seen, waiting = {(0, 0)}, [(0, 0)]
    for one, other in waiting:
        for action in range(len(left.alphabet)):
            if (one, action) not in first:
                continue
            if (other, action) not in second:
                return False
            following = first[one, action], second[other, action]
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return True


@pytest.mark.long
@settings(max_examples=700, deadline=None)
@given(st.lists(systems(states=3, errors=False), min_size=1, max_size=2), assumptions(), st.none() | assumptions())
def test_a_premise_holds_exactly_if_the_languages_are_included(
    components: list[Lts], right: LabelledAssumption, left: LabelledAssumption | None
) -> None:
    assumed = [] if left is None else [left]
    # An action that nothing on the left has can happen there at any time.
    free = Lts.of("free", ("tau", *LABELS), 1, [(0, action, 0) for action in range(1, len(LABELS) + 1)])
    everything = exact([*components, *assumed, free], right.alphabet)
    expected = _is_included(everything, exact([right], right.alphabet))
    premise = JudgedPremise("premise", _machines(components), [machine_of(each) for each in assumed], Deadline(60))
    try:
        premise.check(AssumptionJudge(machine_of(right)))
    except CertificationError:
        assert not expected
    else:
        assert expected
