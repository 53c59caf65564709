"""LTL on lassos and certificates of fair emptiness, against the explicit judge."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError
from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.temporal import AvoidedCondition, FairEmptiness
from symag.smv.certify.runs.lasso import holds_along
from symag.smv.certify.runs.replay import replay
from symag.smv.model.flat import FlatSystem
from tests.certify.packages import is_accepted_by_both
from tests.certify.temporal.explicit_positions import ExplicitPositions
from tests.explicit_ltl import holds, true_on
from tests.linear_models import linear_formula, linear_model


def is_accepted(system: FlatSystem, evidence: FairEmptiness) -> bool:
    return is_accepted_by_both(system, system.properties[0], evidence)


def drawn(seed: int) -> tuple[FlatSystem, ExplicitPositions, bool]:
    """A system with one LTL property, its positions, and whether it holds."""
    system = read_text(linear_model(random.Random(seed), temporal=2))
    formula = system.properties[0].expression
    assert formula is not None
    return system, ExplicitPositions(system, formula), holds(system, formula)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_positions_and_removals_prove_what_holds(seed: int) -> None:
    system, positions, wanted = drawn(seed)
    assert is_accepted(system, positions.certificate(positions.removals())) is wanted
    assert is_accepted(system, positions.certificate([])) is wanted


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32), st.data())
def test_no_removals_prove_what_is_violated(seed: int, data: st.DataObject) -> None:
    system, positions, wanted = drawn(seed)
    assume(not wanted)
    known = sorted(positions.seen)
    conditions = [avoided for avoided, _, _ in positions.conditions()] + [AvoidedCondition("progress")]
    forged = positions.removals()
    for _ in range(data.draw(st.integers(1, 3))):
        some = set(data.draw(st.lists(st.sampled_from(known)))) if data.draw(st.booleans()) else set(known)
        place = data.draw(st.integers(0, len(forged)))
        forged.insert(place, (data.draw(st.sampled_from(conditions)), some))
    lost = frozenset(data.draw(st.lists(st.sampled_from(known), max_size=1)))
    assert not is_accepted(system, positions.certificate(forged, lost))


@pytest.mark.long
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32), st.data())
def test_a_lost_position_is_missed(seed: int, data: st.DataObject) -> None:
    system, positions, wanted = drawn(seed)
    going_on = sorted(positions.infinite(positions.seen))
    assume(wanted and going_on)
    lost = data.draw(st.sampled_from(going_on))
    assert not is_accepted(system, positions.certificate(positions.removals(), frozenset((lost,))))


def test_an_observer_means_its_formula() -> None:
    """The set says that b follows a; it proves so only while its bit is known to mean that."""
    text = "MODULE main VAR a : boolean; b : boolean; ASSIGN init(b) := FALSE; next(b) := a; LTLSPEC G (b -> {})"
    system = read_text(text.format("Y a"))
    nodes = ((0, 1, 0), (0, 0, 1), (1, 2, 3))  # observer, not observer, b <-> observer
    for meaning, accepted in (("Y a", True), ("Y b", False), ("a", False), ("Z a", False)):
        observers = (("LTL_0_", meaning), ("LTL_1_", "G (b -> Y a)"))
        table = DiagramTable((("LTL_0_", 0), ("b", 0), ("LTL_1_", 0)), (*nodes, (2, 0, 4)))
        evidence = FairEmptiness(table, observers, ("!(G (b -> Y a))",), (5,), ())
        assert is_accepted(system, evidence) is accepted


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32))
def test_formulas_along_lassos(seed: int) -> None:
    chance = random.Random(seed)
    atoms = ["a", "b", "i", "next(a)"]
    formula = linear_formula(chance, atoms, chance.randint(1, 5))
    system = read_text(f"MODULE main VAR a : boolean; b : boolean; IVAR i : boolean; LTLSPEC {formula}")
    steps = tuple(
        Step({"a": chance.random() < 0.5, "b": chance.random() < 0.5}, {"i": chance.random() < 0.5})
        for _ in range(chance.randint(1, 6))
    )
    trace = Trace("lasso", steps, chance.randrange(len(steps)))
    expression = system.properties[0].expression
    assert expression is not None
    assert holds_along(system, expression, trace) is true_on(system, expression, trace)


@pytest.mark.parametrize(
    ("trace", "reason"),
    [
        (Trace("finite", (Step({"x": 0}), Step({"x": 1}))), "the trace is finite"),
        (Trace("lasso", (Step({"x": 0}), Step({"x": 1}), Step({"x": 2})), 2), None),
        (Trace("lasso", (Step({"x": 0}), Step({"x": 1})), 1), "the loop never satisfies the fairness constraint"),
        (Trace("lasso", (Step({"x": 0}), Step({"x": 2})), 1), "the property is true along the trace"),
        (Trace("lasso", (Step({"x": 0}), Step({"x": 3})), 1), "the TRANS of line 1 is violated"),
    ],
)
def test_a_violation_of_ltl_is_a_fair_lasso(trace: Trace, reason: str | None) -> None:
    """A path to a bad state refutes nothing where it cannot go on to a fair infinite run."""
    system = read_text("MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) != 3 JUSTICE x = 2 LTLSPEC G x != 1")
    if reason is None:
        replay(system, system.properties[0], trace)
        return
    with pytest.raises(CertificationError, match=reason):
        replay(system, system.properties[0], trace)


def test_brackets_make_no_difference_to_an_observer() -> None:
    """What holds initially and for ever after: the observer's text has other brackets than the model."""
    system = read_text(
        "MODULE main VAR a : boolean; b : boolean; c : boolean; IVAR i : boolean; "
        "ASSIGN init(a) := TRUE; next(a) := a; LTLSPEC G (a | (b & (c & i)))"
    )
    table = DiagramTable((("LTL_1_", 0), ("a", 0)), ((0, 0, 1), (1, 2, 0)))
    observers = (("LTL_1_", "X G (a | ((b & c) & i))"),)
    eventuality = "!(G (a | ((b & c) & i)))"
    assert is_accepted(system, FairEmptiness(table, observers, (eventuality,), (3,), ()))
    assert not is_accepted(system, FairEmptiness(table, (("LTL_1_", "X G b"),), (eventuality,), (3,), ()))
