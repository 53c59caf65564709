"""Premise 2 on arrays against the re-check of one state after the other, for right and for damaged assumptions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lpts.bisimulation import quotient
from symag.lpts.certificates.assumptions import AbstractSystem
from symag.lpts.certify import class_tables, simulations
from symag.lpts.certify.weights import ProbabilisticAutomaton
from symag.lpts.lpts import Lpts
from tests.judging import is_accepted
from tests.lpts.strategies import composed, systems


def assumption_of(components: list[Lpts], wanted: list[int]) -> AbstractSystem:
    """The quotient of the composition, by classes drawn for its states."""
    whole, states = composed(components)
    drawn = [wanted[k % len(wanted)] for k in range(whole.states)]
    number = {value: place for place, value in enumerate(dict.fromkeys(drawn))}
    classes = [number[value] for value in drawn]
    small = quotient(whole, np.array(classes, dtype=np.int64))
    transitions = tuple((s, small.alphabet[a], tuple(sorted(mu.items()))) for s, a, mu in small.triples())
    return AbstractSystem(small.states, transitions, np.column_stack((np.array(states), classes)))


def damaged(assumption: AbstractSystem, kind: int, place: int) -> AbstractSystem:
    transitions, classes = list(assumption.transitions), assumption.classes.copy()
    if kind == 1 and transitions:
        del transitions[place % len(transitions)]
    elif kind == 2:
        classes = np.delete(classes, place % len(classes), axis=0)
    elif kind == 3:
        classes[place % len(classes), -1] = place % assumption.states
    elif kind == 4:
        classes[place % len(classes), -2] += 9
    return replace(assumption, transitions=tuple(transitions), classes=classes)


def accepts(components: list[Lpts], assumption: AbstractSystem) -> tuple[bool, bool]:
    """One state after the other, and on arrays."""
    automata = [ProbabilisticAutomaton.of(each) for each in components]
    assert class_tables.fits(automata, assumption)
    return (
        is_accepted(simulations._check_abstraction, automata, assumption, Deadline(None)),
        is_accepted(lambda: class_tables.ClassTable(automata, assumption).check(Deadline(None))),
    )


@settings(max_examples=200, deadline=None)
@given(
    st.lists(systems(states=3, silent=True), min_size=1, max_size=3),
    st.lists(st.integers(0, 2), min_size=1, max_size=5),
    st.integers(0, 4),
    st.integers(0, 50),
)
def test_both_accept_and_refuse_the_same(components: list[Lpts], wanted: list[int], kind: int, place: int) -> None:
    assumption = assumption_of(components, wanted)
    one_by_one, on_arrays = accepts(components, damaged(assumption, kind, place))
    event(f"accepted: {one_by_one}")
    assert one_by_one == on_arrays
    if kind == 0:
        assert on_arrays


def test_a_state_in_two_classes_is_refused() -> None:
    component = Lpts.of("L", ("", "a"), 1, [(0, 1, {0: 1})])  # type: ignore[dict-item]
    assumption = AbstractSystem(1, ((0, "a", ((0, 1),)),), np.zeros((2, 2), dtype=np.int64))  # type: ignore[arg-type]
    with pytest.raises(CertificationError, match="in two classes"):
        class_tables.ClassTable([ProbabilisticAutomaton.of(component)], assumption)
